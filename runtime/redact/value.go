package redact

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// value redacts a value. It stays as it is written if all of it may be told.
func (x *pass) value(name, at string, raw json.RawMessage) json.RawMessage {
	return x.walk(name, at, raw, nil)
}

// reader says what is told of parts of values that mean more than their places say.
type reader struct {
	text   func(name, at, text string) string // of a string, or the name of a member
	member func(object, m *jsontext.Node, raw json.RawMessage) (told json.RawMessage, known bool)
}

// walk redacts a value, which somebody may read for more than its places say.
func (x *pass) walk(name, at string, raw json.RawMessage, by *reader) json.RawMessage {
	if len(raw) == 0 {
		return raw
	}
	n, err := jsontext.Parse(string(raw), jsontext.MaxDepth)
	if err != nil {
		return x.withholdText(string(raw))
	}
	return walker{x, name, raw, by}.node(at, n)
}

// walker goes through a value.
type walker struct {
	*pass
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
	shown, hidden := w.judge(w.name, at, raw)
	switch {
	case hidden:
		return shown
	case n.Is(jsontext.String) && w.by != nil:
		return json.RawMessage(w.text(at, n.Str(), string(raw)))
	case n.Kind < jsontext.Array:
		return w.recall(raw)
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
		if n.Is(jsontext.Object) {
			key = w.text(at, item.Name(), key)
			if key == item.Key && w.betrays(item.Name()) {
				key = jsontext.Quote(instead)
			}
		}
		changed = changed || !bytes.Equal(shown, is) || key != item.Key
		told.Add(&jsontext.Node{Text: string(shown), Key: key}) // a value as it is written
	}
	switch {
	case n.Is(jsontext.Array) && w.isSpread(n):
		return json.RawMessage(jsontext.Quote(instead))
	case !changed:
		return raw
	}
	return told.Append(nil)
}

// isSpread reports whether the items of an array together are a value that was hidden, such
// as its characters or bytes.
func (x *pass) isSpread(n *jsontext.Node) bool {
	if x.collecting || len(n.Items) < 2 {
		return false
	}
	texts := make([]string, len(n.Items))
	for i, item := range n.Items {
		texts[i] = scalar(item)
	}
	return x.memory.occursIn(strings.Join(texts, " "))
}
