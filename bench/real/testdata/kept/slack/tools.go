package tools

import (
	"context"

	"github.com/slack-go/slack"

	"github.com/aiongen/aiongen/runtime/tool"
)

var _ = tool.Inject[*slack.Client]()

var _ context.Context
