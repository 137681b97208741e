package fit

import (
	"slices"
	"strconv"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// isLeaf reports whether a value has no members or elements.
func isLeaf(n *jsontext.Node) bool { return len(n.Items) == 0 }

// source is a leaf or a name of the original that a repair may move elsewhere.
type source struct {
	at       string // pointer
	node     *jsontext.Node
	required bool // the repaired value must contain it
	used     bool // it was assigned to a leaf of the repaired value
}

// want is a leaf or a name of the repaired value that must come from a source.
type want struct {
	at    string
	node  *jsontext.Node
	place schemaPlace
}

// sources are the leaves and the names of members that a repair may move, in the order of the original.
type sources struct{ leaves, names []*source }

// addLeaves adds the leaves and the names in a value.
func (s *sources) addLeaves(at string, n *jsontext.Node, required bool) {
	if isLeaf(n) {
		s.leaves = append(s.leaves, &source{at: at, node: n, required: required})
		return
	}
	for i, m := range n.Items {
		if n.Kind == jsontext.Array {
			s.addLeaves(jsontext.JoinNames(at, strconv.Itoa(i)), m, required)
			continue
		}
		s.names = append(s.names, &source{at: at, node: textNode(m.Name())})
		s.addLeaves(jsontext.JoinNames(at, m.Name()), m, required)
	}
}

func textNode(s string) *jsontext.Node {
	return &jsontext.Node{Kind: jsontext.String, Text: jsontext.Quote(s)}
}

// takeSources assigns an unused source to each wanted leaf or name and returns those without a source.
func (f *Fitter) takeSources(from []*source, wanted []want) (rest []want) {
	byValue := map[string][]*source{}
	for _, s := range from {
		text := string(s.node.AppendCanonical(nil))
		byValue[text] = append(byValue[text], s)
	}
	for _, w := range wanted {
		text := string(w.node.AppendCanonical(nil))
		if list := byValue[text]; len(list) > 0 {
			list[0].used, byValue[text] = true, list[1:]
			continue
		}
		rest = append(rest, w)
	}
	return slices.DeleteFunc(rest, func(w want) bool {
		i := -1
		if f.Err() == nil {
			i = slices.IndexFunc(from, func(s *source) bool { return !s.used && f.isReading(w.node, s.node, w.place) })
		}
		if i >= 0 {
			from[i].used = true
		}
		return i >= 0
	})
}
