// Package annotation_mistakes annotates functions wrongly.
package annotation_mistakes

import (
	"context"

	"github.com/aiongen/aiongen/runtime/tool"
)

var (
	_ = tool.Annotate(Twice, tool.ReadOnly)
	_ = tool.Annotate(Twice, tool.Idempotent)

	kept = tool.ReadOnly
	text = "a variable"

	_ = tool.Annotate(Hidden, kept, tool.Title(text), tool.Annotation{})
	_ = tool.Annotate(Sample, tool.Example(`{"number": 1, "c": 2}`))
	_ = tool.Annotate(Text, tool.Example("text"))

	_ = tool.Annotate("twce", tool.ReadOnly)
	_ = tool.Annotate("Unlike", tool.ReadOnly)
	_ = tool.Annotate(text, tool.ReadOnly)
	_ = tool.Annotate("late", tool.ReadOnly)
	_ = tool.Annotate(Late, tool.Idempotent)
	_ = tool.Annotate("link", tool.Example(`{"a": 1}`))
)

// Twice is annotated twice.
func Twice() {}

// Hidden hides what is said of it.
func Hidden() {}

// Sample has an example that does not fit.
func Sample(a, b int) {}

// Text has an example that is none.
func Text() {}

// Late takes its context late.
func Late(n int, ctx context.Context) {}
