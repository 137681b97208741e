package schema

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// What a lowered schema is made of at most: those that refer to others more than
// once grow without end where references are not taken, and so do long chains.
const (
	maxSchemas = 5000
	maxLevels  = 200
)

// rewriting lowers an input schema for a target that takes a part of JSON Schema.
// Its methods return a schema as the target takes it, and how values of it are
// written.
type rewriting struct {
	*lowering
	root  *jsontext.Node
	whole bool                              // the arguments are the root, not a member of it
	count int                               // of schemas so far
	level int                               // of the schemas that this one is in
	open  []*jsontext.Node                  // what references lead to and is being written in their place
	same  []*jsontext.Node                  // definitions under way that are of the very value of this one
	forms map[*jsontext.Node]*form          // what references lead to that are kept
	defs  map[*jsontext.Node]*jsontext.Node // the same as the target takes it
}

func (l *lowering) rewrite(root *jsontext.Node) (*jsontext.Node, *form) {
	r := &rewriting{lowering: l, root: root, forms: map[*jsontext.Node]*form{}, defs: map[*jsontext.Node]*jsontext.Node{}}
	r.open = []*jsontext.Node{root}
	out, f := r.rewriteRoot()
	defs := map[string]*jsontext.Node{"$defs": object(), "definitions": object()}
	for name, lowered := range defs {
		neutral := root.Member(name)
		for _, v := range itemsOf(neutral) {
			addTo(lowered, v.Name(), r.defs[v])
		}
	}
	for _, name := range []string{"$defs", "definitions"} {
		if len(defs[name].Items) > 0 {
			addTo(out, name, defs[name])
		}
	}
	return out, f
}

// rewriteRoot lowers the root, which always becomes an object of named members.
func (r *rewriting) rewriteRoot() (*jsontext.Node, *form) {
	s := plain(r.root, r.root)
	if r.whole = isRecord(s) && r.isObject(s, r.root); r.whole {
		f := &form{kind: refForm}
		r.forms[r.root] = f
		out, elem := r.record(s, inputPointer, 1)
		f.elem = elem
		return out, elem
	}
	r.lose(Rewritten, inputPointer, "the arguments become the only argument, %q", argumentMember)
	inner, f := r.schema(s, inputPointer, 2)
	properties := object()
	addTo(properties, argumentMember, inner)
	return r.objectOf([]string{argumentMember}, properties), &form{kind: memberForm, elem: f}
}

const inputPointer = "/input"

// schema lowers any schema but the root. The depth is that of its values.
func (r *rewriting) schema(s *jsontext.Node, at string, depth int) (*jsontext.Node, *form) {
	r.count++
	r.level++
	defer func() { r.level-- }()
	switch {
	case r.count > maxSchemas:
		return r.asText(s, at, "there are more than %d schemas in it", maxSchemas)
	case r.level > maxLevels:
		return r.asText(s, at, "it is in more than %d other schemas", maxLevels)
	case isWord(s, "false"):
		return r.asText(s, at, "no value is valid")
	case !s.Is(jsontext.Object):
		return r.anything(object(), at)
	case s.Member("$ref") != nil:
		return r.reference(s, at, depth)
	case s.Member("allOf") != nil:
		return r.intersection(s, at, depth)
	case (s.Member("anyOf") != nil || s.Member("oneOf") != nil) && !hasMembers(s):
		return r.union(s, at, depth)
	case enumOf(s) != nil:
		return r.enumeration(s, at, depth)
	}
	types := typesOf(s)
	switch {
	case len(types) == 0:
		return r.anything(s, at)
	case len(types) > 1:
		return r.split(annotationsOf(s), branchesOf(s, types), at, depth)
	case types[0] != "object" && types[0] != "array":
		return r.scalar(s, types[0], at)
	case r.dialect.depth > 0 && depth > r.dialect.depth:
		return r.asText(s, at, "it is nested deeper than %d levels", r.dialect.depth)
	case types[0] == "array":
		return r.array(s, at, depth)
	case isMap(s):
		return r.pairs(s, at, depth)
	}
	return r.record(s, at, depth)
}

// branchesOf splits a schema by types.
func branchesOf(s *jsontext.Node, types []string) []*jsontext.Node {
	rest := without(s, slices.Concat(annotations, []string{"type"})...)
	var all []*jsontext.Node
	for _, t := range types {
		b := object()
		addTo(b, "type", str(t))
		for _, v := range rest.Items {
			addTo(b, v.Name(), v)
		}
		all = append(all, b)
	}
	return all
}

// reference keeps a reference, or writes what it leads to in its place. Where that
// has no end it is cut: what is there is told as JSON text.
func (r *rewriting) reference(s *jsontext.Node, at string, depth int) (*jsontext.Node, *form) {
	ref, rest := s.Member("$ref").Str(), without(s, "$ref")
	target := resolve(r.root, ref)
	if target == nil {
		return r.asText(s, at, "the reference %s leads nowhere", ref)
	}
	if r.keeps(ref, rest) {
		if depth == 1 && slices.Contains(r.same, target) {
			return r.asText(s, at, "the reference %s leads to itself", ref)
		}
		out := object()
		addTo(out, "$ref", str(ref))
		return r.finish(rest, at, "", out), r.definition(target, ref, depth)
	}
	if slices.Contains(r.open, target) {
		return r.cut(target, ref, at)
	}
	merged := merge(rest, target)
	if merged == nil {
		return r.asText(s, at, "a reference stands beside other keywords")
	}
	r.open = append(r.open, target)
	defer func() { r.open = r.open[:len(r.open)-1] }()
	return r.schema(merged, at, depth)
}

// cut lowers a schema that holds itself to one of text.
func (r *rewriting) cut(s *jsontext.Node, ref, at string) (*jsontext.Node, *form) {
	named := object()
	addTo(named, "$id", str(ref))
	return r.asText(prepend(named, without(s, "$id")), at, "the schema holds itself, which %s does not take: it is cut", r.target)
}

// keeps reports whether a reference is taken as it is.
func (r *rewriting) keeps(ref string, rest *jsontext.Node) bool {
	name, named := strings.CutPrefix(ref, "#/$defs/")
	if !named {
		name, named = strings.CutPrefix(ref, "#/definitions/")
	}
	return r.dialect.refs && len(without(rest, annotations...).Items) == 0 &&
		(named && !strings.Contains(name, "/") || ref == "#" && r.whole)
}

// definition lowers what references lead to, once.
func (r *rewriting) definition(target *jsontext.Node, ref string, depth int) *form {
	f, known := r.forms[target]
	if !known {
		f = &form{kind: refForm}
		r.forms[target] = f
		level, open, same := r.level, r.open, r.same
		r.level, r.open = 0, nil // it stands on its own
		if depth > 1 {
			r.same = nil
		}
		r.same = append(slices.Clip(r.same), target)
		r.defs[target], f.elem = r.schema(target, inputPointer+unescapeRef(ref), 1)
		r.level, r.open, r.same = level, open, same
	}
	return f
}

// intersection lowers a schema with allOf, if it can be told in one schema.
func (r *rewriting) intersection(s *jsontext.Node, at string, depth int) (*jsontext.Node, *form) {
	merged, parts := without(s, "allOf"), itemsOf(s.Member("allOf"))
	if len(parts) == 1 && merged.Member("$ref") == nil {
		if one := merge(merged, parts[0]); one != nil {
			return r.schema(one, at, depth)
		}
	}
	opened := len(r.open)
	defer func() { r.open = r.open[:opened] }()
	for _, part := range parts {
		for part.Member("$ref") != nil {
			ref := part.Member("$ref").Str()
			target := resolve(r.root, ref)
			if slices.Contains(r.open, target) {
				return r.cut(target, ref, at)
			}
			r.open = append(r.open, target)
			part = merge(without(part, "$ref"), target)
		}
		if isWord(part, "true") {
			continue
		}
		if merged = merge(merged, part); merged == nil {
			return r.asText(s, at, "allOf cannot be told in one schema")
		}
	}
	return r.schema(merged, at, depth)
}

// anything lowers the schema of all values.
func (r *rewriting) anything(s *jsontext.Node, at string) (*jsontext.Node, *form) {
	if r.dialect.anything {
		return r.finish(s, at, "", object()), nil
	}
	if r.isAny(s) {
		r.lose(Quoted, at, "a value of any kind becomes its JSON text in a string")
		return r.text(s, "Any JSON value, as JSON text: a string in quotes, a number, an object."), &form{kind: textForm}
	}
	return r.asText(s, at, "no type is given")
}

func (r *rewriting) isAny(s *jsontext.Node) bool {
	return len(without(s, slices.Concat(annotations, silent)...).Items) == 0
}

// longestSchema bounds the schemas in descriptions, in bytes.
const longestSchema = 2000

// asText lowers a schema that the target cannot be told, with the reason why.
func (r *rewriting) asText(s *jsontext.Node, at, why string, values ...any) (*jsontext.Node, *form) {
	r.lose(Quoted, at, "%s; the value becomes its JSON text in a string", fmt.Sprintf(why, values...))
	words := "JSON text, in a string, of a value"
	if s.Is(jsontext.Object) {
		if text := string(rawOf(without(s, "description", "title"))); len(text) <= longestSchema {
			words += " that is valid against the JSON Schema " + text
		} else {
			r.lose(Dropped, at, "the schema of the value, which is longer than %d bytes", longestSchema)
		}
	}
	return r.text(s, words+"."), &form{kind: textForm}
}

func (r *rewriting) text(s *jsontext.Node, words string) *jsontext.Node {
	out := object()
	addTo(out, "description", describe(s.Member("description").Str(), []string{words}))
	addTo(out, "type", str("string"))
	return out
}

// scalar lowers the schema of strings, numbers, booleans or null.
func (r *rewriting) scalar(s *jsontext.Node, typ, at string) (*jsontext.Node, *form) {
	if typ == "null" && r.dialect.openAPI {
		return r.table(s, []*jsontext.Node{nullNode}, at)
	}
	out := object()
	addTo(out, "type", str(typ))
	return r.finish(s, at, kindOfType[typ], out), nil
}

// array lowers the schema of lists.
func (r *rewriting) array(s *jsontext.Node, at string, depth int) (*jsontext.Node, *form) {
	items := s.Member("items")
	if s.Member("prefixItems") != nil || items.Is(jsontext.Array) {
		return r.asText(s, at, "items differ by their place")
	}
	if items == nil {
		items = trueNode
	}
	out := object()
	addTo(out, "type", str("array"))
	lowered, f := r.schema(items, at+"/items", depth+1)
	addTo(out, "items", lowered)
	if f != nil {
		f = &form{kind: listForm, elem: f}
	}
	return r.finish(s, at, "[", out), f
}

// finish adds to a schema what else is said of values of a kind: keywords that are
// taken, and the others in words.
func (r *rewriting) finish(s *jsontext.Node, at, kind string, out *jsontext.Node, said ...string) *jsontext.Node {
	end, apart := object(), object()
	for _, v := range s.Items {
		name := v.Name()
		c, constrains := constraints[name]
		switch {
		case slices.Contains(silent, name) || structure[name]:
		case constrains && c.kinds != kind: // and says nothing
		case (constrains || name == "title") && r.dialect.takes(name, v):
			addTo(end, name, v)
		case constrains:
			r.lose(Worded, at, "%s is only told in the description", name)
			said = append(said, c.words(v))
		case name == "default":
			r.lose(Worded, at, "the default is only told in the description")
			said = append(said, "The default is "+string(rawOf(v))+".")
		case name == "examples" && len(itemsOf(v)) > 0:
			r.lose(Worded, at, "examples are only told in the description")
			said = append(said, "Examples: "+list(v)+".")
		case assertions[name]:
			addTo(apart, name, v)
		case name != "examples" && name != "deprecated" && name != "readOnly" && name != "writeOnly":
			r.lose(Dropped, at, "%s", name)
		}
	}
	if len(apart.Items) > 0 {
		r.lose(Worded, at, "%s is only told in the description", apart.Items[0].Name())
		said = append(said, "Must be valid against the JSON Schema "+string(rawOf(apart))+".")
	}
	whole := object()
	addTo(whole, "description", describe(s.Member("description").Str(), said))
	whole.Items = slices.Concat(whole.Items, out.Items, end.Items)
	return refAlone(whole)
}

// refAlone returns a schema whose $ref has nothing beside it, which would be
// refused: what else is said is said of an anyOf with that one branch.
func refAlone(s *jsontext.Node) *jsontext.Node {
	ref := s.Member("$ref")
	if ref == nil || len(s.Items) == 1 {
		return s
	}
	branch, out := object(), without(s, "$ref")
	addTo(branch, "$ref", ref)
	addTo(out, "anyOf", array(branch))
	return out
}

// list returns values as a text.
func list(values *jsontext.Node) string {
	var texts []string
	for _, v := range values.Items {
		texts = append(texts, string(rawOf(v)))
	}
	return strings.Join(texts, ", ")
}

// structure are the keywords that other methods than finish see to.
var structure = set("type properties required additionalProperties patternProperties propertyNames items enum const description $ref")

// assertions are keywords that constrain values in ways that no target takes.
var assertions = set("anyOf oneOf allOf not if then else contains minContains maxContains dependentRequired dependentSchemas " +
	"dependencies unevaluatedItems unevaluatedProperties prefixItems additionalItems $dynamicRef")

func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, word := range strings.Fields(words) {
		m[word] = true
	}
	return m
}
