package bind_test

import (
	"fmt"

	"github.com/aiongen/aiongen/gen/internal/bind"
	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/gen/internal/load"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/shape"
)

// Names differ from those of other tools and of the package.
func ExampleAssignNames() {
	find, again := &model.Tool{Name: "find_user"}, &model.Tool{Name: "findUser"}
	m := &model.Package{Path: "example.com/users", Name: "users", Files: []model.File{{Tools: []*model.Tool{find, again}}}}
	w := shape.TypeWriter{
		Package: &load.Package{Path: m.Path, Name: m.Name},
		Target:  shape.Target{Path: m.Path, Name: m.Name, Declared: []string{"FindUserTool", "wire"}},
	}
	bind.AssignNames(m, w, goname.NewNames(w.Target.Declared...), [][]bind.NamedTool{{{Tool: find}, {Tool: again}}}, nil, func() {})
	for _, t := range m.Tools() {
		fmt.Println(t.Name, t.Constructor, t.Invoke)
	}
	for _, i := range m.Imports {
		fmt.Println("import", i.Name, i.Path)
	}
	// Output:
	// find_user FindUserTool2 invokeFindUser
	// findUser FindUser2Tool invokeFindUser2
	// import context context
	// import tool github.com/aiongen/aiongen/runtime/tool
	// import wire2 github.com/aiongen/aiongen/runtime/wire
}
