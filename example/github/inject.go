package main

import (
	"github.com/google/go-github/v74/github"

	"github.com/aiongen/aiongen/runtime/tool"
)

var _ = tool.Inject[*github.Client]()
