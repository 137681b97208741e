package tools

import (
	"github.com/redis/go-redis/v9"

	"github.com/aiongen/aiongen/runtime/tool"
)

var _ = tool.Inject[*redis.Client]()
