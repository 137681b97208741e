package jsonschema

import (
	"fmt"
	"maps"
	"net/url"
	"slices"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// An Error says why a schema cannot be used.
type Error struct {
	Pointer  string // of the keyword
	Expected string
	Found    string
}

// Error says what was expected, where, and what is there.
func (e *Error) Error() string {
	pointer := e.Pointer
	if pointer == "" {
		pointer = "the schema"
	}
	return pointer + ": expected " + e.Expected + ", found " + e.Found
}

// LongestText limits schemas, in bytes.
const LongestText = 1 << 20

// Parse reads a schema, of draft 2020-12 unless it says that it is of an older
// draft. An error is an [*Error], or a [*jsontext.SyntaxError] if it is no JSON.
func Parse(text []byte) (*Schema, error) {
	if len(text) > LongestText {
		return nil, &Error{"", "a schema of at most 1 MiB", fmt.Sprintf("%d bytes", len(text))}
	}
	n, err := jsontext.Parse(string(text), jsontext.Depth)
	if err != nil {
		return nil, err
	}
	return Read(n)
}

// Read reads a schema from a tree, as [Parse] does from a text.
func Read(n *jsontext.Node) (*Schema, error) {
	r := newReader(n)
	s := r.schema(n, place{resource: r.order[0]})
	r.linkDynamic()
	if r.err != nil {
		return nil, r.err
	}
	settleKinds(slices.Collect(maps.Values(r.made)))
	return s, nil
}

// newReader returns a reader that knows the places of the schemas in a tree.
func newReader(n *jsontext.Node) *reader {
	r := &reader{
		resources: map[string]*resource{}, home: map[*jsontext.Node]place{}, made: map[*jsontext.Node]*Schema{},
		members: map[*jsontext.Node]map[string]*jsontext.Node{}, named: map[string][]*resource{}, wanted: map[string]bool{},
		document: &document{}, program: MostProgram,
	}
	r.index(n, place{resource: r.resource(n, &url.URL{}, place{}, draft2020)})
	return r
}

// Unresolved returns the references in a tree that do not lead to a schema: the values of $ref
// and $dynamicRef.
func Unresolved(n *jsontext.Node) map[*jsontext.Node]bool {
	all := map[*jsontext.Node]bool{}
	r := newReader(n)
	for s, at := range r.home {
		for _, keyword := range []string{"$ref", "$dynamicRef"} {
			ref := s.Member(keyword)
			if !ref.Is(jsontext.String) {
				continue
			}
			target, _, _ := r.find(ref.Str(), at.within(keyword))
			if !target.Is(jsontext.Object) && !target.Is(jsontext.Bool) {
				all[ref] = true
			}
		}
	}
	return all
}

// schema returns the schema that a part of the tree is.
func (r *reader) schema(n *jsontext.Node, at place) *Schema {
	if s := r.made[n]; s != nil {
		return s
	}
	if known, ok := r.home[n]; ok {
		at = known
	}
	s := &Schema{Node: n, resource: at.resource, cost: 1}
	s.Length, s.Count, s.Members, s.Contained = anySize, anySize, anySize, Size{1, anySize.Most}
	r.made[n] = s
	switch {
	case n.Is(jsontext.Bool):
		s.Never = n.Text == "false"
	case n.Is(jsontext.Object):
		r.keywords(s, at)
	default:
		r.fail(at, "a schema, which is an object, true or false", Found(n))
	}
	return s
}

func (r *reader) keywords(s *Schema, at place) {
	alone := at.resource.draft <= draft7 && s.Node.Member("$ref") != nil // it makes the others mean nothing
	for _, m := range lasting(s.Node) {
		name := m.Name()
		if read := readers()[name]; read != nil && r.err == nil && (!alone || name == "$ref") {
			read(keyword{r, s, m, at.within(name)})
		}
	}
	s.settle()
}

// lasting are the elements or members of a value: of several members of one name the
// last, as for most readers of JSON.
func lasting(n *jsontext.Node) []*jsontext.Node {
	if n.Repeated() == nil {
		return n.Items
	}
	last := map[string]*jsontext.Node{}
	for _, m := range n.Items {
		last[m.Name()] = m
	}
	return slices.DeleteFunc(slices.Clone(n.Items), func(m *jsontext.Node) bool { return last[m.Name()] != m })
}

// linkDynamic makes what dynamic references may go to.
func (r *reader) linkDynamic() {
	for len(r.asked) > 0 && r.err == nil { // each may refer to others
		name := r.asked[0]
		r.asked = r.asked[1:]
		for _, x := range r.named[name] {
			x.targets[name] = r.schema(x.dynamic[name], x.at)
		}
	}
}
