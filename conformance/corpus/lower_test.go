package corpus_test

import (
	"encoding/json"
	"math/rand/v2"
	"testing"

	"github.com/aiongen/aiongen/runtime/schema"
)

// TestCorpusLowered writes arguments of every type as the lowered schema of each target demands. The
// validator must accept them, and raising them must restore arguments that generated code accepts.
func TestCorpusLowered(t *testing.T) {
	for i, r := range corpusRows {
		s := newSubject(t, r)
		definition := s.tool.Definition()
		g := generator{Rand: rand.New(rand.NewPCG(seed+4, uint64(i)))}
		for _, target := range schema.Targets() {
			lowered, err := schema.Lower(target, definition)
			if err != nil {
				t.Fatal(err)
			}
			input := compileSchema(t, expandNullable(lowered.Input))
			for range max(valueCount()/10, 5) {
				arguments := mustValue(marshalStandard(s.correctArguments(s.randomDocument(t, g, ourRules)))) // without nulls for absent members
				written, err := lowered.Encode(arguments)
				if err != nil {
					t.Fatal(err)
				}
				if err := input.Validate(capExponents(decodeNumbers(written))); err != nil {
					t.Fatalf("%s, %s: %s is written as %s, which is not valid: %v", r.name, target, arguments, written, err)
				}
				raised, err := lowered.Raise(written)
				if err != nil || !isSame(decodeNumbers(raised), decodeNumbers(arguments)) {
					t.Fatalf("%s, %s: %s is written as %s, and raised as %s, %v", r.name, target, arguments, written, raised, err)
				}
				if v, err := s.judgeDocument(string(raised)); err != nil || !v.accepted {
					t.Fatalf("%s, %s: refused: %s, %v", r.name, target, raised, err)
				}
			}
		}
	}
}

// expandNullable replaces OpenAPI's nullable, which Gemini uses, with keywords that the validator
// knows.
func expandNullable(text json.RawMessage) json.RawMessage {
	return mustValue(json.Marshal(allowNull(decodeNumbers(text))))
}

func allowNull(x any) any {
	switch x := x.(type) {
	case map[string]any:
		for name, member := range x {
			x[name] = allowNull(member)
		}
		if x["nullable"] == true {
			return map[string]any{"anyOf": []any{x, map[string]any{"type": "null"}}}
		}
	case []any:
		for i := range x {
			x[i] = allowNull(x[i])
		}
	}
	return x
}
