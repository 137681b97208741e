package bind

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
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
	if what := b.describeEnding(el.fn); what != "" {
		el.addNote("never-returns", diag.Group{Many: "tools never succeed, because their functions never return"}, "%s %s, so no call of the tool succeeds", f.Name(), what).
			WithHelp("return an error instead").
			Related = b.scope.RelatedDeclaration(el.fn)
	}
}

// describeEnding describes how a function of the package ends, as in "always panics", if its
// body is a single call that never returns. It returns "" for other functions.
func (b *binder) describeEnding(fn resolve.Function) string {
	if fn.Pkg() != b.pkg.Types {
		return ""
	}
	statement, ok := b.docs.PackageDoc(b.pkg.Types).OnlyStatement(fn.DocKey).(*ast.ExprStmt)
	if !ok {
		return ""
	}
	call, ok := statement.X.(*ast.CallExpr)
	if !ok {
		return ""
	}
	switch called := call.Fun.(type) {
	case *ast.Ident:
		if called.Name == "panic" && b.pkg.Types.Scope().Lookup("panic") == nil {
			return neverReturning["panic"]
		}
	case *ast.SelectorExpr:
		if pkg, ok := called.X.(*ast.Ident); ok && isImported(b.pkg.Files, pkg) {
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
