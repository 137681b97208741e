package rewrite

import (
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"

	"github.com/aiongen/aiongen/runtime/schema/internal/form"
	"github.com/aiongen/aiongen/runtime/schema/internal/outline"
	"github.com/aiongen/aiongen/runtime/schema/internal/rules"
	"github.com/aiongen/aiongen/runtime/schema/internal/tree"
)

// record lowers the schema of objects whose members have names.
func (r *rewriting) record(s *jsontext.Node, at string, depth int) (*jsontext.Node, *form.Form) {
	if outline.IsOpen(s) {
		if rest := s.Member("additionalProperties"); s.Member("patternProperties") != nil || rest.Is(jsontext.Object) && !r.isAny(rest) {
			if depth > 1 {
				return r.asText(s, at, "members have names or are of a schema")
			}
		}
		r.Lose(rules.Dropped, at, "members without names in the schema")
	}
	names, properties, required := r.members(s)
	if len(names) == 0 && r.Dialect.OpenAPI && depth > 1 {
		return r.table(s, []*jsontext.Node{tree.Object()}, at)
	}
	fitted := names
	if depth == 1 || r.AllKeys {
		fitted = r.Keys.FitAll(names)
	}
	lowered, needed := tree.Object(), []string{}
	f := &form.Form{Wire: map[string]int{}}
	same := true
	for i, name := range names {
		place := jsontext.Within(at, "properties", name)
		x := form.Field{Name: name, Wire: fitted[i]}
		var out *jsontext.Node
		out, x.Form = r.schema(properties[i], place, depth+1)
		if name != x.Wire {
			r.Lose(rules.Rewritten, place, "the name %q becomes %q", name, x.Wire)
			out = r.renamed(out, name)
		}
		if x.Forced = !required[name] && r.Dialect.AllRequired; x.Forced {
			out, x.Absent = r.optional(out, place)
		}
		if required[name] || r.Dialect.AllRequired {
			needed = append(needed, x.Wire)
		}
		tree.Add(lowered, x.Wire, out)
		f.Wire[x.Wire] = i
		f.Fields = append(f.Fields, x)
		same = same && name == x.Wire && x.Form == nil && !x.Forced
	}
	if same {
		f = nil
	}
	var said []string
	if r.Dialect.RequiredAtRoot && depth > 1 && r.items == 0 && len(needed) > 0 {
		r.Lose(rules.Worded, at, "required is only told in the description")
		said = append(said, "Required members: "+strings.Join(needed, ", ")+".")
	}
	return r.finish(s, at, "{", r.objectOf(needed, lowered), said...), f
}

// members returns the members of objects, with those that are only required.
func (r *rewriting) members(s *jsontext.Node) (names []string, schemas []*jsontext.Node, required map[string]bool) {
	required = map[string]bool{}
	for _, name := range tree.StringsIn(s.Member("required")) {
		required[name] = true
	}
	all := s.Member("properties")
	known := map[string]bool{}
	for _, v := range tree.Items(all) {
		name := v.Name()
		if !known[name] && (!tree.Is(v, "false") || required[name]) {
			names, schemas = append(names, name), append(schemas, v)
		}
		known[name] = true
	}
	for _, name := range tree.StringsIn(s.Member("required")) {
		if !known[name] {
			names, schemas = append(names, name), append(schemas, tree.True)
			known[name] = true
		}
	}
	return names, schemas, required
}

// objectOf returns the schema of objects of the given members.
func (r *rewriting) objectOf(required []string, properties *jsontext.Node) *jsontext.Node {
	out := tree.One("type", tree.String("object"))
	tree.Add(out, "properties", properties)
	if len(required) > 0 || r.Dialect.AllRequired {
		tree.Add(out, "required", tree.Strings(required))
	}
	if r.Dialect.Closed {
		tree.Add(out, "additionalProperties", tree.False)
	}
	if r.Dialect.OpenAPI && len(properties.Items) > 1 {
		ordering := tree.Array()
		for _, p := range properties.Items {
			ordering.Add(&jsontext.Node{Kind: jsontext.String, Text: p.Key})
		}
		tree.Add(out, "propertyOrdering", ordering)
	}
	return out
}

// optional lets a member be null where it is to be absent, if null has no meaning
// of its own.
func (r *rewriting) optional(out *jsontext.Node, at string) (*jsontext.Node, bool) {
	if r.wireShape(out).Null {
		r.Lose(rules.Dropped, at, "that it may be absent: it has to be there, and null is a value of its own")
		return out, false
	}
	r.Lose(rules.Rewritten, at, "it may be absent, and becomes one that may be null")
	null := tree.One("type", tree.String("null"))
	whole := tree.Object()
	for _, name := range []string{"description", "title"} {
		tree.Add(whole, name, out.Member(name))
	}
	if alternatives := out.Member("anyOf"); alternatives != nil {
		tree.Add(whole, "anyOf", tree.Array(slices.Concat(alternatives.Items, []*jsontext.Node{null})...))
	} else {
		tree.Add(whole, "anyOf", tree.Array(tree.Without(out, "description", "title"), null))
	}
	return whole, true
}

// renamed is the function of that name, for where anyOf may stand alone.
func (r *rewriting) renamed(out *jsontext.Node, name string) *jsontext.Node {
	if alternatives := out.Member("anyOf"); alternatives != nil && r.Dialect.OpenAPI {
		alternatives.Items[0] = r.renamed(alternatives.Items[0], name)
		return out
	}
	return outline.Renamed(out, name)
}

// pairs lowers the schema of maps to that of a list of keys and values.
func (r *rewriting) pairs(s *jsontext.Node, at string, depth int) (*jsontext.Node, *form.Form) {
	values, keys := s.Member("additionalProperties"), s.Member("propertyNames")
	if patterns := s.Member("patternProperties"); len(tree.Items(patterns)) > 0 {
		if len(patterns.Items) > 1 || keys != nil || values != nil && !tree.Is(values, "false") {
			return r.asText(s, at, "members are of more than one schema")
		}
		values, keys = patterns.Items[0], tree.Object()
		tree.Add(keys, "pattern", tree.String(patterns.Items[0].Name()))
	}
	if values == nil {
		values = tree.True
	}
	ofType := tree.One("type", tree.String("string"))
	if keys = r.Merge(ofType, r.Plain(outline.OrEmpty(keys))); keys == nil {
		return r.asText(s, at, "names of members are constrained in a way that cannot be told")
	}
	r.Lose(rules.Rewritten, at, "a map becomes a list of {%q, %q}", form.KeyMember, form.ValueMember)
	f := &form.Form{Kind: form.Pairs}
	pair := tree.Object()
	lowered, keyForm := r.schema(keys, jsontext.Within(at, "propertyNames"), depth+2)
	tree.Add(pair, form.KeyMember, lowered)
	lowered, elem := r.schema(values, jsontext.Within(at, "additionalProperties"), depth+2)
	tree.Add(pair, form.ValueMember, lowered)
	f.Key, f.Elem = keyForm, elem
	out := tree.One("type", tree.String("array"))
	tree.Add(out, "items", r.objectOf([]string{form.KeyMember, form.ValueMember}, pair))
	said := tree.Without(s, "minProperties", "maxProperties")
	for _, bound := range []string{"min", "max"} {
		tree.Add(said, bound+"Items", s.Member(bound+"Properties"))
	}
	return r.finish(said, at, "[", out, "A map, as a list of its keys and values. Must not have the same key twice."), f
}
