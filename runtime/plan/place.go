package plan

import (
	"encoding/json"
	"slices"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
)

// anySchema allows all values, textSchema all strings.
var (
	anySchema  = mustSchema(`true`)
	textSchema = mustSchema(`{"type":"string"}`)
)

func mustSchema(text string) *jsonschema.Schema {
	s, err := jsonschema.Parse([]byte(text))
	if err != nil {
		panic(err)
	}
	return s
}

// schemaOr parses a schema, or returns other if it is missing or invalid.
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

// childPointer returns the JSON Pointer of an element or a member.
func childPointer(n *jsontext.Node, i int, at string) string {
	if n.Kind == jsontext.Object {
		return jsontext.Join(at, n.Items[i].Name())
	}
	return jsontext.JoinIndex(at, i)
}

// mapParts returns an array or object with each element or member replaced by the result of convert.
func mapParts(n *jsontext.Node, at string, convert func(item *jsontext.Node, at string) *jsontext.Node) *jsontext.Node {
	result := &jsontext.Node{Kind: n.Kind, Key: n.Key}
	for i, item := range n.Items {
		result.Add(convert(item, childPointer(n, i, at)))
	}
	return result
}

// maxAlternatives is the maximum number of possible schemas for a member. If there are more, any value is possible.
const maxAlternatives = 64

// schemasAt returns the possible schemas of the value at a JSON Pointer in a value that matches one of the given
// schemas. It returns nil if no value can be there.
func schemasAt(schemas []*jsonschema.Schema, pointer string) []*jsonschema.Schema {
	for name := range jsontext.Names(pointer) {
		schemas = memberSchemas(schemas, name)
	}
	return schemas
}

// memberSchemas returns the possible schemas of a member or element.
func memberSchemas(schemas []*jsonschema.Schema, name string) (all []*jsonschema.Schema) {
	seen := map[*jsonschema.Schema]bool{}
	for _, s := range schemas {
		w := schemaWalk{name: name}
		for _, found := range w.memberIn(s, 0) {
			if !seen[found] {
				seen[found] = true
				all = append(all, found)
			}
		}
	}
	if len(all) > maxAlternatives {
		return []*jsonschema.Schema{anySchema}
	}
	return all
}

// schemaWalk finds the schemas of a member or element.
type schemaWalk struct {
	name  string
	steps int
}

// These are the limits of a walk. Beyond them, a walk returns anySchema.
const (
	maxWalkSteps = 1000
	maxWalkDepth = 50
)

// memberIn returns the possible schemas of the member in values of s. Such a value matches the keywords of s
// itself, all schemas of allOf, and one of the alternatives. Each of these may have a schema for the member,
// which must match all of them, so memberIn returns only the most specific ones.
func (w *schemaWalk) memberIn(s *jsonschema.Schema, depth int) []*jsonschema.Schema {
	if w.steps++; w.steps > maxWalkSteps || depth > maxWalkDepth {
		return []*jsonschema.Schema{anySchema}
	}
	best := w.ownMember(s)
	narrow := func(found []*jsonschema.Schema) {
		if len(found) == 0 || len(best) == 1 && best[0] == anySchema {
			best = found
		}
	}
	each := slices.Clone(s.AllOf)
	if s.Ref != nil {
		each = append(each, s.Ref)
	}
	for _, other := range each {
		if len(best) > 0 {
			narrow(w.memberIn(other, depth+1))
		}
	}
	for _, list := range [][]*jsonschema.Schema{s.AnyOf, s.OneOf} {
		if len(list) > 0 && len(best) > 0 {
			narrow(w.memberInAny(list, depth))
		}
	}
	return best
}

// memberInAny returns the possible schemas of the member in values of any schema in list.
func (w *schemaWalk) memberInAny(list []*jsonschema.Schema, depth int) (all []*jsonschema.Schema) {
	for _, other := range list {
		found := w.memberIn(other, depth+1)
		if slices.Contains(found, anySchema) {
			return []*jsonschema.Schema{anySchema}
		}
		all = append(all, found...)
	}
	return all
}

// ownMember returns the schemas of the member that s itself declares, without its subschemas such as allOf.
func (w *schemaWalk) ownMember(s *jsonschema.Schema) (all []*jsonschema.Schema) {
	if s.Never {
		return nil
	}
	if s.Values != nil {
		return w.itemSchemas(s)
	}
	has := func(k jsontext.Kind) bool { return s.Types == 0 || s.Types.Has(k) }
	if has(jsontext.Object) {
		all = append(all, w.propertySchemas(s)...)
	}
	if i, ok := jsontext.Index(w.name); ok && has(jsontext.Array) && i < s.Count.Most {
		switch {
		case i < len(s.Prefix):
			all = append(all, s.Prefix[i])
		case s.Items != nil:
			all = append(all, s.Items)
		default:
			all = append(all, anySchema)
		}
	}
	return slices.DeleteFunc(all, func(s *jsonschema.Schema) bool { return s.Never })
}

// propertySchemas returns the most specific schema that s declares for the member, or anySchema.
func (w *schemaWalk) propertySchemas(s *jsonschema.Schema) []*jsonschema.Schema {
	if all := s.AppendMemberSchemas(nil, w.name); len(all) > 0 {
		return all[:1]
	}
	return []*jsonschema.Schema{anySchema}
}

// itemSchemas returns anySchema if one of the values that s enumerates has the member, and otherwise nothing.
func (w *schemaWalk) itemSchemas(s *jsonschema.Schema) []*jsonschema.Schema {
	if slices.ContainsFunc(s.Values.List, func(v *jsontext.Node) bool { return v.At(jsontext.Join("", w.name)) != nil }) {
		return []*jsonschema.Schema{anySchema}
	}
	return nil
}

// propertyNames returns the distinct names of members in the schemas.
func propertyNames(schemas []*jsonschema.Schema) (names []string) {
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
