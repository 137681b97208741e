package repair

import (
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// What is to be known of a value that was read. Its texts are JSON already: those
// that were right in the source are cut out of it, so that nothing is lost in
// between.
const (
	bare   = 1 << iota // a string that had no quotes
	void               // there is no value in the text
	listed             // the only element of a list that was made for it
)

func is(n *jsontext.Node, mark uint8) bool { return n.Mark&mark != 0 }

// holeIn returns what of a value is missing in the text; nil if nothing is.
func holeIn(n *jsontext.Node) *jsontext.Node {
	if is(n, void) {
		return n
	}
	for _, m := range n.Items {
		if hole := holeIn(m); hole != nil {
			return hole
		}
	}
	return nil
}

// missingAt describes a hole.
func missingAt(n *jsontext.Node) string {
	if n.Key == "" {
		return "a value is missing"
	}
	return "the value of " + cut(n.Key) + " is missing"
}

// textOf returns what a string says, and of another scalar its JSON.
func textOf(n *jsontext.Node) string {
	if n.Kind == jsontext.String {
		return jsontext.Unquote(n.Text)
	}
	return n.Text
}

// shown returns the beginning of a value as JSON.
func shown(n *jsontext.Node) string { return cut(string(n.AppendMost(nil, longestShown))) }

// only returns the only element or member of a value; nil if there is none, or
// more.
func only(n *jsontext.Node) *jsontext.Node {
	if len(n.Items) != 1 {
		return nil
	}
	return n.Items[0]
}

// like puts n in the place of another value: in the text, and under its name.
func like(n, other *jsontext.Node) *jsontext.Node {
	n.Span, n.KeySpan, n.Key = other.Span, other.KeySpan, other.Key
	return n
}

// arena hands out nodes, a block of them at a time.
type arena struct {
	free []jsontext.Node
	size int // of the last block
}

func (a *arena) node(k jsontext.Kind, at int) *jsontext.Node {
	if len(a.free) == 0 {
		a.size = min(max(8, 2*a.size), 512)
		a.free = make([]jsontext.Node, a.size)
	}
	n := &a.free[0]
	a.free = a.free[1:]
	n.Kind, n.Start = k, int32(at)
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
			b.WriteString(cut(jsontext.Token(s.name)))
		}
	}
	return b.String()
}
