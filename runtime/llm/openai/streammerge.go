package openai

import (
	"encoding/json"
	"slices"
	"strings"
)

// Object is a JSON object that is merged from pieces. The zero value has no members.
type Object struct{ value mergedValue }

// Add merges members into the object. It merges lists item by item, and objects member by member. It
// appends to strings that arrive in pieces, see splitMembers, and replaces other strings.
func (o *Object) Add(members map[string]json.RawMessage) {
	if o.value.members == nil {
		o.value.members = map[string]*mergedValue{}
	}
	o.value.addMembers(members, 0)
}

// Has reports whether a member with this name has been added.
func (o *Object) Has(name string) bool { return o.value.members[name] != nil }

// Read returns the members merged so far.
func (o *Object) Read() map[string]json.RawMessage {
	all := map[string]json.RawMessage{}
	for name, member := range o.value.members {
		if text, err := json.Marshal(member); err == nil && string(text) != "null" {
			all[name] = text
		}
	}
	return all
}

// maxDepth is the nesting depth down to which values are merged. A deeper value replaces the
// previous one.
const maxDepth = 8

// mergedValue is a JSON value that is merged from pieces. At most one of raw, text, members and
// items is set.
type mergedValue struct {
	raw     json.RawMessage // the first piece, unchanged until a second one arrives
	text    *strings.Builder
	members map[string]*mergedValue
	items   []*mergedValue
	label   itemLabel // if the value is an item of a list
}

// isEmpty reports whether no piece has been added.
func (g *mergedValue) isEmpty() bool {
	return g.raw == nil && g.text == nil && g.members == nil && g.items == nil
}

// splitMembers lists the members whose strings arrive in pieces. The string of any other member arrives
// complete, and may be repeated.
var splitMembers = []string{"content", "reasoning", "reasoning_content", "reasoning_text", "summary", "text", "thinking"}

// itemLabel contains the members that show which item of a list a piece continues.
type itemLabel struct {
	Type  string          `json:"type"`
	ID    string          `json:"id"`
	Index *int            `json:"index"`
	Data  json.RawMessage `json:"data"` // an item with data is complete
}

// addPiece merges a piece, which must be valid JSON, into g, the value of the member with this name.
func (g *mergedValue) addPiece(name string, piece json.RawMessage, depth int) {
	switch string(piece) {
	case "", "null", "[]", "{}":
		return
	}
	if g.isEmpty() || depth >= maxDepth {
		*g = mergedValue{raw: slices.Clone(piece), label: g.label}
		return
	}
	g.parseRaw()
	var members map[string]json.RawMessage
	var items []json.RawMessage
	var text string
	switch {
	case g.members != nil && json.Unmarshal(piece, &members) == nil:
		g.addMembers(members, depth)
	case g.items != nil && json.Unmarshal(piece, &items) == nil:
		for _, item := range items {
			g.addItem(item, depth)
		}
	case g.text != nil && json.Unmarshal(piece, &text) == nil && slices.Contains(splitMembers, name):
		g.text.WriteString(text)
	case string(piece) != `""`:
		*g = mergedValue{raw: slices.Clone(piece), label: g.label}
	}
}

// parseRaw parses the first piece, because a second one has arrived.
func (g *mergedValue) parseRaw() {
	raw := g.raw
	if raw == nil {
		return
	}
	g.raw = nil
	var members map[string]json.RawMessage
	var items []json.RawMessage
	var text string
	switch {
	case json.Unmarshal(raw, &members) == nil:
		g.members = map[string]*mergedValue{}
		for name, member := range members {
			g.members[name] = &mergedValue{raw: member}
		}
	case json.Unmarshal(raw, &items) == nil:
		for _, item := range items {
			g.items = append(g.items, &mergedValue{raw: item, label: labelOf(item)})
		}
	case json.Unmarshal(raw, &text) == nil:
		g.text = &strings.Builder{}
		g.text.WriteString(text)
	default:
		g.raw = raw
	}
}

func (g *mergedValue) addMembers(members map[string]json.RawMessage, depth int) {
	for name, member := range members {
		if g.members[name] == nil {
			g.members[name] = &mergedValue{}
		}
		g.members[name].addPiece(name, member, depth+1)
	}
}

// maxOpenItems limits how many of the last items of a list can be continued.
const maxOpenItems = 100

// addItem merges a piece into the item that it continues, or else appends it as a new item. A piece
// without an index can continue only the last item.
func (g *mergedValue) addItem(piece json.RawMessage, depth int) {
	l := labelOf(piece)
	for _, item := range slices.Backward(g.items[max(0, len(g.items)-maxOpenItems):]) {
		if item.label.isContinuedBy(l) {
			item.label.ID = max(item.label.ID, l.ID)
			item.addPiece("", piece, depth+1)
			return
		}
		if l.Index == nil {
			break
		}
	}
	g.items = append(g.items, &mergedValue{raw: slices.Clone(piece), label: l})
}

func labelOf(item json.RawMessage) (l itemLabel) {
	_ = json.Unmarshal(item, &l) // an item that is not an object has no label
	return l
}

// isContinuedBy reports whether a piece labeled next continues an item labeled l.
func (l itemLabel) isContinuedBy(next itemLabel) bool {
	sameIndex := l.Index == nil && next.Index == nil || l.Index != nil && next.Index != nil && *l.Index == *next.Index
	sameID := l.ID == next.ID || l.ID == "" || next.ID == ""
	return l.Type != "" && l.Type == next.Type && sameIndex && sameID && !l.isComplete() && !next.isComplete()
}

// isComplete reports whether the item arrives in one piece, because it has data.
func (l itemLabel) isComplete() bool { return len(l.Data) > 0 && string(l.Data) != "null" }

// MarshalJSON writes the value merged so far; null if no piece has arrived.
func (g *mergedValue) MarshalJSON() ([]byte, error) {
	switch {
	case g.text != nil:
		return json.Marshal(g.text.String())
	case g.members != nil:
		return json.Marshal(g.members)
	case g.items != nil:
		return json.Marshal(g.items)
	case g.raw != nil:
		return g.raw, nil
	}
	return []byte("null"), nil
}
