package dialect

import (
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsonschema/text"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
)

// valueKinds are the keywords whose values are not schemas. The functions report whether the value
// is one of draft 2020-12, and record the loss if not.
var valueKinds = map[string]func(*writer, *jsontext.Node) bool{
	"$ref": isConstraint(isString), "$dynamicRef": isConstraint(isString), "$schema": isAnnotation(isString), "$id": isAnnotation(isString),
	"$anchor": isAnnotation(isAnchor), "$dynamicAnchor": isAnnotation(isAnchor), "$vocabulary": isAnnotation(isObject),
	"title": isAnnotation(isString), "description": isAnnotation(isString), "$comment": isAnnotation(isString),
	"examples": isAnnotation(isArray), "deprecated": isAnnotation(isBool), "readOnly": isAnnotation(isBool), "writeOnly": isAnnotation(isBool),
	"contentEncoding": isConstraint(isString), "contentMediaType": isConstraint(isString),
	"type": isConstraint(func(*jsontext.Node) bool { return true }), "required": isConstraint(isArray),
	"enum":    isConstraint(func(m *jsontext.Node) bool { return m.Is(jsontext.Array) && len(m.Items) > 0 }),
	"pattern": (*writer).pattern, "format": (*writer).format, "dependentRequired": (*writer).dependentRequired,
	"minimum": isConstraint(isNumber), "maximum": isConstraint(isNumber), "exclusiveMinimum": isConstraint(isNumber), "exclusiveMaximum": isConstraint(isNumber),
	"multipleOf": isConstraint(isStep), "uniqueItems": isConstraint(isBool),
	"minLength": isConstraint(isCount), "maxLength": isConstraint(isCount), "minItems": isConstraint(isCount), "maxItems": isConstraint(isCount),
	"minProperties": isConstraint(isCount), "maxProperties": isConstraint(isCount), "minContains": isConstraint(isCount), "maxContains": isConstraint(isCount),
}

// isAnnotation returns the check of a keyword that says nothing about values.
func isAnnotation(is func(*jsontext.Node) bool) func(*writer, *jsontext.Node) bool {
	return func(w *writer, m *jsontext.Node) bool {
		weak := w.weak
		ok := isConstraint(is)(w, m)
		w.weak = weak
		return ok
	}
}

// isConstraint returns the check of a keyword that constrains values.
func isConstraint(is func(*jsontext.Node) bool) func(*writer, *jsontext.Node) bool {
	return func(w *writer, m *jsontext.Node) bool {
		if !is(m) {
			w.dropKeyword(m)
			return false
		}
		return true
	}
}

func isString(m *jsontext.Node) bool { return m.Is(jsontext.String) }

func isObject(m *jsontext.Node) bool { return m.Is(jsontext.Object) }

func isArray(m *jsontext.Node) bool { return m.Is(jsontext.Array) }

func isBool(m *jsontext.Node) bool { return m.Is(jsontext.Bool) }

// isNumber reports whether a value is a number that all readers of JSON can hold.
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

var anchor = regexp.MustCompile(`^[A-Za-z_][-A-Za-z0-9._]*$`)

func isAnchor(m *jsontext.Node) bool { return m.Is(jsontext.String) && anchor.MatchString(m.Str()) }

// compiles reports whether a regular expression can be checked, as long as all of them together
// are not too long.
func (w *writer) compiles(expression string) bool {
	if !w.repairs {
		return true
	}
	size, err := text.Size(expression)
	if err != nil || size > w.program {
		return false
	}
	w.program -= size
	return true
}

// pattern moves a pattern that cannot be checked to the description.
func (w *writer) pattern(m *jsontext.Node) bool {
	switch {
	case !m.Is(jsontext.String):
		w.dropKeyword(m)
	case w.compiles(m.Str()):
		return true
	default:
		w.weak = true
		w.record(w.at.within("pattern"), "pattern "+words.Cut(m.Text, longestShown)+" cannot be checked here: it is only in the description", Worded)
		w.said = append(w.said, "Must match the regular expression `"+m.Str()+"`.")
	}
	return false
}

// format reports formats that are not checked; they stay.
func (w *writer) format(m *jsontext.Node) bool {
	if !m.Is(jsontext.String) {
		w.dropKeyword(m)
		return false
	}
	if _, checked := text.FormatOf(m.Str()); !checked {
		w.record(w.at.within("format"), "format "+words.Cut(m.Text, longestShown)+" is not checked", Unchecked)
	}
	return true
}

// schemaKeyword keeps $schema if it is draft 2020-12.
func (w *writer) schemaKeyword(m *jsontext.Node) bool {
	const draft2020 = "json-schema.org/draft/2020-12/schema"
	switch {
	case draftOf(m) == newer && strings.Contains(strings.ToLower(m.Str()), draft2020):
		w.out.Add(keyed("$schema", textNode("https://"+draft2020)))
	case draftOf(m) == undeclared && !w.repairs:
		return false
	case draftOf(m) == undeclared:
		w.record(w.at.within("$schema"), "$schema is ignored, because it is not a known draft", Dropped)
	}
	return true
}

// id translates the address of a schema. Before draft 2019-09, its fragment is an anchor.
func (w *writer) id(m *jsontext.Node) bool {
	name := m.Name()
	if !m.Is(jsontext.String) || w.draft == newer && (name == "id" || !w.repairs) {
		return false
	}
	if name == "id" && w.in.Member("$id") != nil {
		return true
	}
	address, fragment, _ := strings.Cut(m.Str(), "#")
	if fragment != "" && w.in.Member("$anchor") == nil {
		if a := keyed("$anchor", textNode(fragment)); isAnchor(a) {
			w.out.Add(a)
		}
	}
	if address == "" || name == "id" && w.draft != draft4 {
		return true
	}
	const longest = 1000
	if _, err := url.Parse(address); w.repairs && (err != nil || len(address) > longest) {
		w.record(w.at.within(name), name+" is ignored, because it is not an address", Dropped)
		return true
	}
	w.out.Add(keyed("$id", textNode(address)))
	return true
}

// ref translates where a reference leads.
func (w *writer) ref(m *jsontext.Node) bool {
	if !m.Is(jsontext.String) {
		return false
	}
	if w.broken[m] {
		w.drop(w.at.within(m.Name()), "the reference %s is ignored, because it leads nowhere", words.Cut(m.Text, longestShown))
		return true
	}
	w.out.Add(keyed(m.Name(), textNode(w.reference(m.Str(), w.base))))
	return true
}

// recursiveRef translates the recursive reference of draft 2019-09.
func (w *writer) recursiveRef(*jsontext.Node) bool {
	ref := keyed("$ref", textNode("#"))
	if w.in.Member("$ref") != nil {
		w.extra = append(w.extra, object(ref))
	} else {
		w.out.Add(ref)
	}
	return true
}

// types translates the types of draft 3: any, and schemas among types.
func (w *writer) types(m *jsontext.Node) bool {
	list := []*jsontext.Node{m}
	if m.Is(jsontext.Array) {
		list = m.Items
	}
	types, schemas, ok := w.typesIn(list)
	switch {
	case !ok:
		return true
	case types == nil && schemas == nil:
		if w.repairs {
			w.dropKeyword(m)
		}
		return w.repairs
	case schemas != nil:
		anyOf := array()
		if types != nil {
			anyOf.Add(object(keyed("type", array(types...))))
		}
		for i, s := range schemas {
			made, weak := w.schema(s, w.base, w.at.within("type"))
			w.weak, schemas[i] = w.weak || weak, unkeyed(made)
		}
		anyOf.Items = append(anyOf.Items, schemas...)
		w.extra = append(w.extra, object(keyed("anyOf", anyOf)))
	case m.Is(jsontext.Array):
		w.out.Add(keyed("type", array(types...)))
	default:
		w.out.Add(keyed("type", types[0]))
	}
	return true
}

// typesIn returns the types and schemas in a list of types. It is not ok if all types are allowed,
// or one is unknown; both are nil if the list is not one.
func (w *writer) typesIn(list []*jsontext.Node) (types, schemas []*jsontext.Node, ok bool) {
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
			w.drop(w.at.within("type"), "type is ignored, because %s is not a type", jsonschema.Found(item))
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

// exclusive translates a bound that is true in drafts 3 and 4.
func (w *writer) exclusive(m *jsontext.Node, other string) bool {
	if !m.Is(jsontext.Bool) {
		return false
	}
	bound := w.in.Member(other)
	switch {
	case !isTrue(m) || bound == nil || bound.Is(jsontext.Null):
	case w.repairs && !isNumber(bound):
		w.dropKeyword(bound)
	default:
		w.out.Add(keyed(m.Name(), bound))
	}
	return true
}

// isTuple reports whether items is a list of schemas, one for each place.
func (w *writer) isTuple() bool {
	return w.in.Member("items").Is(jsontext.Array) && w.in.Member("prefixItems") == nil
}

func (w *writer) items(m *jsontext.Node) bool {
	if !m.Is(jsontext.Array) {
		return false
	}
	if !w.isTuple() {
		if w.repairs {
			w.dropKeyword(m)
		}
		return w.repairs
	}
	if len(m.Items) > 0 {
		all, weak := w.each(m, w.at.within("items"))
		w.weak = w.weak || weak
		w.out.Add(keyed("prefixItems", all))
	}
	return true
}

func (w *writer) additionalItems(m *jsontext.Node) bool {
	if w.isTuple() {
		made, weak := w.schema(m, w.base, w.at.within("additionalItems"))
		w.weak = w.weak || weak
		w.out.Add(keyed("items", made))
	}
	return true // it has no meaning without a list
}

// dependencies translates what depends on a member: a list of members, or a schema.
func (w *writer) dependencies(m *jsontext.Node) bool {
	if !m.Is(jsontext.Object) {
		if w.repairs {
			w.dropKeyword(m)
		}
		return w.repairs
	}
	required, schemas := object(), object()
	for _, item := range lasting(m) {
		at := w.at.within("dependencies").within(item.Name())
		switch {
		case item.Is(jsontext.Array):
			required.Add(keyed(item.Name(), w.strings(item, at)))
		case item.Is(jsontext.String):
			required.Add(keyed(item.Name(), array(unkeyed(item))))
		default:
			made, weak := w.schema(item, w.base, at)
			w.weak = w.weak || weak
			schemas.Add(made)
		}
	}
	for _, x := range []struct {
		name string
		all  *jsontext.Node
	}{{"dependentRequired", required}, {"dependentSchemas", schemas}} {
		w.addOrAnd(x.name, x.all, len(x.all.Items) > 0)
	}
	return true
}

// addOrAnd adds a keyword, in allOf if the original schema has it already.
func (w *writer) addOrAnd(name string, value *jsontext.Node, wanted bool) {
	switch {
	case !wanted:
	case w.in.Member(name) == nil:
		w.out.Add(keyed(name, value))
	default:
		w.extra = append(w.extra, object(keyed(name, value)))
	}
}

// strings returns the strings in a list, each once.
func (w *writer) strings(m *jsontext.Node, at *place) *jsontext.Node {
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

func (w *writer) dependentRequired(m *jsontext.Node) bool {
	if !m.Is(jsontext.Object) {
		w.dropKeyword(m)
		return false
	}
	out := object()
	for _, item := range lasting(m) {
		at := w.at.within("dependentRequired").within(item.Name())
		if item.Is(jsontext.Array) {
			out.Add(w.strings(item, at))
		} else {
			w.drop(at, "ignored, because it is not a list")
		}
	}
	w.out.Add(keyed("dependentRequired", out))
	return false
}

// required reads a list. True or false is about the member that has the schema: see requireMembers.
func (w *writer) required(m *jsontext.Node) bool {
	switch {
	case m.Is(jsontext.Bool):
		return w.repairs || w.draft != newer
	case m.Is(jsontext.Array):
		w.out.Add(w.strings(m, w.at.within("required")))
		return true
	}
	return false
}

// requireMembers requires the properties whose schemas say that they are required.
func (w *writer) requireMembers() {
	properties := w.in.Member("properties")
	if !properties.Is(jsontext.Object) || w.draft == newer && !w.repairs {
		return
	}
	all := array()
	seen := map[string]bool{}
	at := slices.IndexFunc(w.out.Items, func(m *jsontext.Node) bool { return m.Name() == "required" && m.Is(jsontext.Array) })
	if at >= 0 {
		all = with(w.out.Items[at])
		for _, item := range all.Items {
			seen[item.Str()] = true
		}
	}
	before := len(all.Items)
	for _, p := range lasting(properties) {
		if isTrue(p.Member("required")) && !seen[p.Name()] {
			all.Add(textNode(p.Name()))
		}
	}
	switch {
	case len(all.Items) == before:
	case at >= 0:
		w.out.Items[at] = all
	default:
		w.out.Add(keyed("required", all))
	}
}

// divisibleBy is multipleOf in draft 3.
func (w *writer) divisibleBy(m *jsontext.Node) bool {
	if w.draft == newer || !isStep(m) {
		return false
	}
	w.addOrAnd("multipleOf", m, true)
	return true
}

// extends is allOf in draft 3.
func (w *writer) extends(m *jsontext.Node) bool {
	if w.draft == newer || m.Kind < jsontext.Array {
		return false
	}
	list := m
	if m.Is(jsontext.Object) {
		list = array(m)
	}
	all, weak := w.each(list, w.at.within("extends"))
	w.weak = w.weak || weak
	for _, s := range all.Items {
		w.extra = append(w.extra, unkeyed(s))
	}
	return true
}

// disallow is not with types in draft 3.
func (w *writer) disallow(m *jsontext.Node) bool {
	if w.draft == newer || !m.Is(jsontext.String) && !m.Is(jsontext.Array) {
		return false
	}
	made, weak := w.schema(object(keyed("type", m)), w.base, w.at.within("disallow"))
	if weak {
		w.drop(w.at.within("disallow"), "disallow is ignored, because a part of it is")
		return true
	}
	w.addOrAnd("not", made, true)
	return true
}

func unkeyed(n *jsontext.Node) *jsontext.Node {
	c := *n
	c.Key = ""
	return &c
}
