package schema

import (
	"fmt"
	"unicode/utf8"

	"github.com/aiongen/aiongen/runtime/schema/internal/outline"
)

// lowering is the state of lowering one definition: the rules of the target, and the losses so far.
type lowering struct {
	*outline.Rules
	tool   string // original name
	losses []Loss
}

// newLowering returns a lowering of the named tool for a target.
func newLowering(target Target, tool string) (*lowering, error) {
	rules := outline.RulesOf(string(target))
	if rules == nil {
		return nil, newUnknownTarget(string(target))
	}
	return &lowering{Rules: rules, tool: tool}, nil
}

// addLoss adds a loss at a pointer into the definition.
func (l *lowering) addLoss(s Severity, at, format string, values ...any) {
	l.losses = append(l.losses, Loss{l.tool, at, s, fmt.Sprintf(format, values...)})
}

// fitName returns the name of the tool, changed if the target does not accept it.
func (l *lowering) fitName() string {
	changed := l.Names.FitTool(l.tool)
	if changed != l.tool {
		l.addLoss(Rewritten, "/name", "the name %q becomes %q", l.tool, changed)
	}
	return changed
}

// cutDescription returns the description of the tool, cut to the maximum length.
func (l *lowering) cutDescription(text string) string {
	if l.Longest == 0 || utf8.RuneCountInString(text) <= l.Longest {
		return text
	}
	l.addLoss(Dropped, "/description", "the description after its first %d characters", l.Longest)
	return string([]rune(text)[:l.Longest])
}

// inputPointer is the JSON Pointer from a definition to its input schema.
const inputPointer = "/input"
