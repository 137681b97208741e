package source

import (
	"go/ast"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/load"
)

// declarationCodes are the codes of errors in calls that declare something at compile time, by function.
var declarationCodes = map[string]diag.Code{
	"Annotate": "bad-annotation", "Inject": "bad-injection", "PassContext": "bad-pass-context", "Represent": "bad-representation",
	"Union": "bad-union",
}

// CheckPlaces reports calls of tool.Annotate, tool.Inject, tool.PassContext, tool.Represent and tool.Union that have no
// effect, because they are not the value of a package-level variable.
func CheckPlaces(pkg *load.Package) diag.List {
	r := annotationReader{pkg: pkg}
	effective := map[*ast.CallExpr]bool{}
	for _, call := range r.allCalls {
		declaration, _ := splitOptions(call) // skips calls such as .Member("kind") of a union
		effective[declaration] = true
	}
	for _, file := range pkg.Files {
		if !importsRuntime(file) {
			continue
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || effective[call] {
				return true
			}
			name := r.runtimeName(file, calledName(call))
			if code := declarationCodes[name]; code != "" {
				r.faults.Errorf(code, pkg.Span(call.Pos(), call.End()), "tool.%s has no effect here, because it is read at compile time", name).
					WithHelp("declare a variable outside of functions: var _ = tool.%s(…)", name)
			}
			return true
		})
	}
	return r.faults
}
