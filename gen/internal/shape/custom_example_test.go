package shape_test

import (
	"fmt"
	"go/token"
	"go/types"
	"strings"

	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/shape"
	"github.com/aiongen/aiongen/gen/internal/source"
)

// Well-known types are recognized by name.
func ExampleCustomArgument() {
	for _, name := range []string{"util/intstr.IntOrString", "apis/meta/v1/unstructured.Unstructured"} {
		path, name, _ := strings.Cut(name, ".")
		pkg := types.NewPackage("k8s.io/apimachinery/pkg/"+path, "p")
		t := types.NewNamed(types.NewTypeName(token.NoPos, pkg, name, nil), types.NewStruct(nil, nil), nil)
		form := shape.CustomArgument(t, func(*types.Package) *source.PackageDoc { return &source.PackageDoc{} })
		fmt.Println(name, form.Kind == model.TextOr, form.Kind == model.Map, form.Elem.Go)
	}
	// Output:
	// IntOrString true false int32
	// Unstructured false true any
}
