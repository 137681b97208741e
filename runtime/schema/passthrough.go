package schema

import (
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/schema/internal/outline"
)

// passThroughSchema lowers the input schema for a target that accepts most of JSON Schema. It changes only a root
// that is not an object, names that the target does not accept, and keywords that the target does not understand.
func passThroughSchema(l *lowering, root *jsontext.Node) (*jsontext.Node, *outline.Form) {
	out, f := l.lowerRoot(root)
	return l.describeUnsupported(out, inputPointer), f
}

// lowerRoot lowers the root, which must become the schema of an object.
func (l *lowering) lowerRoot(root *jsontext.Node) (*jsontext.Node, *outline.Form) {
	if l.AnyRoot && root.Member("type").Str() == "object" && root.Member("$ref") == nil {
		return root, nil
	}
	doc := outline.New(root)
	s := doc.ResolveAliases(root)
	if !doc.IsObject(s) {
		return l.wrapArguments(s)
	}
	var f *outline.Form
	if !l.AnyRoot {
		if remaining := outline.WithoutMembers(s, rootCombinations...); len(remaining.Items) < len(s.Items) {
			if !outline.HasMembers(s) {
				return l.wrapArguments(s)
			}
			s = l.describeCombinations(s, remaining)
		}
		s, f = l.fitNames(s)
	}
	if t := s.Member("type"); t == nil || t.Str() != "object" {
		typed := outline.NewMember("type", outline.NewString("object"))
		s = outline.JoinObjects(typed, outline.WithoutMembers(s, "type"))
	}
	if l.Filled {
		s = fillEmpty(s)
	}
	return s, f
}

// wrapArguments lowers a schema that also accepts values other than objects: the arguments become the only
// member of an object.
func (l *lowering) wrapArguments(s *jsontext.Node) (*jsontext.Node, *outline.Form) {
	l.addLoss(Rewritten, inputPointer, "the arguments become the only argument, %q", outline.ArgumentMember)
	out := wrapValue(outline.ArgumentMember, s)
	if l.Filled {
		out = fillEmpty(out)
	}
	return out, &outline.Form{Kind: outline.Member, Name: outline.ArgumentMember}
}

// rootCombinations are the keywords that targets do not allow at the root.
var rootCombinations = []string{"$ref", "anyOf", "oneOf", "allOf", "not", "enum", "const", "if", "then", "else"}

// describeCombinations moves the keywords that are not allowed at the root into the description of remaining,
// which is the schema s without them.
func (l *lowering) describeCombinations(s, remaining *jsontext.Node) *jsontext.Node {
	l.addLoss(Worded, inputPointer, "%s is only stated in the description", outline.WithoutMembers(s, outline.MemberNames(remaining)...).Items[0].Name())
	return describeLost(s, remaining)
}

// fitNames renames arguments whose names the target does not accept.
func (l *lowering) fitNames(s *jsontext.Node) (*jsontext.Node, *outline.Form) {
	properties := s.Member("properties")
	if properties == nil {
		return s, nil
	}
	names := outline.MemberNames(properties)
	fitted := l.Keys.FitAll(names)
	if slices.Equal(names, fitted) {
		return s, nil
	}
	f := &outline.Form{Wire: map[string]int{}}
	renamedTo := map[string]string{}
	lowered := outline.NewObject()
	for i, name := range names {
		p := properties.Items[i]
		if name != fitted[i] {
			l.addLoss(Rewritten, jsontext.Join(inputPointer+"/properties", name), "the name %q becomes %q", name, fitted[i])
			p = outline.DescribeRename(p, name)
		}
		renamedTo[name] = fitted[i]
		outline.AddMember(lowered, fitted[i], p)
		f.Wire[fitted[i]] = i
		f.Fields = append(f.Fields, outline.Field{Name: name, Wire: fitted[i]})
	}
	required := outline.NewArray()
	for _, name := range outline.StringsIn(s.Member("required")) {
		if to, ok := renamedTo[name]; ok {
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
	newRoot := "#/properties/" + member
	properties := outline.NewMember(member, moveRefs(outline.WithoutMembers(s, "$schema", "$id", "$defs"), newRoot))
	out := outline.NewMember("type", outline.NewString("object"))
	outline.AddMember(out, "properties", properties)
	outline.AddMember(out, "required", outline.NewStrings([]string{member}))
	outline.AddMember(out, "additionalProperties", outline.False)
	if defs := s.Member("$defs"); defs != nil {
		outline.AddMember(out, "$defs", moveRefs(defs, newRoot))
	}
	return out
}

// moveRefs changes the references in a schema that moves from the root of the document to newRoot, for example
// #/properties/result. References to $defs and anchors do not change, because their targets do not move.
func moveRefs(s *jsontext.Node, newRoot string) *jsontext.Node {
	return mapRefs(s, func(ref string) string {
		if ref == "#" || strings.HasPrefix(ref, "#/") && !strings.HasPrefix(ref, "#/$defs/") {
			return newRoot + ref[1:]
		}
		return ref
	})
}

// renameRefs changes references after members of a keyword at the root, such as properties, were renamed. prefix is
// the beginning of references to these members, such as "#/properties/".
func renameRefs(s *jsontext.Node, prefix string, renamedTo map[string]string) *jsontext.Node {
	return mapRefs(s, func(ref string) string {
		rest, hasPrefix := strings.CutPrefix(ref, prefix)
		token, path, hasPath := strings.Cut(rest, "/")
		pointer, _ := jsonschema.LocalPointer("#/" + token)
		name := jsontext.Name(strings.TrimPrefix(pointer, "/"))
		to := renamedTo[name]
		if !hasPrefix || to == "" || to == name {
			return ref
		}
		if hasPath {
			to += "/" + path // the path is unchanged, because some readers do not understand escapes
		}
		return prefix + to // accepted names need no escapes
	})
}

// renameDefinitions renames definitions whose names need escapes in references, because some servers do not
// understand escapes.
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

// plainRune replaces a character that may need an escape in a reference with an underscore.
func plainRune(c rune) rune {
	if 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.ContainsRune("_.-", c) {
		return c
	}
	return '_'
}

// mapRefs returns a schema in which change was applied to each reference.
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

// fillEmpty adds missing keywords: items to schemas of arrays, and properties to schemas of objects.
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
			outline.AddMember(out, "additionalProperties", outline.True) // otherwise some endpoints would allow no members
		}
	}
	if slices.Contains(types, "array") && s.Member("items") == nil {
		outline.AddMember(out, "items", outline.NewObject())
	}
	return out
}
