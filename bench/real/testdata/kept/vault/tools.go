package tools

import (
	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/hashicorp/vault/api"
)

var _ = tool.Inject[*api.Logical]()
var _ = tool.Inject[*api.Sys]()
var _ = tool.Inject[*api.KVv2]()
