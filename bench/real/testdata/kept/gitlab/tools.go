package tools

import (
	"github.com/aiongen/aiongen/runtime/tool"
	gitlab "gitlab.com/gitlab-org/api/client-go"
)

var (
	_ = tool.Inject[*gitlab.Client]()
	_ = tool.PassContext(gitlab.WithContext)
)
