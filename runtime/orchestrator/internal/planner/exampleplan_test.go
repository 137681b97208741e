package planner

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/tool"
)

// TestExamplePlan checks that the example lets one tool refer to another if their types and names fit.
func TestExamplePlan(t *testing.T) {
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
		got := examplePlan(test.definitions)
		if !json.Valid([]byte(got)) || !strings.Contains(got, test.want) {
			t.Errorf("%s: %s", name, got)
		}
	}
}
