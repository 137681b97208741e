package schema

import (
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// keepRoot lowers the input schema for a target that takes JSON Schema as it is,
// but for its root, which has to be an object.
func (l *lowering) keepRoot(root *jsontext.Node) (*jsontext.Node, *form) {
	s := plain(root, root)
	if !l.isObject(s, root) {
		return l.asMember(s)
	}
	var f *form
	if !l.anyRoot {
		if kept := without(s, combinations...); len(kept.Items) < len(s.Items) {
			if !hasMembers(s) {
				return l.asMember(s)
			}
			s = l.withoutCombinations(s, kept)
		}
		s, f = l.withNames(s)
	}
	if t := s.Member("type"); t == nil || t.Str() != "object" {
		typed := object()
		addTo(typed, "type", str("object"))
		s = prepend(typed, without(s, "type"))
	}
	if l.filled {
		s = filled(s)
	}
	return s, f
}

// asMember makes arguments that may be no object the member of one.
func (l *lowering) asMember(s *jsontext.Node) (*jsontext.Node, *form) {
	l.lose(Rewritten, inputPointer, "the arguments become the only argument, %q", argumentMember)
	out := wrap(argumentMember, s)
	if l.filled {
		out = filled(out)
	}
	return out, &form{kind: memberForm}
}

// prepend returns an object of the members of two.
func prepend(a, b *jsontext.Node) *jsontext.Node {
	return &jsontext.Node{Kind: jsontext.Object, Key: a.Key, Items: slices.Concat(a.Items, b.Items)}
}

// combinations are the keywords that must not be at the root.
var combinations = []string{"$ref", "anyOf", "oneOf", "allOf", "not", "enum", "const", "if", "then", "else"}

// withoutCombinations tells the keywords that must not be at the root in the
// description. What is kept says what members there are.
func (l *lowering) withoutCombinations(s, kept *jsontext.Node) *jsontext.Node {
	told := without(s, memberNames(kept)...)
	l.lose(Worded, inputPointer, "%s is only told in the description", told.Items[0].Name())
	words := "Must be valid against the JSON Schema " + string(rawOf(told)) + "."
	described := object()
	addTo(described, "description", describe(s.Member("description").Str(), []string{words}))
	return prepend(described, without(kept, "description"))
}

func memberNames(n *jsontext.Node) (names []string) {
	for _, m := range n.Items {
		names = append(names, m.Name())
	}
	return names
}

// withNames gives the arguments names that are taken.
func (l *lowering) withNames(s *jsontext.Node) (*jsontext.Node, *form) {
	properties := s.Member("properties")
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
		p := properties.Items[i]
		if name != fitted[i] {
			l.lose(Rewritten, jsontext.Join(inputPointer+"/properties", name), "the name %q becomes %q", name, fitted[i])
			p = renamed(p, name)
		}
		renamedTo[name] = fitted[i]
		addTo(lowered, fitted[i], p)
		f.wire[fitted[i]] = i
		f.fields = append(f.fields, field{name: name, wire: fitted[i]})
	}
	required := array()
	for _, name := range stringsIn(s.Member("required")) {
		if to, known := renamedTo[name]; known {
			name = to
		}
		required.Items = append(required.Items, str(name))
	}
	out := prepend(s, object())
	setIn(out, "properties", lowered)
	if s.Member("required") != nil {
		setIn(out, "required", required)
	}
	return renamedRefs(out, renamedTo), f
}

// wrap returns the schema of an object whose only member is of the given schema.
func wrap(member string, s *jsontext.Node) *jsontext.Node {
	place := "#/properties/" + member
	properties := object()
	addTo(properties, member, movedRefs(without(s, "$schema", "$id", "$defs"), place))
	out := object()
	addTo(out, "type", str("object"))
	addTo(out, "properties", properties)
	addTo(out, "required", strs([]string{member}))
	addTo(out, "additionalProperties", falseNode)
	if defs := s.Member("$defs"); defs != nil {
		addTo(out, "$defs", movedRefs(defs, place))
	}
	return out
}

// movedRefs returns a schema that was at the root of a document and is now at
// another place, but for its $defs, which stay.
func movedRefs(s *jsontext.Node, place string) *jsontext.Node {
	return withRefs(s, func(ref string) string {
		if strings.HasPrefix(ref, "#") && !strings.HasPrefix(ref, "#/$defs/") {
			return place + ref[1:]
		}
		return ref
	})
}

// renamedRefs returns a schema whose references follow the members of the root to
// their new names.
func renamedRefs(s *jsontext.Node, renamedTo map[string]string) *jsontext.Node {
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
func withRefs(s *jsontext.Node, change func(ref string) string) *jsontext.Node {
	out := &jsontext.Node{Kind: s.Kind, Text: s.Text, Key: s.Key}
	for _, v := range s.Items {
		if v.Is(jsontext.String) && s.Is(jsontext.Object) && v.Name() == "$ref" {
			v = keyed(v.Key, str(change(v.Str())))
		}
		out.Items = append(out.Items, withRefs(v, change))
	}
	return out
}

// filled returns a schema whose arrays have items and whose objects have
// properties.
func filled(s *jsontext.Node) *jsontext.Node {
	if !s.Is(jsontext.Object) {
		return s
	}
	out := prepend(s, object())
	for i, v := range out.Items {
		switch v.Name() {
		case "properties", "patternProperties", "$defs", "definitions":
			out.Items[i] = eachOf(v, jsontext.Object, filled)
		case "items", "additionalProperties":
			out.Items[i] = keyed(v.Key, filled(v))
		case "anyOf", "oneOf", "allOf":
			out.Items[i] = eachOf(v, jsontext.Array, filled)
		}
	}
	var types []string
	if s.Member("type") != nil {
		types = typesOf(s)
	}
	if slices.Contains(types, "object") && s.Member("properties") == nil {
		addTo(out, "properties", object())
		if s.Member("additionalProperties") == nil && s.Member("patternProperties") == nil {
			addTo(out, "additionalProperties", trueNode) // there are endpoints that would else take no members
		}
	}
	if slices.Contains(types, "array") && s.Member("items") == nil {
		addTo(out, "items", object())
	}
	return out
}
