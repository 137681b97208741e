package middleware_test

import (
	"cmp"
	"context"
	"fmt"

	"github.com/aiongen/aiongen/runtime/middleware"
	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/runtime/wire"
)

// A gate decides before the function runs. It never waits: the driver asks a person and repeats the
// call.
func ExampleGate() {
	run := func(context.Context, struct{}) error { return nil }
	r := tool.NewRegistry(tool.Use(middleware.Gate(
		middleware.Deny(middleware.NameMatches("admin_*")),
		middleware.Allow(middleware.HasAnnotation(tool.ReadOnly)),
		middleware.RequireApproval(),
	)))
	r.Replace(
		tool.NewTypedAction(&tool.Definition{Name: "find", Annotations: tool.Annotations{ReadOnly: true}}, wire.NoArguments, run).Tool,
		tool.NewTypedAction(&tool.Definition{Name: "delete"}, wire.NoArguments, run).Tool,
		tool.NewTypedAction(&tool.Definition{Name: "admin_find", Annotations: tool.Annotations{ReadOnly: true}}, wire.NoArguments, run).Tool,
	)
	for _, request := range []tool.Request{{Name: "find"}, {Name: "admin_find"}, {Name: "delete"}, {Name: "delete", Approval: "by Ada"}} {
		c := r.Call(context.Background(), request)
		fmt.Println(c.Status, request.Name+":", cmp.Or(tool.Code(c.Err), "no error"))
	}
	// Output:
	// completed find: no error
	// failed admin_find: denied
	// failed delete: needs_approval
	// completed delete: no error
}
