package schema

import (
	"slices"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// isRecord reports whether values are objects of members with names.
func isRecord(s *jsontext.Node) bool {
	for _, keyword := range []string{"$ref", "allOf"} {
		if s.Member(keyword) != nil {
			return false
		}
	}
	if len(itemsOf(s.Member("properties"))) > 0 {
		return true
	}
	return s.Member("anyOf") == nil && s.Member("oneOf") == nil && !isOpen(s)
}

// isMap reports whether values are objects of members whose names are not known.
func isMap(s *jsontext.Node) bool {
	return len(itemsOf(s.Member("properties"))) == 0 && (isOpen(s) || s.Member("properties") == nil && s.Member("additionalProperties") == nil)
}

// isOpen reports whether a schema says that there may be members that it does not
// name.
func isOpen(s *jsontext.Node) bool {
	rest := s.Member("additionalProperties")
	return rest != nil && !isWord(rest, "false") || len(itemsOf(s.Member("patternProperties"))) > 0
}

// record lowers the schema of objects whose members have names.
func (r *rewriting) record(s *jsontext.Node, at string, depth int) (*jsontext.Node, *form) {
	if isOpen(s) {
		if rest := s.Member("additionalProperties"); s.Member("patternProperties") != nil || rest.Is(jsontext.Object) && !r.isAny(rest) {
			if depth > 1 {
				return r.asText(s, at, "members have names or are of a schema")
			}
		}
		r.lose(Dropped, at, "members without names in the schema")
	}
	names, properties, required := r.members(s)
	if len(names) == 0 && r.dialect.openAPI && depth > 1 {
		return r.table(s, []*jsontext.Node{object()}, at)
	}
	fitted := names
	if depth == 1 || r.allKeys {
		fitted = r.keys.fitAll(names)
	}
	lowered, needed := object(), []string{}
	f := &form{wire: map[string]int{}}
	same := true
	for i, name := range names {
		place := jsontext.Join(at+"/properties", name)
		x := field{name: name, wire: fitted[i]}
		var out *jsontext.Node
		out, x.form = r.schema(properties[i], place, depth+1)
		if name != x.wire {
			r.lose(Rewritten, place, "the name %q becomes %q", name, x.wire)
			out = r.renamed(out, name)
		}
		if x.forced = !required[name] && r.dialect.allRequired; x.forced {
			out, x.absent = r.optional(out, place)
		}
		if required[name] || r.dialect.allRequired {
			needed = append(needed, x.wire)
		}
		addTo(lowered, x.wire, out)
		f.wire[x.wire] = i
		f.fields = append(f.fields, x)
		same = same && name == x.wire && x.form == nil && !x.forced
	}
	if same {
		f = nil
	}
	return r.finish(s, at, "{", r.objectOf(needed, lowered)), f
}

// members returns the members of objects, with those that are only required.
func (r *rewriting) members(s *jsontext.Node) (names []string, schemas []*jsontext.Node, required map[string]bool) {
	required = map[string]bool{}
	for _, name := range stringsIn(s.Member("required")) {
		required[name] = true
	}
	all := s.Member("properties")
	known := map[string]bool{}
	for _, v := range itemsOf(all) {
		name := v.Name()
		if !known[name] && (!isWord(v, "false") || required[name]) {
			names, schemas = append(names, name), append(schemas, v)
		}
		known[name] = true
	}
	for _, name := range stringsIn(s.Member("required")) {
		if !known[name] {
			names, schemas = append(names, name), append(schemas, trueNode)
			known[name] = true
		}
	}
	return names, schemas, required
}

// objectOf returns the schema of objects of the given members.
func (r *rewriting) objectOf(required []string, properties *jsontext.Node) *jsontext.Node {
	out := object()
	addTo(out, "type", str("object"))
	addTo(out, "properties", properties)
	if len(required) > 0 || r.dialect.allRequired {
		addTo(out, "required", strs(required))
	}
	if r.dialect.closed {
		addTo(out, "additionalProperties", falseNode)
	}
	if r.dialect.openAPI && len(properties.Items) > 1 {
		ordering := array()
		for _, p := range properties.Items {
			ordering.Add(&jsontext.Node{Kind: jsontext.String, Text: p.Key})
		}
		addTo(out, "propertyOrdering", ordering)
	}
	return out
}

// optional lets a member be null where it is to be absent, if null has no meaning
// of its own.
func (r *rewriting) optional(out *jsontext.Node, at string) (*jsontext.Node, bool) {
	if r.wireShape(out).null {
		r.lose(Dropped, at, "that it may be absent: it has to be there, and null is a value of its own")
		return out, false
	}
	r.lose(Rewritten, at, "it may be absent, and becomes one that may be null")
	null := object()
	addTo(null, "type", str("null"))
	whole := object()
	for _, name := range []string{"description", "title"} {
		addTo(whole, name, out.Member(name))
	}
	if alternatives := out.Member("anyOf"); alternatives != nil {
		addTo(whole, "anyOf", array(slices.Concat(alternatives.Items, []*jsontext.Node{null})...))
	} else {
		addTo(whole, "anyOf", array(without(out, "description", "title"), null))
	}
	return whole, true
}

// renamed is the function of that name, for where anyOf may stand alone.
func (r *rewriting) renamed(out *jsontext.Node, name string) *jsontext.Node {
	if alternatives := out.Member("anyOf"); alternatives != nil && r.dialect.openAPI {
		alternatives.Items[0] = r.renamed(alternatives.Items[0], name)
		return out
	}
	return renamed(out, name)
}

// renamed tells the model what the name of a member was.
func renamed(out *jsontext.Node, name string) *jsontext.Node {
	whole := object()
	addTo(whole, "description", describe(out.Member("description").Str(), []string{"This is " + str(name).Text + "."}))
	rest := without(out, "description")
	whole.Items = append(whole.Items, rest.Items...)
	return whole
}

// pairs lowers the schema of maps to that of a list of keys and values.
func (r *rewriting) pairs(s *jsontext.Node, at string, depth int) (*jsontext.Node, *form) {
	values, keys := s.Member("additionalProperties"), s.Member("propertyNames")
	if patterns := s.Member("patternProperties"); len(itemsOf(patterns)) > 0 {
		if len(patterns.Items) > 1 || keys != nil || values != nil && !isWord(values, "false") {
			return r.asText(s, at, "members are of more than one schema")
		}
		values, keys = patterns.Items[0], object()
		addTo(keys, "pattern", str(patterns.Items[0].Name()))
	}
	if values == nil {
		values = trueNode
	}
	ofType := object()
	addTo(ofType, "type", str("string"))
	if keys = merge(ofType, plain(orEmpty(keys), r.root)); keys == nil {
		return r.asText(s, at, "names of members are constrained in a way that cannot be told")
	}
	r.lose(Rewritten, at, "a map becomes a list of {%q, %q}", keyMember, valueMember)
	f := &form{kind: pairsForm}
	pair := object()
	lowered, keyForm := r.schema(keys, at+"/propertyNames", depth+2)
	addTo(pair, keyMember, lowered)
	lowered, elem := r.schema(values, at+"/additionalProperties", depth+2)
	addTo(pair, valueMember, lowered)
	f.key, f.elem = keyForm, elem
	out := object()
	addTo(out, "type", str("array"))
	addTo(out, "items", r.objectOf([]string{keyMember, valueMember}, pair))
	said := without(s, "minProperties", "maxProperties")
	for _, bound := range []string{"min", "max"} {
		addTo(said, bound+"Items", s.Member(bound+"Properties"))
	}
	return r.finish(said, at, "[", out, "A map, as a list of its keys and values. Must not have the same key twice."), f
}

func orEmpty(s *jsontext.Node) *jsontext.Node {
	if !s.Is(jsontext.Object) {
		return object()
	}
	return s
}
