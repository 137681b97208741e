package tools

import (
	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/spf13/afero"
)

var _ = tool.Inject[*afero.Afero]()
