package fit

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// isLeaf reports whether a value has no parts.
func isLeaf(n *jsontext.Node) bool { return len(n.Items) == 0 }

// source is a leaf of the original that may move elsewhere.
type source struct {
	at       string
	node     *jsontext.Node
	required bool // it must be in the repaired value
	used     bool
}

// want is a leaf that must come from a source.
type want struct {
	at    string
	node  *jsontext.Node
	place schemaPlace
}

// sources are the leaves and the names of members that values may come from, in the order of the original.
type sources struct{ leaves, names []*source }

// addLeaves adds everything in a value.
func (s *sources) addLeaves(at string, n *jsontext.Node, must bool) {
	if isLeaf(n) {
		s.leaves = append(s.leaves, &source{at: at, node: n, required: must})
		return
	}
	for i, m := range n.Items {
		if n.Kind == jsontext.Array {
			s.addLeaves(jsontext.JoinNames(at, strconv.Itoa(i)), m, must)
			continue
		}
		s.names = append(s.names, &source{at: at, node: textNode(m.Name())})
		s.addLeaves(jsontext.JoinNames(at, m.Name()), m, must)
	}
}

func textNode(s string) *jsontext.Node {
	return &jsontext.Node{Kind: jsontext.String, Text: jsontext.Quote(s)}
}

// takeSources assigns a source to each wanted leaf and returns the leaves without one.
func (j judge) takeSources(from []*source, wanted []want) (rest []want) {
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

// sortWanted sorts wanted leaves by position.
func sortWanted(wanted []want) {
	slices.SortStableFunc(wanted, func(a, b want) int { return cmp.Compare(a.at, b.at) })
}
