package tools

import (
	"github.com/aiongen/aiongen/runtime/tool"
	"google.golang.org/grpc/health/grpc_health_v1"
)

var _ = tool.Inject[grpc_health_v1.HealthClient]()
