package redact

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// pass processes one event or call: it first collects hidden values, then redacts. It does not
// modify its input.
type pass struct {
	rule       Rule
	catalog    *catalog   // of the tools of the run
	memory     *runMemory // of the run
	collecting bool       // collect instead of redacting
	hidden     []string   // texts hidden so far
	withheld   bool       // something was withheld without being read
	guesses    int        // how often a misspelled tool was guessed
}

// replacement is shown instead of withheld values.
const replacement = "redacted"

func (x *pass) withholdValue() json.RawMessage {
	x.withheld = true
	return json.RawMessage(jsontext.Quote(replacement))
}

// applyRule returns what the rule shows instead of a value. A value for which the rule panics is
// hidden.
func (x *pass) applyRule(name, at string, raw json.RawMessage) (shown json.RawMessage) {
	defer func() {
		if recover() != nil {
			shown = json.RawMessage(jsontext.Quote(replacement))
		}
	}()
	return x.rule(name, at, slices.Clone(raw))
}

// askRule returns what to show instead of a value, according to the rule and to what was hidden
// elsewhere.
func (x *pass) askRule(name, at string, raw json.RawMessage) json.RawMessage {
	if shown, hidden := x.judgeValue(name, at, raw); hidden {
		return shown
	}
	return x.recallValue(raw)
}

// judgeValue returns what the rule shows instead of a value, and whether that differs from the
// value. It remembers what the rule hides.
func (x *pass) judgeValue(name, at string, raw json.RawMessage) (shown json.RawMessage, hidden bool) {
	shown = x.applyRule(name, at, raw)
	if bytes.Equal(shown, raw) {
		return raw, false
	}
	if x.collecting {
		x.noteHidden(raw, shown)
	}
	if !json.Valid(shown) {
		return json.RawMessage(jsontext.Quote(replacement)), true
	}
	return shown, true
}

// recallValue withholds a text or number that contains a hidden value of the run.
func (x *pass) recallValue(raw json.RawMessage) json.RawMessage {
	if x.collecting || !x.memory.occursInValue(raw) {
		return raw
	}
	x.hideText(plainText(raw))
	return json.RawMessage(jsontext.Quote(replacement))
}

// hidesText reports whether the rule changes a text.
func (x *pass) hidesText(name, at, text string) bool {
	raw := json.RawMessage(jsontext.Quote(text))
	return !bytes.Equal(x.applyRule(name, at, raw), raw)
}

// redactLabel returns a name that a program or an endpoint chose, unless it contains a hidden
// value.
func (x *pass) redactLabel(name string) string {
	if x.revealsHidden(name) {
		return replacement
	}
	return name
}

// revealsHidden reports whether a name contains a hidden value.
func (x *pass) revealsHidden(name string) bool {
	return !x.collecting && x.memory.occursIn(name) && !x.catalog.published[name]
}

// quotesHidden reports whether a text contains a hidden text or its beginning.
func (x *pass) quotesHidden(text string) bool {
	const whole = 16 // in bytes; quotes may be cut
	return !x.collecting && x.memory.occursIn(text) || slices.ContainsFunc(x.hidden, func(hidden string) bool {
		hidden = hidden[:min(len(hidden), whole)]
		quoted := jsontext.Quote(hidden)
		return strings.Contains(text, hidden) || strings.Contains(text, quoted[1:len(quoted)-1])
	})
}

// redactText redacts a text of a program or a person.
func (x *pass) redactText(name, at, text string) string {
	if text == "" {
		return ""
	}
	return plainText(x.askRule(name, at, json.RawMessage(jsontext.Quote(text))))
}
