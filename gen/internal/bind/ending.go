package bind

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/load"
	"github.com/aiongen/aiongen/gen/internal/resolve"
)

// neverReturning describes functions that never return, by full name.
var neverReturning = map[string]string{
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

// checkEnding reports a function that never returns. For a library function, this is an error, because no
// call of the tool can succeed. For a function of the package, it is only a Note, because the function may be
// a stub or intended.
func (b *binder) checkEnding(el *element) {
	f, ok := el.fn.Obj.(*types.Func)
	if !ok {
		return
	}
	if what := neverReturning[f.FullName()]; what != "" {
		b.reportUnfit(el, fmt.Sprintf("%s %s, so no call of the tool returns", f.Name(), what)).
			WithHelp("write a function that returns an error instead")
		return
	}
	if what := b.endings.describeEnding(el.fn); what != "" {
		el.addNote("never-returns", diag.Group{Many: "tools never succeed, because their functions never return"}, "%s %s, so no call of the tool succeeds", f.Name(), what).
			WithHelp("return an error instead").
			Related = b.scope.RelatedDeclaration(el.fn)
	}
}

// endingFinder finds the functions of a package that never return.
type endingFinder struct {
	pkg        *load.Package
	statements map[token.Pos]ast.Stmt // see indexStatements; nil before the first use
}

// indexStatements returns the statement of each function whose body is a single statement, by the position of
// the function's name.
func indexStatements(files []*ast.File) map[token.Pos]ast.Stmt {
	statements := map[token.Pos]ast.Stmt{}
	for _, file := range files {
		for _, decl := range file.Decls {
			if decl, ok := decl.(*ast.FuncDecl); ok && decl.Body != nil && len(decl.Body.List) == 1 {
				statements[decl.Name.Pos()] = decl.Body.List[0]
			}
		}
	}
	return statements
}

// describeEnding describes how a function of the package ends, as in "always panics", if its
// body is a single call that never returns. It returns "" for other functions.
func (e *endingFinder) describeEnding(fn resolve.Function) string {
	if e.statements == nil {
		e.statements = indexStatements(e.pkg.Files)
	}
	statement, ok := e.statements[fn.Obj.Pos()].(*ast.ExprStmt)
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
			return neverReturning["panic"]
		}
	case *ast.SelectorExpr:
		if pkg, ok := called.X.(*ast.Ident); ok && isImported(e.pkg.Files, pkg) {
			return neverReturning[pkg.Name+"."+called.Sel.Name]
		}
	}
	return ""
}

// isImported reports whether name refers to a package of the standard library that its file
// imports.
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
