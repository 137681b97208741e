package bind

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/aiongen/aiongen/gen/internal/load"
	"github.com/aiongen/aiongen/gen/internal/resolve"
)

// endings say what functions do that never return, by their full names.
var endings = map[string]string{
	"os.Exit":               "ends the process",
	"syscall.Exit":          "ends the process",
	"log.Fatal":             "ends the process",
	"log.Fatalf":            "ends the process",
	"log.Fatalln":           "ends the process",
	"(*log.Logger).Fatal":   "ends the process",
	"(*log.Logger).Fatalf":  "ends the process",
	"(*log.Logger).Fatalln": "ends the process",
	"runtime.Goexit":        "ends the goroutine of the call",
	"log.Panic":             "always panics",
	"log.Panicf":            "always panics",
	"log.Panicln":           "always panics",
	"(*log.Logger).Panic":   "always panics",
	"(*log.Logger).Panicf":  "always panics",
	"(*log.Logger).Panicln": "always panics",
	"panic":                 "always panics",
}

// checkEnding reports a function that never returns. That of a library is an error: no
// call of such a tool can succeed. One of the package itself that does no more than that
// may be a stub, or be meant, and gets a note.
func (b *binder) checkEnding(el *element) {
	f, ok := el.fn.Obj.(*types.Func)
	if !ok {
		return
	}
	if what := endings[f.FullName()]; what != "" {
		b.unfit(el, fmt.Sprintf("%s %s, so that no call of the tool returns", f.Name(), what)).
			WithHelp("write a function that returns an error instead")
		return
	}
	if what := b.endings.find(el.fn); what != "" {
		d := b.faults.Notef("never-returns", el.at(), "%s: %s %s, so that no call of the tool succeeds", el.tool.Name, f.Name(), what)
		d.WithHelp("return an error instead")
		d.Related = b.scope.Declaration(el.fn)
		el.tool.Notes = append(el.tool.Notes, d.Message)
	}
}

// endingFinder finds the functions of a package that never return.
type endingFinder struct {
	pkg    *load.Package
	bodies map[token.Pos]*ast.BlockStmt // of one statement, by the place of the function's name; nil if not read yet
}

// find describes how a function of the package ends, as in "always panics", if its body
// does nothing else. It returns "" for other functions.
func (e *endingFinder) find(fn resolve.Function) string {
	if e.bodies == nil {
		e.bodies = map[token.Pos]*ast.BlockStmt{}
		for _, file := range e.pkg.Files {
			for _, decl := range file.Decls {
				if decl, ok := decl.(*ast.FuncDecl); ok && decl.Body != nil && len(decl.Body.List) == 1 {
					e.bodies[decl.Name.Pos()] = decl.Body
				}
			}
		}
	}
	body := e.bodies[fn.Obj.Pos()]
	if body == nil {
		return ""
	}
	statement, ok := body.List[0].(*ast.ExprStmt)
	if !ok {
		return ""
	}
	call, ok := statement.X.(*ast.CallExpr)
	if !ok {
		return ""
	}
	switch called := call.Fun.(type) {
	case *ast.Ident:
		if called.Name == "panic" && e.pkg.Types.Scope().Lookup("panic") == nil {
			return endings["panic"]
		}
	case *ast.SelectorExpr:
		if pkg, ok := called.X.(*ast.Ident); ok && isImported(e.pkg.Files, pkg) {
			return endings[pkg.Name+"."+called.Sel.Name]
		}
	}
	return ""
}

// isImported reports whether a name stands for the package of the standard library that it
// names in the file that it is in.
func isImported(files []*ast.File, name *ast.Ident) bool {
	for _, file := range files {
		if file.FileStart > name.Pos() || name.Pos() >= file.FileEnd {
			continue
		}
		for _, spec := range file.Imports {
			if spec.Name == nil && strings.Trim(spec.Path.Value, `"`+"`") == name.Name {
				return true
			}
		}
	}
	return false
}
