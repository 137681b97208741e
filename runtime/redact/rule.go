package redact

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// pass goes through one event or one call: first to collect what is hidden, then to write
// the rest. It does not change what it is given.
type pass struct {
	rule       Rule
	catalog    *catalog // of the tools of the run
	memory     *memory  // of the run
	collecting bool     // the first time
	hidden     []string // texts that were hidden so far
	withheld   bool     // something was that nobody read
	guesses    int      // how often the tool was guessed that a model meant
}

// instead stands for what is withheld.
const instead = "redacted"

func (x *pass) withhold() json.RawMessage {
	x.withheld = true
	return json.RawMessage(jsontext.Quote(instead))
}

// apply returns what the rule shows instead of a value. A value for which it panics is
// hidden.
func (x *pass) apply(name, at string, raw json.RawMessage) (shown json.RawMessage) {
	defer func() {
		if recover() != nil {
			shown = json.RawMessage(jsontext.Quote(instead))
		}
	}()
	return x.rule(name, at, slices.Clone(raw))
}

// ask returns what to show instead of a value: what the rule says, or nothing of what was
// hidden elsewhere.
func (x *pass) ask(name, at string, raw json.RawMessage) json.RawMessage {
	if shown, hidden := x.judge(name, at, raw); hidden {
		return shown
	}
	return x.recall(raw)
}

// judge returns what the rule shows instead of a value, and whether that is something else.
// It remembers what the rule hides.
func (x *pass) judge(name, at string, raw json.RawMessage) (shown json.RawMessage, hidden bool) {
	shown = x.apply(name, at, raw)
	if bytes.Equal(shown, raw) {
		return raw, false
	}
	if x.collecting {
		x.note(raw, shown)
	}
	if !json.Valid(shown) {
		return json.RawMessage(jsontext.Quote(instead)), true
	}
	return shown, true
}

// recall withholds a text or number that contains something that was hidden in the run.
func (x *pass) recall(raw json.RawMessage) json.RawMessage {
	if x.collecting || !x.memory.occursInValue(raw) {
		return raw
	}
	x.conceal(plain(raw))
	return json.RawMessage(jsontext.Quote(instead))
}

// hides reports whether the rule shows something else instead of a text.
func (x *pass) hides(name, at, text string) bool {
	raw := json.RawMessage(jsontext.Quote(text))
	return !bytes.Equal(x.apply(name, at, raw), raw)
}

// label returns a name that a program or an endpoint chose, unless it contains something
// that was hidden.
func (x *pass) label(name string) string {
	if x.betrays(name) {
		return instead
	}
	return name
}

// betrays reports whether a name contains something that was hidden.
func (x *pass) betrays(name string) bool {
	return !x.collecting && x.memory.occursIn(name) && !x.catalog.published[name]
}

// quotes reports whether a text has one in it that is hidden, or its beginning.
func (x *pass) quotes(text string) bool {
	const whole = 16 // bytes: what is quoted may be cut
	return !x.collecting && x.memory.occursIn(text) || slices.ContainsFunc(x.hidden, func(hidden string) bool {
		hidden = hidden[:min(len(hidden), whole)]
		quoted := jsontext.Quote(hidden)
		return strings.Contains(text, hidden) || strings.Contains(text, quoted[1:len(quoted)-1])
	})
}

// text redacts a text that a program or a person wrote.
func (x *pass) text(name, at, text string) string {
	if text == "" {
		return ""
	}
	return plain(x.ask(name, at, json.RawMessage(jsontext.Quote(text))))
}
