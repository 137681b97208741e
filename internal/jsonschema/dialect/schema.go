package dialect

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
)

// writer writes one schema of the translated document.
type writer struct {
	*translator
	in        *jsontext.Node // the original
	base      *jsontext.Node // the schema that references are relative to
	at        *place
	out       *jsontext.Node
	extra     []*jsontext.Node // schemas to append to allOf
	weak      bool             // the new schema allows more values than the original
	sentences []string         // sentences to append to the description
}

// translateSchema translates a schema and reports whether the new schema allows more values.
func (t *translator) translateSchema(n, base *jsontext.Node, at *place) (*jsontext.Node, bool) {
	if !n.Is(jsontext.Object) {
		if t.repairs && !n.Is(jsontext.Bool) {
			t.recordLoss(at, "ignored, because it is "+jsonschema.Found(n)+" instead of a schema", Dropped)
			t.weak = t.weak || !n.Is(jsontext.Null)
			return &jsontext.Node{Kind: jsontext.Bool, Text: "true", Key: n.Key}, !n.Is(jsontext.Null)
		}
		return n, false
	}
	if id := t.identifier(n); id != "" && !strings.HasPrefix(id, "#") {
		base = n
	}
	w := &writer{translator: t, in: n, base: base, at: at, out: &jsontext.Node{Kind: jsontext.Object, Key: n.Key, Span: n.Span}}
	ignoresSiblings := (t.draft == draft4 || t.draft == draft6) && n.Member("$ref").Is(jsontext.String)
	for _, m := range n.LastMembers() {
		if !ignoresSiblings || isBesideReference(m.Name()) || n == t.root && m.Name() == "type" {
			w.addKeyword(m)
		}
	}
	w.finish()
	t.weak = t.weak || w.weak
	return w.out, w.weak
}

// isBesideReference reports whether a keyword has a meaning next to $ref in drafts 3 to 7. These drafts ignore
// keywords that restrict values next to $ref.
func isBesideReference(name string) bool {
	switch name {
	case "$ref", "$schema", "$defs", "definitions", "title", "description", "default", "examples", "$comment", "deprecated", "readOnly", "writeOnly":
		return true
	}
	return strings.HasPrefix(name, "x-")
}

// drop records that a keyword was removed. The caller must not add the keyword.
func (w *writer) drop(at *place, format string, values ...any) {
	w.weak = true
	w.recordLoss(at, fmt.Sprintf(format, values...), Dropped)
}

// dropKeyword records that a keyword was removed because its value is invalid.
func (w *writer) dropKeyword(m *jsontext.Node) {
	name := m.Name()
	w.drop(w.at.child(name), "%s is ignored, because its value is %s", words.Cut(name, longestShown), jsonschema.Found(m))
}

// dropIfRepairing is dropKeyword if the schema is repaired. It returns false if the caller must keep the keyword.
func (w *writer) dropIfRepairing(m *jsontext.Node) bool {
	if w.repairs {
		w.dropKeyword(m)
	}
	return w.repairs
}

const longestShown = 100

// addKeyword translates a member of a schema.
func (w *writer) addKeyword(m *jsontext.Node) {
	name := m.Name()
	shape := jsonschema.SubschemaShapeOf(name)
	if w.repairs && m.Is(jsontext.Null) && (shape != jsonschema.NoSubschema || valueCheck(name) != nil) {
		w.recordLoss(w.at.child(name), name+" is ignored, because it is null", Dropped)
		return
	}
	if w.translateOld(m) {
		return
	}
	switch {
	case shape == jsonschema.OneSubschema:
		translated, weak := w.translateSchema(m, w.base, w.at.child(name))
		w.addApplicator(name, translated, weak)
	case shape == jsonschema.SubschemaList:
		w.addList(m)
	case shape == jsonschema.SubschemaMap:
		w.addNamed(m)
	case w.repairs:
		w.addValue(m)
	default:
		w.out.Add(m)
	}
}

// translateOld translates a keyword that older drafts define differently. It returns false if the
// caller must still add the keyword.
//
//nolint:gocyclo // one case per keyword; a table would be an initialization cycle
func (w *writer) translateOld(m *jsontext.Node) bool {
	switch m.Name() {
	case "$schema":
		return w.schemaKeyword(m)
	case "$id", "id":
		return w.addID(m)
	case "$ref", "$dynamicRef":
		return w.addReference(m)
	case "$recursiveRef":
		return w.addRecursiveRef(m)
	case "type":
		return w.addTypes(m)
	case "items":
		return w.addItems(m)
	case "additionalItems":
		return w.addAdditionalItems(m)
	case "dependencies":
		return w.addDependencies(m)
	case "required":
		return w.addRequired(m)
	case "divisibleBy":
		return w.divisibleBy(m)
	case "extends":
		return w.extends(m)
	case "disallow":
		return w.disallow(m)
	case "$recursiveAnchor":
		return true
	case "exclusiveMinimum":
		return w.addExclusive(m, "minimum")
	case "exclusiveMaximum":
		return w.addExclusive(m, "maximum")
	case "minimum":
		return isTrue(w.in.Member("exclusiveMinimum"))
	case "maximum":
		return isTrue(w.in.Member("exclusiveMaximum"))
	}
	return false
}

func isTrue(n *jsontext.Node) bool { return n.Is(jsontext.Bool) && n.Text == "true" }

// addApplicator adds a keyword with a translated schema. weak states that this schema allows more values than the
// original. If so, addApplicator drops a keyword such as "not", which would then allow fewer values.
func (w *writer) addApplicator(name string, translated *jsontext.Node, weak bool) {
	weak = weak || w.weakRefs && hasReference(translated)
	switch {
	case weak && (name == "not" || name == "if"):
		w.drop(w.at.child(name), "%s is ignored, because a part of it cannot be checked", name)
	case weak && name == "contains" && w.in.Member("maxContains") != nil:
		w.drop(w.at.child(name), "contains is ignored, because a part of it cannot be checked")
	default:
		w.weak = w.weak || weak && name != "contentSchema"
		w.out.Add(renameNode(name, translated))
	}
}

// hasReference reports whether a schema contains references.
func hasReference(n *jsontext.Node) bool {
	if n.Is(jsontext.Object) && (n.Member("$ref") != nil || n.Member("$dynamicRef") != nil) {
		return true
	}
	return slices.ContainsFunc(n.Items, hasReference)
}

// addList translates a keyword with a list of schemas.
func (w *writer) addList(m *jsontext.Node) {
	name := m.Name()
	if w.repairs && (!m.Is(jsontext.Array) || len(m.Items) == 0) {
		if m.Is(jsontext.Array) {
			w.drop(w.at.child(name), "%s is ignored, because it is empty", name)
		} else {
			w.dropKeyword(m)
		}
		return
	}
	all, weak := w.translateEach(m, w.at.child(name))
	if name == "oneOf" && w.repairs && (weak || w.weakRefs && hasReference(all)) {
		w.weak = true
		w.recordLoss(w.at.child(name), "oneOf is treated as anyOf, because a part of it is ignored", Dropped)
		w.extra = append(w.extra, newObject(renameNode("anyOf", all)))
		return
	}
	w.out.Add(renameNode(name, all))
}

// translatePart translates a part of a schema, and reports whether the translation allows more values. If it does, the
// translation of the outer schema does, too.
func (w *writer) translatePart(n *jsontext.Node, at *place) (*jsontext.Node, bool) {
	translated, weak := w.translateSchema(n, w.base, at)
	w.weak = w.weak || weak
	return translated, weak
}

// translateEach is translatePart for the schemas in a list.
func (w *writer) translateEach(m *jsontext.Node, at *place) (*jsontext.Node, bool) {
	out, anyWeak := &jsontext.Node{Kind: m.Kind, Key: m.Key}, false
	for i, item := range m.Items {
		translated, weak := w.translatePart(item, at.child(strconv.Itoa(i)))
		out.Add(translated)
		anyWeak = anyWeak || weak
	}
	return out, anyWeak
}

// addNamed translates a keyword with schemas by name.
func (w *writer) addNamed(m *jsontext.Node) {
	name := m.Name()
	at := w.at.child(name)
	if w.repairs && !m.Is(jsontext.Object) {
		if !m.Is(jsontext.Array) || len(m.Items) > 0 { // PHP writes an empty object as an empty list
			w.dropKeyword(m)
		} else {
			w.out.Add(renameNode(name, newObject()))
		}
		return
	}
	out := &jsontext.Node{Kind: m.Kind, Key: m.Key}
	for _, item := range m.LastMembers() {
		if name == "patternProperties" && !w.canCompile(item.Name()) {
			w.drop(at.child(item.Name()), "the pattern of patternProperties cannot be checked")
			continue
		}
		translated, weak := w.translateSchema(item, w.base, at.child(item.Name()))
		w.weak = w.weak || weak && name != "$defs" && name != "definitions"
		if name == "definitions" {
			translated = renameNode(decodeToken(w.renamedDefinition(w.in, encodeToken(item.Name()))), translated)
		}
		out.Add(translated)
	}
	if name != "definitions" && name != "$defs" {
		w.out.Add(out)
		return
	}
	w.addDefinitions(out)
}

// addDefinitions adds the members of defs to $defs, except those whose names $defs already contains.
func (w *writer) addDefinitions(defs *jsontext.Node) {
	before := w.out.Member("$defs")
	if !before.Is(jsontext.Object) {
		w.out.Add(renameNode("$defs", defs))
		return
	}
	existing := map[string]bool{}
	for _, d := range before.Items {
		existing[d.Name()] = true
	}
	w.appendTo("$defs", jsontext.Object, slices.DeleteFunc(defs.Items, func(d *jsontext.Node) bool { return existing[d.Name()] })...)
}

// appendTo appends elements or members to the value of a keyword, or adds the keyword. It does not modify the original
// value.
func (w *writer) appendTo(name string, k jsontext.Kind, items ...*jsontext.Node) {
	i := slices.IndexFunc(w.out.Items, func(m *jsontext.Node) bool { return m.Name() == name && m.Is(k) })
	if i < 0 {
		w.out.Add(renameNode(name, &jsontext.Node{Kind: k, Items: items}))
		return
	}
	w.out.Items[i] = cloneNode(w.out.Items[i])
	w.out.Items[i].Items = append(w.out.Items[i].Items, items...)
}

// finish completes a schema after all its keywords are translated. It drops keywords that depend on removed ones.
func (w *writer) finish() {
	w.requireMembers()
	if len(w.extra) > 0 {
		w.appendTo("allOf", jsontext.Array, w.extra...)
	}
	if !w.repairs {
		return
	}
	unevaluated := w.in.Member("unevaluatedItems") != nil || w.in.Member("unevaluatedProperties") != nil
	if unevaluated && (w.weak || w.weakRefs && hasReference(w.out)) {
		w.dropDependent("unevaluatedItems", "unevaluatedProperties")
	}
	if w.lostPatterns() || w.lostKeyword("properties") {
		w.dropDependent("additionalProperties")
	}
	if w.lostKeyword("prefixItems") {
		w.dropDependent("items")
	}
	if w.lostKeyword("if") {
		w.dropDependent("then", "else")
	}
	if w.lostKeyword("contains") || w.lostKeyword("minContains") {
		w.dropDependent("contains", "minContains", "maxContains")
	}
	if len(w.sentences) > 0 {
		w.describe()
	}
}

// dropDependent removes keywords whose meaning depends on a keyword that was removed.
func (w *writer) dropDependent(names ...string) {
	w.out.Items = slices.DeleteFunc(w.out.Items, func(m *jsontext.Node) bool {
		if !slices.Contains(names, m.Name()) {
			return false
		}
		w.drop(w.at.child(m.Name()), "%s is ignored, because it depends on an ignored keyword", m.Name())
		return true
	})
}

// lostKeyword reports whether a keyword was removed.
func (w *writer) lostKeyword(name string) bool {
	m := w.in.Member(name)
	return m != nil && !m.Is(jsontext.Null) && w.out.Member(name) == nil
}

// lostPatterns reports whether a part of patternProperties was removed.
func (w *writer) lostPatterns() bool {
	before, now := w.in.Member("patternProperties"), w.out.Member("patternProperties")
	return before != nil && !before.Is(jsontext.Null) && (now == nil || len(now.Items) < len(before.LastMembers()))
}

// describe appends the sentences to the description.
func (w *writer) describe() {
	sentences := strings.Join(w.sentences, " ")
	for i, m := range w.out.Items {
		if m.Name() == "description" {
			w.out.Items[i] = renameNode("description", textNode(m.Str()+"\n"+sentences))
			return
		}
	}
	w.out.Add(renameNode("description", textNode(sentences)))
}
