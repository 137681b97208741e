package jsonschema

import (
	"fmt"
	"maps"
	"net/url"
	"slices"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// An Error describes why a schema cannot be used.
type Error struct {
	Pointer  string // JSON Pointer of the keyword
	Expected string
	Found    string
}

// Error returns what was expected, where, and what was found.
func (e *Error) Error() string {
	pointer := e.Pointer
	if pointer == "" {
		pointer = "the schema"
	}
	return pointer + ": expected " + e.Expected + ", found " + e.Found
}

// LongestText is the maximum size of a schema, in bytes.
const LongestText = 1 << 20

// Parse parses a schema. It assumes draft 2020-12 unless the schema declares an older draft.
// The error is an [*Error], or a [*jsontext.SyntaxError] if the text is not JSON.
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

// Read is like [Parse] but takes a JSON tree.
func Read(n *jsontext.Node) (*Schema, error) {
	r := newReader(n)
	s := r.readSchema(n, place{resource: r.order[0]})
	r.linkDynamic()
	if r.err != nil {
		return nil, r.err
	}
	computeKinds(slices.Collect(maps.Values(r.schemas)))
	return s, nil
}

// newReader returns a reader that has indexed the schemas in a tree.
func newReader(n *jsontext.Node) *reader {
	r := &reader{
		resources: map[string]*resource{}, places: map[*jsontext.Node]place{}, schemas: map[*jsontext.Node]*Schema{},
		named: map[string][]*resource{}, dynamicAnchors: map[string]bool{},
		document: &document{}, program: MostProgram,
	}
	r.indexSchemas(n, place{resource: r.addResource(n, &url.URL{}, place{}, draft2020)})
	return r
}

// Unresolved returns the values of $ref and $dynamicRef in a tree that do not refer to a schema.
func Unresolved(n *jsontext.Node) map[*jsontext.Node]bool {
	all := map[*jsontext.Node]bool{}
	r := newReader(n)
	for s, at := range r.places {
		for _, keyword := range []string{"$ref", "$dynamicRef"} {
			ref := s.Member(keyword)
			if !ref.Is(jsontext.String) {
				continue
			}
			target, _, _ := r.findTarget(ref.Str(), at.child(keyword))
			if !target.Is(jsontext.Object) && !target.Is(jsontext.Bool) {
				all[ref] = true
			}
		}
	}
	return all
}

// readSchema returns the schema of a node of the tree.
func (r *reader) readSchema(n *jsontext.Node, at place) *Schema {
	if s := r.schemas[n]; s != nil {
		return s
	}
	if indexed, ok := r.places[n]; ok {
		at = indexed
	}
	s := &Schema{Node: n, resource: at.resource, cost: 1}
	s.Length, s.Count, s.Members, s.Contained = anySize, anySize, anySize, Size{1, anySize.Most}
	r.schemas[n] = s
	switch {
	case n.Is(jsontext.Bool):
		s.Never = n.Text == "false"
	case n.Is(jsontext.Object):
		r.readKeywords(s, at)
	default:
		r.fail(at, "a schema, which is an object, true or false", Found(n))
	}
	return s
}

func (r *reader) readKeywords(s *Schema, at place) {
	onlyRef := at.resource.draft <= draft7 && s.Node.Member("$ref") != nil // these drafts ignore keywords next to $ref
	for _, m := range s.Node.LastMembers() {
		name := m.Name()
		if read := readers()[name]; read != nil && r.err == nil && (!onlyRef || name == "$ref") {
			read(keyword{r, s, m, at.child(name)})
		}
	}
	s.computeCost()
}

// linkDynamic reads the schemas that dynamic references may lead to.
func (r *reader) linkDynamic() {
	for len(r.unreadAnchors) > 0 && r.err == nil { // readSchema may add anchors
		name := r.unreadAnchors[0]
		r.unreadAnchors = r.unreadAnchors[1:]
		for _, x := range r.named[name] {
			x.targets[name] = r.readSchema(x.dynamic[name], x.at)
		}
	}
}
