package leaves

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// isLeaf tells whether a value has no parts.
func isLeaf(n *jsontext.Node) bool { return len(n.Items) == 0 }

// source is a leaf of the original that may stand elsewhere.
type source struct {
	at   string
	node *jsontext.Node
	must bool // be somewhere
	used bool
}

// want is a leaf that has to come from somewhere.
type want struct {
	at    string
	node  *jsontext.Node
	place place
}

// sources are what values may be taken from, in the order of the original: leaves,
// and the names of members.
type sources struct{ leaves, names []*source }

// gather adds all that is in a value.
func (s *sources) gather(at string, n *jsontext.Node, must bool) {
	if isLeaf(n) {
		s.leaves = append(s.leaves, &source{at: at, node: n, must: must})
		return
	}
	for i, m := range n.Items {
		if n.Kind == jsontext.Array {
			s.gather(jsontext.Within(at, strconv.Itoa(i)), m, must)
			continue
		}
		s.names = append(s.names, &source{at: at, node: text(m.Name())})
		s.gather(jsontext.Within(at, m.Name()), m, must)
	}
}

func text(s string) *jsontext.Node {
	return &jsontext.Node{Kind: jsontext.String, Text: jsontext.Quote(s)}
}

// take takes one source for each of what is wanted, and returns what found none.
func (j judge) take(from []*source, wanted []want) (rest []want) {
	same := map[string][]*source{}
	for _, s := range from {
		text := string(s.node.AppendCanonical(nil))
		same[text] = append(same[text], s)
	}
	for _, w := range wanted {
		text := string(w.node.AppendCanonical(nil))
		if list := same[text]; len(list) > 0 {
			list[0].used, same[text] = true, list[1:]
			continue
		}
		rest = append(rest, w)
	}
	return slices.DeleteFunc(rest, func(w want) bool {
		i := -1
		if j.Err() == nil {
			i = slices.IndexFunc(from, func(s *source) bool { return !s.used && j.isReading(w.node, s.node, w.place) })
		}
		if i >= 0 {
			from[i].used = true
		}
		return i >= 0
	})
}

// inOrder puts what is wanted in the order of its places.
func inOrder(wanted []want) {
	slices.SortStableFunc(wanted, func(a, b want) int { return cmp.Compare(a.at, b.at) })
}
