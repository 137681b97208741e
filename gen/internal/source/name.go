package source

import (
	"go/ast"
	"go/types"
	"path"
	"slices"
	"strconv"

	"github.com/aiongen/aiongen/gen/internal/model"
)

// runtimeName returns the name of an object of the runtime package tool that an expression
// refers to, or "".
func (r *annotationReader) runtimeName(file *ast.File, e ast.Expr) string {
	e = ast.Unparen(e)
	for _, im := range file.Imports {
		if !isRuntime(im) {
			continue
		}
		name := path.Base(model.ToolPath)
		if im.Name != nil {
			name = im.Name.Name
		}
		switch e := e.(type) {
		case *ast.Ident:
			if name == "." {
				return e.Name
			}
		case *ast.SelectorExpr:
			if x, ok := e.X.(*ast.Ident); ok && x.Name == name {
				return e.Sel.Name
			}
		}
	}
	return ""
}

// importsRuntime reports whether a file imports the runtime package tool.
func importsRuntime(file *ast.File) bool { return slices.ContainsFunc(file.Imports, isRuntime) }

func isRuntime(im *ast.ImportSpec) bool {
	imported, err := strconv.Unquote(im.Path.Value)
	return err == nil && imported == model.ToolPath
}

// checkExpr type-checks an expression in its scope and ignores errors, which the Go
// compiler reports.
func (r *annotationReader) checkExpr(file *ast.File, e ast.Expr) *types.Info {
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}}
	_ = types.CheckExpr(r.pkg.Fset, r.pkg.Types, file.Name.Pos(), e, info)
	return info
}
