package contract

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/internal/jsonschema/compare"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// TestAgainstValidator checks the reported effects of random pairs of schemas with a validator. A
// value that only one of the schemas allows proves an effect that must have been reported.
func TestAgainstValidator(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	g := generator{random}
	told := map[compare.Effect]int{}
	for range 3000 {
		before := g.schema(3)
		now := g.changed(before)
		if random.IntN(10) == 0 {
			now = g.schema(3)
		}
		a, b := document(t, before), document(t, now)
		e := effectOf(string(a), string(b))
		told[e]++
		x, y := compiled(t, a), compiled(t, b)
		for range 40 {
			value := g.value(3)
			was, is := x.Validate(value) == nil, y.Validate(value) == nil
			if was && !is && e&compare.Narrows == 0 || is && !was && e&compare.Widens == 0 {
				t.Fatalf("%v: allowed before %v, now %v, but told is %d\nbefore %s\nnow    %s", value, was, is, e, a, b)
			}
		}
	}
	for _, e := range []compare.Effect{0, compare.Narrows, compare.Widens, compare.Narrows | compare.Widens} {
		if told[e] < 100 {
			t.Errorf("the effect %d was told %d times of 3000", e, told[e])
		}
	}
}

// TestResultsAgainstValidator checks that if no error is reported for a result, the values of the new
// tool are valid by the old schema, even if one schema is as sent and the other as written. A result
// has only the members that its schema names.
func TestResultsAgainstValidator(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long with the race detector; the full suite runs it")
	}
	random := rand.New(rand.NewPCG(3, 4))
	g := generator{random}
	sampled, told := 0, 0
	for range 4000 {
		before := g.schema(3)
		now := g.changed(before)
		a, b := document(t, sentSchema(before)), document(t, now)
		if random.IntN(2) == 0 {
			a = document(t, before)
		}
		list := Compare(Promises{Tools: []Tool{{Name: "t", Output: a}}}, Promises{Tools: []Tool{{Name: "t", Output: b}}})
		if list.Err() != nil {
			told++
			continue
		}
		callers, result := compiled(t, document(t, sentSchema(before))), compiled(t, document(t, closeSchema(now)))
		for range 40 {
			value := g.value(3)
			if result.Validate(value) != nil {
				continue
			}
			sampled++
			if sentObject(now) {
				value = object{"result": value}
			}
			if err := callers.Validate(value); err != nil {
				t.Fatalf("%v is sent now, and nothing told\nbefore %s\nnow    %s\n%v", value, a, b, err)
			}
		}
	}
	if sampled < 3000 || told < 1000 {
		t.Errorf("%d values of results, of 4000 pairs %d told", sampled, told)
	}
}

// sentObject reports whether a result is sent as a member of an object.
func sentObject(schema any) bool {
	o, _ := schema.(object)
	return o["type"] != "object"
}

// sentSchema returns the schema of a result as it is sent.
func sentSchema(schema any) any {
	if !sentObject(schema) {
		return schema
	}
	return object{"type": "object", "properties": object{"result": schema}, "required": []any{"result"}, "additionalProperties": false}
}

// closeSchema returns a schema that allows only the members that it names.
func closeSchema(schema any) any {
	o, ok := schema.(object)
	if !ok {
		return schema
	}
	copied := object{}
	for word, value := range o {
		switch value := value.(type) {
		case object:
			copied[word] = closeSchema(value)
		case []any:
			all := []any{}
			for _, one := range value {
				all = append(all, closeSchema(one))
			}
			copied[word] = all
		default:
			copied[word] = value
		}
	}
	if others, said := o["additionalProperties"]; o["type"] == "object" && (!said || others == true) {
		copied["additionalProperties"] = false
	}
	return copied
}

func effectOf(before, now string) (e compare.Effect) {
	for _, f := range compare.Texts(json.RawMessage(before), json.RawMessage(now)) {
		e |= f.Effect
	}
	return e
}

func document(t *testing.T, schema any) json.RawMessage {
	t.Helper()
	text, err := json.Marshal(schema)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func compiled(t *testing.T, text json.RawMessage) *jsonschema.Schema {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("schema.json", v); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("schema.json")
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return s
}

// generator creates schemas and values from few parts, so that they often match.
type generator struct{ *rand.Rand }

type object = map[string]any

var vocabulary = []any{"a", "b", "ab", "", 0, 1, 2, 3, 4, 1.5, true, nil}

func (g generator) word() any { return vocabulary[g.IntN(len(vocabulary))] }

func (g generator) schema(depth int) any {
	if depth == 0 {
		return object{"type": []string{"null", "boolean", "string", "number"}[g.IntN(4)]}
	}
	switch g.IntN(11) {
	case 0:
		return true
	case 1:
		return object{"enum": []any{g.word(), g.word()}}
	case 2:
		return object{"type": "string", "minLength": g.IntN(3)}
	case 3:
		return object{"type": []any{"integer", "string"}, "maximum": g.IntN(3)}
	case 4:
		return object{"type": "number", "exclusiveMinimum": g.IntN(2), "minimum": g.IntN(2), "multipleOf": 1 + g.IntN(2)}
	case 5, 6:
		return object{"type": "array", "items": g.schema(depth - 1), "maxItems": 1 + g.IntN(3), "uniqueItems": g.IntN(2) == 0}
	case 7:
		return object{"anyOf": []any{g.schema(depth - 1), g.schema(depth - 1)}}
	case 8:
		return object{"const": g.word()}
	}
	o := object{"type": "object", "properties": object{}, "required": []any{}}
	for _, name := range []string{"x", "y"} {
		if g.IntN(3) > 0 {
			o["properties"].(object)[name] = g.schema(depth - 1)
		}
		if g.IntN(3) == 0 {
			o["required"] = append(o["required"].([]any), name)
		}
	}
	switch g.IntN(4) {
	case 0:
		o["additionalProperties"] = g.schema(depth - 1)
	case 1, 2:
		o["additionalProperties"] = false
	}
	return o
}

// changed returns a schema with one of its parts replaced.
func (g generator) changed(schema any) any {
	if g.IntN(6) == 0 {
		return g.schema(2)
	}
	o, ok := schema.(object)
	if !ok {
		return schema
	}
	copied := object{}
	for word, value := range o {
		copied[word] = value
		switch word {
		case "items":
			copied[word] = g.changed(value)
		case "additionalProperties":
			copied[word] = g.changed(value)
			if g.IntN(4) == 0 {
				copied[word] = value == false
			}
		case "uniqueItems":
			copied[word] = g.IntN(2) == 0
		case "anyOf":
			list := value.([]any)
			copied[word] = []any{g.changed(list[1]), list[0]}
		case "properties":
			properties := object{}
			for name, p := range value.(object) {
				if g.IntN(8) > 0 {
					properties[name] = g.changed(p)
				}
			}
			copied[word] = properties
		case "minLength", "maximum", "minimum", "maxItems":
			copied[word] = value.(int) + g.IntN(3)/2
		case "multipleOf":
			copied[word] = []int{value.(int), 2 * value.(int), 3, 1}[g.IntN(4)]
		case "required":
			if list := value.([]any); len(list) > 0 && g.IntN(2) == 0 {
				copied[word] = list[1:]
			}
		}
	}
	return copied
}

// value converts a value for the validator.
func (g generator) value(depth int) any {
	switch kind := g.IntN(4); {
	case kind == 0 && depth > 0:
		list := []any{}
		for range g.IntN(3) {
			list = append(list, g.value(depth-1))
		}
		if len(list) > 0 && g.IntN(4) == 0 {
			list = append(list, list[0])
		}
		return list
	case kind <= 2 && depth > 0:
		o := object{}
		for _, name := range []string{"x", "y", "z"} {
			if g.IntN(2) == 0 {
				o[name] = g.value(depth - 1)
			}
		}
		return o
	}
	switch w := g.word().(type) {
	case int:
		return json.Number(fmt.Sprint(w))
	case float64:
		return json.Number(fmt.Sprint(w))
	default:
		return w
	}
}
