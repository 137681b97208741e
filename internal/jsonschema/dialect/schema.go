package dialect

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsonschema/parts"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
)

// writer makes one schema of the translated document.
type writer struct {
	*translator
	in    *jsontext.Node // the original
	base  *jsontext.Node // the schema that references are relative to
	at    *place
	out   *jsontext.Node
	extra []*jsontext.Node // schemas for the end of allOf
	weak  bool             // the new schema allows more than the original
	said  []string         // sentences for the description
}

// schema translates a schema, and reports whether the new one allows more.
func (t *translator) schema(n, base *jsontext.Node, at *place) (*jsontext.Node, bool) {
	if !n.Is(jsontext.Object) {
		if t.repairs && !n.Is(jsontext.Bool) {
			t.record(at, "ignored, because it is "+jsonschema.Found(n)+" instead of a schema", Dropped)
			t.weak = t.weak || !n.Is(jsontext.Null)
			return &jsontext.Node{Kind: jsontext.Bool, Text: "true", Key: n.Key}, !n.Is(jsontext.Null)
		}
		return n, false
	}
	if id := t.identifier(n); id != "" && !strings.HasPrefix(id, "#") {
		base = n
	}
	w := &writer{translator: t, in: n, base: base, at: at, out: &jsontext.Node{Kind: jsontext.Object, Key: n.Key, Span: n.Span}}
	alone := (t.draft == draft4 || t.draft == draft6) && n.Member("$ref").Is(jsontext.String)
	for _, m := range lasting(n) {
		if !alone || isBesideReference(m.Name()) || n == t.root && m.Name() == "type" {
			w.keyword(m)
		}
	}
	w.finish()
	t.weak = t.weak || w.weak
	return w.out, w.weak
}

// isBesideReference reports whether a keyword has a meaning next to $ref in drafts 3 to 7: all
// that constrains values has none.
func isBesideReference(name string) bool {
	switch name {
	case "$ref", "$schema", "$defs", "definitions", "title", "description", "default", "examples", "$comment", "deprecated", "readOnly", "writeOnly":
		return true
	}
	return strings.HasPrefix(name, "x-")
}

// drop leaves a keyword out.
func (w *writer) drop(at *place, format string, values ...any) {
	w.weak = true
	w.record(at, fmt.Sprintf(format, values...), Dropped)
}

// dropKeyword leaves out a keyword whose value is not what it should be.
func (w *writer) dropKeyword(m *jsontext.Node) {
	name := m.Name()
	w.drop(w.at.within(name), "%s is ignored, because its value is %s", words.Cut(name, longestShown), jsonschema.Found(m))
}

const longestShown = 100

// keyword translates a member of a schema.
func (w *writer) keyword(m *jsontext.Node) {
	name := m.Name()
	shape := parts.ShapeOf(name)
	if w.repairs && m.Is(jsontext.Null) && (shape != parts.None || valueKinds[name] != nil) {
		w.record(w.at.within(name), name+" is ignored, because it is null", Dropped)
		return
	}
	if old := oldKeywords[name]; old != nil && old(w, m) {
		return
	}
	switch {
	case shape == parts.One:
		made, weak := w.schema(m, w.base, w.at.within(name))
		w.addApplicator(name, made, weak)
	case shape == parts.List:
		w.list(m)
	case shape == parts.Named:
		w.named(m)
	case !w.repairs || valueKinds[name] == nil || valueKinds[name](w, m):
		w.out.Add(m)
	}
}

// oldKeywords are those that older drafts write in another way. The functions report whether
// nothing is left to do.
var oldKeywords map[string]func(*writer, *jsontext.Node) bool

func init() {
	oldKeywords = map[string]func(*writer, *jsontext.Node) bool{
		"$schema":          (*writer).schemaKeyword,
		"$id":              (*writer).id,
		"id":               (*writer).id,
		"$ref":             (*writer).ref,
		"$dynamicRef":      (*writer).ref,
		"$recursiveRef":    (*writer).recursiveRef,
		"$recursiveAnchor": func(*writer, *jsontext.Node) bool { return true },
		"type":             (*writer).types,
		"items":            (*writer).items,
		"additionalItems":  (*writer).additionalItems,
		"dependencies":     (*writer).dependencies,
		"exclusiveMinimum": func(w *writer, m *jsontext.Node) bool { return w.exclusive(m, "minimum") },
		"exclusiveMaximum": func(w *writer, m *jsontext.Node) bool { return w.exclusive(m, "maximum") },
		"minimum":          func(w *writer, _ *jsontext.Node) bool { return isTrue(w.in.Member("exclusiveMinimum")) },
		"maximum":          func(w *writer, _ *jsontext.Node) bool { return isTrue(w.in.Member("exclusiveMaximum")) },
		"required":         (*writer).required,
		"divisibleBy":      (*writer).divisibleBy,
		"extends":          (*writer).extends,
		"disallow":         (*writer).disallow,
	}
}

func isTrue(n *jsontext.Node) bool { return n.Is(jsontext.Bool) && n.Text == "true" }

// addApplicator adds a keyword with a schema, unless it would allow less because that schema
// allows more.
func (w *writer) addApplicator(name string, made *jsontext.Node, weak bool) {
	weak = weak || w.weakRefs && hasReference(made)
	switch {
	case weak && (name == "not" || name == "if"):
		w.drop(w.at.within(name), "%s is ignored, because a part of it is", name)
	case weak && name == "contains" && w.in.Member("maxContains") != nil:
		w.drop(w.at.within(name), "contains is ignored, because a part of it is")
	default:
		w.weak = w.weak || weak && name != "contentSchema"
		w.out.Add(keyed(name, made))
	}
}

// hasReference reports whether a schema refers to others.
func hasReference(n *jsontext.Node) bool {
	if n.Is(jsontext.Object) && (n.Member("$ref") != nil || n.Member("$dynamicRef") != nil) {
		return true
	}
	return slices.ContainsFunc(n.Items, hasReference)
}

// list translates a keyword with a list of schemas.
func (w *writer) list(m *jsontext.Node) {
	name := m.Name()
	if w.repairs && (!m.Is(jsontext.Array) || len(m.Items) == 0) {
		if m.Is(jsontext.Array) {
			w.drop(w.at.within(name), "%s is ignored, because it is empty", name)
		} else {
			w.dropKeyword(m)
		}
		return
	}
	all, weak := w.each(m, w.at.within(name))
	w.weak = w.weak || weak
	if name == "oneOf" && w.repairs && (weak || w.weakRefs && hasReference(all)) {
		w.weak = true
		w.record(w.at.within(name), "oneOf is treated as anyOf, because a part of it is ignored", Dropped)
		w.extra = append(w.extra, object(keyed("anyOf", all)))
		return
	}
	w.out.Add(keyed(name, all))
}

// each translates the schemas in a list.
func (w *writer) each(m *jsontext.Node, at *place) (*jsontext.Node, bool) {
	out, anyWeak := &jsontext.Node{Kind: m.Kind, Key: m.Key}, false
	for i, item := range m.Items {
		made, weak := w.schema(item, w.base, at.within(strconv.Itoa(i)))
		out.Add(made)
		anyWeak = anyWeak || weak
	}
	return out, anyWeak
}

// named translates a keyword with schemas by name.
func (w *writer) named(m *jsontext.Node) {
	name := m.Name()
	at := w.at.within(name)
	if w.repairs && !m.Is(jsontext.Object) {
		if !m.Is(jsontext.Array) || len(m.Items) > 0 { // an empty list is how PHP writes an empty object
			w.dropKeyword(m)
		} else {
			w.out.Add(keyed(name, object()))
		}
		return
	}
	out := &jsontext.Node{Kind: m.Kind, Key: m.Key}
	for _, item := range lasting(m) {
		if name == "patternProperties" && !w.compiles(item.Name()) {
			w.drop(at.within(item.Name()), "the pattern of patternProperties cannot be checked")
			continue
		}
		made, weak := w.schema(item, w.base, at.within(item.Name()))
		w.weak = w.weak || weak && name != "$defs" && name != "definitions"
		if name == "definitions" {
			made = keyed(decoded(w.renamedDefinition(w.in, encoded(item.Name()))), made)
		}
		out.Add(made)
	}
	if name != "definitions" && name != "$defs" {
		w.out.Add(out)
		return
	}
	w.define(out)
}

// define adds schemas to $defs.
func (w *writer) define(defs *jsontext.Node) {
	for i, m := range w.out.Items {
		if m.Name() == "$defs" && m.Is(jsontext.Object) {
			known := map[string]bool{}
			all := with(m)
			for _, d := range m.Items {
				known[d.Name()] = true
			}
			for _, d := range defs.Items {
				if !known[d.Name()] {
					all.Add(d)
				}
			}
			w.out.Items[i] = all
			return
		}
	}
	w.out.Add(keyed("$defs", defs))
}

// finish makes the keywords of a schema fit each other, once all are translated.
func (w *writer) finish() {
	w.requireMembers()
	w.addExtra()
	if !w.repairs {
		return
	}
	drop := func(names ...string) {
		w.out.Items = slices.DeleteFunc(w.out.Items, func(m *jsontext.Node) bool {
			if !slices.Contains(names, m.Name()) {
				return false
			}
			w.drop(w.at.within(m.Name()), "%s is ignored, because it depends on what is", m.Name())
			return true
		})
	}
	gone := func(name string) bool {
		m := w.in.Member(name)
		return m != nil && !m.Is(jsontext.Null) && w.out.Member(name) == nil
	}
	if w.in.Member("unevaluatedItems") == nil && w.in.Member("unevaluatedProperties") == nil {
		// nothing depends on what other schemas looked at
	} else if w.weak || w.weakRefs && hasReference(w.out) {
		drop("unevaluatedItems", "unevaluatedProperties")
	}
	if w.lostPatterns() || gone("properties") {
		drop("additionalProperties")
	}
	if gone("prefixItems") {
		drop("items")
	}
	if gone("if") {
		drop("then", "else")
	}
	if gone("contains") || gone("minContains") {
		drop("contains", "minContains", "maxContains")
	}
	if len(w.said) > 0 {
		w.describe()
	}
}

// addExtra adds the extra schemas to allOf.
func (w *writer) addExtra() {
	if len(w.extra) == 0 {
		return
	}
	for i, m := range w.out.Items {
		if m.Name() == "allOf" && m.Is(jsontext.Array) {
			w.out.Items[i] = with(m)
			w.out.Items[i].Items = append(w.out.Items[i].Items, w.extra...)
			return
		}
	}
	w.out.Add(keyed("allOf", array(w.extra...)))
}

// lostPatterns reports whether not all of patternProperties is left.
func (w *writer) lostPatterns() bool {
	before, now := w.in.Member("patternProperties"), w.out.Member("patternProperties")
	return before != nil && !before.Is(jsontext.Null) && (now == nil || len(now.Items) < len(lasting(before)))
}

// describe adds the sentences to the description.
func (w *writer) describe() {
	sentences := strings.Join(w.said, " ")
	for i, m := range w.out.Items {
		if m.Name() == "description" {
			w.out.Items[i] = keyed("description", textNode(m.Str()+"\n"+sentences))
			return
		}
	}
	w.out.Add(keyed("description", textNode(sentences)))
}
