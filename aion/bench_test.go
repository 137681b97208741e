package aion

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// manyElements is a file with n elements of ordinary size, and the same data
// as JSON.
func manyElements(n int) (notation, data []byte) {
	var a, j strings.Builder
	a.WriteString("[\n")
	j.WriteString("[\n")
	for i := range n {
		fmt.Fprintf(&a, `  {
    name --> "tool_%d",
    function --> "FindUser" --> {
      arg-1 --> "string (the user's name)",
      arg-2 --> "int | default=10 | how many rows",
      return-1 --> "dict (what was found)"
    },
    link --> "https://example.com/tools/%d",
    description --> "Finds the users whose name starts with a text, at most as many as asked for."
  },
`, i, i)
		if i > 0 {
			j.WriteString(",\n")
		}
		fmt.Fprintf(&j, `  {
    "name": "tool_%d",
    "function": { "text": "FindUser", "block": {
      "arg-1": "string (the user's name)",
      "arg-2": "int | default=10 | how many rows",
      "return-1": "dict (what was found)"
    } },
    "link": "https://example.com/tools/%d",
    "description": "Finds the users whose name starts with a text, at most as many as asked for."
  }`, i, i)
	}
	a.WriteString("]\n")
	j.WriteString("]\n")
	return []byte(a.String()), []byte(j.String())
}

const benchElements = 10_000

func BenchmarkParse(b *testing.B) {
	src, _ := manyElements(benchElements)
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		if _, list := Parse("bench.aion", src); len(list) > 0 {
			b.Fatal(list[0])
		}
	}
}

// BenchmarkEncodingJSON is what BenchmarkParse is measured against: the same
// data, decoded into structs without positions or checks.
func BenchmarkEncodingJSON(b *testing.B) {
	type element struct {
		Name     string `json:"name"`
		Function struct {
			Text  string            `json:"text"`
			Block map[string]string `json:"block"`
		} `json:"function"`
		Link        string `json:"link"`
		Description string `json:"description"`
	}
	_, src := manyElements(benchElements)
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		var elements []element
		if err := json.Unmarshal(src, &elements); err != nil || len(elements) != benchElements {
			b.Fatal(err)
		}
	}
}
