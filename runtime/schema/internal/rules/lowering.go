package rules

import (
	"fmt"
	"unicode/utf8"
)

// Severity says how much is lost, from the least to the most.
type Severity int

// The severities, in the order of those of package schema, which documents them.
const (
	Rewritten Severity = iota
	Worded
	Quoted
	Dropped
	Refused
)

// Loss is one thing that is lost of a definition.
type Loss struct {
	Pointer  string // into the definition
	Severity Severity
	Message  string
}

// Lowering is one definition on its way to a target: the rules, and what is lost by
// them.
type Lowering struct {
	*Rules
	Losses []Loss
}

// For returns the lowering of a definition for a target, or nil if there is none of
// that name.
func For(target string) *Lowering {
	for _, r := range all {
		if r.Target == target {
			return &Lowering{Rules: r}
		}
	}
	return nil
}

// Lose adds a loss.
func (l *Lowering) Lose(s Severity, at, format string, values ...any) {
	l.Losses = append(l.Losses, Loss{at, s, fmt.Sprintf(format, values...)})
}

// Name returns the name of the tool as the target takes it. One that had to be
// changed ends with a hash of what it was, since no other name is known here.
func (l *Lowering) Name(name string) string {
	changed := l.names.fit(name)
	if changed == name {
		return name
	}
	changed = l.names.withHash(changed, name)
	l.Lose(Rewritten, "/name", "the name %q becomes %q", name, changed)
	return changed
}

// Description cuts the description of the tool where it is too long.
func (l *Lowering) Description(text string) string {
	if l.longest == 0 || utf8.RuneCountInString(text) <= l.longest {
		return text
	}
	l.Lose(Dropped, "/description", "what follows the first %d characters of the description", l.longest)
	return string([]rune(text)[:l.longest])
}

// Input leads from a definition to its input schema.
const Input = "/input"
