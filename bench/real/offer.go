package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// countOffered runs the generated code to find the tools that it offers without a scope, and counts those that
// could be offered.
func (m module) countOffered(o *outcome) error {
	source, err := m.offeringProgram()
	if err != nil {
		return err
	}
	if err := m.writeFile("offered/main.go", source); err != nil {
		return err
	}
	out, err := m.runCommand("run", "go", "run", "./offered")
	if err != nil {
		return err
	}
	var names []string
	if err := json.Unmarshal(out, &names); err != nil {
		return &failure{"run", err.Error()}
	}
	functions, err := m.readFunctions(o)
	if err != nil {
		return err
	}
	references, err := readReferences()
	if err != nil {
		return err
	}
	for _, t := range o.bound {
		f := functions[t.Name]
		offered := slices.Contains(names, t.Name)
		if offered {
			o.Offered = append(o.Offered, f)
		}
		if o.needsReference(f, t, references) {
			continue
		}
		o.Fitting++
		if !offered {
			o.Needless = append(o.Needless, f+": "+t.hidingType())
		}
	}
	return nil
}

// readFunctions returns the functions of the tools in the draft of o, by the names of the tools.
func (m module) readFunctions(o *outcome) (map[string]string, error) {
	text, err := os.ReadFile(filepath.Join(m.dir, aionFile))
	functions := map[string]string{}
	for _, found := range draftElement.FindAllStringSubmatch(string(text), -1) {
		functions[found[1]] = o.declaredName(withoutPointer.Replace(strings.TrimPrefix(found[2], o.path+".")))
	}
	return functions, err
}

// declaredName returns the name of a method by its type if the draft names it by its path from a client:
// IssuesService.Create for Client.Issues.Create.
func (o *outcome) declaredName(name string) string {
	steps := strings.Split(name, ".")
	if len(steps) < 3 || len(o.tried) == 0 {
		return name
	}
	pkg := o.tried[0].Pkg()
	client := pkg.Scope().Lookup(steps[0])
	if client == nil {
		return name
	}
	t := client.Type()
	for _, step := range steps[1 : len(steps)-1] {
		field, _, _ := types.LookupFieldOrMethod(t, true, pkg, step)
		if field == nil {
			return name
		}
		t = field.Type()
		if sig, ok := t.(*types.Signature); ok && sig.Results().Len() > 0 {
			t = sig.Results().At(0).Type()
		}
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	if !ok {
		return name
	}
	return named.Obj().Name() + "." + steps[len(steps)-1]
}

// offeringProgram returns a program that prints the names of the tools that are offered without a scope.
func (m module) offeringProgram() (string, error) {
	files, err := m.generatedFiles()
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
				value = receiverValue(t, param.Type)
			}
			calls = append(calls, "tools."+fn.Name.Name+"("+value+").Tool,")
			for _, path := range usedImports(fn.Type.Params, names) {
				imports[path] = true
			}
		}
	}
	specs := slices.Sorted(maps.Keys(imports))
	return fmt.Sprintf(offeredMain, strings.Join(specs, "\n\t"), strings.Join(receivers, "\n"), strings.Join(calls, "\n\t\t")), nil
}

const offeredMain = `package main

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

// importNames returns the import specs of a file by the names of their packages.
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
	out, err := m.runCommand("go list", "go", args...)
	for line := range strings.Lines(string(out)) {
		path, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		specs[name] = name + " " + strconv.Quote(path)
	}
	return specs, err
}

// receiverValue returns an argument for a constructor, of the type declared with the given name: a new value
// or, for an interface, a value whose methods are nil. Nothing calls its methods.
func receiverValue(name string, t ast.Expr) string {
	if p, ok := t.(*ast.StarExpr); ok {
		return "new(" + types.ExprString(p.X) + ")"
	}
	return "struct{ " + name + " }{}" // no method has this name
}

// usedImports returns the import specs of the packages that a piece of Go code uses.
func usedImports(n ast.Node, specs map[string]string) (found []string) {
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

// returnsTool reports whether a function returns a *tool.TypedTool or a *tool.TypedAction.
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
	return ok && pkg.Name == "tool" && (typ.Sel.Name == "TypedTool" || typ.Sel.Name == "TypedAction")
}

// measureSchema measures the size of the output schema of a function that returns the subject's measured
// type.
func (m module) measureSchema(o *outcome) error {
	if o.measured == "" {
		return nil
	}
	dot := strings.LastIndex(o.measured, ".")
	source := fmt.Sprintf("package measured\n\nimport p %q\n\n// Get gets.\nfunc Get() *p.%s { return nil }\n", o.measured[:dot], o.measured[dot+1:])
	if err := m.writeFile("measured/get.go", source); err != nil {
		return err
	}
	if err := m.writeFile("measured/get.aion", "[ { name --> \"get\", function --> \"Get\" --> {} } ]\n"); err != nil {
		return err
	}
	out, err := m.runCommand("list -json", m.program, "list", "-C", "measured", "-json")
	if err != nil {
		return err
	}
	var tools []listedTool
	if err := json.Unmarshal(out, &tools); err != nil {
		return err
	}
	o.MeasuredBytes = compactLength(tools[0].Output)
	return nil
}
