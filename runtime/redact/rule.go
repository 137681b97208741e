package redact

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// pass processes one event or call twice: first it collects hidden values, then it redacts. It does
// not modify its input.
type pass struct {
	rule       Rule
	catalog    *catalog   // describes the tools of the run
	memory     *runMemory // hidden values of the run
	collecting bool       // hidden values are being collected, and nothing is redacted yet
	hidden     []string   // texts that were hidden so far
	withheld   bool       // a value was replaced without being parsed
	guesses    int        // number of misspelled tool names that were looked up
}

// replacement is shown instead of hidden values.
const replacement = "redacted"

// applyRule returns the result of the rule for a value. If the rule panics, it returns the
// replacement.
func (x *pass) applyRule(toolName, pointer string, raw json.RawMessage) (shown json.RawMessage) {
	defer func() {
		if recover() != nil {
			shown = json.RawMessage(jsontext.Quote(replacement))
		}
	}()
	return x.rule(toolName, pointer, slices.Clone(raw))
}

// showValue returns the value to show: the result of the rule if that differs from the value, the
// replacement if the value is or contains a value that was hidden elsewhere in the run, and otherwise
// the value itself.
func (x *pass) showValue(toolName, pointer string, raw json.RawMessage) json.RawMessage {
	if shown, hidden := x.judgeValue(toolName, pointer, raw); hidden {
		return shown
	}
	return x.recallValue(raw)
}

// judgeValue returns the result of the rule for a value, and reports whether it differs from the
// value. When collecting, it remembers the hidden parts.
func (x *pass) judgeValue(toolName, pointer string, raw json.RawMessage) (shown json.RawMessage, hidden bool) {
	shown = x.applyRule(toolName, pointer, raw)
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

// recallValue returns a value, or the replacement if it is a text or number that contains a hidden
// value of the run.
func (x *pass) recallValue(raw json.RawMessage) json.RawMessage {
	if x.collecting || !x.memory.occursInValue(raw) {
		return raw
	}
	x.hideText(plainText(raw))
	return json.RawMessage(jsontext.Quote(replacement))
}

// hidesText reports whether the rule changes a text.
func (x *pass) hidesText(toolName, pointer, text string) bool {
	raw := json.RawMessage(jsontext.Quote(text))
	return !bytes.Equal(x.applyRule(toolName, pointer, raw), raw)
}

// redactLabel redacts a name that a program or an endpoint chose, such as the name of a model. It
// replaces the name only if the name contains a hidden value.
func (x *pass) redactLabel(name string) string {
	if x.revealsHidden(name) {
		return replacement
	}
	return name
}

// revealsHidden reports whether a name contains a hidden value of the run. Names and texts in the
// schemas of tools are public.
func (x *pass) revealsHidden(name string) bool {
	return !x.collecting && x.memory.occursIn(name) && !x.catalog.published[name]
}

// quotesHidden reports whether a text contains a hidden value of the run, or the beginning of a text
// that the current event hides.
func (x *pass) quotesHidden(text string) bool {
	const prefixLength = 16 // in bytes; errors may quote only the beginning of a text
	return !x.collecting && x.memory.occursIn(text) || slices.ContainsFunc(x.hidden, func(hidden string) bool {
		hidden = hidden[:min(len(hidden), prefixLength)]
		quoted := jsontext.Quote(hidden)
		return strings.Contains(text, hidden) || strings.Contains(text, quoted[1:len(quoted)-1])
	})
}

// redactText redacts a text that a program or a person wrote.
func (x *pass) redactText(toolName, pointer, text string) string {
	if text == "" {
		return ""
	}
	return plainText(x.showValue(toolName, pointer, json.RawMessage(jsontext.Quote(text))))
}
