package redact

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// redactValue redacts a JSON value. If no part of it is hidden, redactValue returns raw itself.
func (x *pass) redactValue(toolName, pointer string, raw json.RawMessage) json.RawMessage {
	return x.walkValue(toolName, pointer, raw, nil)
}

// valueHooks redacts parts of values by their content instead of their position. For example, a string
// that a model wrote may contain a call.
type valueHooks struct {
	// text redacts a string or the name of a member.
	text func(toolName, pointer, text string) string
	// member redacts a member or an element. If it returns false, the walker redacts the value.
	member func(object, m *jsontext.Node, raw json.RawMessage) (redacted json.RawMessage, handled bool)
}

// walkValue redacts a value. The hooks may be nil.
func (x *pass) walkValue(toolName, pointer string, raw json.RawMessage, hooks *valueHooks) json.RawMessage {
	if len(raw) == 0 {
		return raw
	}
	n, err := jsontext.Parse(string(raw), jsontext.MaxDepth)
	if err != nil {
		return x.withholdText(string(raw))
	}
	return walker{x, toolName, raw, hooks}.walkNode(pointer, n)
}

// walker redacts the parts of a value.
type walker struct {
	*pass
	toolName string
	raw      json.RawMessage
	hooks    *valueHooks // may be nil
}

// walkText returns the redacted text as a JSON string. If the text does not change, it returns the
// original JSON.
func (w walker) walkText(pointer, text, original string) string {
	if w.hooks != nil {
		if redacted := w.hooks.text(w.toolName, pointer, text); redacted != text {
			return jsontext.Quote(redacted)
		}
	}
	return original
}

// walkNode redacts the value of a node, and the values in it.
func (w walker) walkNode(pointer string, n *jsontext.Node) json.RawMessage {
	raw := w.raw[n.Start:n.End]
	shown, hidden := w.judgeValue(w.toolName, pointer, raw)
	switch {
	case hidden:
		return shown
	case n.Is(jsontext.String) && w.hooks != nil:
		return json.RawMessage(w.walkText(pointer, n.Str(), string(raw)))
	case n.Kind < jsontext.Array:
		return w.recallValue(raw)
	}
	redacted, changed := &jsontext.Node{Kind: n.Kind}, false
	for i, item := range n.Items {
		token := strconv.Itoa(i)
		if n.Is(jsontext.Object) { // not Node.Member: a key may occur twice
			token = item.Name()
		}
		itemRaw := w.raw[item.Start:item.End]
		shown, handled := itemRaw, false
		if w.hooks != nil {
			shown, handled = w.hooks.member(n, item, itemRaw)
		}
		if !handled {
			shown = w.walkNode(jsontext.Join(pointer, token), item)
		}
		key := item.Key
		if n.Is(jsontext.Object) {
			key = w.walkKey(pointer, item)
		}
		changed = changed || !bytes.Equal(shown, itemRaw) || key != item.Key
		redacted.Add(&jsontext.Node{Text: string(shown), Key: key})
	}
	switch {
	case n.Is(jsontext.Array) && w.isSpread(n):
		return json.RawMessage(jsontext.Quote(replacement))
	case !changed:
		return raw
	}
	return redacted.Append(nil)
}

// walkKey returns the redacted key of a member of the object at a pointer.
func (w walker) walkKey(pointer string, member *jsontext.Node) string {
	key := w.walkText(pointer, member.Name(), member.Key)
	if key == member.Key && w.revealsHidden(member.Name()) {
		return jsontext.Quote(replacement)
	}
	return key
}

// isSpread reports whether the items of an array together form a hidden value, such as its
// characters or bytes.
func (x *pass) isSpread(array *jsontext.Node) bool {
	if x.collecting || len(array.Items) < 2 {
		return false
	}
	texts := make([]string, len(array.Items))
	for i, item := range array.Items {
		texts[i] = scalarText(item)
	}
	return x.memory.occursIn(strings.Join(texts, " "))
}
