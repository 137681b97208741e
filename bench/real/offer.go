package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// offer asks the generated code itself which tools it offers where there is no
// scope, and counts those that could be.
func (m module) offer(o *outcome, _ []string) error {
	source, err := m.offering()
	if err != nil {
		return err
	}
	if err := m.write("offered/main.go", source); err != nil {
		return err
	}
	out, err := m.run("run", "go", "run", "./offered")
	if err != nil {
		return err
	}
	var names []string
	if err := json.Unmarshal(out, &names); err != nil {
		return &failure{"run", err.Error()}
	}
	o.offered, o.hiding = len(names), map[string]int{}
	for _, t := range o.bound {
		is := slices.Contains(names, t.Name)
		switch {
		case !t.able():
		case is:
			o.able++
			o.offeredAble++
		default:
			o.able++
			o.hiding[t.hiddenBy()]++
		}
	}
	return nil
}

// offering is a program that prints the names of the tools that are offered without
// a scope.
func (m module) offering() (string, error) {
	files, err := m.generated()
	if err != nil {
		return "", err
	}
	var calls, receivers []string
	imports := map[string]bool{`tools "` + modulePath + `"`: true}
	for _, path := range []string{"encoding/json", "log", "os", "github.com/aiongen/aiongen/runtime/tool"} {
		imports[fmt.Sprintf("%s %q", path[strings.LastIndex(path, "/")+1:], path)] = true
	}
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			return "", err
		}
		names, err := m.importNames(f)
		if err != nil {
			return "", err
		}
		for _, decl := range f.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok || fn.Recv != nil || !returnsTool(fn) {
				continue
			}
			value := ""
			for _, param := range fn.Type.Params.List {
				t := fmt.Sprintf("receiver%d", len(receivers))
				receivers = append(receivers, "type "+t+" = "+types.ExprString(param.Type))
				value = receiver(t, param.Type)
			}
			calls = append(calls, "tools."+fn.Name.Name+"("+value+").Tool,")
			for _, path := range mentioned(fn.Type.Params, names) {
				imports[path] = true
			}
		}
	}
	specs := slices.Sorted(maps.Keys(imports))
	return fmt.Sprintf(offered, strings.Join(specs, "\n\t"), strings.Join(receivers, "\n"), strings.Join(calls, "\n\t\t")), nil
}

const offered = `package main

import (
	%s
)

%s

func main() {
	r := tool.NewRegistry()
	err := r.Register(
		%s
	)
	if err != nil {
		log.Fatal(err)
	}
	names := []string{}
	for _, d := range r.Available(nil) {
		names = append(names, d.Name)
	}
	if err := json.NewEncoder(os.Stdout).Encode(names); err != nil {
		log.Fatal(err)
	}
}
`

// importNames are the import specs of a file by the names of their packages.
func (m module) importNames(f *ast.File) (map[string]string, error) {
	args := []string{"list", "-f", "{{.ImportPath}} {{.Name}}"}
	specs := map[string]string{}
	for _, spec := range f.Imports {
		if spec.Name != nil {
			specs[spec.Name.Name] = spec.Name.Name + " " + spec.Path.Value
			continue
		}
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return nil, err
		}
		args = append(args, path)
	}
	out, err := m.run("go list", "go", args...)
	for line := range strings.Lines(string(out)) {
		path, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		specs[name] = name + " " + strconv.Quote(path)
	}
	return specs, err
}

// receiver is the argument of a constructor, of a type under another name: what the
// methods are called on. Nothing calls them, so that it is a new value or, for an
// interface, one that has nothing.
func receiver(name string, t ast.Expr) string {
	if p, ok := t.(*ast.StarExpr); ok {
		return "new(" + types.ExprString(p.X) + ")"
	}
	return "struct{ " + name + " }{}" // whose name no method has
}

// mentioned are the import specs of the packages that a piece of Go mentions.
func mentioned(n ast.Node, specs map[string]string) (found []string) {
	ast.Inspect(n, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := sel.X.(*ast.Ident); ok && specs[x.Name] != "" {
				found = append(found, specs[x.Name])
			}
		}
		return true
	})
	return found
}

// returnsTool reports whether a function returns a *tool.Of or a *tool.Do.
func returnsTool(fn *ast.FuncDecl) bool {
	if !fn.Name.IsExported() || fn.Type.Results == nil || len(fn.Type.Results.List) != 1 {
		return false
	}
	star, ok := fn.Type.Results.List[0].Type.(*ast.StarExpr)
	if !ok {
		return false
	}
	result := star.X
	switch x := result.(type) {
	case *ast.IndexExpr:
		result = x.X
	case *ast.IndexListExpr:
		result = x.X
	}
	typ, ok := result.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	pkg, ok := typ.X.(*ast.Ident)
	return ok && pkg.Name == "tool" && (typ.Sel.Name == "Of" || typ.Sel.Name == "Do")
}

// measure takes the size of the output schema of a function that returns the
// subject's measured type.
func (m module) measure(o *outcome, _ []string) error {
	if o.measured == "" {
		return nil
	}
	dot := strings.LastIndex(o.measured, ".")
	source := fmt.Sprintf("package measured\n\nimport p %q\n\n// Get gets.\nfunc Get() *p.%s { return nil }\n", o.measured[:dot], o.measured[dot+1:])
	if err := m.write("measured/get.go", source); err != nil {
		return err
	}
	if err := m.write("measured/get.aion", "[ { name --> \"get\", function --> \"Get\" --> {} } ]\n"); err != nil {
		return err
	}
	out, err := m.run("list -json", m.program, "list", "-C", "measured", "-json")
	if err != nil {
		return err
	}
	var tools []listed
	if err := json.Unmarshal(out, &tools); err != nil {
		return err
	}
	o.measuredBytes = compacted(tools[0].Output)
	return nil
}
