// Package pass passes the context of calls to a client in options.
package pass

import (
	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/testdata/golden/pass_context/client"
)

//go:generate go tool aiongen

var (
	_ = tool.Inject[*client.Client]()
	_ = tool.PassContext(client.WithContext)
)
