package schema

import (
	"slices"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/schema/internal/outline"
)

// Limits of a lowered schema. If the target does not accept references, each reference is replaced
// by the schema that it refers to, so a small schema can become very large.
const (
	maxSchemas = 5000
	maxLevels  = 200
	maxGrown   = 1 << 20 // total size of the schemas that replace references, in bytes
)

// rewriting lowers an input schema for a target that accepts only part of JSON Schema. Its methods
// return the lowered schema and the form in which the model writes values. The form is nil if the
// model writes values as for the original schema. Parameters: s is the original schema, at is its
// JSON Pointer in the definition, and depth is the nesting depth of its values; 1 is the root.
type rewriting struct {
	*lowering
	*outline.Document
	isRoot        bool                              // the arguments are the root itself, not the only member of a new root
	count         int                               // number of schemas lowered so far
	level         int                               // number of schemas that enclose the current one
	items         int                               // number of arrays that enclose the current schema
	expandedBytes int                               // total size of the schemas that have replaced references
	expanding     []*jsontext.Node                  // schemas that have replaced references and enclose the current one
	sameValue     []*jsontext.Node                  // definitions being lowered for the same value as the current schema; a reference to one of them has no end
	forms         map[*jsontext.Node]*outline.Form  // forms of the referenced definitions
	defs          map[*jsontext.Node]*jsontext.Node // lowered definitions, by the original ones
}

// rewriteSchema lowers the input schema for a target that accepts only part of JSON Schema. It expresses
// unsupported keywords with supported ones, or describes them in words. It also returns the form in which the
// model writes the arguments, or nil if that is the original form.
func rewriteSchema(l *lowering, root *jsontext.Node) (*jsontext.Node, *outline.Form) {
	r := &rewriting{lowering: l, Document: outline.New(root), forms: map[*jsontext.Node]*outline.Form{}, defs: map[*jsontext.Node]*jsontext.Node{}}
	r.expanding = []*jsontext.Node{root}
	out, f := r.rewriteRoot()
	defs := outline.NewObject()
	for _, v := range outline.ItemsOf(root.Member("$defs")) {
		outline.AddMember(defs, v.Name(), r.defs[v])
	}
	if len(defs.Items) > 0 {
		outline.AddMember(out, "$defs", defs)
	}
	return out, f
}

// rewriteRoot lowers the root, which always becomes the schema of an object with named members.
func (r *rewriting) rewriteRoot() (*jsontext.Node, *outline.Form) {
	s := r.ResolveAliases(r.Root)
	if r.isRoot = outline.IsRecord(s) && r.IsObject(s); r.isRoot {
		f := &outline.Form{Kind: outline.Ref}
		r.forms[r.Root] = f
		out, elem := r.lowerRecord(s, inputPointer, 1)
		f.Elem = elem
		return out, elem
	}
	r.addLoss(Rewritten, inputPointer, "the arguments become the only argument, %q", outline.ArgumentMember)
	inner, f := r.lowerSchema(s, inputPointer, 2)
	properties := outline.NewMember(outline.ArgumentMember, inner)
	return r.newObjectSchema([]string{outline.ArgumentMember}, properties), &outline.Form{Kind: outline.Member, Name: outline.ArgumentMember, Elem: f}
}

// lowerSchema lowers a schema other than the root.
func (r *rewriting) lowerSchema(s *jsontext.Node, at string, depth int) (*jsontext.Node, *outline.Form) {
	r.count++
	r.level++
	defer func() { r.level-- }()
	switch {
	case r.count > maxSchemas:
		return r.lowerToText(s, at, "it contains more than %d schemas", maxSchemas)
	case r.level > maxLevels:
		return r.lowerToText(s, at, "it is nested in more than %d schemas", maxLevels)
	case outline.IsWord(s, "false"):
		return r.lowerToText(s, at, "no value is valid")
	case !s.Is(jsontext.Object):
		return r.lowerAny(outline.NewObject(), at)
	case s.Member("$ref") != nil:
		return r.lowerReference(s, at, depth)
	case s.Member("allOf") != nil:
		return r.lowerAllOf(s, at, depth)
	case (s.Member("anyOf") != nil || s.Member("oneOf") != nil) && !outline.HasMembers(s):
		return r.lowerUnion(s, at, depth)
	case outline.EnumOf(s) != nil:
		return r.lowerEnum(s, at, depth)
	}
	return r.lowerTyped(s, at, depth)
}

// lowerTyped lowers a schema according to the types of its values.
func (r *rewriting) lowerTyped(s *jsontext.Node, at string, depth int) (*jsontext.Node, *outline.Form) {
	types := outline.TypesOf(s)
	switch {
	case len(types) == 0:
		return r.lowerAny(s, at)
	case len(types) > 1:
		return r.mergeAlternatives(outline.AnnotationsOf(s), outline.BranchesOf(s, types), at, depth)
	case types[0] != "object" && types[0] != "array":
		return r.lowerScalar(s, types[0], at)
	case r.Dialect.Depth > 0 && depth > r.Dialect.Depth:
		return r.lowerToText(s, at, "it is nested deeper than %d levels", r.Dialect.Depth)
	case types[0] == "array":
		return r.lowerArray(s, at, depth)
	case outline.IsMap(s):
		return r.lowerMap(s, at, depth)
	}
	return r.lowerRecord(s, at, depth)
}

// lowerReference keeps a reference, if the target accepts it, or replaces it with the schema that it
// refers to. If that schema contains itself, its inner occurrence becomes JSON text, because the
// schema cannot be written out completely.
func (r *rewriting) lowerReference(s *jsontext.Node, at string, depth int) (*jsontext.Node, *outline.Form) {
	ref, rest := s.Member("$ref").Str(), outline.WithoutMembers(s, "$ref")
	target := r.Resolve(ref)
	if target == nil {
		return r.lowerToText(s, at, "the reference %s cannot be resolved", ref)
	}
	if r.acceptsReference(ref, rest) {
		if depth == 1 && slices.Contains(r.sameValue, target) {
			return r.lowerToText(s, at, "the reference %s refers to itself", ref)
		}
		out := outline.NewMember("$ref", outline.NewString(ref))
		return r.finishSchema(rest, at, "", out), r.lowerDefinition(target, ref, depth)
	}
	if slices.Contains(r.expanding, target) {
		return r.cutRecursion(target, ref, at)
	}
	merged := r.expandReference(rest, target)
	switch {
	case r.expandedBytes > maxGrown:
		return r.lowerToText(s, at, "the referenced schemas have more than %d bytes in total", maxGrown)
	case merged == nil:
		return r.lowerToText(s, at, "the reference cannot be merged with the keywords next to it")
	}
	r.expanding = append(r.expanding, target)
	defer func() { r.expanding = r.expanding[:len(r.expanding)-1] }()
	return r.lowerSchema(merged, at, depth)
}

// expandReference returns the schema that replaces a reference: target merged with rest, the
// keywords next to the reference. It returns nil if they cannot be merged, or if the schemas that
// replaced references have become too large.
func (r *rewriting) expandReference(rest, target *jsontext.Node) *jsontext.Node {
	if target != nil {
		r.expandedBytes += int(target.End - target.Start)
	}
	if r.expandedBytes > maxGrown {
		return nil
	}
	return r.Merge(rest, target)
}

// cutRecursion lowers a recursive schema, the target of the reference ref, to JSON text.
func (r *rewriting) cutRecursion(s *jsontext.Node, ref, at string) (*jsontext.Node, *outline.Form) {
	id := outline.NewMember("$id", outline.NewString(ref))
	return r.lowerToText(outline.JoinObjects(id, outline.WithoutMembers(s, "$id")), at, "the schema contains itself, which %s does not support", r.Target)
}

// acceptsReference reports whether the target accepts the reference ref next to the keywords in rest.
func (r *rewriting) acceptsReference(ref string, rest *jsontext.Node) bool {
	name, inDefs := strings.CutPrefix(ref, "#/$defs/")
	return r.Dialect.Refs && len(outline.WithoutMembers(rest, outline.Annotations...).Items) == 0 &&
		(inDefs && !strings.Contains(name, "/") || ref == "#" && r.isRoot)
}

// lowerDefinition lowers the target of a reference, unless an earlier reference has done so, and
// returns its form.
func (r *rewriting) lowerDefinition(target *jsontext.Node, ref string, depth int) *outline.Form {
	f, ok := r.forms[target]
	if !ok {
		f = &outline.Form{Kind: outline.Ref}
		r.forms[target] = f
		level, expanding, sameValue := r.level, r.expanding, r.sameValue
		r.level, r.expanding = 0, nil // the definition is not nested in the current schema
		if depth > 1 {
			r.sameValue = nil
		}
		r.sameValue = append(slices.Clip(r.sameValue), target)
		pointer, _ := jsonschema.LocalPointer(ref) // ref was resolved, so it is valid
		r.defs[target], f.Elem = r.lowerSchema(target, inputPointer+pointer, 1)
		r.level, r.expanding, r.sameValue = level, expanding, sameValue
	}
	return f
}

// lowerAllOf merges the schemas of allOf and lowers the result. If they cannot be merged, the value
// becomes JSON text.
func (r *rewriting) lowerAllOf(s *jsontext.Node, at string, depth int) (*jsontext.Node, *outline.Form) {
	merged, parts := outline.WithoutMembers(s, "allOf"), outline.ItemsOf(s.Member("allOf"))
	if len(parts) == 1 && merged.Member("$ref") == nil {
		if single := r.Merge(merged, parts[0]); single != nil {
			return r.lowerSchema(single, at, depth)
		}
	}
	opened := len(r.expanding)
	defer func() { r.expanding = r.expanding[:opened] }()
	for _, part := range parts {
		for part.Member("$ref") != nil {
			ref := part.Member("$ref").Str()
			target := r.Resolve(ref)
			if slices.Contains(r.expanding, target) {
				return r.cutRecursion(target, ref, at)
			}
			r.expanding = append(r.expanding, target)
			part = r.expandReference(outline.WithoutMembers(part, "$ref"), target)
		}
		if outline.IsWord(part, "true") {
			continue
		}
		if merged = r.Merge(merged, part); merged == nil {
			return r.lowerToText(s, at, "the schemas of allOf cannot be merged")
		}
	}
	return r.lowerSchema(merged, at, depth)
}

// lowerArray lowers the schema of an array.
func (r *rewriting) lowerArray(s *jsontext.Node, at string, depth int) (*jsontext.Node, *outline.Form) {
	items := s.Member("items")
	if s.Member("prefixItems") != nil {
		return r.lowerToText(s, at, "the schemas of its items differ by position")
	}
	if items == nil {
		items = outline.True
	}
	out := outline.NewMember("type", outline.NewString("array"))
	r.items++
	lowered, f := r.lowerSchema(items, jsontext.JoinNames(at, "items"), depth+1)
	r.items--
	outline.AddMember(out, "items", lowered)
	if f != nil {
		f = &outline.Form{Kind: outline.List, Elem: f}
	}
	return r.finishSchema(s, at, "[", out), f
}

// lowerUnion lowers a schema with anyOf or oneOf.
func (r *rewriting) lowerUnion(s *jsontext.Node, at string, depth int) (*jsontext.Node, *outline.Form) {
	keyword := "anyOf"
	if s.Member(keyword) == nil {
		keyword = "oneOf"
	}
	siblings := outline.WithoutMembers(s, slices.Concat(outline.Annotations, outline.Silent, []string{keyword})...)
	var all []*jsontext.Node
	var indexes []int
	for i, b := range outline.ItemsOf(s.Member(keyword)) {
		if outline.IsWord(b, "false") {
			continue
		}
		if outline.IsWord(b, "true") {
			b = outline.NewObject()
		}
		if b = r.Merge(outline.WithoutMembers(b, "title"), siblings); b == nil {
			return r.lowerToText(s, at, "the schemas of %s cannot be merged with the keywords next to it", keyword)
		}
		all, indexes = append(all, b), append(indexes, i)
	}
	if keyword == "oneOf" && len(all) > 1 {
		r.addLoss(Dropped, at, "the rule that exactly one schema of oneOf may be valid")
	}
	return r.lowerBranches(outline.AnnotationsOf(s), all, at, func(i int) string { return jsontext.JoinNames(at, keyword, strconv.Itoa(indexes[i])) }, depth)
}

// mergeAlternatives lowers a schema that was split into alternatives, such as one for each of its
// types. Losses of all alternatives are reported at the schema itself.
func (r *rewriting) mergeAlternatives(s *jsontext.Node, all []*jsontext.Node, at string, depth int) (*jsontext.Node, *outline.Form) {
	return r.lowerBranches(s, all, at, func(int) string { return at }, depth)
}

// lowerBranches lowers the alternatives of s to an anyOf. pointerOf returns the pointer of the i-th
// alternative. If some values must be converted, but a value may follow more than one alternative,
// all values become JSON text.
func (r *rewriting) lowerBranches(s *jsontext.Node, all []*jsontext.Node, at string, pointerOf func(i int) string, depth int) (*jsontext.Node, *outline.Form) {
	before := len(r.losses)
	f := &outline.Form{Kind: outline.Union}
	var lowered []*jsontext.Node
	null, unchanged := false, true
	for i, b := range all {
		if r.Dialect.OpenAPI && outline.IsNull(b) {
			null = true
			continue
		}
		out, form := r.lowerSchema(b, pointerOf(i), depth)
		lowered = append(lowered, out)
		f.Branches = append(f.Branches, outline.Branch{Neutral: r.ShapeOf(b), Wire: r.wireShape(out), Form: form})
		unchanged = unchanged && form == nil
	}
	if unchanged {
		f = nil
	} else if !f.BranchesDiffer() {
		r.losses = r.losses[:before]
		union := outline.NewMember("description", s.Member("description"))
		outline.AddMember(union, "anyOf", outline.NewArray(all...))
		return r.lowerToText(union, at, "a value does not show which of the schemas it follows")
	}
	switch {
	case len(lowered) == 0:
		return r.lowerToText(s, at, "no value is valid")
	case len(lowered) > 1 && !r.Dialect.OpenAPI:
		out := outline.NewMember("anyOf", outline.NewArray(lowered...))
		return r.finishSchema(s, at, "", out), f
	}
	r.describeFirst(s, lowered, at, null)
	if len(lowered) == 1 {
		return lowered[0], f
	}
	out := outline.NewMember("anyOf", outline.NewArray(lowered...))
	return out, f
}

// describeFirst adds the description of the union s to its first alternative. It is for unions with
// one alternative, and for Gemini, which allows no keywords next to anyOf. If null is true, it also
// makes the alternative nullable.
func (r *rewriting) describeFirst(s *jsontext.Node, lowered []*jsontext.Node, at string, null bool) {
	if inner := lowered[0].Member("anyOf"); inner != nil && r.Dialect.OpenAPI {
		r.describeFirst(s, inner.Items, at, null)
		return
	}
	lowered[0] = r.addDescription(s, lowered[0], at)
	if null && lowered[0].Member("nullable") == nil {
		outline.AddMember(lowered[0], "nullable", outline.True)
	}
}

// addDescription returns the lowered schema out with the description and the title of the enclosing
// schema s added.
func (r *rewriting) addDescription(s, out *jsontext.Node, at string) *jsontext.Node {
	inner := out.Member("description").Str()
	out = outline.WithoutMembers(out, "description")
	if s.Member("title") != nil {
		out = outline.WithoutMembers(out, "title")
	}
	var sentences []string
	if inner != "" {
		sentences = append(sentences, inner)
	}
	return r.finishSchema(s, at, "", out, sentences...)
}

// wireShape returns the shape of the values that the model writes for a lowered schema.
func (r *rewriting) wireShape(out *jsontext.Node) outline.Shape {
	var target func(ref string, depth int) outline.Shape
	target = func(ref string, depth int) outline.Shape {
		neutral := r.Resolve(ref)
		if lowered := r.defs[neutral]; lowered != nil {
			return r.ShapeIn(lowered, target, depth)
		}
		return r.expectedShape(r.ResolveAliases(neutral))
	}
	if branches := outline.ItemsOf(out.Member("anyOf")); len(branches) == 1 {
		out = branches[0] // see isolateRef
	}
	x := r.ShapeIn(out, target, outline.MaxChain)
	x.AnyCase = r.Dialect.AnyCase
	return x
}

// expectedShape predicts the lowered shape of a definition that contains the current schema and is
// therefore not lowered completely yet. If the definition may become JSON text, the result is
// AnyShape.
func (r *rewriting) expectedShape(s *jsontext.Node) outline.Shape {
	types := outline.TypesOf(s)
	switch {
	case len(types) != 1 || outline.HasKeyword(s, "anyOf", "oneOf", "allOf", "$ref", "enum", "const"):
		return outline.AnyShape
	case types[0] == "array" || types[0] == "object" && outline.IsMap(s):
		return outline.Shape{Kinds: `["`}
	case types[0] != "object":
		return r.ShapeOf(s)
	}
	x := outline.Shape{Kinds: "{", Closed: true, Members: map[string]*jsontext.Node{}, Required: map[string]struct{}{}}
	names, schemas, required := r.listMembers(s)
	for i, name := range names {
		x.Members[name], x.Required[name] = nil, struct{}{}
		if required[name] && outline.IsScalar(outline.EnumOf(schemas[i])) && !outline.HasKeyword(schemas[i], "anyOf", "oneOf", "allOf", "$ref") {
			x.Members[name] = outline.EnumOf(schemas[i])
		}
	}
	return x
}

// lowerRecord lowers the schema of an object with named members.
func (r *rewriting) lowerRecord(s *jsontext.Node, at string, depth int) (*jsontext.Node, *outline.Form) {
	if outline.IsOpen(s) {
		if depth > 1 && r.restrictsOthers(s) {
			return r.lowerToText(s, at, "it has named members and a schema for other members")
		}
		r.addLoss(Dropped, at, "members that the schema does not name")
	}
	names, properties, required := r.listMembers(s)
	if len(names) == 0 && r.Dialect.OpenAPI && depth > 1 {
		return r.lowerToStrings(s, []*jsontext.Node{outline.NewObject()}, at)
	}
	fitted := names
	if depth == 1 || r.AllKeys {
		fitted = r.Keys.FitAll(names)
	}
	lowered, requiredNames := outline.NewObject(), []string{}
	f := &outline.Form{Wire: map[string]int{}}
	unchanged := true
	for i, name := range names {
		x, out := r.lowerMember(outline.Field{Name: name, Wire: fitted[i]}, properties[i], jsontext.JoinNames(at, "properties", name), required[name], depth)
		if required[name] || r.Dialect.AllRequired {
			requiredNames = append(requiredNames, x.Wire)
		}
		outline.AddMember(lowered, x.Wire, out)
		f.Wire[x.Wire] = i
		f.Fields = append(f.Fields, x)
		unchanged = unchanged && isUnchanged(x)
	}
	if unchanged {
		f = nil
	}
	return r.finishSchema(s, at, "{", r.newObjectSchema(requiredNames, lowered), r.describeRequired(requiredNames, at, depth)...), f
}

// isUnchanged reports whether lowering did not change the name and the values of a field.
func isUnchanged(x outline.Field) bool { return x.Name == x.Wire && x.Form == nil && !x.Forced }

// describeRequired returns a sentence that names the required members of an object, if the target drops the
// keyword required at this depth.
func (r *rewriting) describeRequired(names []string, at string, depth int) []string {
	if !r.Dialect.RequiredAtRoot || depth == 1 || r.items > 0 || len(names) == 0 {
		return nil
	}
	r.addLoss(Worded, at, "required is only stated in the description")
	return []string{"Required members: " + strings.Join(names, ", ") + "."}
}

// restrictsOthers reports whether a schema constrains members that it does not name.
func (r *rewriting) restrictsOthers(s *jsontext.Node) bool {
	rest := s.Member("additionalProperties")
	return s.Member("patternProperties") != nil || rest.Is(jsontext.Object) && !r.isAny(rest)
}

// lowerMember lowers s, the schema of the member x of an object. It returns the completed field and the lowered
// schema.
func (r *rewriting) lowerMember(x outline.Field, s *jsontext.Node, at string, required bool, depth int) (outline.Field, *jsontext.Node) {
	losses, defs := len(r.losses), len(r.defs)
	out, form := r.lowerSchema(s, at, depth+1)
	x.Form, x.Forced = form, !required && r.Dialect.AllRequired
	if x.Forced && r.wireShape(out).Null && !s.Member("default").Is(jsontext.Null) {
		if len(r.defs) == defs { // the losses of definitions are reported once
			r.losses = r.losses[:losses]
		}
		out, x.Form = r.boxMember(s, at, depth+1)
	}
	if x.Name != x.Wire {
		r.addLoss(Rewritten, at, "the name %q becomes %q", x.Name, x.Wire)
		out = r.describeRename(out, x.Name)
	}
	if x.Forced {
		out, x.Absent = r.makeNullable(out, at)
	}
	return x, out
}

// boxMember lowers s, the schema of an optional member that may be null, to the schema of an object with the
// single member "value". A null in place of the object can then mean that the member is absent.
func (r *rewriting) boxMember(s *jsontext.Node, at string, depth int) (*jsontext.Node, *outline.Form) {
	if r.Dialect.Depth > 0 && depth > r.Dialect.Depth {
		return r.lowerToText(s, at, "it is nested deeper than %d levels", r.Dialect.Depth)
	}
	r.addLoss(Rewritten, at, "the value, which may be null, becomes the member %q of an object", outline.ValueMember)
	inner, form := r.lowerSchema(s, at, depth+1)
	words := "Write null to leave it out, or else an object whose member " + outline.NewString(outline.ValueMember).Text + " is the value, which may be null."
	out := outline.NewMember("description", outline.AppendSentences(inner.Member("description").Str(), []string{words}))
	if title := inner.Member("title"); title != nil {
		outline.AddMember(out, "title", title)
	}
	value := outline.NewMember(outline.ValueMember, outline.WithoutMembers(inner, "description", "title"))
	return outline.JoinObjects(out, r.newObjectSchema([]string{outline.ValueMember}, value)), &outline.Form{Kind: outline.Member, Name: outline.ValueMember, Elem: form}
}

// listMembers returns the members of an object, including those that are required but have no
// schema.
func (r *rewriting) listMembers(s *jsontext.Node) (names []string, schemas []*jsontext.Node, required map[string]bool) {
	required = map[string]bool{}
	for _, name := range outline.StringsIn(s.Member("required")) {
		required[name] = true
	}
	all := s.Member("properties")
	seen := map[string]bool{}
	for _, v := range outline.ItemsOf(all) {
		name := v.Name()
		if !seen[name] && (!outline.IsWord(v, "false") || required[name]) {
			names, schemas = append(names, name), append(schemas, v)
		}
		seen[name] = true
	}
	for _, name := range outline.StringsIn(s.Member("required")) {
		if !seen[name] {
			names, schemas = append(names, name), append(schemas, outline.True)
			seen[name] = true
		}
	}
	return names, schemas, required
}

// newObjectSchema returns the schema of an object with the given members.
func (r *rewriting) newObjectSchema(required []string, properties *jsontext.Node) *jsontext.Node {
	out := outline.NewMember("type", outline.NewString("object"))
	outline.AddMember(out, "properties", properties)
	if len(required) > 0 || r.Dialect.AllRequired {
		outline.AddMember(out, "required", outline.NewStrings(required))
	}
	if r.Dialect.Closed {
		outline.AddMember(out, "additionalProperties", outline.False)
	}
	if r.Dialect.OpenAPI && len(properties.Items) > 1 {
		ordering := outline.NewArray()
		for _, p := range properties.Items {
			ordering.Add(&jsontext.Node{Kind: jsontext.String, Text: p.Key})
		}
		outline.AddMember(out, "propertyOrdering", ordering)
	}
	return out
}

// makeNullable allows null for an optional member, unless null is already a valid value. It reports
// whether null now means that the member is absent.
func (r *rewriting) makeNullable(out *jsontext.Node, at string) (*jsontext.Node, bool) {
	if r.wireShape(out).Null {
		r.addLoss(Dropped, at, "the member becomes required, because null already has a meaning and cannot mean absent")
		return out, false
	}
	r.addLoss(Rewritten, at, "the optional member becomes required, and null means absent")
	null := outline.NewMember("type", outline.NewString("null"))
	result := outline.NewObject()
	for _, name := range []string{"description", "title"} {
		outline.AddMember(result, name, out.Member(name))
	}
	if alternatives := out.Member("anyOf"); alternatives != nil {
		outline.AddMember(result, "anyOf", outline.NewArray(slices.Concat(alternatives.Items, []*jsontext.Node{null})...))
	} else {
		outline.AddMember(result, "anyOf", outline.NewArray(outline.WithoutMembers(out, "description", "title"), null))
	}
	return result, true
}

// describeRename adds the original name of a member to its description. If the target allows no
// keyword next to anyOf, the first alternative gets the description.
func (r *rewriting) describeRename(out *jsontext.Node, name string) *jsontext.Node {
	if alternatives := out.Member("anyOf"); alternatives != nil && r.Dialect.OpenAPI {
		alternatives.Items[0] = r.describeRename(alternatives.Items[0], name)
		return out
	}
	return outline.DescribeRename(out, name)
}

// lowerMap lowers the schema of a map to that of a list of pairs: {"a": 1} is written as
// [{"key": "a", "value": 1}].
func (r *rewriting) lowerMap(s *jsontext.Node, at string, depth int) (*jsontext.Node, *outline.Form) {
	values, keys := s.Member("additionalProperties"), s.Member("propertyNames")
	if patterns := s.Member("patternProperties"); len(outline.ItemsOf(patterns)) > 0 {
		if len(patterns.Items) > 1 || keys != nil || values != nil && !outline.IsWord(values, "false") {
			return r.lowerToText(s, at, "its members follow more than one schema")
		}
		values, keys = patterns.Items[0], outline.NewObject()
		outline.AddMember(keys, "pattern", outline.NewString(patterns.Items[0].Name()))
	}
	if values == nil {
		values = outline.True
	}
	ofType := outline.NewMember("type", outline.NewString("string"))
	if keys = r.Merge(ofType, r.ResolveAliases(outline.OrEmpty(keys))); keys == nil {
		return r.lowerToText(s, at, "the constraints on the names of its members cannot be expressed")
	}
	r.addLoss(Rewritten, at, "a map becomes a list of {%q, %q}", outline.KeyMember, outline.ValueMember)
	f := &outline.Form{Kind: outline.Pairs}
	pair := outline.NewObject()
	lowered, keyForm := r.lowerSchema(keys, jsontext.JoinNames(at, "propertyNames"), depth+2)
	outline.AddMember(pair, outline.KeyMember, lowered)
	lowered, elem := r.lowerSchema(values, jsontext.JoinNames(at, "additionalProperties"), depth+2)
	outline.AddMember(pair, outline.ValueMember, lowered)
	f.Key, f.Elem = keyForm, elem
	out := outline.NewMember("type", outline.NewString("array"))
	outline.AddMember(out, "items", r.newObjectSchema([]string{outline.KeyMember, outline.ValueMember}, pair))
	keywords := outline.WithoutMembers(s, "minProperties", "maxProperties")
	for _, bound := range []string{"min", "max"} {
		outline.AddMember(keywords, bound+"Items", s.Member(bound+"Properties"))
	}
	return r.finishSchema(keywords, at, "[", out, "A map, as a list of its keys and values. Must not have the same key twice."), f
}

// lowerEnum lowers a schema that lists its values, with enum or const.
func (r *rewriting) lowerEnum(s *jsontext.Node, at string, depth int) (*jsontext.Node, *outline.Form) {
	values := validValues(s)
	types := outline.TypesOfValues(outline.NewArray(values...))
	switch {
	case !outline.IsScalar(outline.NewArray(values...)):
		return r.lowerToText(s, at, "it lists values that are objects or arrays")
	case len(types) == 0:
		return r.lowerToText(s, at, "no value is valid")
	case len(types) > 1:
		var all []*jsontext.Node
		for _, t := range types {
			b := outline.NewMember("type", outline.NewString(t))
			outline.AddMember(b, "enum", outline.NewArray(filterByType(values, t)...))
			all = append(all, b)
		}
		return r.mergeAlternatives(outline.AnnotationsOf(s), all, at, depth)
	case types[0] == "null":
		return r.lowerScalar(s, "null", at)
	case r.Dialect.OpenAPI && (types[0] != "string" || slices.ContainsFunc(values, isEmpty)):
		return r.lowerToStrings(s, values, at)
	}
	if t := s.Member("type"); t.Str() != "" {
		types[0] = t.Str()
	}
	out := outline.NewMember("type", outline.NewString(types[0]))
	outline.AddMember(out, "enum", outline.NewArray(values...))
	return r.finishSchema(s, at, "", out), r.caseForm(values, at)
}

func isEmpty(v *jsontext.Node) bool { return v.Text == `""` }

func filterByType(values []*jsontext.Node, t string) []*jsontext.Node {
	return slices.DeleteFunc(slices.Clone(values), func(v *jsontext.Node) bool { return outline.TypesOfValues(outline.NewArray(v))[0] != t })
}

// validValues returns the distinct values that a schema lists, except those that its other keywords
// exclude.
func validValues(s *jsontext.Node) []*jsontext.Node {
	rest, err := jsonschema.Parse(outline.RawJSON(outline.WithoutMembers(s, slices.Concat(outline.Annotations, outline.Silent, []string{"enum", "const"})...)))
	var values []*jsontext.Node
	seen := map[string]bool{}
	for _, v := range outline.EnumOf(s).Items {
		text := string(outline.RawJSON(v))
		if v.Is(jsontext.String) {
			text = outline.NewString(v.Str()).Text // the same text for all spellings of the string
		}
		if !seen[text] && (err != nil || len(rest.Check(v, len(text))) == 0) {
			values = append(values, v)
		}
		seen[text] = true
	}
	return values
}

// caseForm returns the form of an enumeration of strings if the provider may change the case of
// values, and nil otherwise.
func (r *rewriting) caseForm(values []*jsontext.Node, at string) *outline.Form {
	if !r.Dialect.AnyCase || !values[0].Is(jsontext.String) {
		return nil
	}
	f := &outline.Form{Kind: outline.Table}
	folded := map[string]bool{}
	for _, v := range values {
		if lower := strings.ToLower(v.Str()); folded[lower] {
			r.addLoss(Dropped, at, "the case of %s: values that differ only in case may be mixed up", v.Text)
		} else {
			folded[lower] = true
		}
		f.Values = append(f.Values, outline.Value{Neutral: v, Wire: v.Str()})
	}
	return f
}
