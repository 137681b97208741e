package schema

import (
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// keepRoot lowers the input schema for a target that takes JSON Schema as it is,
// but for its root, which has to be an object.
func (l *lowering) keepRoot(root *node) (*node, *form) {
	s := plain(root, root)
	if !l.isObject(s, root) {
		return l.asMember(s)
	}
	var f *form
	if !l.anyRoot {
		if kept := s.without(combinations...); len(kept.keys) < len(s.keys) {
			if !hasMembers(s) {
				return l.asMember(s)
			}
			s = l.withoutCombinations(s, kept)
		}
		s, f = l.withNames(s)
	}
	if t := s.get("type"); t == nil || t.str() != "object" {
		typed := object()
		typed.add("type", str("object"))
		s = prepend(typed, s.without("type"))
	}
	if l.filled {
		s = filled(s)
	}
	return s, f
}

// asMember makes arguments that may be no object the member of one.
func (l *lowering) asMember(s *node) (*node, *form) {
	l.lose(Rewritten, inputPointer, "the arguments become the only argument, %q", argumentMember)
	out := wrap(argumentMember, s)
	if l.filled {
		out = filled(out)
	}
	return out, &form{kind: memberForm}
}

// prepend returns an object of the members of two.
func prepend(a, b *node) *node {
	return &node{bracket: '{', keys: slices.Concat(a.keys, b.keys), values: slices.Concat(a.values, b.values)}
}

// combinations are the keywords that must not be at the root.
var combinations = []string{"$ref", "anyOf", "oneOf", "allOf", "not", "enum", "const", "if", "then", "else"}

// withoutCombinations tells the keywords that must not be at the root in the
// description. What is kept says what members there are.
func (l *lowering) withoutCombinations(s, kept *node) *node {
	told := s.without(memberNames(kept)...)
	l.lose(Worded, inputPointer, "%s is only told in the description", told.name(0))
	words := "Must be valid against the JSON Schema " + string(told.raw()) + "."
	described := object()
	described.add("description", describe(s.get("description").str(), []string{words}))
	return prepend(described, kept.without("description"))
}

func memberNames(n *node) (names []string) {
	for i := range n.keys {
		names = append(names, n.name(i))
	}
	return names
}

// withNames gives the arguments names that are taken.
func (l *lowering) withNames(s *node) (*node, *form) {
	properties := s.get("properties")
	if properties == nil {
		return s, nil
	}
	names := memberNames(properties)
	fitted := l.keys.fitAll(names)
	if slices.Equal(names, fitted) {
		return s, nil
	}
	f := &form{wire: map[string]int{}}
	renamedTo := map[string]string{}
	lowered := object()
	for i, name := range names {
		p := properties.values[i]
		if name != fitted[i] {
			l.lose(Rewritten, jsontext.Join(inputPointer+"/properties", name), "the name %q becomes %q", name, fitted[i])
			p = renamed(p, name)
		}
		renamedTo[name] = fitted[i]
		lowered.add(fitted[i], p)
		f.wire[fitted[i]] = i
		f.fields = append(f.fields, field{name: name, wire: fitted[i]})
	}
	required := array()
	for _, name := range s.get("required").list() {
		if to, known := renamedTo[name]; known {
			name = to
		}
		required.values = append(required.values, str(name))
	}
	out := prepend(s, object())
	out.set("properties", lowered)
	if s.has("required") {
		out.set("required", required)
	}
	return renamedRefs(out, renamedTo), f
}

// wrap returns the schema of an object whose only member is of the given schema.
func wrap(member string, s *node) *node {
	place := "#/properties/" + member
	properties := object()
	properties.add(member, movedRefs(s.without("$schema", "$id", "$defs"), place))
	out := object()
	out.add("type", str("object"))
	out.add("properties", properties)
	out.add("required", strs([]string{member}))
	out.add("additionalProperties", falseNode)
	if defs := s.get("$defs"); defs != nil {
		out.add("$defs", movedRefs(defs, place))
	}
	return out
}

// movedRefs returns a schema that was at the root of a document and is now at
// another place, but for its $defs, which stay.
func movedRefs(s *node, place string) *node {
	return withRefs(s, func(ref string) string {
		if strings.HasPrefix(ref, "#") && !strings.HasPrefix(ref, "#/$defs/") {
			return place + ref[1:]
		}
		return ref
	})
}

// renamedRefs returns a schema whose references follow the members of the root to
// their new names.
func renamedRefs(s *node, renamedTo map[string]string) *node {
	return withRefs(s, func(ref string) string {
		rest, inside := strings.CutPrefix(ref, "#/properties/")
		token, within, deeper := strings.Cut(rest, "/")
		name := jsontext.Name(unescapeRef(token))
		to := renamedTo[name]
		if !inside || to == "" || to == name {
			return ref
		}
		if deeper {
			to += "/" + within
		}
		return "#/properties/" + to // names that are taken have nothing to escape
	})
}

// withRefs returns a schema with other references.
func withRefs(s *node, change func(ref string) string) *node {
	out := &node{text: s.text, bracket: s.bracket, keys: s.keys}
	for i, v := range s.values {
		if v.is('"') && s.is('{') && s.name(i) == "$ref" {
			v = str(change(v.str()))
		}
		out.values = append(out.values, withRefs(v, change))
	}
	return out
}

// filled returns a schema whose arrays have items and whose objects have
// properties.
func filled(s *node) *node {
	if !s.is('{') {
		return s
	}
	out := prepend(s, object())
	for i, v := range out.values {
		switch s.name(i) {
		case "properties", "patternProperties", "$defs", "definitions":
			out.values[i] = v.each('{', filled)
		case "items", "additionalProperties":
			out.values[i] = filled(v)
		case "anyOf", "oneOf", "allOf":
			out.values[i] = v.each('[', filled)
		}
	}
	var types []string
	if s.has("type") {
		types = typesOf(s)
	}
	if slices.Contains(types, "object") && !s.has("properties") {
		out.add("properties", object())
		if !s.has("additionalProperties") && !s.has("patternProperties") {
			out.add("additionalProperties", trueNode) // there are endpoints that would else take no members
		}
	}
	if slices.Contains(types, "array") && !s.has("items") {
		out.add("items", object())
	}
	return out
}
