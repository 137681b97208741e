package redact

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/tool"
)

// redactor redacts what belongs to one event, or to one call. What it is given stays as
// it is.
type redactor struct {
	f        Func
	tools    []tool.Definition
	places   map[string][]place // where members of a name are, by the schemas of the tools; see [redactor.find]
	hidden   []string           // texts that were hidden so far
	names    map[string]bool    // whether a schema of the tools has them, as far as that was asked
	withheld bool               // something was that nobody read
	memory   *memory            // of the run
}

// instead stands for what is withheld.
const instead = "redacted"

func (x *redactor) withhold() json.RawMessage {
	x.withheld = true
	return json.RawMessage(jsontext.Quote(instead))
}

// ask returns what is told in the place of a value.
func (x *redactor) ask(name, at string, raw json.RawMessage) json.RawMessage {
	told := x.f(name, at, slices.Clone(raw))
	if bytes.Equal(told, raw) {
		if x.remembers(raw) {
			return x.withhold()
		}
		return raw
	}
	if n, err := jsontext.Parse(string(raw), jsontext.MaxDepth); err == nil {
		x.gather(n)
	}
	if !json.Valid(told) {
		return json.RawMessage(jsontext.Quote(instead))
	}
	return told
}

// remembers reports whether something is in a text, or is a number, that was hidden in
// the run before.
func (x *redactor) remembers(raw json.RawMessage) bool {
	switch c := raw[0]; {
	case len(x.memory.texts) == 0:
	case c == '"':
		return x.memory.has(plain(raw))
	case c == '-' || '0' <= c && c <= '9':
		return slices.Contains(x.memory.texts, string(raw))
	}
	return false
}

// hides reports whether something else is told in the place of a text.
func (x *redactor) hides(name, at, text string) bool {
	raw := json.RawMessage(jsontext.Quote(text))
	return !bytes.Equal(x.f(name, at, slices.Clone(raw)), raw)
}

// mostHidden bounds how many texts are looked for in errors.
const mostHidden = 1000

// gather notes the texts in a value that is hidden, and the names that no schema has.
func (x *redactor) gather(n *jsontext.Node) {
	text := n.Str()
	if n.Is(jsontext.Number) {
		text = n.Text
	}
	x.conceal(text)
	for _, item := range n.Items {
		if len(x.hidden) == mostHidden {
			x.withheld = true
			return
		}
		if name := item.Name(); !x.published(name) {
			x.conceal(name)
		}
		x.gather(item)
	}
}

func (x *redactor) conceal(text string) {
	x.memory.note(text)
	switch {
	case text == "":
	case len(x.hidden) == mostHidden:
		x.withheld = true
	default:
		x.hidden = append(x.hidden, text)
	}
}

// published reports whether a schema of the tools has a name: it tells nothing of what
// is hidden, and stands in many places.
func (x *redactor) published(name string) bool {
	known, asked := x.names[name]
	if !asked {
		quoted := []byte(jsontext.Quote(name))
		known = slices.ContainsFunc(x.tools, func(d tool.Definition) bool {
			return bytes.Contains(d.Input, quoted) || bytes.Contains(d.Output, quoted)
		})
		if x.names == nil {
			x.names = map[string]bool{}
		}
		x.names[name] = known
	}
	return known
}

// betrays reports whether a name has something in it that was hidden.
func (x *redactor) betrays(name string) bool { return x.memory.has(name) && !x.published(name) }

// quotes reports whether a text has one in it that is hidden, or its beginning.
func (x *redactor) quotes(text string) bool {
	const whole = 16 // bytes: what is quoted may be cut
	return x.memory.has(text) || slices.ContainsFunc(x.hidden, func(hidden string) bool {
		hidden = hidden[:min(len(hidden), whole)]
		quoted := jsontext.Quote(hidden)
		return strings.Contains(text, hidden) || strings.Contains(text, quoted[1:len(quoted)-1])
	})
}

// text redacts a text that a program or a person wrote.
func (x *redactor) text(name, at, text string) string {
	if text == "" {
		return ""
	}
	return plain(x.ask(name, at, json.RawMessage(jsontext.Quote(text))))
}

// plain returns what a string says, else JSON as it is.
func plain(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) != nil {
		return string(raw)
	}
	return text
}

// value redacts a value. It stays as it is written if all of it may be told.
func (x *redactor) value(name, at string, raw json.RawMessage) json.RawMessage {
	return x.walk(name, at, raw, nil)
}

// reader says what is told of parts of values that mean more than their places say.
type reader struct {
	text   func(name, at, text string) string // of a string, or the name of a member
	member func(object, m *jsontext.Node, raw json.RawMessage) (told json.RawMessage, known bool)
}

// walk redacts a value, which somebody may read for more than its places say.
func (x *redactor) walk(name, at string, raw json.RawMessage, by *reader) json.RawMessage {
	if len(raw) == 0 {
		return raw
	}
	n, err := jsontext.Parse(string(raw), jsontext.MaxDepth)
	if err != nil {
		return x.withhold()
	}
	return walker{x, name, raw, by}.node(at, n)
}

// walker goes through a value.
type walker struct {
	*redactor
	name string
	raw  json.RawMessage
	by   *reader // may be nil
}

// text returns what is told in the place of a text that is written in JSON so.
func (w walker) text(at, text, written string) string {
	if w.by != nil {
		if told := w.by.text(w.name, at, text); told != text {
			return jsontext.Quote(told)
		}
	}
	return written
}

func (w walker) node(at string, n *jsontext.Node) json.RawMessage {
	raw := w.raw[n.Start:n.End]
	if told := w.ask(w.name, at, raw); !bytes.Equal(told, raw) {
		return told
	}
	if n.Is(jsontext.String) {
		return json.RawMessage(w.text(at, n.Str(), string(raw)))
	}
	told, changed := &jsontext.Node{Kind: n.Kind}, false
	for i, item := range n.Items {
		token := strconv.Itoa(i)
		if n.Is(jsontext.Object) { // in which a key may come twice
			token = item.Name()
		}
		is := w.raw[item.Start:item.End]
		shown, known := is, false
		if w.by != nil {
			shown, known = w.by.member(n, item, is)
		}
		if !known {
			shown = w.node(jsontext.Join(at, token), item)
		}
		key := item.Key
		switch {
		case !n.Is(jsontext.Object):
		case w.betrays(item.Name()):
			key = string(w.withhold())
		default:
			key = w.text(at, item.Name(), key)
		}
		changed = changed || !bytes.Equal(shown, is) || key != item.Key
		told.Add(&jsontext.Node{Text: string(shown), Key: key}) // a value as it is written
	}
	if !changed {
		return raw
	}
	return told.Append(nil)
}
