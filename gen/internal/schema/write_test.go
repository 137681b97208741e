package schema

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/invopop/jsonschema"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// TestText writes schemas with anything in any member, and compares with encoding/json.
func TestText(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	seen := map[string]bool{}
	for range 1000 {
		s := someSchema(random, seen, 2)
		want, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		if got := text(s); got != jsontext.UnescapeHTML(string(want)) {
			t.Fatalf("%s, want %s", got, want)
		}
	}
	if len(seen) != len(members) || len(members) < 50 {
		t.Errorf("%d of %d members", len(seen), len(members))
	}
}

// someSchema has a few members, and at most so many levels below it.
func someSchema(random *rand.Rand, seen map[string]bool, depth int) *jsonschema.Schema {
	switch random.IntN(12) {
	case 0:
		return jsonschema.TrueSchema
	case 1:
		return jsonschema.FalseSchema
	case 2:
		return &jsonschema.Schema{Extras: map[string]any{}}
	}
	s := &jsonschema.Schema{}
	if random.IntN(5) == 0 {
		s.Extras = map[string]any{"x-b": 1, "x-a": []string{"<"}}
	}
	for range random.IntN(4) {
		member := members[random.IntN(len(members))]
		seen[member.Name] = true
		reflect.ValueOf(s).Elem().FieldByIndex(member.Index).Set(someValue(random, seen, member.Type, depth))
	}
	return s
}

func someValue(random *rand.Rand, seen map[string]bool, t reflect.Type, depth int) reflect.Value {
	below := func() *jsonschema.Schema {
		if depth == 0 {
			return &jsonschema.Schema{Type: "null"}
		}
		return someSchema(random, seen, depth-1)
	}
	texts := []string{"", "a", "-->", "\u2028 \x01 \"\\", "é\xff"}
	word := texts[random.IntN(len(texts))]
	n := uint64(random.IntN(3))
	properties := jsonschema.NewProperties()
	for range random.IntN(3) {
		properties.Set(texts[random.IntN(3)], below())
	}
	named := map[string]*jsonschema.Schema{"b": below(), word: below()}
	for _, v := range []any{
		below(), []*jsonschema.Schema{below(), below()}, named, jsonschema.Definitions(named), properties,
		word, jsonschema.ID(word), json.Number("1e5"), &n, n > 0, []string{word, "b"}, []any{word, 1.5, nil, map[string]any{"<": n}}, map[string][]string{word: {word}},
	} {
		if reflect.TypeOf(v) == t {
			return reflect.ValueOf(v)
		}
	}
	return reflect.ValueOf(json.Number("17")) // of any
}
