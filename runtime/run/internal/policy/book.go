package policy

import (
	"maps"
	"slices"

	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/internal/note"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Book is what a run has called so far: it numbers calls, and counts those that are the
// same. It is made by [NewBook].
type Book struct {
	run     string
	tools   map[string]tool.Definition
	most    int
	numbers map[string]int // of the last call of a step
	same    map[string]int // calls that change something, by tool and arguments
}

// NewBook returns the book of a run, with the tools that it began with, which makes a
// call that changes something at most so often with the same arguments; below 0 there is
// no limit.
func NewBook(run string, tools []tool.Definition, most int) *Book {
	b := &Book{run: run, tools: map[string]tool.Definition{}, most: most, numbers: map[string]int{}, same: map[string]int{}}
	for _, t := range tools {
		b.tools[t.Name] = t
	}
	return b
}

// Enter returns the call that a step asks for, with its ID.
func (b *Book) Enter(step string, r tool.Request) (*Call, error) {
	b.numbers[step]++
	r.ID = note.ID(b.run, step, b.numbers[step])
	r, err := note.Normalise(r)
	c := &Call{Step: step, Request: r, Does: b.tools[r.Name].Annotations}
	if _, known := b.tools[r.Name]; !known {
		c.Refused = &tool.UnknownToolError{Name: r.Name, Nearest: words.Near(r.Name, slices.Sorted(maps.Keys(b.tools)))}
	}
	if !c.ReadOnly() && b.most >= 0 {
		same := r.Name + "\x00" + string(r.Arguments)
		if b.same[same]++; b.same[same] > b.most {
			c.Refused = &repeated{tool: r.Name, times: b.most}
		}
	}
	return c, err
}
