package annotate

import (
	"go/ast"
	"go/types"
	"path"
	"strconv"

	"github.com/aiongen/aiongen/gen/internal/model"
)

// runtimeName is the name of an object of the runtime's package tool that an
// expression refers to, by the imports of its file; "" if it does not.
func (r *reader) runtimeName(file *ast.File, e ast.Expr) string {
	for _, im := range file.Imports {
		if imported, err := strconv.Unquote(im.Path.Value); err != nil || imported != model.ToolPath {
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

// infoOf type-checks an expression where it stands. What is wrong with it is the
// Go compiler's to say.
func (r *reader) infoOf(file *ast.File, e ast.Expr) *types.Info {
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}}
	_ = types.CheckExpr(r.pkg.Fset, r.pkg.Types, file.Name.Pos(), e, info)
	return info
}
