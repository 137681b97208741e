// Package injected declares what cannot be injected.
package injected

import (
	"context"

	"github.com/aiongen/aiongen/runtime/tool"
)

// Key is a secret.
type Key string

// Client is a client.
type Client struct{}

var name = "Name"

var (
	_ = tool.Inject[string]()
	_ = tool.Inject[[]Key]()
	_ = tool.Inject[context.Context]()
	_ = tool.Inject[*tool.Scope]()
	_ = tool.Inject[Key]("key")
	_ = tool.Inject[Key](name)
	_ = tool.Inject[Key]("Name")
	_ = tool.Inject[*Client]("Name")
	_ = tool.Inject[Key]()
	_ = tool.Inject[*Client]()
)

// Find finds something.
func Find(k Key, c *Client, id int) {}
