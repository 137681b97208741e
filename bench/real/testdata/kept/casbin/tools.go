package tools

import (
	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/casbin/casbin/v2"
)

var _ = tool.Inject[*casbin.Enforcer]()
