// Package rewrite lowers an input schema for a target that takes a part of JSON
// Schema. What the part lacks is written in another form, or told in words. Its
// layers, from top to bottom:
//
//	enum, rewrite, union, object  values that are listed; lists, alternatives, records and maps
//	finish                        scalars; values as text; what is said beside the structure
package rewrite

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

// What a lowered schema is made of at most: those that refer to others more than
// once grow without end where references are not taken, and so do long chains.
const (
	maxSchemas = 5000
	maxLevels  = 200
	maxGrown   = 1 << 20 // bytes that references lead to, each time that they do
)

// rewriting lowers an input schema for a target that takes a part of JSON Schema.
// Its methods return a schema as the target takes it, and how values of it are
// written.
type rewriting struct {
	*rules.Lowering
	*outline.Document
	whole bool                              // the arguments are the root, not a member of it
	count int                               // of schemas so far
	level int                               // of the schemas that this one is in
	items int                               // lists that this schema is in
	grown int                               // bytes that stand in the place of references
	open  []*jsontext.Node                  // what references lead to and is being written in their place
	same  []*jsontext.Node                  // definitions under way that are of the very value of this one
	forms map[*jsontext.Node]*form.Form     // what references lead to that are kept
	defs  map[*jsontext.Node]*jsontext.Node // the same as the target takes it
}

// Schema returns an input schema as the target takes it, and how arguments are
// written for it: nil if as in the neutral schema.
func Schema(l *rules.Lowering, root *jsontext.Node) (*jsontext.Node, *form.Form) {
	r := &rewriting{Lowering: l, Document: outline.New(root), forms: map[*jsontext.Node]*form.Form{}, defs: map[*jsontext.Node]*jsontext.Node{}}
	r.open = []*jsontext.Node{root}
	out, f := r.rewriteRoot()
	defs := tree.Object()
	for _, v := range tree.Items(root.Member("$defs")) {
		tree.Add(defs, v.Name(), r.defs[v])
	}
	if len(defs.Items) > 0 {
		tree.Add(out, "$defs", defs)
	}
	return out, f
}

// rewriteRoot lowers the root, which always becomes an object of named members.
func (r *rewriting) rewriteRoot() (*jsontext.Node, *form.Form) {
	s := r.Plain(r.Root)
	if r.whole = outline.IsRecord(s) && r.IsObject(s); r.whole {
		f := &form.Form{Kind: form.Ref}
		r.forms[r.Root] = f
		out, elem := r.record(s, rules.Input, 1)
		f.Elem = elem
		return out, elem
	}
	r.Lose(rules.Rewritten, rules.Input, "the arguments become the only argument, %q", form.ArgumentMember)
	inner, f := r.schema(s, rules.Input, 2)
	properties := tree.One(form.ArgumentMember, inner)
	return r.objectOf([]string{form.ArgumentMember}, properties), &form.Form{Kind: form.Member, Elem: f}
}

// schema lowers any schema but the root. The depth is that of its values.
func (r *rewriting) schema(s *jsontext.Node, at string, depth int) (*jsontext.Node, *form.Form) {
	r.count++
	r.level++
	defer func() { r.level-- }()
	switch {
	case r.count > maxSchemas:
		return r.asText(s, at, "there are more than %d schemas in it", maxSchemas)
	case r.level > maxLevels:
		return r.asText(s, at, "it is in more than %d other schemas", maxLevels)
	case tree.Is(s, "false"):
		return r.asText(s, at, "no value is valid")
	case !s.Is(jsontext.Object):
		return r.anything(tree.Object(), at)
	case s.Member("$ref") != nil:
		return r.reference(s, at, depth)
	case s.Member("allOf") != nil:
		return r.intersection(s, at, depth)
	case (s.Member("anyOf") != nil || s.Member("oneOf") != nil) && !outline.HasMembers(s):
		return r.union(s, at, depth)
	case outline.EnumOf(s) != nil:
		return r.enumeration(s, at, depth)
	}
	types := outline.TypesOf(s)
	switch {
	case len(types) == 0:
		return r.anything(s, at)
	case len(types) > 1:
		return r.split(outline.AnnotationsOf(s), outline.BranchesOf(s, types), at, depth)
	case types[0] != "object" && types[0] != "array":
		return r.scalar(s, types[0], at)
	case r.Dialect.Depth > 0 && depth > r.Dialect.Depth:
		return r.asText(s, at, "it is nested deeper than %d levels", r.Dialect.Depth)
	case types[0] == "array":
		return r.array(s, at, depth)
	case outline.IsMap(s):
		return r.pairs(s, at, depth)
	}
	return r.record(s, at, depth)
}

// reference keeps a reference, or writes what it leads to in its place. Where that
// has no end it is cut: what is there is told as JSON text.
func (r *rewriting) reference(s *jsontext.Node, at string, depth int) (*jsontext.Node, *form.Form) {
	ref, rest := s.Member("$ref").Str(), tree.Without(s, "$ref")
	target := r.Resolve(ref)
	if target == nil {
		return r.asText(s, at, "the reference %s leads nowhere", ref)
	}
	if r.keeps(ref, rest) {
		if depth == 1 && slices.Contains(r.same, target) {
			return r.asText(s, at, "the reference %s leads to itself", ref)
		}
		out := tree.One("$ref", tree.String(ref))
		return r.finish(rest, at, "", out), r.definition(target, ref, depth)
	}
	if slices.Contains(r.open, target) {
		return r.cut(target, ref, at)
	}
	merged := r.instead(rest, target)
	switch {
	case r.grown > maxGrown:
		return r.asText(s, at, "what references lead to has more than %d bytes in all", maxGrown)
	case merged == nil:
		return r.asText(s, at, "a reference stands beside other keywords")
	}
	r.open = append(r.open, target)
	defer func() { r.open = r.open[:len(r.open)-1] }()
	return r.schema(merged, at, depth)
}

// instead returns what stands in the place of a reference: what it leads to, with what is
// beside it; nil if there is no telling, or it grows too long.
func (r *rewriting) instead(rest, target *jsontext.Node) *jsontext.Node {
	if target != nil {
		r.grown += int(target.End - target.Start)
	}
	if r.grown > maxGrown {
		return nil
	}
	return r.Merge(rest, target)
}

// cut lowers a schema that holds itself to one of text.
func (r *rewriting) cut(s *jsontext.Node, ref, at string) (*jsontext.Node, *form.Form) {
	named := tree.One("$id", tree.String(ref))
	return r.asText(tree.Prepend(named, tree.Without(s, "$id")), at, "the schema holds itself, which %s does not take: it is cut", r.Target)
}

// keeps reports whether a reference is taken as it is.
func (r *rewriting) keeps(ref string, rest *jsontext.Node) bool {
	name, named := strings.CutPrefix(ref, "#/$defs/")
	return r.Dialect.Refs && len(tree.Without(rest, outline.Annotations...).Items) == 0 &&
		(named && !strings.Contains(name, "/") || ref == "#" && r.whole)
}

// definition lowers what references lead to, once.
func (r *rewriting) definition(target *jsontext.Node, ref string, depth int) *form.Form {
	f, known := r.forms[target]
	if !known {
		f = &form.Form{Kind: form.Ref}
		r.forms[target] = f
		level, open, same := r.level, r.open, r.same
		r.level, r.open = 0, nil // it stands on its own
		if depth > 1 {
			r.same = nil
		}
		r.same = append(slices.Clip(r.same), target)
		pointer, _ := parts.Pointer(ref) // it leads to the target
		r.defs[target], f.Elem = r.schema(target, rules.Input+pointer, 1)
		r.level, r.open, r.same = level, open, same
	}
	return f
}

// intersection lowers a schema with allOf, if it can be told in one schema.
func (r *rewriting) intersection(s *jsontext.Node, at string, depth int) (*jsontext.Node, *form.Form) {
	merged, parts := tree.Without(s, "allOf"), tree.Items(s.Member("allOf"))
	if len(parts) == 1 && merged.Member("$ref") == nil {
		if one := r.Merge(merged, parts[0]); one != nil {
			return r.schema(one, at, depth)
		}
	}
	opened := len(r.open)
	defer func() { r.open = r.open[:opened] }()
	for _, part := range parts {
		for part.Member("$ref") != nil {
			ref := part.Member("$ref").Str()
			target := r.Resolve(ref)
			if slices.Contains(r.open, target) {
				return r.cut(target, ref, at)
			}
			r.open = append(r.open, target)
			part = r.instead(tree.Without(part, "$ref"), target)
		}
		if tree.Is(part, "true") {
			continue
		}
		if merged = r.Merge(merged, part); merged == nil {
			return r.asText(s, at, "allOf cannot be told in one schema")
		}
	}
	return r.schema(merged, at, depth)
}

// array lowers the schema of lists.
func (r *rewriting) array(s *jsontext.Node, at string, depth int) (*jsontext.Node, *form.Form) {
	items := s.Member("items")
	if s.Member("prefixItems") != nil {
		return r.asText(s, at, "items differ by their place")
	}
	if items == nil {
		items = tree.True
	}
	out := tree.One("type", tree.String("array"))
	r.items++
	lowered, f := r.schema(items, jsontext.Within(at, "items"), depth+1)
	r.items--
	tree.Add(out, "items", lowered)
	if f != nil {
		f = &form.Form{Kind: form.List, Elem: f}
	}
	return r.finish(s, at, "[", out), f
}
