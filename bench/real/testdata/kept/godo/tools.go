package tools

import (
	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/digitalocean/godo"
)

var _ = tool.Inject[*godo.Client]()
