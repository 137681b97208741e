package schema

import "github.com/aiongen/aiongen/runtime/tool"

// Definition is what is lowered, for programs that know tools by what is said of
// them alone, such as a compiler.
type Definition = tool.Definition
