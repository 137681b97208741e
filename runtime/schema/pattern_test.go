package schema_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// TestGoPatterns checks that no target receives a pattern that only Go can read, or that Go cannot
// read. The description contains it in words.
func TestGoPatterns(t *testing.T) {
	for pattern, goOnly := range map[string]bool{
		`^a$`: false, `^[a-z(?i]+$`: false, `(?:a|b)`: false, `(?<n>a)`: false, `\(?P`: false, `\p{Lu}`: false, `[\]a]`: false, `\\Ab`: false, `a[^b]c`: false,
		`(?=a)`: true, `(?!a)`: true, `(?<=a)b`: true, `(?<!a)b`: true, `(a)\1`: true, `(?<n>a)\k<n>`: true, `^(?!\.)(?!.*\.\.)([a-z'_+\-\.]*)[a-z0-9_+-]@`: true, `(`: true,
		`(?i)^a$`: true, `(?i:a)`: true, `(?P<n>a)`: true, `\Aa\z`: true, `\pL+`: true, `\PN`: true, `[[:alpha:]]+`: true, `\x{1F600}`: true, `\Qa.b\E`: true, `[]a]`: true, `(?s).`: true,
	} {
		input := map[string]any{"type": "object", "properties": map[string]any{"a": map[string]any{"type": "array", "items": map[string]any{
			"type": "string", "pattern": pattern, "description": "a word"}}}, "required": []any{"a"}, "additionalProperties": false}
		for _, target := range schema.Targets() {
			l := lower(t, target, tool.Definition{Name: "x", Input: text(t, input)})
			sent := strings.Contains(string(l.Input), `"pattern"`)
			if kept := target == schema.Anthropic || target == schema.MCP; sent && goOnly || !sent && !goOnly && kept {
				t.Errorf("%s, %s: %s", pattern, target, l.Input)
			}
			told := slices.ContainsFunc(l.Losses, func(x schema.Loss) bool { return x.Severity == schema.Worded && strings.Contains(x.Message, "pattern") })
			if goOnly && target != schema.Ollama && (!told || !strings.Contains(string(l.Input), "a word\\n")) {
				t.Errorf("%s, %s: %s, %v", pattern, target, l.Input, l.Losses)
			}
		}
	}
}

// TestManyProperties checks that a strict schema of more than 5000 properties, which OpenAI refuses,
// is reported.
func TestManyProperties(t *testing.T) {
	for _, tt := range []struct {
		count   int
		refused bool
	}{{4999, false}, {5000, true}} { // next to one that contains them
		properties := map[string]any{}
		for i := range tt.count {
			properties[fmt.Sprintf("p%d", i)] = map[string]any{"type": "integer"}
		}
		of := map[string]any{"type": "object", "properties": properties, "additionalProperties": false}
		d := tool.Definition{Name: "x", Input: text(t, map[string]any{"type": "object", "properties": map[string]any{"o": of}, "additionalProperties": false})}
		losses, err := schema.Check(schema.OpenAIStrict, d)
		if err != nil {
			t.Fatal(err)
		}
		refused := slices.ContainsFunc(losses, func(x schema.Loss) bool {
			return x.Severity == schema.Refused && x.Message == "there are 5001 properties, the limit is 5000"
		})
		if refused != tt.refused {
			t.Errorf("%d: refused is %v", tt.count, refused)
		}
	}
}
