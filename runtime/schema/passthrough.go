package schema

import (
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/schema/internal/outline"
)

// passThroughSchema lowers the input schema for a target that accepts JSON Schema. It changes only roots that are
// not objects, names that the target does not accept, and keywords that it does not understand.
func passThroughSchema(l *outline.Lowering, root *jsontext.Node) (*jsontext.Node, *outline.Form) {
	k := passThrough{l}
	out, f := k.lowerRoot(root)
	return k.describeUnsupported(out, outline.Input), f
}

// passThrough is one run of [passThroughSchema].
type passThrough struct{ *outline.Lowering }

// lowerRoot lowers the root, which must be an object.
func (k passThrough) lowerRoot(root *jsontext.Node) (*jsontext.Node, *outline.Form) {
	if k.AnyRoot && root.Member("type").Str() == "object" && root.Member("$ref") == nil {
		return root, nil
	}
	doc := outline.New(root)
	s := doc.ResolveAliases(root)
	if !doc.IsObject(s) {
		return k.wrapArguments(s)
	}
	var f *outline.Form
	if !k.AnyRoot {
		if kept := outline.WithoutMembers(s, rootCombinations...); len(kept.Items) < len(s.Items) {
			if !outline.HasMembers(s) {
				return k.wrapArguments(s)
			}
			s = k.describeCombinations(s, kept)
		}
		s, f = k.fitNames(s)
	}
	if t := s.Member("type"); t == nil || t.Str() != "object" {
		typed := outline.NewMember("type", outline.NewString("object"))
		s = outline.JoinObjects(typed, outline.WithoutMembers(s, "type"))
	}
	if k.Filled {
		s = fillEmpty(s)
	}
	return s, f
}

// wrapArguments makes arguments that may be a value other than an object the only member of one.
func (k passThrough) wrapArguments(s *jsontext.Node) (*jsontext.Node, *outline.Form) {
	k.AddLoss(outline.Rewritten, outline.Input, "the arguments become the only argument, %q", outline.ArgumentMember)
	out := wrapValue(outline.ArgumentMember, s)
	if k.Filled {
		out = fillEmpty(out)
	}
	return out, &outline.Form{Kind: outline.Member}
}

// rootCombinations are keywords that are not allowed at the root.
var rootCombinations = []string{"$ref", "anyOf", "oneOf", "allOf", "not", "enum", "const", "if", "then", "else"}

// describeCombinations moves the keywords that are not allowed at the root into the description. kept is the
// schema without them.
func (k passThrough) describeCombinations(s, kept *jsontext.Node) *jsontext.Node {
	k.AddLoss(outline.Worded, outline.Input, "%s is only stated in the description", outline.WithoutMembers(s, outline.MemberNames(kept)...).Items[0].Name())
	return describeLost(s, kept)
}

// fitNames gives the arguments names that the target accepts.
func (k passThrough) fitNames(s *jsontext.Node) (*jsontext.Node, *outline.Form) {
	properties := s.Member("properties")
	if properties == nil {
		return s, nil
	}
	names := outline.MemberNames(properties)
	fitted := k.Keys.FitAll(names)
	if slices.Equal(names, fitted) {
		return s, nil
	}
	f := &outline.Form{Wire: map[string]int{}}
	renamedTo := map[string]string{}
	lowered := outline.NewObject()
	for i, name := range names {
		p := properties.Items[i]
		if name != fitted[i] {
			k.AddLoss(outline.Rewritten, jsontext.Join(outline.Input+"/properties", name), "the name %q becomes %q", name, fitted[i])
			p = outline.DescribeRename(p, name)
		}
		renamedTo[name] = fitted[i]
		outline.AddMember(lowered, fitted[i], p)
		f.Wire[fitted[i]] = i
		f.Fields = append(f.Fields, outline.Field{Name: name, Wire: fitted[i]})
	}
	required := outline.NewArray()
	for _, name := range outline.StringsIn(s.Member("required")) {
		if to, known := renamedTo[name]; known {
			name = to
		}
		required.Items = append(required.Items, outline.NewString(name))
	}
	out := outline.JoinObjects(s, outline.NewObject())
	outline.SetMember(out, "properties", lowered)
	if s.Member("required") != nil {
		outline.SetMember(out, "required", required)
	}
	return renameRefs(out, "#/properties/", renamedTo), f
}

// wrapValue returns the schema of an object whose only member has the given schema.
func wrapValue(member string, s *jsontext.Node) *jsontext.Node {
	place := "#/properties/" + member
	properties := outline.NewMember(member, moveRefs(outline.WithoutMembers(s, "$schema", "$id", "$defs"), place))
	out := outline.NewMember("type", outline.NewString("object"))
	outline.AddMember(out, "properties", properties)
	outline.AddMember(out, "required", outline.NewStrings([]string{member}))
	outline.AddMember(out, "additionalProperties", outline.False)
	if defs := s.Member("$defs"); defs != nil {
		outline.AddMember(out, "$defs", moveRefs(defs, place))
	}
	return out
}

// moveRefs returns a schema that was at the root of a document and is now at another place. Its $defs stay at
// the root, and anchors name the same places.
func moveRefs(s *jsontext.Node, place string) *jsontext.Node {
	return mapRefs(s, func(ref string) string {
		if ref == "#" || strings.HasPrefix(ref, "#/") && !strings.HasPrefix(ref, "#/$defs/") {
			return place + ref[1:]
		}
		return ref
	})
}

// renameRefs returns a schema whose references follow renamed members of a keyword of the root. The prefix is
// that of references to the members.
func renameRefs(s *jsontext.Node, prefix string, renamedTo map[string]string) *jsontext.Node {
	return mapRefs(s, func(ref string) string {
		rest, inside := strings.CutPrefix(ref, prefix)
		token, within, deeper := strings.Cut(rest, "/")
		pointer, _ := jsonschema.LocalPointer("#/" + token)
		name := jsontext.Name(strings.TrimPrefix(pointer, "/"))
		to := renamedTo[name]
		if !inside || to == "" || to == name {
			return ref
		}
		if deeper {
			to += "/" + within // unchanged, because some readers do not understand escapes
		}
		return prefix + to // accepted names need no escapes
	})
}

// renameDefinitions returns a schema whose definitions have names that need no escapes in references, because
// some servers do not understand escapes.
func renameDefinitions(root *jsontext.Node) *jsontext.Node {
	defs := root.Member("$defs")
	if !defs.Is(jsontext.Object) {
		return root
	}
	names := outline.MemberNames(defs)
	renamedTo := map[string]string{}
	for i, name := range names {
		plain := strings.Map(plainRune, name)
		for plain != name && slices.Contains(names, plain) {
			plain += "_"
		}
		names[i], renamedTo[name] = plain, plain
	}
	if slices.Equal(names, outline.MemberNames(defs)) {
		return root
	}
	renamed := outline.NewObject()
	for i, s := range defs.Items {
		outline.AddMember(renamed, names[i], s)
	}
	out := outline.JoinObjects(root, outline.NewObject())
	outline.SetMember(out, "$defs", renamed)
	return renameRefs(out, "#/$defs/", renamedTo)
}

// plainRune replaces a character that may need an escape in a reference.
func plainRune(c rune) rune {
	if 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.ContainsRune("_.-", c) {
		return c
	}
	return '_'
}

// mapRefs returns a schema with changed references.
func mapRefs(s *jsontext.Node, change func(ref string) string) *jsontext.Node {
	out := &jsontext.Node{Kind: s.Kind, Text: s.Text, Key: s.Key}
	for _, v := range s.Items {
		if v.Is(jsontext.String) && s.Is(jsontext.Object) && v.Name() == "$ref" {
			v = outline.WithKey(v.Key, outline.NewString(change(v.Str())))
		}
		out.Items = append(out.Items, mapRefs(v, change))
	}
	return out
}

// fillEmpty returns a schema in which arrays have items and objects have properties.
func fillEmpty(s *jsontext.Node) *jsontext.Node {
	if !s.Is(jsontext.Object) {
		return s
	}
	out := jsonschema.MapSubschemas(s, "", func(part *jsontext.Node, _ string) *jsontext.Node { return fillEmpty(part) })
	var types []string
	if s.Member("type") != nil {
		types = outline.TypesOf(s)
	}
	if slices.Contains(types, "object") && s.Member("properties") == nil {
		outline.AddMember(out, "properties", outline.NewObject())
		if s.Member("additionalProperties") == nil && s.Member("patternProperties") == nil {
			outline.AddMember(out, "additionalProperties", outline.True) // otherwise some endpoints would accept no members
		}
	}
	if slices.Contains(types, "array") && s.Member("items") == nil {
		outline.AddMember(out, "items", outline.NewObject())
	}
	return out
}
