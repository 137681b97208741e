package repair

import (
	"math"
	"strconv"
	"strings"
)

type kind uint8

const (
	kindNull kind = iota
	kindBool
	kindNumber
	kindString
	kindArray
	kindObject
)

// node is a value that was read, and a member of the object or list around it.
// Its texts are JSON already: those that were right in the source are cut out of
// it, so that nothing is lost in between.
type node struct {
	kind   kind
	bare   bool   // a string that had no quotes
	void   bool   // there is no value in the text
	listed bool   // the only element of a list that was made for it
	region        // in the text
	named  region // where the name is
	lit    string // of a scalar
	key    string // the name, in an object

	first, last, next *node
}

// A region is where something is in a text.
type region struct{ at, to int32 }

// add appends a member or an element.
func (n *node) add(child *node) {
	if n.last == nil {
		n.first = child
	} else {
		n.last.next = child
	}
	n.last = child
}

// member returns the first member of a name, given as text; nil if there is none.
func (n *node) member(name string) *node {
	for m := n.first; m != nil; m = m.next {
		if m.name() == name {
			return m
		}
	}
	return nil
}

// name returns the key as text.
func (n *node) name() string { return unquote(n.key) }

// hole returns what of a value is missing in the text; nil if nothing is.
func (n *node) hole() *node {
	if n.void {
		return n
	}
	for m := n.first; m != nil; m = m.next {
		if hole := m.hole(); hole != nil {
			return hole
		}
	}
	return nil
}

// missing describes a hole.
func (n *node) missing() string {
	if n.key == "" {
		return "a value is missing"
	}
	return "the value of " + cut(n.key) + " is missing"
}

// text returns what a string says, and of another scalar its JSON.
func (n *node) text() string {
	if n.kind == kindString {
		return unquote(n.lit)
	}
	return n.lit
}

// shown returns the beginning of the value as JSON.
func (n *node) shown() string { return cut(string(n.append(nil, longestShown))) }

// appendJSON appends the value as JSON.
func (n *node) appendJSON(b []byte) []byte { return n.append(b, math.MaxInt) }

// append appends a value as JSON. It leaves out what comes when b is longer than
// most.
func (n *node) append(b []byte, most int) []byte {
	brackets := ""
	switch n.kind {
	case kindObject:
		brackets = "{}"
	case kindArray:
		brackets = "[]"
	default:
		return append(b, n.lit...)
	}
	b = append(b, brackets[0])
	for m := n.first; m != nil && len(b) <= most; m = m.next {
		if m != n.first {
			b = append(b, ',')
		}
		if n.kind == kindObject {
			b = append(append(b, m.key...), ':')
		}
		b = m.append(b, most)
	}
	return append(b, brackets[1])
}

// like puts n in the place of another value: in the text, and under its name.
func (n *node) like(other *node) *node {
	n.region, n.named, n.key = other.region, other.named, other.key
	return n
}

// arena hands out nodes, a block of them at a time.
type arena struct {
	free []node
	size int // of the last block
}

func (a *arena) node(k kind, at int) *node {
	if len(a.free) == 0 {
		a.size = min(max(8, 2*a.size), 512)
		a.free = make([]node, a.size)
	}
	n := &a.free[0]
	a.free = a.free[1:]
	n.kind, n.at = k, int32(at)
	return n
}

// trail leads to a value, from the outside in.
type trail []step

// step goes to a member of an object, or, where there is no name, to an element
// of a list.
type step struct {
	name  string
	index int
}

const noIndex = -1

// enter goes to a member.
func (t *trail) enter(name string) { *t = append(*t, step{name, noIndex}) }

// enterElement goes to an element.
func (t *trail) enterElement(i int) { *t = append(*t, step{"", i}) }

// leave goes back out.
func (t *trail) leave() { *t = (*t)[:len(*t)-1] }

// pointer returns the JSON Pointer of the value.
func (t trail) pointer() string {
	var b strings.Builder
	for _, s := range t {
		b.WriteByte('/')
		if s.index != noIndex {
			b.WriteString(strconv.Itoa(s.index))
		} else {
			b.WriteString(cut(strings.NewReplacer("~", "~0", "/", "~1").Replace(s.name)))
		}
	}
	return b.String()
}
