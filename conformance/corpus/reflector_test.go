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

// deviation is where our schema of a type differs from the one that
// jsonschema.Reflector makes of it.
type deviation struct {
	result       bool   // else it is in the schema of arguments
	at           string // JSON Pointer, with * for every element, or member of a map
	keyword      string
	ours, theirs any // what the keyword says; nil is nothing
}

// deliberate are the deviations that we want.
var deliberate = []struct {
	because string
	is      func(d deviation) bool
}{
	{"a field can be called -", func(d deviation) bool { return d.at == "/-" }},
	{"of embedded fields of one name, encoding/json writes none", func(d deviation) bool {
		return d.ours == nil && slices.Contains([]string{"/Same", "/A", "/Tagged"}, d.at)
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

// tagKeywords are those that stand in the tags of corpus.Limits.
var tagKeywords = []string{
	"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength", "pattern",
	"format", "enum", "default", "minItems", "maxItems", "uniqueItems",
}

// TestReflector compares the schemas of all types, but for descriptions, with
// those that reflection makes. What differs must be wanted, and what is wanted
// must differ.
func TestReflector(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range rows {
		s := newSubject(t, r)
		definition := s.tool.Definition()
		for _, d := range append(compare(t, false, definition.Input, s.arguments), compare(t, true, definition.Output, s.result)...) {
			because := reasonOf(d)
			if because == "" {
				t.Errorf("%s: %s at %q is %v, by reflection %v", r.name, d.keyword, d.at, d.ours, d.theirs)
			}
			seen[because] = true
		}
	}
	for _, wanted := range deliberate {
		if !seen[wanted.because] {
			t.Errorf("nowhere is to be seen that %s", wanted.because)
		}
	}
}

func reasonOf(d deviation) string {
	for _, wanted := range deliberate {
		if wanted.is(d) {
			return wanted.because
		}
	}
	return ""
}

// compare returns the deviations of our schema of a type.
func compare(t *testing.T, result bool, ours []byte, typ reflect.Type) []deviation {
	t.Helper()
	r := jsonschema.Reflector{Anonymous: true, Namer: func(t reflect.Type) string {
		if t.Name() == "" {
			return ""
		}
		return t.PkgPath() + "." + t.Name()
	}}
	c := comparison{result: result, seen: map[string]bool{}}
	for text, root := range map[string]*map[string]any{
		string(ours): &c.ours, string(must(json.Marshal(r.ReflectFromType(typ)))): &c.theirs,
	} {
		if err := json.Unmarshal([]byte(text), root); err != nil {
			t.Fatalf("%v in %s", err, text)
		}
	}
	c.schemas("", c.ours, c.theirs)
	return c.found
}

// comparison walks two schemas side by side.
type comparison struct {
	result       bool
	ours, theirs map[string]any  // roots
	seen         map[string]bool // pairs of references
	found        []deviation
}

func (c *comparison) note(at, keyword string, ours, theirs any) {
	if !reflect.DeepEqual(ours, theirs) {
		c.found = append(c.found, deviation{c.result, at, keyword, ours, theirs})
	}
}

// schemas compares the schemas of the values at a place. Where their types
// differ, the rest does not count.
func (c *comparison) schemas(at string, ours, theirs any) {
	a, refA := follow(c.ours, ours)
	b, refB := follow(c.theirs, theirs)
	if pair := refA + " " + refB; refA+refB != "" {
		if c.seen[pair] {
			return
		}
		c.seen[pair] = true
	}
	if either, ok := a["anyOf"].([]any); ok {
		c.note(at, "anyOf", "null", b["anyOf"])
		c.schemas(at, either[0], theirs)
		return
	}
	if c.note(at, "type", a["type"], b["type"]); a["type"] != b["type"] {
		return
	}
	each(a, b, func(keyword string, x, y any) {
		switch keyword {
		case "$defs", "$schema", "description", "type":
		case "required":
			each(set(x), set(y), func(name string, x, y any) { c.note(at+"/"+name, keyword, x, y) })
		case "properties":
			each(x, y, func(name string, x, y any) {
				if x == nil || y == nil {
					c.note(at+"/"+name, keyword, x, y)
				} else {
					c.schemas(at+"/"+name, x, y)
				}
			})
		case "items", "additionalProperties":
			if x == false || y == false {
				c.note(at, keyword, x, y)
			} else {
				c.schemas(at+"/*", x, y)
			}
		default:
			c.note(at, keyword, x, y)
		}
	})
}

// each calls f for every key that one of two objects has, in order.
func each(a, b any, f func(key string, x, y any)) {
	x, _ := a.(map[string]any)
	y, _ := b.(map[string]any)
	keys := slices.AppendSeq(slices.Collect(maps.Keys(x)), maps.Keys(y))
	slices.Sort(keys)
	for _, key := range slices.Compact(keys) {
		f(key, x[key], y[key])
	}
}

// set is a list of names as an object.
func set(list any) any {
	names, _ := list.([]any)
	object := map[string]any{}
	for _, name := range names {
		object[name.(string)] = true
	}
	return object
}

// follow is a schema as an object, and what it referred to if it did.
func follow(root map[string]any, schema any) (object map[string]any, ref string) {
	object, _ = schema.(map[string]any) // else it is true or absent, which says nothing
	for object["$ref"] != nil {
		ref = strings.TrimPrefix(object["$ref"].(string), "#/$defs/")
		if name, err := url.PathUnescape(ref); err == nil {
			ref = name
		}
		object = root["$defs"].(map[string]any)[ref].(map[string]any)
	}
	return object, ref
}
