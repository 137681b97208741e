package tools

import (
	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/google/go-github/v74/github"
)

var _ = tool.Inject[*github.Client]()
