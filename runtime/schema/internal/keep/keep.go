// Package keep lowers an input schema for a target that takes JSON Schema as it is.
package keep

import (
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema/parts"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/schema/internal/form"
	"github.com/aiongen/aiongen/runtime/schema/internal/outline"
	"github.com/aiongen/aiongen/runtime/schema/internal/rules"
	"github.com/aiongen/aiongen/runtime/schema/internal/tree"
)

// Schema lowers the input schema for a target that takes JSON Schema as it is, but for
// its root, which has to be an object, and for patterns that Go alone reads.
func Schema(l *rules.Lowering, root *jsontext.Node) (*jsontext.Node, *form.Form) {
	k := keeping{l}
	out, f := k.root(root)
	return k.withoutGoPatterns(out, rules.Input), f
}

// keeping is one run of [keep].
type keeping struct{ *rules.Lowering }

// root lowers the input schema for a target that takes JSON Schema as it is,
// but for its root, which has to be an object.
func (k keeping) root(root *jsontext.Node) (*jsontext.Node, *form.Form) {
	if k.AnyRoot && root.Member("type").Str() == "object" && root.Member("$ref") == nil {
		return root, nil
	}
	doc := outline.New(root)
	s := doc.Plain(root)
	if !doc.IsObject(s) {
		return k.asMember(s)
	}
	var f *form.Form
	if !k.AnyRoot {
		if kept := tree.Without(s, combinations...); len(kept.Items) < len(s.Items) {
			if !outline.HasMembers(s) {
				return k.asMember(s)
			}
			s = k.withoutCombinations(s, kept)
		}
		s, f = k.withNames(s)
	}
	if t := s.Member("type"); t == nil || t.Str() != "object" {
		typed := tree.One("type", tree.String("object"))
		s = tree.Prepend(typed, tree.Without(s, "type"))
	}
	if k.Filled {
		s = filled(s)
	}
	return s, f
}

// asMember makes arguments that may be no object the member of one.
func (k keeping) asMember(s *jsontext.Node) (*jsontext.Node, *form.Form) {
	k.Lose(rules.Rewritten, rules.Input, "the arguments become the only argument, %q", form.ArgumentMember)
	out := Wrap(form.ArgumentMember, s)
	if k.Filled {
		out = filled(out)
	}
	return out, &form.Form{Kind: form.Member}
}

// combinations are the keywords that must not be at the root.
var combinations = []string{"$ref", "anyOf", "oneOf", "allOf", "not", "enum", "const", "if", "then", "else"}

// withoutCombinations tells the keywords that must not be at the root in the
// description. What is kept says what members there are.
func (k keeping) withoutCombinations(s, kept *jsontext.Node) *jsontext.Node {
	k.Lose(rules.Worded, rules.Input, "%s is only told in the description", tree.Without(s, tree.Names(kept)...).Items[0].Name())
	return inWords(s, kept)
}

// withNames gives the arguments names that are taken.
func (k keeping) withNames(s *jsontext.Node) (*jsontext.Node, *form.Form) {
	properties := s.Member("properties")
	if properties == nil {
		return s, nil
	}
	names := tree.Names(properties)
	fitted := k.Keys.FitAll(names)
	if slices.Equal(names, fitted) {
		return s, nil
	}
	f := &form.Form{Wire: map[string]int{}}
	renamedTo := map[string]string{}
	lowered := tree.Object()
	for i, name := range names {
		p := properties.Items[i]
		if name != fitted[i] {
			k.Lose(rules.Rewritten, jsontext.Join(rules.Input+"/properties", name), "the name %q becomes %q", name, fitted[i])
			p = outline.Renamed(p, name)
		}
		renamedTo[name] = fitted[i]
		tree.Add(lowered, fitted[i], p)
		f.Wire[fitted[i]] = i
		f.Fields = append(f.Fields, form.Field{Name: name, Wire: fitted[i]})
	}
	required := tree.Array()
	for _, name := range tree.StringsIn(s.Member("required")) {
		if to, known := renamedTo[name]; known {
			name = to
		}
		required.Items = append(required.Items, tree.String(name))
	}
	out := tree.Prepend(s, tree.Object())
	tree.Set(out, "properties", lowered)
	if s.Member("required") != nil {
		tree.Set(out, "required", required)
	}
	return renamedRefs(out, renamedTo), f
}

// Wrap returns the schema of an object whose only member is of the given schema.
func Wrap(member string, s *jsontext.Node) *jsontext.Node {
	place := "#/properties/" + member
	properties := tree.One(member, movedRefs(tree.Without(s, "$schema", "$id", "$defs"), place))
	out := tree.One("type", tree.String("object"))
	tree.Add(out, "properties", properties)
	tree.Add(out, "required", tree.Strings([]string{member}))
	tree.Add(out, "additionalProperties", tree.False)
	if defs := s.Member("$defs"); defs != nil {
		tree.Add(out, "$defs", movedRefs(defs, place))
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
		pointer, _ := parts.Pointer("#/" + token)
		name := jsontext.Name(strings.TrimPrefix(pointer, "/"))
		to := renamedTo[name]
		if !inside || to == "" || to == name {
			return ref
		}
		if deeper {
			to += "/" + within // as it is written, for those who do not read escapes
		}
		return "#/properties/" + to // names that are taken have nothing to escape
	})
}

// withRefs returns a schema with other references.
func withRefs(s *jsontext.Node, change func(ref string) string) *jsontext.Node {
	out := &jsontext.Node{Kind: s.Kind, Text: s.Text, Key: s.Key}
	for _, v := range s.Items {
		if v.Is(jsontext.String) && s.Is(jsontext.Object) && v.Name() == "$ref" {
			v = tree.Keyed(v.Key, tree.String(change(v.Str())))
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
	out := parts.Map(s, "", func(part *jsontext.Node, _ string) *jsontext.Node { return filled(part) })
	var types []string
	if s.Member("type") != nil {
		types = outline.TypesOf(s)
	}
	if slices.Contains(types, "object") && s.Member("properties") == nil {
		tree.Add(out, "properties", tree.Object())
		if s.Member("additionalProperties") == nil && s.Member("patternProperties") == nil {
			tree.Add(out, "additionalProperties", tree.True) // there are endpoints that would else take no members
		}
	}
	if slices.Contains(types, "array") && s.Member("items") == nil {
		tree.Add(out, "items", tree.Object())
	}
	return out
}
