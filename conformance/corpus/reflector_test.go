package corpus_test

import (
	"encoding/json"
	"maps"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/invopop/jsonschema"
)

// deviation is a difference between our schema of a type and the one that jsonschema.Reflector
// generates.
type deviation struct {
	result       bool   // otherwise it is in the schema of arguments
	at           string // JSON Pointer, with * for every element, or member of a map
	keyword      string
	ours, theirs any // the value of the keyword; nil if it is missing
}

// intendedDeviations are the deviations that we want, with reasons.
var intendedDeviations = []struct {
	because string
	is      func(d deviation) bool
}{
	{"a field can be called -", func(d deviation) bool { return d.at == "/-" }},
	{"of embedded fields of one name, encoding/json writes none", func(d deviation) bool {
		return d.ours == nil && slices.Contains([]string{"/Same", "/A", "/Tagged"}, d.at)
	}},
	{"encoding/json ignores an embedded interface of an unexported type", func(d deviation) bool {
		return d.ours == nil && (d.at == "/any" || d.at == "/part/any")
	}},
	{"clients of Stainless mark required members with a tag of their own", func(d deviation) bool {
		return d.keyword == "required" && d.theirs == nil && (d.at == "/model" || d.at == "/part/text")
	}},
	{"fields of embedded pointers may be missing", func(d deviation) bool {
		return d.keyword == "required" && d.ours == nil && slices.Contains([]string{"/id", "/note", "/x", "/y"}, d.at)
	}},
	{"a bool in a string is true or false", func(d deviation) bool { return d.keyword == "enum" && d.at == "/bool" }},
	{"tags limit arguments, not results", func(d deviation) bool {
		return d.result && (d.ours == nil && slices.Contains(tagKeywords, d.keyword) || d.at == "/pair/*")
	}},
	{"of integers, what is below 200 is at most 199", func(d deviation) bool {
		return d.at == "/even" && (d.keyword == "exclusiveMaximum" && d.ours == nil || d.keyword == "maximum" && d.ours == 199.0)
	}},
	{"integers have the bounds of their kind", func(d deviation) bool {
		return (d.keyword == "minimum" || d.keyword == "maximum") && d.theirs == nil
	}},
	{"arguments of a type with constants are an enum", func(d deviation) bool { return !d.result && d.keyword == "enum" && d.theirs == nil }},
	{"arguments that can be null may be left out, and variadic ones", func(d deviation) bool {
		return !d.result && d.keyword == "required" && d.ours == nil
	}},
	{"results that can be null say so", func(d deviation) bool { return d.result && d.keyword == "anyOf" && d.ours == "null" }},
	{"results never lack a struct or an array, omitempty or not", func(d deviation) bool {
		return d.result && d.keyword == "required" && d.theirs == nil
	}},
	{"what has a text form is text", func(d deviation) bool {
		return d.keyword == "type" && d.ours == "string" && (d.theirs == "object" || d.theirs == "integer")
	}},
	{"bytes are bytes, also with a name", func(d deviation) bool {
		return d.keyword == "type" && d.ours == "string" && d.theirs == "array"
	}},
	{"the patterns of texts are known", func(d deviation) bool { return d.keyword == "pattern" && d.theirs == nil }},
	{"so are those of the keys of maps", func(d deviation) bool { return d.keyword == "propertyNames" && d.theirs == nil }},
	{"args_schema says what a type takes that reads itself from JSON", func(d deviation) bool {
		return !d.result && d.keyword == "type" && d.ours == "number" && d.theirs == "object"
	}},
	{"nothing says what such a type writes", func(d deviation) bool {
		return d.result && d.keyword == "type" && d.ours == nil && d.theirs == "object"
	}},
	{"nor, mostly, what it takes within others", func(d deviation) bool {
		return !d.result && d.keyword == "type" && d.ours == nil && d.theirs == "object"
	}},
	{"a schema that a type has itself may let it be of several types", func(d deviation) bool {
		return d.keyword == "anyOf" && d.ours == "null"
	}},
	{"sql.Null is its value", func(d deviation) bool { return d.keyword == "type" && d.ours == "integer" && d.theirs == "object" }},
	{"json.Number is a number", func(d deviation) bool { return d.keyword == "type" && d.ours == "number" && d.theirs == "string" }},
	{"a URL may be relative as an argument, and any text as a result", func(d deviation) bool {
		return d.keyword == "format" && d.theirs == "uri"
	}},
	{"an IP address need not be of version 4", func(d deviation) bool { return d.keyword == "format" && d.theirs == "ipv4" }},
	{"integers as keys can be negative", func(d deviation) bool {
		return d.keyword == "patternProperties" || d.keyword == "additionalProperties" && d.theirs == false
	}},
}

// tagKeywords are the keywords in the tags of corpus.Limits.
var tagKeywords = []string{
	"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength", "pattern",
	"format", "enum", "default", "minItems", "maxItems", "uniqueItems",
}

// TestReflector compares the schemas of all types, without descriptions, with those that reflection
// generates. Each difference must be intended, and each intended difference must occur.
func TestReflector(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range corpusRows {
		if strings.HasPrefix(r.name, "represented") || strings.HasPrefix(r.name, "union") {
			continue // reflection does not know which types represent others, and which implement an interface
		}
		s := newSubject(t, r)
		definition := s.tool.Definition()
		for _, d := range append(compareSchemas(t, false, definition.Input, s.arguments), compareSchemas(t, true, definition.Output, s.result)...) {
			because := deviationReason(d)
			if because == "" {
				t.Errorf("%s: %s at %q is %v, by reflection %v", r.name, d.keyword, d.at, d.ours, d.theirs)
			}
			seen[because] = true
		}
	}
	for _, wanted := range intendedDeviations {
		if !seen[wanted.because] {
			t.Errorf("nowhere is to be seen that %s", wanted.because)
		}
	}
}

func deviationReason(d deviation) string {
	for _, wanted := range intendedDeviations {
		if wanted.is(d) {
			return wanted.because
		}
	}
	return ""
}

// compareSchemas returns the deviations of our schema of a type.
func compareSchemas(t *testing.T, result bool, ours []byte, typ reflect.Type) []deviation {
	t.Helper()
	r := jsonschema.Reflector{Anonymous: true, Namer: func(t reflect.Type) string {
		if t.Name() == "" {
			return ""
		}
		return t.PkgPath() + "." + t.Name()
	}}
	c := comparison{result: result, seen: map[string]bool{}}
	for text, root := range map[string]*map[string]any{
		string(ours): &c.ours, string(mustValue(json.Marshal(r.ReflectFromType(typ)))): &c.theirs,
	} {
		if err := json.Unmarshal([]byte(text), root); err != nil {
			t.Fatalf("%v in %s", err, text)
		}
	}
	c.walkSchemas("", c.ours, c.theirs)
	return c.found
}

// comparison walks two schemas in parallel.
type comparison struct {
	result       bool
	ours, theirs map[string]any  // roots
	seen         map[string]bool // pairs of references
	found        []deviation
}

func (c *comparison) addDeviation(at, keyword string, ours, theirs any) {
	if !reflect.DeepEqual(ours, theirs) {
		c.found = append(c.found, deviation{c.result, at, keyword, ours, theirs})
	}
}

// walkSchemas compares the schemas of the values at a place. If their types differ, it ignores the
// rest.
func (c *comparison) walkSchemas(at string, ours, theirs any) {
	a, refA := resolveRef(c.ours, ours)
	b, refB := resolveRef(c.theirs, theirs)
	if pair := refA + " " + refB; refA+refB != "" {
		if c.seen[pair] {
			return
		}
		c.seen[pair] = true
	}
	if either, ok := a["anyOf"].([]any); ok {
		c.addDeviation(at, "anyOf", "null", b["anyOf"])
		c.walkSchemas(at, either[0], theirs)
		return
	}
	if c.addDeviation(at, "type", a["type"], b["type"]); a["type"] != b["type"] {
		return
	}
	forEachKey(a, b, func(keyword string, x, y any) {
		switch keyword {
		case "$defs", "$schema", "description", "type":
		case "required":
			forEachKey(nameSet(x), nameSet(y), func(name string, x, y any) { c.addDeviation(at+"/"+name, keyword, x, y) })
		case "properties":
			forEachKey(x, y, func(name string, x, y any) {
				if x == nil || y == nil {
					c.addDeviation(at+"/"+name, keyword, x, y)
				} else {
					c.walkSchemas(at+"/"+name, x, y)
				}
			})
		case "items", "additionalProperties":
			if x == false || y == false {
				c.addDeviation(at, keyword, x, y)
			} else {
				c.walkSchemas(at+"/*", x, y)
			}
		default:
			c.addDeviation(at, keyword, x, y)
		}
	})
}

// forEachKey calls f for every key of either object, in order.
func forEachKey(a, b any, f func(key string, x, y any)) {
	x, _ := a.(map[string]any)
	y, _ := b.(map[string]any)
	keys := slices.AppendSeq(slices.Collect(maps.Keys(x)), maps.Keys(y))
	slices.Sort(keys)
	for _, key := range slices.Compact(keys) {
		f(key, x[key], y[key])
	}
}

// nameSet returns a list of names as an object with these keys.
func nameSet(list any) any {
	names, _ := list.([]any)
	object := map[string]any{}
	for _, name := range names {
		object[name.(string)] = true
	}
	return object
}

// resolveRef returns a schema as an object, and the name of the definition if it was a reference.
func resolveRef(root map[string]any, schema any) (object map[string]any, ref string) {
	object, _ = schema.(map[string]any) // otherwise it is true or absent, which has no meaning
	for object["$ref"] != nil {
		ref = strings.TrimPrefix(object["$ref"].(string), "#/$defs/")
		if name, err := url.PathUnescape(ref); err == nil {
			ref = name
		}
		object = root["$defs"].(map[string]any)[ref].(map[string]any)
	}
	return object, ref
}
