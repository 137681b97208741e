package schema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

var errDeep = fmt.Errorf("it is nested deeper than %d levels", MaxDepth)

// node is a JSON value as it was written: objects keep their order and members
// that are there twice, strings their escapes, numbers their digits.
type node struct {
	text    string   // of a scalar
	bracket byte     // '{', '[', or 0 for a scalar
	keys    []string // of an object, as they were written: in quotes
	values  []*node  // members of an object, or elements of an array
}

// parse reads a JSON text.
func parse(text []byte) (*node, error) {
	if !json.Valid(text) {
		return nil, json.Unmarshal(text, new(json.RawMessage)) // which says why
	}
	r := reader{text: string(text)}
	n := r.value(0)
	if r.deep {
		return nil, errDeep
	}
	return n, nil
}

// reader reads JSON that is known to be well formed.
type reader struct {
	text string
	pos  int
	deep bool
}

func (r *reader) value(depth int) *node {
	c := r.next()
	if c != '{' && c != '[' {
		return &node{text: r.scalar()}
	}
	n := &node{bracket: c}
	r.deep = r.deep || depth == MaxDepth
	for r.pos++; !r.deep; {
		if c := r.next(); c == '}' || c == ']' {
			r.pos++
			break
		}
		if n.bracket == '{' {
			n.keys = append(n.keys, r.scalar())
		}
		n.values = append(n.values, r.value(depth+1))
	}
	return n
}

const between = " \t\r\n,:"

// next skips what is between values, and returns the byte that follows.
func (r *reader) next() byte {
	for r.skips(between) {
		r.pos++
	}
	return r.text[r.pos]
}

func (r *reader) skips(set string) bool { return strings.IndexByte(set, r.text[r.pos]) >= 0 }

// scalar returns the text of a string, a number or a word.
func (r *reader) scalar() string {
	quoted := r.next() == '"'
	start := r.pos
	for r.pos++; r.pos < len(r.text); r.pos++ {
		switch {
		case quoted && r.text[r.pos] == '"':
			r.pos++
			return r.text[start:r.pos]
		case quoted && r.text[r.pos] == '\\':
			r.pos++
		case !quoted && r.skips(between+"]}"):
			return r.text[start:r.pos]
		}
	}
	return r.text[start:]
}

func object() *node               { return &node{bracket: '{'} }
func array(values ...*node) *node { return &node{bracket: '[', values: values} }

// str returns the node of a string.
func str(s string) *node {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a string can be written
	return &node{text: strings.TrimSuffix(b.String(), "\n")}
}

// strs returns the node of an array of strings.
func strs(list []string) *node {
	n := array()
	for _, s := range list {
		n.values = append(n.values, str(s))
	}
	return n
}

var (
	falseNode = &node{text: "false"}
	trueNode  = &node{text: "true"}
	nullNode  = &node{text: "null"}
)

// unquote returns the value of a string.
func unquote(text string) string {
	if !strings.Contains(text, `\`) {
		return text[1 : len(text)-1]
	}
	var s string
	_ = json.Unmarshal([]byte(text), &s) // it is one
	return s
}

// kind returns what the value begins with: one of {["0tn, where 0 stands for
// numbers and t for both booleans.
func (n *node) kind() byte {
	switch {
	case n.bracket != 0:
		return n.bracket
	case n.text[0] == '"', n.text[0] == 'n', n.text[0] == 't':
		return n.text[0]
	case n.text[0] == 'f':
		return 't'
	}
	return '0'
}

func (n *node) is(kind byte) bool { return n != nil && n.kind() == kind }

// str returns the value of a string, "" of others.
func (n *node) str() string {
	if !n.is('"') {
		return ""
	}
	return unquote(n.text)
}

// list returns the values of an array of strings.
func (n *node) list() (all []string) {
	if n.is('[') {
		for _, v := range n.values {
			if v.is('"') {
				all = append(all, v.str())
			}
		}
	}
	return all
}

// get returns a member of an object, or nil.
func (n *node) get(name string) *node {
	if n.is('{') {
		for i := range n.keys {
			if n.name(i) == name {
				return n.values[i]
			}
		}
	}
	return nil
}

func (n *node) has(name string) bool { return n.get(name) != nil }

// getOrNull returns a member of an object, or null.
func (n *node) getOrNull(name string) *node {
	if v := n.get(name); v != nil {
		return v
	}
	return nullNode
}

// each returns an array or an object whose values were changed, and other values
// as they are.
func (n *node) each(bracket byte, change func(*node) *node) *node {
	if !n.is(bracket) {
		return n
	}
	out := &node{bracket: bracket, keys: n.keys, values: make([]*node, len(n.values))}
	for i, v := range n.values {
		out.values[i] = change(v)
	}
	return out
}

// equal reports whether two values are the same, but for the order of members;
// numbers are so only if they are written alike.
func (n *node) equal(m *node) bool {
	switch {
	case n.kind() != m.kind() || len(n.values) != len(m.values):
		return false
	case n.bracket == '{':
		for i, v := range n.values {
			if w := m.get(n.name(i)); w == nil || !v.equal(w) {
				return false
			}
		}
		return true
	case n.bracket == '[':
		return slices.EqualFunc(n.values, m.values, (*node).equal)
	case n.is('"'):
		return n.str() == m.str()
	}
	return n.text == m.text
}

// repeats reports whether an object has a member twice.
func (n *node) repeats() bool {
	seen := map[string]bool{}
	for i := range n.keys {
		if seen[n.name(i)] {
			return true
		}
		seen[n.name(i)] = true
	}
	return false
}

// elements returns the values in an array or an object; nil is none.
func (n *node) elements() []*node {
	if n == nil {
		return nil
	}
	return n.values
}

func (n *node) isWord(word string) bool { return n != nil && n.text == word }

// name returns the name of a member.
func (n *node) name(i int) string { return unquote(n.keys[i]) }

// add appends a member to an object, unless it is nil.
func (n *node) add(name string, value *node) {
	if value != nil {
		n.keys = append(n.keys, str(name).text)
		n.values = append(n.values, value)
	}
}

// set replaces a member, or appends it.
func (n *node) set(name string, value *node) {
	for i := range n.keys {
		if n.name(i) == name {
			n.values[i] = value
			return
		}
	}
	n.add(name, value)
}

// without returns an object that lacks some members.
func (n *node) without(names ...string) *node {
	out := object()
	for i, v := range n.values {
		if !slices.Contains(names, n.name(i)) {
			out.keys = append(out.keys, n.keys[i])
			out.values = append(out.values, v)
		}
	}
	return out
}

// raw returns the value as minified JSON.
func (n *node) raw() json.RawMessage { return n.append(nil) }

func (n *node) append(b []byte) []byte {
	if n.bracket == 0 {
		return append(b, n.text...)
	}
	b = append(b, n.bracket)
	for i, v := range n.values {
		if i > 0 {
			b = append(b, ',')
		}
		if n.bracket == '{' {
			b = append(append(b, n.keys[i]...), ':')
		}
		b = v.append(b)
	}
	return append(b, n.bracket+2) // } and ] are two after { and [
}
