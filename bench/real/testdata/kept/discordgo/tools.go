package tools

import (
	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/bwmarrin/discordgo"
)

var _ = tool.Inject[*discordgo.Session]()
