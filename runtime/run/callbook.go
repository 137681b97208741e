package run

import (
	"maps"
	"slices"

	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/tool"
)

// callBook numbers the calls of a run and counts identical ones. Create it with [newCallBook].
type callBook struct {
	runID      string // or the ID of the call that an agent carries out
	ofAgent    bool
	tools      map[string]tool.Definition
	maxRepeats int
	numbers    map[string]int // number of the last call of each step
	repeats    map[string]int // number of calls that change something, by tool and arguments
}

// newCallBook returns a callBook for a run that began with the given tools. The book refuses a call
// that is not read-only after maxRepeats identical calls; negative is unlimited.
func newCallBook(run string, tools []tool.Definition, maxRepeats int) *callBook {
	b := &callBook{runID: run, tools: map[string]tool.Definition{}, maxRepeats: maxRepeats, numbers: map[string]int{}, repeats: map[string]int{}}
	for _, t := range tools {
		b.tools[t.Name] = t
	}
	return b
}

// newCall returns a new call of a step, with its ID.
func (b *callBook) newCall(step string, r tool.Request) (*effectCall, error) {
	b.numbers[step]++
	if r.ID = generateCallID(b.runID, step, b.numbers[step]); b.ofAgent {
		r.ID = generateAgentCallID(b.runID, step, b.numbers[step])
	}
	r, err := normalizeRequest(r)
	c := &effectCall{Step: step, Request: r, Annotations: b.tools[r.Name].Annotations}
	if _, ok := b.tools[r.Name]; !ok {
		c.Refused = &tool.UnknownToolError{Name: r.Name, Nearest: words.Near(r.Name, slices.Sorted(maps.Keys(b.tools)))}
	}
	if !c.isReadOnly() && b.maxRepeats >= 0 {
		key := r.Name + "\x00" + string(r.Arguments)
		if b.repeats[key]++; b.repeats[key] > b.maxRepeats {
			c.Refused = &repeatedError{tool: r.Name, times: b.maxRepeats}
		}
	}
	return c, err
}
