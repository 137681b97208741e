package schema_test

import (
	"encoding/json"
	"errors"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/testdata/golden/corpus"
)

// ownWords are what generated code says that knows more than the schema: the Go
// type of an integer, what reads a text, what a string is another value in.
var ownWords = []string{
	"another string (", "a time zone, ", "a date and time such as", "no key ", "another key,",
}

// Generated code looks at a bound before it knows of what; by the schema, what has
// another type has none.
var bounds, kinds = []string{"at least ", "at most ", "a multiple of "}, []string{"a string, found", "an array, found", "an integer, found"}

// opaque has fields of types that generated code cannot name: encoding/json reads them.
const opaque = "opaque_fields"

// TestSameWords holds mistakes against the decoders of many types and against their
// schemas: both find the same places wrong, and say the same of them. Null is left
// out, which generated code takes for what may be absent.
func TestSameWords(t *testing.T) {
	r := tool.NewRegistry()
	if err := corpus.Register(r); err != nil {
		t.Fatal(err)
	}
	same := 0
	for _, d := range r.All() {
		for _, arguments := range mistakes(t, d.Input) {
			decoder := map[string][]string{}
			var wrong *tool.ArgumentError
			if errors.As(r.Call(t.Context(), tool.Request{Name: d.Name, Arguments: json.RawMessage(arguments)}).Err, &wrong) {
				for _, f := range wrong.Faults {
					decoder[f.Pointer] = append(decoder[f.Pointer], f.Expected+", found "+f.Found)
				}
			}
			var bad *schema.Error
			checker := map[string][]string{}
			if errors.As(schema.Validate(d.Input, json.RawMessage(arguments)), &bad) {
				for _, f := range bad.Faults {
					checker[f.Pointer] = append(checker[f.Pointer], strings.TrimPrefix(f.Message, "expected "))
				}
			}
			for at, all := range decoder {
				for _, words := range all {
					switch {
					case slices.Contains(checker[at], words), hasPrefix(words, ownWords), hasPrefix(words, bounds) && len(checker[at]) == 1 && hasPrefix(checker[at][0], kinds),
						d.Name == opaque && at == "/modes":
						same++
					default:
						t.Errorf("%s: %s: at %q %s, by the schema %q", d.Name, arguments, at, words, checker[at])
					}
				}
			}
			for at, words := range checker {
				if !isWrong(decoder, at) && d.Name != opaque {
					t.Errorf("%s: %s: at %q nothing, by the schema %q", d.Name, arguments, at, words)
				}
			}
		}
	}
	if same < 5000 {
		t.Errorf("only %d places", same)
	}
}

// isWrong reports whether there are faults at a place, or around it, or beside it in
// a list: what is wrong with a list as such is all that generated code says of it.
func isWrong(faults map[string][]string, at string) bool {
	around := path.Dir(at)
	for other := range faults {
		if other == at || other == around || around != "/" && path.Dir(other) == around {
			return true
		}
	}
	return false
}

func hasPrefix(text string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(text, prefix) })
}

// mistakes returns arguments, most of which are wrong: each property has values of
// all kinds.
func mistakes(t *testing.T, input json.RawMessage) []string {
	t.Helper()
	s, err := jsontext.Parse(string(input), schema.MaxDepth)
	if err != nil {
		t.Fatal(err)
	}
	all := []string{`{}`, `[]`, `{"zz":1}`, `7`}
	long := strings.Repeat("x", 63)
	values := []string{`true`, `0`, `-1`, `1.5`, `1e3`, `""`, `"x"`, `"a b"`, `[]`, `[1]`, `["x","x"]`, `{}`, `{"x":1}`, `{"x":"y"}`, `"2026-01-31T12:00:00Z"`, `"2026-02-30"`, `"ä@b.c"`, `"1998-12-31T23:59:60Z"`,
		`{"1":1,"1":1}`, `"` + long + `éz"`, `"` + long + `\n"`, `"\n` + long + `\t"`}
	if p := s.Member("properties"); p != nil {
		for _, m := range p.Items {
			for _, v := range values {
				all = append(all, `{`+m.Key+`:`+v+`}`, `{"zz":1,`+m.Key+`:`+v+`}`)
			}
		}
	}
	return all
}
