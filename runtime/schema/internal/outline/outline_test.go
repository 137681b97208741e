package outline_test

import (
	"fmt"
	"testing"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/schema/internal/outline"
)

func parse(text string) *jsontext.Node {
	n, err := outline.Parse([]byte(text))
	if err != nil {
		panic(err)
	}
	return n
}

func Example() {
	root := parse(`{"properties":{"at":{"$ref":"#/$defs/place"}},"$defs":{"place":{"required":["city"]}}}`)
	doc := outline.New(root)
	fmt.Println(outline.TypesOf(root), outline.IsRecord(root))
	fmt.Println(string(outline.RawJSON(doc.ResolveAliases(root.At("/properties/at")))))
	// Output:
	// [object] true
	// {"required":["city"]}
}

func TestMerge(t *testing.T) {
	for _, test := range []struct{ a, b, want string }{
		{`{"type":"string"}`, `{"minLength":1}`, `{"type":"string","minLength":1}`},
		{`{"description":"a"}`, `{"description":"b"}`, `{"description":"a"}`},
		{`{"required":["a"]}`, `{"required":["b","a"]}`, `{"required":["a","b"]}`},
		{`{"properties":{"a":{}}}`, `{"properties":{"b":{}}}`, `{"properties":{"a":{},"b":{}}}`},
		{`{"properties":{"a":{}}}`, `{"properties":{"a":true}}`, ""},
		{`{"properties":{"a":{}}}`, `{"additionalProperties":false}`, ""},
		{`{"minimum":1}`, `{"minimum":2}`, ""},
		{`{"minimum":1}`, `{"minimum":1.0}`, `{"minimum":1}`},
		{`true`, `{}`, ""},
	} {
		got := ""
		if merged := outline.New(nil).Merge(parse(test.a), parse(test.b)); merged != nil {
			got = string(outline.RawJSON(merged))
		}
		if got != test.want {
			t.Errorf("%s and %s are %q, want %q", test.a, test.b, got, test.want)
		}
	}
}

// TestShape checks that values fit the shapes of their schemas, and that two shapes are disjoint
// only if no value fits both.
func TestShape(t *testing.T) {
	schemas := []string{
		`{"type":"string"}`, `{"type":["integer","null"]}`, `{"type":"array"}`, `{}`,
		`{"properties":{"k":{"const":"a"}},"required":["k"],"additionalProperties":false}`,
		`{"properties":{"k":{"const":"b"}},"required":["k"],"additionalProperties":false}`,
		`{"properties":{"x":{}},"additionalProperties":false}`,
		`{"anyOf":[{"type":"string"},{"type":"boolean"}]}`,
	}
	values := []string{`"a"`, `1`, `null`, `[]`, `{"k":"a"}`, `{"k":"b"}`, `{"k":"A"}`, `{"x":1}`, `true`, `{}`}
	fits := []string{"0", "12", "3", "0123456789", "4", "5", "79", "08"}
	var shapes []outline.Shape
	for i, s := range schemas {
		root := parse(s)
		shapes = append(shapes, outline.New(root).ShapeOf(root))
		got := ""
		for j, v := range values {
			if shapes[i].FitsValue(parse(v)) {
				got += fmt.Sprint(j)
			}
		}
		if got != fits[i] {
			t.Errorf("%s fits the values %s, want %s", s, got, fits[i])
		}
	}
	for i, x := range shapes {
		for j, y := range shapes {
			common := false
			for _, v := range values {
				common = common || x.FitsValue(parse(v)) && y.FitsValue(parse(v))
			}
			if x.IsDisjoint(y) == common {
				t.Errorf("%s and %s: disjoint %v", schemas[i], schemas[j], !common)
			}
		}
	}
}
