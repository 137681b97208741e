package outline

import (
	"fmt"
	"unicode/utf8"
)

// Severity is the severity of a loss.
type Severity int

// The severities, in the order of the constants in package schema, which documents them.
const (
	Rewritten Severity = iota
	Worded
	Quoted
	Dropped
	Refused
)

// Loss is a property of a definition that its lowered form lacks or expresses differently.
type Loss struct {
	Pointer  string // into the definition
	Severity Severity
	Message  string
}

// Lowering is the state of lowering one definition: the rules of the target, and the losses so far.
type Lowering struct {
	*Rules
	Losses []Loss
}

// NewLowering returns a new lowering for a target, or nil if there is no such target.
func NewLowering(target string) *Lowering {
	for _, r := range allRules {
		if r.Target == target {
			return &Lowering{Rules: r}
		}
	}
	return nil
}

// AddLoss adds a loss at a pointer into the definition.
func (l *Lowering) AddLoss(s Severity, at, format string, values ...any) {
	l.Losses = append(l.Losses, Loss{at, s, fmt.Sprintf(format, values...)})
}

// FitName returns the name of a tool, changed if the target does not accept it. A changed name ends
// with a hash of the original name, so that it differs from the names of other tools.
func (l *Lowering) FitName(name string) string {
	changed := l.names.fitName(name)
	if changed == name {
		return name
	}
	changed = l.names.withHash(changed, name)
	l.AddLoss(Rewritten, "/name", "the name %q becomes %q", name, changed)
	return changed
}

// CutDescription returns the description of the tool, cut to the maximum length.
func (l *Lowering) CutDescription(text string) string {
	if l.longest == 0 || utf8.RuneCountInString(text) <= l.longest {
		return text
	}
	l.AddLoss(Dropped, "/description", "the description after its first %d characters", l.longest)
	return string([]rune(text)[:l.longest])
}

// Input is the JSON Pointer from a definition to its input schema.
const Input = "/input"
