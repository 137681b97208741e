package schema

import (
	"slices"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// isRecord reports whether values are objects of members with names.
func isRecord(s *node) bool {
	for _, keyword := range []string{"$ref", "allOf"} {
		if s.has(keyword) {
			return false
		}
	}
	if len(s.get("properties").elements()) > 0 {
		return true
	}
	return !s.has("anyOf") && !s.has("oneOf") && !isOpen(s)
}

// isMap reports whether values are objects of members whose names are not known.
func isMap(s *node) bool {
	return len(s.get("properties").elements()) == 0 && (isOpen(s) || !s.has("properties") && !s.has("additionalProperties"))
}

// isOpen reports whether a schema says that there may be members that it does not
// name.
func isOpen(s *node) bool {
	rest := s.get("additionalProperties")
	return rest != nil && !rest.isWord("false") || len(s.get("patternProperties").elements()) > 0
}

// record lowers the schema of objects whose members have names.
func (r *rewriting) record(s *node, at string, depth int) (*node, *form) {
	if isOpen(s) {
		if rest := s.get("additionalProperties"); s.has("patternProperties") || rest.is('{') && !r.isAny(rest) {
			if depth > 1 {
				return r.asText(s, at, "members have names or are of a schema")
			}
		}
		r.lose(Dropped, at, "members without names in the schema")
	}
	names, properties, required := r.members(s)
	if len(names) == 0 && r.dialect.openAPI && depth > 1 {
		return r.table(s, []*node{object()}, at)
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
		var out *node
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
		lowered.add(x.wire, out)
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
func (r *rewriting) members(s *node) (names []string, schemas []*node, required map[string]bool) {
	required = map[string]bool{}
	for _, name := range s.get("required").list() {
		required[name] = true
	}
	all := s.get("properties")
	known := map[string]bool{}
	for i, v := range all.elements() {
		name := all.name(i)
		if !known[name] && (!v.isWord("false") || required[name]) {
			names, schemas = append(names, name), append(schemas, v)
		}
		known[name] = true
	}
	for _, name := range s.get("required").list() {
		if !known[name] {
			names, schemas = append(names, name), append(schemas, trueNode)
			known[name] = true
		}
	}
	return names, schemas, required
}

// objectOf returns the schema of objects of the given members.
func (r *rewriting) objectOf(required []string, properties *node) *node {
	out := object()
	out.add("type", str("object"))
	out.add("properties", properties)
	if len(required) > 0 || r.dialect.allRequired {
		out.add("required", strs(required))
	}
	if r.dialect.closed {
		out.add("additionalProperties", falseNode)
	}
	if r.dialect.openAPI && len(properties.keys) > 1 {
		ordering := array()
		for _, key := range properties.keys {
			ordering.values = append(ordering.values, &node{text: key})
		}
		out.add("propertyOrdering", ordering)
	}
	return out
}

// optional lets a member be null where it is to be absent, if null has no meaning
// of its own.
func (r *rewriting) optional(out *node, at string) (*node, bool) {
	if r.wireShape(out).null {
		r.lose(Dropped, at, "that it may be absent: it has to be there, and null is a value of its own")
		return out, false
	}
	r.lose(Rewritten, at, "it may be absent, and becomes one that may be null")
	null := object()
	null.add("type", str("null"))
	whole := object()
	for _, name := range []string{"description", "title"} {
		whole.add(name, out.get(name))
	}
	if alternatives := out.get("anyOf"); alternatives != nil {
		whole.add("anyOf", array(slices.Concat(alternatives.values, []*node{null})...))
	} else {
		whole.add("anyOf", array(out.without("description", "title"), null))
	}
	return whole, true
}

// renamed is the function of that name, for where anyOf may stand alone.
func (r *rewriting) renamed(out *node, name string) *node {
	if alternatives := out.get("anyOf"); alternatives != nil && r.dialect.openAPI {
		alternatives.values[0] = r.renamed(alternatives.values[0], name)
		return out
	}
	return renamed(out, name)
}

// renamed tells the model what the name of a member was.
func renamed(out *node, name string) *node {
	whole := object()
	whole.add("description", describe(out.get("description").str(), []string{"This is " + str(name).text + "."}))
	rest := out.without("description")
	whole.keys, whole.values = append(whole.keys, rest.keys...), append(whole.values, rest.values...)
	return whole
}

// pairs lowers the schema of maps to that of a list of keys and values.
func (r *rewriting) pairs(s *node, at string, depth int) (*node, *form) {
	values, keys := s.get("additionalProperties"), s.get("propertyNames")
	if patterns := s.get("patternProperties"); len(patterns.elements()) > 0 {
		if len(patterns.values) > 1 || keys != nil || values != nil && !values.isWord("false") {
			return r.asText(s, at, "members are of more than one schema")
		}
		values, keys = patterns.values[0], object()
		keys.add("pattern", str(patterns.name(0)))
	}
	if values == nil {
		values = trueNode
	}
	ofType := object()
	ofType.add("type", str("string"))
	if keys = merge(ofType, plain(orEmpty(keys), r.root)); keys == nil {
		return r.asText(s, at, "names of members are constrained in a way that cannot be told")
	}
	r.lose(Rewritten, at, "a map becomes a list of {%q, %q}", keyMember, valueMember)
	f := &form{kind: pairsForm}
	pair := object()
	lowered, keyForm := r.schema(keys, at+"/propertyNames", depth+2)
	pair.add(keyMember, lowered)
	lowered, elem := r.schema(values, at+"/additionalProperties", depth+2)
	pair.add(valueMember, lowered)
	f.key, f.elem = keyForm, elem
	out := object()
	out.add("type", str("array"))
	out.add("items", r.objectOf([]string{keyMember, valueMember}, pair))
	said := s.without("minProperties", "maxProperties")
	for _, bound := range []string{"min", "max"} {
		said.add(bound+"Items", s.get(bound+"Properties"))
	}
	return r.finish(said, at, "[", out, "A map, as a list of its keys and values. Must not have the same key twice."), f
}

func orEmpty(s *node) *node {
	if !s.is('{') {
		return object()
	}
	return s
}
