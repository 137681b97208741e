package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strings"
)

// offer asks the generated code itself which tools it offers where there is no
// scope, and counts those that could be.
func (m module) offer(o *outcome, _ []string) error {
	constructors, err := m.constructors()
	if err != nil {
		return err
	}
	if err := m.write("offered/main.go", fmt.Sprintf(offered, strings.Join(constructors, ", "))); err != nil {
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

// offered prints the names of the tools that are offered without a scope. What the
// methods are called on does not matter for that, so that it is zero.
const offered = `package main

import (
	"encoding/json"
	"log"
	"os"
	"reflect"

	"github.com/aiongen/aiongen/runtime/tool"

	"` + modulePath + `"
)

func main() {
	r := tool.NewRegistry()
	for _, constructor := range []any{%s} {
		f := reflect.ValueOf(constructor)
		var receivers []reflect.Value
		for t := range f.Type().Ins() {
			receivers = append(receivers, reflect.Zero(t))
		}
		t := f.Call(receivers)[0].Elem().FieldByName("Tool").Interface().(tool.Tool)
		if err := r.Register(t); err != nil {
			log.Fatal(err)
		}
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

// constructors are the functions of the generated code that return a tool.
func (m module) constructors() (names []string, err error) {
	files, err := m.generated()
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, decl := range f.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok && fn.Recv == nil && returnsTool(fn) {
				names = append(names, path.Base(modulePath)+"."+fn.Name.Name)
			}
		}
	}
	return names, nil
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
