package instructions_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/aiongen/aiongen/runtime/internal/instructions"
	"github.com/aiongen/aiongen/runtime/tool"
)

func Example_brief() {
	texts := instructions.Texts{Files: fstest.MapFS{"texts/plan.txt": {Data: []byte("Make a plan with:\n{{.}}\n")}}, Folder: "texts"}
	listed := instructions.Tools([]tool.Definition{{Name: "add", Description: "Add adds.\nIt is exact.", Annotations: tool.Annotations{ReadOnly: true}}, {Name: "pay"}})
	fmt.Println(texts.Fill("plan.txt", strings.TrimPrefix(listed, instructions.Role+"\n\n")))
	// Output:
	// Make a plan with:
	// Tools:
	// - add: Add adds. (only reads)
	// - pay
}

// TestTexts checks that valid texts of a program are accepted, and that invalid ones panic.
func TestTexts(t *testing.T) {
	files := fstest.MapFS{"good/a.txt": {Data: []byte("{{.Name}}")}, "bad/a.txt": {Data: []byte("{{")}}
	for folder, data := range map[string]any{"good": struct{}{}, "bad": nil, "none": nil} {
		texts := instructions.Texts{Files: files, Folder: folder} // the document is not parsed yet
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", folder)
				}
			}()
			texts.Fill("a.txt", data)
		}()
	}
}

// TestExample checks that the example lets one tool refer to another if their types and names fit.
func TestExample(t *testing.T) {
	define := func(name, input, output string, reads bool) tool.Definition {
		return tool.Definition{Name: name, Input: json.RawMessage(input), Output: json.RawMessage(output), Annotations: tool.Annotations{ReadOnly: reads}}
	}
	const wants = `{"type":"object","properties":{"%s":{"type":"%s"}},"required":["%s"],"additionalProperties":false}`
	in := func(name, kind string) string { return fmt.Sprintf(wants, name, kind, name) }
	find := define("find_users", in("query", "string"), `{"type":"array","items":{"$ref":"#/$defs/u"},"$defs":{"u":{"type":"object","properties":{"id":{"type":"integer"},"email":{"type":"string"}}}}}`, true)
	get := define("get_order", in("number", "integer"), `{"type":"object","properties":{"id":{"type":"integer"},"user_id":{"type":"integer"}}}`, true)
	for name, test := range map[string]struct {
		definitions []tool.Definition
		want        string
	}{
		"none":             {nil, `"tool": "name of a tool"`},
		"one":              {[]tool.Definition{find}, `"tool": "name of a tool"`},
		"other types":      {[]tool.Definition{find, define("ban_user", in("user_id", "string"), "", false)}, `"tool": "name of a tool"`},
		"part of a name":   {[]tool.Definition{define("ban_user", in("user_id", "integer"), "", false), find}, `"tool": "ban_user", "arguments": {"user_id": "<<step:1/0/id>>"}`},
		"the same name":    {[]tool.Definition{get, find, define("warn", in("email", "string"), "", false)}, `{"query":"text"}}, {"step_id": "2", "description": "what to do with it", "tool": "warn", "arguments": {"email": "<<step:1/0/email>>"}`},
		"the better stem":  {[]tool.Definition{get, find, define("ban_user", in("user_id", "integer"), "", false)}, `"tool": "find_users"`},
		"a schema of none": {[]tool.Definition{define("x", "7", "{", false), define("y", `{"properties":[]}`, `{"type":"array"}`, false)}, `"tool": "name of a tool"`},
	} {
		got := instructions.Example(test.definitions)
		if !json.Valid([]byte(got)) || !strings.Contains(got, test.want) {
			t.Errorf("%s: %s", name, got)
		}
	}
}
