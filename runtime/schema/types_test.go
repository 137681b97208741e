package schema_test

import (
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

const ticket = `{"type":"object","properties":{"id":{"type":"integer"},"by":{"$ref":"#/$defs/p"},"parent":{"$ref":"#"}},"required":["id","by"],"$defs":{"p":{"type":"object","properties":{"name":{"type":"string"},"address":{"type":"string"}},"required":["name"]}}}`

// TestSignatures checks that a result that several tools return, or that is part of another result, is
// written once, and that results are written completely.
func TestSignatures(t *testing.T) {
	got := schema.Signatures([]tool.Definition{
		{Name: "find", Description: "Find finds.\nThe newest come first.", Input: []byte(`{"type":"object","properties":{"words":{"type":"string","minLength":2,"maxLength":9},"limit":{"type":"integer","minimum":1,"maximum":50,"description":"how many"}},"required":["words"]}`),
			Output: []byte(`{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"},"address":{"type":"string"}},"required":["name"]}}`)},
		{Name: "get", Input: []byte(`{"type":"object","properties":{"id":{"type":"integer"}},"required":["id"]}`),
			Output: []byte(`{"type":"object","properties":{"who":{"type":"object","properties":{"name":{"type":"string"},"address":{"type":"string"}},"required":["name"]},"deep":{"type":"object","properties":{"a":{"type":"object","properties":{"b":{"type":"object","properties":{"c":{"type":"integer"}}}}}}}},"required":["who"]}`)},
		{Name: "none"},
	})
	const want = `find -> list[T1 = {name: string, address?: string}]
  The newest come first.
  - words: string (at least 2 characters, at most 9 characters)
  - limit?: integer (how many; at least 1, at most 50)
get(id: integer) -> {who: T1, deep?: {a?: {b?: {c?: integer}}}}
none()
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := schema.Signatures([]tool.Definition{{Name: "t", Output: []byte(ticket)}}); len(got) > 1000 || !strings.Contains(got, "by: {name: string, address?: string}") {
		t.Errorf("a type that is in itself: %s", got)
	}
}

// TestValueLines checks that lines that explain the values of an enum stay separate, and that other
// lines are joined.
func TestValueLines(t *testing.T) {
	for description, want := range map[string]string{
		"only tickets in this state\nopen: nobody works on it yet\nassigned: somebody works on it": "(only tickets in this state; open: nobody works on it yet; assigned: somebody works on it)",
		"How soon.\nlow: when there is time\nhigh: today":                                          "(How soon. low: when there is time; high: today)",
		"what to\nlook for":                        "(what to look for)",
		"when to send it,\nas in this list: 1, 2,": "(when to send it, as in this list: 1, 2,)",
	} {
		d := tool.Definition{Name: "t", Input: []byte(`{"type":"object","properties":{"a":{"type":"string","description":"` + strings.ReplaceAll(description, "\n", `\n`) + `"}}}`)}
		if got := schema.Describe([]tool.Definition{d}); !strings.Contains(got, want) {
			t.Errorf("%q: %s", description, got)
		}
	}
}
