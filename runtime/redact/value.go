package redact

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// redactValue redacts a value. A value without hidden parts keeps its spelling.
func (x *pass) redactValue(name, at string, raw json.RawMessage) json.RawMessage {
	return x.walkValue(name, at, raw, nil)
}

// reader redacts parts of values that mean more than their places show.
type reader struct {
	text   func(name, at, text string) string // for strings and names of members
	member func(object, m *jsontext.Node, raw json.RawMessage) (told json.RawMessage, known bool)
}

// walkValue redacts a value with an optional reader.
func (x *pass) walkValue(name, at string, raw json.RawMessage, by *reader) json.RawMessage {
	if len(raw) == 0 {
		return raw
	}
	n, err := jsontext.Parse(string(raw), jsontext.MaxDepth)
	if err != nil {
		return x.withholdText(string(raw))
	}
	return walker{x, name, raw, by}.walkNode(at, n)
}

// walker redacts the parts of a value.
type walker struct {
	*pass
	name string
	raw  json.RawMessage
	by   *reader // may be nil
}

// walkText returns the redacted form of a text that is written in JSON.
func (w walker) walkText(at, text, written string) string {
	if w.by != nil {
		if told := w.by.text(w.name, at, text); told != text {
			return jsontext.Quote(told)
		}
	}
	return written
}

func (w walker) walkNode(at string, n *jsontext.Node) json.RawMessage {
	raw := w.raw[n.Start:n.End]
	shown, hidden := w.judgeValue(w.name, at, raw)
	switch {
	case hidden:
		return shown
	case n.Is(jsontext.String) && w.by != nil:
		return json.RawMessage(w.walkText(at, n.Str(), string(raw)))
	case n.Kind < jsontext.Array:
		return w.recallValue(raw)
	}
	told, changed := &jsontext.Node{Kind: n.Kind}, false
	for i, item := range n.Items {
		token := strconv.Itoa(i)
		if n.Is(jsontext.Object) { // a key may occur twice
			token = item.Name()
		}
		is := w.raw[item.Start:item.End]
		shown, known := is, false
		if w.by != nil {
			shown, known = w.by.member(n, item, is)
		}
		if !known {
			shown = w.walkNode(jsontext.Join(at, token), item)
		}
		key := item.Key
		if n.Is(jsontext.Object) {
			key = w.walkKey(at, item)
		}
		changed = changed || !bytes.Equal(shown, is) || key != item.Key
		told.Add(&jsontext.Node{Text: string(shown), Key: key}) // a value in its original spelling
	}
	switch {
	case n.Is(jsontext.Array) && w.isSpread(n):
		return json.RawMessage(jsontext.Quote(replacement))
	case !changed:
		return raw
	}
	return told.Append(nil)
}

// walkKey returns the key of a member of the object at a place without what is hidden.
func (w walker) walkKey(at string, member *jsontext.Node) string {
	key := w.walkText(at, member.Name(), member.Key)
	if key == member.Key && w.revealsHidden(member.Name()) {
		return jsontext.Quote(replacement)
	}
	return key
}

// isSpread reports whether the items of an array together form a hidden value, such as its
// characters or bytes.
func (x *pass) isSpread(n *jsontext.Node) bool {
	if x.collecting || len(n.Items) < 2 {
		return false
	}
	texts := make([]string, len(n.Items))
	for i, item := range n.Items {
		texts[i] = scalarText(item)
	}
	return x.memory.occursIn(strings.Join(texts, " "))
}
