package tools

import (
	"github.com/go-telegram/bot"

	"github.com/aiongen/aiongen/runtime/tool"
)

var _ = tool.Inject[*bot.Bot]()
