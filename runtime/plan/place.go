package plan

import (
	"encoding/json"
	"slices"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
)

// anything and text are the schemas of all values and of strings.
var (
	anything = mustSchema(`true`)
	text     = mustSchema(`{"type":"string"}`)
)

func mustSchema(text string) *jsonschema.Schema {
	s, err := jsonschema.Parse([]byte(text))
	if err != nil {
		panic(err)
	}
	return s
}

// schemaOr returns a schema, or another one if there is none that can be read.
func schemaOr(raw json.RawMessage, other *jsonschema.Schema) *jsonschema.Schema {
	if len(raw) == 0 {
		return other
	}
	s, err := jsonschema.Parse(raw)
	if err != nil {
		return other
	}
	return s
}

// pointerTo returns the JSON Pointer of an element or a member of the value at one.
func pointerTo(n *jsontext.Node, i int, at string) string {
	if n.Kind == jsontext.Object {
		return jsontext.Join(at, n.Items[i].Name())
	}
	return jsontext.JoinIndex(at, i)
}

// withParts returns an array or an object with what its elements or members become.
func withParts(n *jsontext.Node, at string, become func(item *jsontext.Node, at string) *jsontext.Node) *jsontext.Node {
	made := &jsontext.Node{Kind: n.Kind, Key: n.Key}
	for i, item := range n.Items {
		made.Add(become(item, pointerTo(n, i, at)))
	}
	return made
}

// mostAlternatives bounds how many schemas a place may be one of; of more, nothing
// is known.
const mostAlternatives = 64

// reach returns what the values at a JSON Pointer may be, in values of one of the
// schemas: each is one of the schemas that are returned. There can be no value
// there if there is none.
func reach(schemas []*jsonschema.Schema, pointer string) []*jsonschema.Schema {
	for name := range jsontext.Names(pointer) {
		schemas = within(schemas, name)
	}
	return schemas
}

// within returns what members or elements of a name may be.
func within(schemas []*jsonschema.Schema, name string) (all []*jsonschema.Schema) {
	seen := map[*jsonschema.Schema]bool{}
	for _, s := range schemas {
		w := walk{name: name}
		for _, found := range w.in(s, 0) {
			if !seen[found] {
				seen[found] = true
				all = append(all, found)
			}
		}
	}
	if len(all) > mostAlternatives {
		return []*jsonschema.Schema{anything}
	}
	return all
}

// walk goes from schemas to those of one member or element.
type walk struct {
	name  string
	steps int
}

// Bounds of a walk, beyond which nothing is known.
const (
	mostSteps    = 1000
	deepestSteps = 50
)

// in returns what there may be in the values of a schema, which have to be what it
// says itself, and what all and one of the schemas beside it say: as each of these
// holds, what the one says that knows most is enough.
func (w *walk) in(s *jsonschema.Schema, depth int) []*jsonschema.Schema {
	if w.steps++; w.steps > mostSteps || depth > deepestSteps {
		return []*jsonschema.Schema{anything}
	}
	best := w.own(s)
	narrow := func(found []*jsonschema.Schema) {
		if len(found) == 0 || len(best) == 1 && best[0] == anything {
			best = found
		}
	}
	each := slices.Clone(s.AllOf)
	if s.Ref != nil {
		each = append(each, s.Ref)
	}
	for _, other := range each {
		if len(best) > 0 {
			narrow(w.in(other, depth+1))
		}
	}
	for _, list := range [][]*jsonschema.Schema{s.AnyOf, s.OneOf} {
		if len(list) > 0 && len(best) > 0 {
			narrow(w.union(list, depth))
		}
	}
	return best
}

// union returns what there may be in the values of any of the schemas.
func (w *walk) union(list []*jsonschema.Schema, depth int) (all []*jsonschema.Schema) {
	for _, other := range list {
		found := w.in(other, depth+1)
		if slices.Contains(found, anything) {
			return []*jsonschema.Schema{anything}
		}
		all = append(all, found...)
	}
	return all
}

// own returns what there may be by what a schema says itself.
func (w *walk) own(s *jsonschema.Schema) (all []*jsonschema.Schema) {
	if s.Never {
		return nil
	}
	if s.Values != nil {
		return w.listed(s)
	}
	has := func(k jsontext.Kind) bool { return s.Types == 0 || s.Types.Has(k) }
	if has(jsontext.Object) {
		all = append(all, w.member(s)...)
	}
	if i, ok := jsontext.Index(w.name); ok && has(jsontext.Array) && i < s.Count.Most {
		switch {
		case i < len(s.Prefix):
			all = append(all, s.Prefix[i])
		case s.Items != nil:
			all = append(all, s.Items)
		default:
			all = append(all, anything)
		}
	}
	return slices.DeleteFunc(all, func(s *jsonschema.Schema) bool { return s.Never })
}

// member returns the one schema of a member that knows most of it.
func (w *walk) member(s *jsonschema.Schema) []*jsonschema.Schema {
	if all := s.AppendOf(nil, w.name); len(all) > 0 {
		return all[:1]
	}
	return []*jsonschema.Schema{anything}
}

// listed returns what there may be in values that are listed.
func (w *walk) listed(s *jsonschema.Schema) []*jsonschema.Schema {
	for _, v := range s.Values.List {
		if v.At(jsontext.Join("", w.name)) != nil {
			return []*jsonschema.Schema{anything}
		}
	}
	return nil
}

// namesIn returns the names that the schemas have for members, each once.
func namesIn(schemas []*jsonschema.Schema) (names []string) {
	for _, s := range schemas {
		for each := range s.All() {
			for _, p := range each.Properties {
				if !slices.Contains(names, p.Name) {
					names = append(names, p.Name)
				}
			}
		}
	}
	return names
}
