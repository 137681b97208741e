package jsonschema

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// reader creates the Schemas of a tree. After an error, its results are meaningless.
type reader struct {
	*document
	resources      map[string]*resource       // by URI
	order          []*resource                // in the order of the tree
	places         map[*jsontext.Node]place   // the places of the schemas in the tree
	schemas        map[*jsontext.Node]*Schema // the Schemas that were created
	lookup         jsontext.Lookup
	named          map[string][]*resource // the resources that have a dynamic anchor
	dynamicAnchors map[string]bool        // dynamic anchors that are referred to
	unreadAnchors  []string               // the names in dynamicAnchors whose schemas are not read yet
	program        int                    // number of instructions that are left for further patterns; see MostProgram
	err            error
}

// document states which features the schemas of a document use.
type document struct {
	tracks bool // a schema uses unevaluatedItems or unevaluatedProperties
	scoped bool // a schema uses dynamic references
}

// A place is the location of a node in a document. It consists of a name and the outer place, and the place of
// the document has no outer place. Places share outer places, because the full pointers of all nodes could need
// much memory.
type place struct {
	resource *resource
	outer    *place
	name     string
}

func (p place) child(name string) place { return place{p.resource, &p, name} }

// pointer returns the JSON Pointer of the place in the document.
func (p place) pointer() string {
	if p.outer == nil {
		return ""
	}
	return jsontext.Join(p.outer.pointer(), p.name)
}

func (r *reader) fail(at place, expected, found string) {
	if r.err == nil {
		r.err = &Error{at.pointer(), expected, found}
	}
}

// draft is a version of JSON Schema.
type draft int

const (
	draft4 draft = iota
	draft6
	draft7
	draft2019
	draft2020
)

var drafts = map[string]draft{
	"json-schema.org/draft-04/schema":      draft4,
	"json-schema.org/draft-06/schema":      draft6,
	"json-schema.org/draft-07/schema":      draft7,
	"json-schema.org/draft/2019-09/schema": draft2019,
	"json-schema.org/draft/2020-12/schema": draft2020,
}

// A resource is the document or a schema in it with an $id, without the schemas inside it that have their own $id.
type resource struct {
	root     *jsontext.Node
	at       place
	base     *url.URL
	draft    draft
	document *document
	anchors  map[string]*jsontext.Node // by $anchor and $dynamicAnchor
	dynamic  map[string]*jsontext.Node // by $dynamicAnchor
	targets  map[string]*Schema        // the Schemas of dynamic that are referred to
}

// dynamicReference is a $dynamicRef to an anchor. It refers to the schema with this anchor in the outermost
// resource of the scope in which the anchor exists. If it exists in none, the reference refers to static.
type dynamicReference struct {
	name   string // the anchor; empty if the reference always refers to static
	static *Schema
}

func (d *dynamicReference) target(s *scope) *Schema {
	target := d.static
	for ; s != nil && d.name != ""; s = s.outer {
		if t := s.resource.targets[d.name]; t != nil {
			target = t
		}
	}
	return target
}

// A scope is the list of the resources whose schemas a value is being checked against, from the
// innermost to the outermost, each once.
type scope struct {
	outer    *scope
	resource *resource
	size     int // number of resources
}

func (s *scope) depth() int {
	if s == nil {
		return 0
	}
	return s.size
}

func (s *scope) hasResource(x *resource) bool {
	return s != nil && (s.resource == x || s.outer.hasResource(x))
}

func (r *reader) addResource(root *jsontext.Node, base *url.URL, at place, d draft) *resource {
	x := &resource{
		root: root, at: at, base: base, draft: d, document: r.document,
		anchors: map[string]*jsontext.Node{}, dynamic: map[string]*jsontext.Node{}, targets: map[string]*Schema{},
	}
	x.at.resource = x
	r.resources[base.String()] = x
	r.order = append(r.order, x)
	return x
}

// indexSchemas records the places and anchors of schemas.
func (r *reader) indexSchemas(n *jsontext.Node, at place) {
	if !n.Is(jsontext.Object) || r.err != nil {
		return
	}
	at.resource = r.identify(n, at)
	r.places[n] = at
	for _, keyword := range []string{"$anchor", "$dynamicAnchor"} {
		if m := n.Member(keyword); m.Is(jsontext.String) {
			at.resource.anchors[m.Str()] = n
			if keyword == "$dynamicAnchor" {
				at.resource.dynamic[m.Str()] = n
				r.named[m.Str()] = append(r.named[m.Str()], at.resource)
			}
		}
	}
	for _, m := range n.Items {
		shape := SubschemaShapeOf(m.Name())
		if shape == NoSubschema {
			continue
		}
		keywordPlace := at.child(m.Name())
		if shape == OneSubschema && !m.Is(jsontext.Array) {
			r.indexSchemas(m, keywordPlace)
			continue
		}
		for i, item := range m.Items {
			if m.Is(jsontext.Array) {
				r.indexSchemas(item, keywordPlace.child(strconv.Itoa(i)))
			} else if shape == SubschemaMap {
				r.indexSchemas(item, keywordPlace.child(item.Name()))
			}
		}
	}
}

// longestAddress is the maximum length of an $id together with the base that it is resolved against. Resolving a
// reference takes time in proportion to this length.
const longestAddress = 4096

// readDraft reads the draft that a schema declares, if it is the root of a resource. It returns false and fails
// if the draft is unknown.
func (r *reader) readDraft(n *jsontext.Node, at place) bool {
	m := n.Member("$schema")
	isRoot := n == at.resource.root
	if m == nil || !isRoot && n.Member("$id") == nil {
		return true
	}
	_, address, _ := strings.Cut(strings.TrimSuffix(m.Str(), "#"), "://")
	d, known := drafts[address]
	if !known {
		r.fail(at.child("$schema"), "a draft of JSON Schema from 4 to 2020-12", Found(m))
		return false
	}
	if isRoot {
		at.resource.draft = d
	}
	return true
}

// identify returns the resource of a schema. If the schema has an $id, that is a new resource.
func (r *reader) identify(n *jsontext.Node, at place) *resource {
	x := at.resource
	if !r.readDraft(n, at) {
		return x
	}
	keyword := "$id"
	if x.draft == draft4 {
		keyword = "id"
	}
	m := n.Member(keyword)
	if !m.Is(jsontext.String) || x.draft <= draft7 && n.Member("$ref") != nil {
		return x
	}
	address, anchor, _ := strings.Cut(m.Str(), "#")
	if anchor != "" {
		if x.draft > draft7 {
			r.fail(at.child(keyword), "an address without a fragment", Found(m))
			return x
		}
		x.anchors[anchor] = n
	}
	u, err := url.Parse(address)
	switch {
	case err != nil || len(x.base.String())+len(address) > longestAddress:
		r.fail(at.child(keyword), "an address of at most "+strconv.Itoa(longestAddress)+" bytes", Found(m))
	case address == "":
	case n == x.root:
		x.base = x.base.ResolveReference(u)
		r.resources[x.base.String()] = x
	default:
		return r.addResource(n, x.base.ResolveReference(u), at, x.draft)
	}
	return x
}

// findTarget returns the target of a reference, and the anchor in the reference.
func (r *reader) findTarget(ref string, from place) (n *jsontext.Node, at place, anchor string) {
	address, fragment, err := splitReference(ref)
	x := from.resource
	if address != "" {
		u, parseErr := url.Parse(address)
		if parseErr == nil {
			x = r.resources[x.base.ResolveReference(u).String()]
		}
		if parseErr != nil || x == nil {
			r.fail(from, "a reference to a place in the schema, because other documents are not loaded", jsontext.Quote(ref))
			return nil, from, ""
		}
	}
	if err == nil && fragment != "" && fragment[0] != '/' {
		n, at, anchor = x.anchors[fragment], x.at, fragment
	} else if err == nil {
		n, at = r.walkPointer(x, fragment)
	}
	if n == nil {
		r.fail(from, "a reference to a place in the schema", jsontext.Quote(ref)+", which leads nowhere")
	}
	return n, at, anchor
}

// walkPointer returns the target of a JSON Pointer in a resource.
func (r *reader) walkPointer(x *resource, pointer string) (*jsontext.Node, place) {
	n, at := x.root, x.at
	if !jsontext.IsPointer(pointer) {
		return nil, at
	}
	for name := range jsontext.Names(pointer) {
		if n = r.lookup.Child(n, name); n == nil {
			return nil, at
		}
		if indexed, ok := r.places[n]; ok {
			at.resource = indexed.resource
		}
		at = at.child(name)
	}
	return n, at
}
