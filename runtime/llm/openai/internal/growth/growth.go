// Package growth puts JSON objects together that come in pieces, as the members that
// providers send beside the protocol do in a stream.
package growth

import (
	"encoding/json"
	"slices"
	"strings"
)

// Object is an object that grows. The zero value has no member.
type Object struct{ value value }

// Add goes on with members. Texts under the names of texts go on, other ones are
// replaced, lists go on by their items and objects by their members.
func (o *Object) Add(members map[string]json.RawMessage) {
	if o.value.members == nil {
		o.value.members = map[string]*value{}
	}
	o.value.addMembers(members, 0)
}

// Has tells whether a member came.
func (o *Object) Has(name string) bool { return o.value.members[name] != nil }

// Read returns the members as they are now.
func (o *Object) Read() map[string]json.RawMessage {
	all := map[string]json.RawMessage{}
	for name, member := range o.value.members {
		if text, err := json.Marshal(member); err == nil && string(text) != "null" {
			all[name] = text
		}
	}
	return all
}

// maxDepth is how deep values are put together. What is deeper is replaced.
const maxDepth = 8

// value is a JSON value that comes in pieces. Until there is a second one, it is
// the first, byte for byte.
type value struct {
	raw     json.RawMessage
	text    *strings.Builder
	members map[string]*value
	items   []*value
	label   label // of an item
}

// joined are the members whose texts come in pieces. Other texts are repeated, or
// come once.
var joined = []string{"content", "reasoning", "reasoning_content", "reasoning_text", "summary", "text", "thinking"}

// label is what tells the items of a list apart.
type label struct {
	Type  string          `json:"type"`
	ID    string          `json:"id"`
	Index *int            `json:"index"`
	Data  json.RawMessage `json:"data"` // is whole in one piece
}

// add goes on with a piece, which is valid JSON. An object is joined by its members,
// a list by its items.
func (g *value) add(name string, piece json.RawMessage, depth int) {
	switch string(piece) {
	case "", "null", "[]", "{}":
		return
	}
	if g.raw == nil && g.text == nil && g.members == nil && g.items == nil || depth >= maxDepth {
		*g = value{raw: slices.Clone(piece), label: g.label}
		return
	}
	g.open()
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
	case g.text != nil && json.Unmarshal(piece, &text) == nil && slices.Contains(joined, name):
		g.text.WriteString(text)
	case string(piece) != `""`:
		*g = value{raw: slices.Clone(piece), label: g.label}
	}
}

// open takes the first piece apart.
func (g *value) open() {
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
		g.members = map[string]*value{}
		for name, member := range members {
			g.members[name] = &value{raw: member}
		}
	case json.Unmarshal(raw, &items) == nil:
		for _, item := range items {
			g.items = append(g.items, &value{raw: item, label: labelOf(item)})
		}
	case json.Unmarshal(raw, &text) == nil:
		g.text = &strings.Builder{}
		g.text.WriteString(text)
	default:
		g.raw = raw
	}
}

func (g *value) addMembers(members map[string]json.RawMessage, depth int) {
	for name, member := range members {
		if g.members[name] == nil {
			g.members[name] = &value{}
		}
		g.members[name].add(name, member, depth+1)
	}
}

// mostOpen is how many items of a list may come in pieces at once.
const mostOpen = 100

// addItem goes on with the item of the same label, or, without an index, with the last
// one if it has it; else the piece is another item.
func (g *value) addItem(piece json.RawMessage, depth int) {
	l := labelOf(piece)
	for _, item := range slices.Backward(g.items[max(0, len(g.items)-mostOpen):]) {
		if item.label.continues(l) {
			item.label.ID = max(item.label.ID, l.ID)
			item.add("", piece, depth+1)
			return
		}
		if l.Index == nil {
			break
		}
	}
	g.items = append(g.items, &value{raw: slices.Clone(piece), label: l})
}

func labelOf(item json.RawMessage) (l label) {
	_ = json.Unmarshal(item, &l) // what is no object has none
	return l
}

// continues tells whether an item of the label next goes on with one of l.
func (l label) continues(next label) bool {
	sameIndex := l.Index == nil && next.Index == nil || l.Index != nil && next.Index != nil && *l.Index == *next.Index
	sameID := l.ID == next.ID || l.ID == "" || next.ID == ""
	return l.Type != "" && l.Type == next.Type && sameIndex && sameID && !l.whole() && !next.whole()
}

// whole tells whether an item comes in one piece.
func (l label) whole() bool { return len(l.Data) > 0 && string(l.Data) != "null" }

// MarshalJSON writes the value as it is now; null if no piece came.
func (g *value) MarshalJSON() ([]byte, error) {
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
