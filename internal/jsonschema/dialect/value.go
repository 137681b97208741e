package dialect

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
)

// valueCheck returns the check for the value of a keyword in draft 2020-12. It returns nil if
// the keyword is unknown or contains schemas.
func valueCheck(keyword string) func(*jsontext.Node) bool {
	switch keyword {
	case "$ref", "$dynamicRef", "$schema", "$id", "title", "description", "$comment", "contentEncoding", "contentMediaType", "pattern", "format":
		return isKind(jsontext.String)
	case "$anchor", "$dynamicAnchor":
		return isAnchor
	case "$vocabulary", "dependentRequired":
		return isKind(jsontext.Object)
	case "examples", "required":
		return isKind(jsontext.Array)
	case "enum":
		return isFilledArray
	case "deprecated", "readOnly", "writeOnly", "uniqueItems":
		return isKind(jsontext.Bool)
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum":
		return isNumber
	case "multipleOf":
		return isStep
	case "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties", "minContains", "maxContains":
		return isCount
	case "type":
		return func(*jsontext.Node) bool { return true } // addTypes checks the value
	}
	return nil
}

// isAnnotation reports whether a keyword does not restrict values.
func isAnnotation(keyword string) bool {
	switch keyword {
	case "$schema", "$id", "$anchor", "$dynamicAnchor", "$vocabulary", "title", "description", "$comment", "examples", "deprecated", "readOnly", "writeOnly":
		return true
	}
	return false
}

// addValue adds a keyword whose value is not a schema, and repairs it if necessary. It keeps unknown keywords.
func (w *writer) addValue(m *jsontext.Node) {
	name := m.Name()
	if check := valueCheck(name); check != nil && !check(m) {
		weak := w.weak
		w.dropKeyword(m)
		w.weak = weak || !isAnnotation(name)
		return
	}
	switch name {
	case "pattern":
		w.addPattern(m)
	case "format":
		w.addFormat(m)
	case "dependentRequired":
		w.addDependentRequired(m)
	default:
		w.out.Add(m)
	}
}

func isKind(k jsontext.Kind) func(*jsontext.Node) bool {
	return func(m *jsontext.Node) bool { return m.Is(k) }
}

func isFilledArray(m *jsontext.Node) bool { return m.Is(jsontext.Array) && len(m.Items) > 0 }

// isNumber reports whether a value is a number that all JSON readers can represent.
func isNumber(m *jsontext.Node) bool {
	if !m.Is(jsontext.Number) || jsontext.IsUnwieldy(m.Text) {
		return false
	}
	_, err := strconv.ParseFloat(m.Text, 64)
	return err == nil
}

func isStep(m *jsontext.Node) bool {
	if !isNumber(m) {
		return false
	}
	value := jsontext.ParseDecimal(m.Text)
	return value.Digits != "" && !value.Negative && len(value.Digits) <= jsonschema.LongestStep
}

func isCount(m *jsontext.Node) bool {
	if !isNumber(m) {
		return false
	}
	n, ok := jsontext.ParseDecimal(m.Text).Int()
	return ok && n >= 0
}

// isAnchor reports whether a value is a name that may follow the # in a reference.
func isAnchor(m *jsontext.Node) bool {
	if !m.Is(jsontext.String) {
		return false
	}
	for i, c := range []byte(m.Str()) {
		isLetter := c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !isLetter && (i == 0 || c != '-' && c != '.' && (c < '0' || c > '9')) {
			return false
		}
	}
	return m.Str() != ""
}

// canCompile reports whether a regular expression can be compiled without exceeding the limit for all
// expressions of the document.
func (w *writer) canCompile(expression string) bool {
	if !w.repairs {
		return true
	}
	size, err := jsonschema.PatternSize(expression)
	if err != nil || size > w.program {
		return false
	}
	w.program -= size
	return true
}

// addPattern adds a pattern, or a sentence about it to the description if the pattern cannot be checked.
func (w *writer) addPattern(m *jsontext.Node) {
	if w.canCompile(m.Str()) {
		w.out.Add(m)
		return
	}
	w.weak = true
	w.recordLoss(w.at.child("pattern"), "pattern "+words.Cut(m.Text, longestShown)+" cannot be checked here: it is only in the description", Worded)
	w.sentences = append(w.sentences, "Must match the regular expression `"+m.Str()+"`.")
}

// addFormat adds a format and records a loss if it is not checked.
func (w *writer) addFormat(m *jsontext.Node) {
	if _, checked := jsonschema.LookupFormat(m.Str()); !checked {
		w.recordLoss(w.at.child("format"), "format "+words.Cut(m.Text, longestShown)+" is not checked", Unchecked)
	}
	w.out.Add(m)
}

// schemaKeyword adds $schema if it declares draft 2020-12. Like the other methods that translateOld calls, it returns
// false if the caller must still add the keyword.
func (w *writer) schemaKeyword(m *jsontext.Node) bool {
	const draft2020 = "json-schema.org/draft/2020-12/schema"
	switch {
	case draftOf(m) == newer && strings.Contains(strings.ToLower(m.Str()), draft2020):
		w.out.Add(renameNode("$schema", textNode("https://"+draft2020)))
	case draftOf(m) == undeclared && !w.repairs:
		return false
	case draftOf(m) == undeclared:
		w.recordLoss(w.at.child("$schema"), "$schema is ignored, because it is not a known draft", Dropped)
	}
	return true
}

// addID translates the $id of a schema. Before draft 2019-09, the fragment of $id is an anchor.
func (w *writer) addID(m *jsontext.Node) bool {
	name := m.Name()
	if !m.Is(jsontext.String) || w.draft == newer && (name == "id" || !w.repairs) {
		return false
	}
	if name == "id" && w.in.Member("$id") != nil {
		return true
	}
	address, fragment, _ := strings.Cut(m.Str(), "#")
	if fragment != "" && w.in.Member("$anchor") == nil {
		w.addAnchor(fragment)
	}
	if address == "" || name == "id" && w.draft != draft4 {
		return true
	}
	const longest = 1000
	if _, err := url.Parse(address); w.repairs && (err != nil || len(address) > longest) {
		w.recordLoss(w.at.child(name), name+" is ignored, because it is not an address", Dropped)
		return true
	}
	w.out.Add(renameNode("$id", textNode(address)))
	return true
}

// addAnchor adds the fragment of an $id as an anchor, if it is valid as one.
func (w *writer) addAnchor(fragment string) {
	if a := renameNode("$anchor", textNode(fragment)); isAnchor(a) {
		w.out.Add(a)
	}
}

// addReference translates a reference.
func (w *writer) addReference(m *jsontext.Node) bool {
	if !m.Is(jsontext.String) {
		return false
	}
	if w.broken[m] {
		w.drop(w.at.child(m.Name()), "the reference %s is ignored, because it leads nowhere", words.Cut(m.Text, longestShown))
		return true
	}
	w.out.Add(renameNode(m.Name(), textNode(w.translateReference(m.Str(), w.base))))
	return true
}

// addRecursiveRef translates the recursive reference of draft 2019-09.
func (w *writer) addRecursiveRef(*jsontext.Node) bool {
	ref := renameNode("$ref", textNode("#"))
	if w.in.Member("$ref") != nil {
		w.extra = append(w.extra, newObject(ref))
	} else {
		w.out.Add(ref)
	}
	return true
}

// addTypes translates the types of draft 3, which may include "any" and schemas.
func (w *writer) addTypes(m *jsontext.Node) bool {
	list := []*jsontext.Node{m}
	if m.Is(jsontext.Array) {
		list = m.Items
	}
	types, schemas, ok := w.splitTypes(list)
	switch {
	case !ok:
		return true
	case types == nil && schemas == nil:
		return w.dropIfRepairing(m)
	case schemas != nil:
		anyOf := newArray()
		if types != nil {
			anyOf.Add(newObject(renameNode("type", newArray(types...))))
		}
		for i, s := range schemas {
			translated, _ := w.translatePart(s, w.at.child("type"))
			schemas[i] = unnamedNode(translated)
		}
		anyOf.Items = append(anyOf.Items, schemas...)
		w.extra = append(w.extra, newObject(renameNode("anyOf", anyOf)))
	case m.Is(jsontext.Array):
		w.out.Add(renameNode("type", newArray(types...)))
	default:
		w.out.Add(renameNode("type", types[0]))
	}
	return true
}

// splitTypes splits a list of types into type names and schemas. It returns false if the keyword must be omitted,
// because it allows all types or one type is unknown. Both lists are nil if the value is not a list of types.
func (w *writer) splitTypes(list []*jsontext.Node) (types, schemas []*jsontext.Node, ok bool) {
	seen := map[string]bool{}
	for _, item := range list {
		name := item.Str()
		switch lower := strings.ToLower(name); {
		case item.Is(jsontext.Object):
			schemas = append(schemas, item)
			continue
		case item.Is(jsontext.Null) && w.repairs:
			name = "null"
		case slices.Contains(jsonschema.TypeNames[:], lower):
			name = lower
		case lower == "any":
			return nil, nil, false
		case w.repairs:
			w.drop(w.at.child("type"), "type is ignored, because %s is not a type", jsonschema.Found(item))
			return nil, nil, false
		default:
			return nil, nil, true
		}
		if !seen[name] {
			types = append(types, textNode(name))
		}
		seen[name] = true
	}
	return types, schemas, true
}

// addExclusive translates an exclusive bound of drafts 3 and 4, such as "exclusiveMinimum": true. In these
// drafts, the bound itself is the value of the keyword other, such as minimum.
func (w *writer) addExclusive(m *jsontext.Node, other string) bool {
	if !m.Is(jsontext.Bool) {
		return false
	}
	bound := w.in.Member(other)
	switch {
	case !isTrue(m) || bound == nil || bound.Is(jsontext.Null):
	case w.repairs && !isNumber(bound):
		w.dropKeyword(bound)
	default:
		w.out.Add(renameNode(m.Name(), bound))
	}
	return true
}

// isTuple reports whether items is a list of schemas, one for each index.
func (w *writer) isTuple() bool {
	return w.in.Member("items").Is(jsontext.Array) && w.in.Member("prefixItems") == nil
}

func (w *writer) addItems(m *jsontext.Node) bool {
	if !m.Is(jsontext.Array) {
		return false
	}
	if !w.isTuple() {
		return w.dropIfRepairing(m)
	}
	if len(m.Items) > 0 {
		all, _ := w.translateEach(m, w.at.child("items"))
		w.out.Add(renameNode("prefixItems", all))
	}
	return true
}

func (w *writer) addAdditionalItems(m *jsontext.Node) bool {
	if w.isTuple() {
		translated, _ := w.translatePart(m, w.at.child("additionalItems"))
		w.out.Add(renameNode("items", translated))
	}
	return true // additionalItems has no meaning if items is not a list
}

// addDependencies translates the dependencies of members, which are lists of other members or schemas.
func (w *writer) addDependencies(m *jsontext.Node) bool {
	if !m.Is(jsontext.Object) {
		return w.dropIfRepairing(m)
	}
	required, schemas := newObject(), newObject()
	for _, item := range m.LastMembers() {
		at := w.at.child("dependencies").child(item.Name())
		switch {
		case item.Is(jsontext.Array):
			required.Add(renameNode(item.Name(), w.uniqueStrings(item, at)))
		case item.Is(jsontext.String):
			required.Add(renameNode(item.Name(), newArray(unnamedNode(item))))
		default:
			translated, _ := w.translatePart(item, at)
			schemas.Add(translated)
		}
	}
	if len(required.Items) > 0 {
		w.addOrAnd("dependentRequired", required)
	}
	if len(schemas.Items) > 0 {
		w.addOrAnd("dependentSchemas", schemas)
	}
	return true
}

// addOrAnd adds a keyword to the schema or, if the original schema already has the keyword, to a schema in allOf.
func (w *writer) addOrAnd(name string, value *jsontext.Node) {
	if value = renameNode(name, value); w.in.Member(name) == nil {
		w.out.Add(value)
	} else {
		w.extra = append(w.extra, newObject(value))
	}
}

// uniqueStrings returns the strings in a list, each once.
func (w *writer) uniqueStrings(m *jsontext.Node, at *place) *jsontext.Node {
	out := &jsontext.Node{Kind: jsontext.Array, Key: m.Key}
	seen := map[string]bool{}
	for _, item := range m.Items {
		switch {
		case !item.Is(jsontext.String) && w.repairs:
			w.drop(at, "%s is ignored, because it is not a string", jsonschema.Found(item))
		case !seen[item.Str()] || !item.Is(jsontext.String):
			out.Add(item)
		}
		seen[item.Str()] = true
	}
	return out
}

func (w *writer) addDependentRequired(m *jsontext.Node) {
	out := newObject()
	for _, item := range m.LastMembers() {
		at := w.at.child("dependentRequired").child(item.Name())
		if item.Is(jsontext.Array) {
			out.Add(w.uniqueStrings(item, at))
		} else {
			w.drop(at, "ignored, because it is not a list")
		}
	}
	w.out.Add(renameNode("dependentRequired", out))
}

// addRequired adds a list of names. requireMembers handles a boolean value.
func (w *writer) addRequired(m *jsontext.Node) bool {
	switch {
	case m.Is(jsontext.Bool):
		return w.repairs || w.draft != newer
	case m.Is(jsontext.Array):
		w.out.Add(w.uniqueStrings(m, w.at.child("required")))
		return true
	}
	return false
}

// requireMembers adds the properties whose schemas contain "required": true, as in draft 3, to required.
func (w *writer) requireMembers() {
	properties := w.in.Member("properties")
	if !properties.Is(jsontext.Object) || w.draft == newer && !w.repairs {
		return
	}
	seen := map[string]bool{}
	if m := w.out.Member("required"); m.Is(jsontext.Array) {
		for _, item := range m.Items {
			seen[item.Str()] = true
		}
	}
	var names []*jsontext.Node
	for _, p := range properties.LastMembers() {
		if isTrue(p.Member("required")) && !seen[p.Name()] {
			names = append(names, textNode(p.Name()))
		}
	}
	if len(names) > 0 {
		w.appendTo("required", jsontext.Array, names...)
	}
}

// divisibleBy translates the keyword of draft 3 to multipleOf.
func (w *writer) divisibleBy(m *jsontext.Node) bool {
	if w.draft == newer || !isStep(m) {
		return false
	}
	w.addOrAnd("multipleOf", m)
	return true
}

// extends translates the keyword of draft 3 to allOf.
func (w *writer) extends(m *jsontext.Node) bool {
	if w.draft == newer || m.Kind < jsontext.Array {
		return false
	}
	list := m
	if m.Is(jsontext.Object) {
		list = newArray(m)
	}
	all, _ := w.translateEach(list, w.at.child("extends"))
	for _, s := range all.Items {
		w.extra = append(w.extra, unnamedNode(s))
	}
	return true
}

// disallow translates the keyword of draft 3 to not with types.
func (w *writer) disallow(m *jsontext.Node) bool {
	if w.draft == newer || !m.Is(jsontext.String) && !m.Is(jsontext.Array) {
		return false
	}
	translated, weak := w.translateSchema(newObject(renameNode("type", m)), w.base, w.at.child("disallow"))
	if weak {
		w.drop(w.at.child("disallow"), "disallow is ignored, because a part of it cannot be checked")
		return true
	}
	w.addOrAnd("not", translated)
	return true
}

func unnamedNode(n *jsontext.Node) *jsontext.Node {
	c := *n
	c.Key = ""
	return &c
}
