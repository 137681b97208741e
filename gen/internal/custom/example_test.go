package custom_test

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"github.com/aiongen/aiongen/gen/internal/custom"
	"github.com/aiongen/aiongen/gen/internal/model"
)

// A well-known type is known by its name.
func ExampleArgument() {
	pkg := types.NewPackage("k8s.io/apimachinery/pkg/util/intstr", "intstr")
	t := types.NewNamed(types.NewTypeName(token.NoPos, pkg, "IntOrString", nil), types.NewStruct(nil, nil), nil)
	form := custom.Argument(t, func(*types.Package) map[string]ast.Expr { return nil })
	fmt.Println(form.Kind == model.TextOr, form.Elem.Go)
	// Output: true int32
}
