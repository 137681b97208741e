package schema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// maxDepth bounds how deep schemas and arguments nest.
const maxDepth = 1000

var errDeep = fmt.Errorf("it is nested deeper than %d levels", maxDepth)

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
	r.deep = r.deep || depth == maxDepth
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

var falseNode = &node{text: "false"}

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

// name returns the name of a member.
func (n *node) name(i int) string { return unquote(n.keys[i]) }

// add appends a member to an object, unless it is nil.
func (n *node) add(name string, value *node) {
	if value != nil {
		n.keys = append(n.keys, str(name).text)
		n.values = append(n.values, value)
	}
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
