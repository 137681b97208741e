package corpus_test

import (
	"encoding/json"
	"math/rand/v2"
	"testing"

	"github.com/aiongen/aiongen/runtime/schema"
)

// TestCorpusLowered has a model write arguments of every type for every target,
// as the lowered schema wants them: the validator accepts them, and raised again
// they are the arguments that they were made of, which generated code accepts.
func TestCorpusLowered(t *testing.T) {
	for i, r := range rows {
		s := newSubject(t, r)
		definition := s.tool.Definition()
		g := generator{Rand: rand.New(rand.NewPCG(seed+4, uint64(i)))}
		for _, target := range schema.Targets() {
			lowered, err := schema.Lower(target, definition)
			if err != nil {
				t.Fatal(err)
			}
			input := compile(t, nullable(lowered.Input))
			for range max(values()/10, 5) {
				arguments := must(standard(s.soften(s.document(t, g, ours)))) // without nulls for what is absent
				written, err := lowered.Encode(arguments)
				if err != nil {
					t.Fatal(err)
				}
				if err := input.Validate(tame(canonical(written))); err != nil {
					t.Fatalf("%s, %s: %s is written as %s, which is not valid: %v", r.name, target, arguments, written, err)
				}
				raised, err := lowered.Raise(written)
				if err != nil || !same(canonical(raised), canonical(arguments)) {
					t.Fatalf("%s, %s: %s is written as %s, and raised as %s, %v", r.name, target, arguments, written, raised, err)
				}
				if v, err := s.judge(string(raised)); err != nil || !v.accepted {
					t.Fatalf("%s, %s: refused: %s, %v", r.name, target, raised, err)
				}
			}
		}
	}
}

// nullable tells the validator what Gemini says in the words of OpenAPI: that a
// value may be null.
func nullable(text json.RawMessage) json.RawMessage {
	return must(json.Marshal(withNull(canonical(text))))
}

func withNull(x any) any {
	switch x := x.(type) {
	case map[string]any:
		for name, member := range x {
			x[name] = withNull(member)
		}
		if x["nullable"] == true {
			return map[string]any{"anyOf": []any{x, map[string]any{"type": "null"}}}
		}
	case []any:
		for i := range x {
			x[i] = withNull(x[i])
		}
	}
	return x
}
