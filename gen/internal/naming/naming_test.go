package naming_test

import (
	"fmt"

	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/gen/internal/gotype"
	"github.com/aiongen/aiongen/gen/internal/load"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/naming"
)

// Names are free ones: neither those of other tools nor those of the package.
func ExampleName() {
	find, again := &model.Tool{Name: "find_user"}, &model.Tool{Name: "findUser"}
	m := &model.Package{Path: "example.com/users", Name: "users", Files: []model.File{{Tools: []*model.Tool{find, again}}}}
	w := gotype.Writer{
		Package: &load.Package{Path: m.Path, Name: m.Name},
		Target:  gotype.Target{Path: m.Path, Name: m.Name, Declared: []string{"FindUserTool", "wire"}},
	}
	naming.Name(m, w, goname.Reserved(w.Target.Declared...), [][]naming.Tool{{{Tool: find}, {Tool: again}}}, nil, func() {})
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
