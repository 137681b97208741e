package jsonschema

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema/parts"
	"github.com/aiongen/aiongen/internal/jsontext"
)

// reader makes schemas of a tree. Once it found an error, what it makes means
// nothing.
type reader struct {
	*document
	resources map[string]*resource // by their URIs
	order     []*resource          // as they are in the tree
	home      map[*jsontext.Node]place
	made      map[*jsontext.Node]*Schema
	members   map[*jsontext.Node]map[string]*jsontext.Node // see member
	named     map[string][]*resource                       // by their dynamic anchors
	wanted    map[string]bool                              // dynamic anchors that are referred to
	asked     []string                                     // those of them whose schemas are not made
	program   int                                          // what is left for patterns; see MostProgram
	err       error
}

// document is what a schema has anywhere.
type document struct {
	tracks bool // whether values are told by what was looked at
	scoped bool // dynamic references
}

// A place is where a part of a schema is: the name of it in that of another, for there
// may be many where the pointer is long. The place of the document has no outer one.
type place struct {
	resource *resource
	outer    *place
	name     string
}

func (p place) within(name string) place { return place{p.resource, &p, name} }

// pointer is the JSON Pointer of the place in the document.
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

// draft is the version of JSON Schema.
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

// A resource is a schema with an address of its own, and all within that has
// none.
type resource struct {
	root     *jsontext.Node
	at       place
	base     *url.URL
	draft    draft
	document *document
	anchors  map[string]*jsontext.Node
	dynamic  map[string]*jsontext.Node
	targets  map[string]*Schema // of dynamic, as far as they are referred to
}

// dynamicReference goes to what the outermost resource that a value was held
// against calls by a name; where there is no name, to one schema.
type dynamicReference struct {
	name   string
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

// A scope is the resources that a value is held against, each once, from the
// inside out: which of them is the outermost is all that counts.
type scope struct {
	outer    *scope
	resource *resource
	size     int // how many they are
}

func (s *scope) depth() int {
	if s == nil {
		return 0
	}
	return s.size
}

func (s *scope) has(x *resource) bool {
	return s != nil && (s.resource == x || s.outer.has(x))
}

func (r *reader) resource(root *jsontext.Node, base *url.URL, at place, d draft) *resource {
	x := &resource{
		root: root, at: at, base: base, draft: d, document: r.document,
		anchors: map[string]*jsontext.Node{}, dynamic: map[string]*jsontext.Node{}, targets: map[string]*Schema{},
	}
	x.at.resource = x
	r.resources[base.String()] = x
	r.order = append(r.order, x)
	return x
}

// index notes the places of schemas, and what they are called.
func (r *reader) index(n *jsontext.Node, at place) {
	if !n.Is(jsontext.Object) || r.err != nil {
		return
	}
	at.resource = r.identify(n, at)
	r.home[n] = at
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
		shape := parts.ShapeOf(m.Name())
		if shape == parts.None {
			continue
		}
		within := at.within(m.Name())
		if shape == parts.One && !m.Is(jsontext.Array) {
			r.index(m, within)
			continue
		}
		for i, item := range m.Items {
			if m.Is(jsontext.Array) {
				r.index(item, within.within(strconv.Itoa(i)))
			} else if shape == parts.Named {
				r.index(item, within.within(item.Name()))
			}
		}
	}
}

// longestAddress bounds addresses with those that they are relative to: each reference
// within is resolved against all of it.
const longestAddress = 4096

// identify returns the resource that a schema is in, which may be one of its own.
func (r *reader) identify(n *jsontext.Node, at place) *resource {
	x := at.resource
	if m := n.Member("$schema"); m != nil && n == x.root || m != nil && n.Member("$id") != nil {
		_, address, _ := strings.Cut(strings.TrimSuffix(m.Str(), "#"), "://")
		d, known := drafts[address]
		if !known {
			r.fail(at.within("$schema"), "a draft of JSON Schema from 4 to 2020-12", Found(m))
			return x
		}
		if n == x.root {
			x.draft = d
		}
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
			r.fail(at.within(keyword), "an address without a fragment", Found(m))
			return x
		}
		x.anchors[anchor] = n
	}
	u, err := url.Parse(address)
	switch {
	case err != nil || len(x.base.String())+len(address) > longestAddress:
		r.fail(at.within(keyword), "an address of at most "+strconv.Itoa(longestAddress)+" bytes", Found(m))
	case address == "":
	case n == x.root:
		x.base = x.base.ResolveReference(u)
		r.resources[x.base.String()] = x
	default:
		return r.resource(n, x.base.ResolveReference(u), at, x.draft)
	}
	return x
}

// find returns what a reference goes to, and the anchor by which it does.
func (r *reader) find(ref string, from place) (n *jsontext.Node, at place, anchor string) {
	address, within, err := parts.Reference(ref)
	x := from.resource
	if address != "" {
		u, bad := url.Parse(address)
		if bad == nil {
			x = r.resources[x.base.ResolveReference(u).String()]
		}
		if bad != nil || x == nil {
			r.fail(from, "a reference to a place in the schema, for nothing is loaded", jsontext.Quote(ref))
			return nil, from, ""
		}
	}
	if err == nil && within != "" && within[0] != '/' {
		n, at, anchor = x.anchors[within], x.at, within
	} else if err == nil {
		n, at = r.walk(x, within)
	}
	if n == nil {
		r.fail(from, "a reference to a place in the schema", jsontext.Quote(ref)+", which goes nowhere")
	}
	return n, at, anchor
}

// walk returns what a JSON Pointer leads to in a resource.
func (r *reader) walk(x *resource, pointer string) (*jsontext.Node, place) {
	n, at := x.root, x.at
	if !jsontext.IsPointer(pointer) {
		return nil, at
	}
	for name := range jsontext.Names(pointer) {
		if i, ok := jsontext.Index(name); n.Is(jsontext.Array) && ok && i < len(n.Items) {
			n = n.Items[i]
		} else if n = r.member(n, name); n == nil {
			return nil, at
		}
		if home, ok := r.home[n]; ok {
			at.resource = home.resource
		}
		at = at.within(name)
	}
	return n, at
}

// member returns the last member of a name. Many references may look for theirs among
// many: those are kept by name.
func (r *reader) member(n *jsontext.Node, name string) *jsontext.Node {
	const few = 16
	if !n.Is(jsontext.Object) || len(n.Items) <= few {
		return n.Member(name)
	}
	all := r.members[n]
	if all == nil {
		all = map[string]*jsontext.Node{}
		for _, m := range n.Items {
			all[m.Name()] = m
		}
		r.members[n] = all
	}
	return all[name]
}
