package schema_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// unions returns a schema of n unions, each of four references to the next one: a
// few hundred bytes that hold the last of them 4ⁿ times.
func unions(root string, n int) json.RawMessage {
	var b strings.Builder
	for i := range n {
		ref := fmt.Sprintf(`{"$ref":"#/$defs/A%d"}`, i+1)
		fmt.Fprintf(&b, `"A%d":{"anyOf":[%s,%[2]s,%[2]s,%[2]s]},`, i, ref)
	}
	return json.RawMessage(fmt.Sprintf(`{"type":"object",%s,"$defs":{%s"A%d":{"type":"object","properties":{"x":{"type":"object","additionalProperties":{"type":"integer"}}}}}}`, root, b.String(), n))
}

const (
	unionAtRoot   = `"anyOf":[{"$ref":"#/$defs/A0"}]`
	unionAtMember = `"properties":{"p":{"$ref":"#/$defs/A0"}},"required":["p"]`
)

// TestLowerUnions lowers what has no end where every way is gone: without a bound
// this test does not end either.
func TestLowerUnions(t *testing.T) {
	for _, root := range []string{unionAtRoot, unionAtMember} {
		d := tool.Definition{Name: "unions", Description: "It has unions.", Input: unions(root, 30)}
		for _, target := range schema.Targets() {
			lowered := lower(t, target, d)
			for _, arguments := range []string{`{"p":{"x":{"a":1}}}`, `{"x":{"a":1}}`} {
				written, err := lowered.Encode(json.RawMessage(arguments))
				if err != nil {
					t.Fatal(err)
				}
				if back, err := lowered.Raise(written); err != nil || string(back) != arguments {
					t.Errorf("%s: %s is written as %s, and read as %s, %v", target, arguments, written, back, err)
				}
			}
		}
	}
}

// TestValidateUnions checks what takes without end where every way is gone.
func TestValidateUnions(t *testing.T) {
	for _, x := range []struct {
		name          string
		schema, value json.RawMessage
		want          string
	}{
		{"few", unions(unionAtMember, 4), json.RawMessage(`{"p":{}}`), ""},
		{"many", unions(unionAtMember, 30), json.RawMessage(`{"p":7}`), "/p: expected a value of one of 4 kinds, found the number 7"},
		{"at the root", unions(unionAtRoot, 30), json.RawMessage(`{}`), ""},
		{"in circles", json.RawMessage(`{"allOf":[{"$ref":"#"}]}`), json.RawMessage("1"), "a value that takes less to check"},
		{"long", json.RawMessage(`{"items":{"anyOf":[{"type":"string"},{"type":"integer"}]}}`),
			json.RawMessage("[" + strings.Repeat("1,", 100_000) + "1]"), ""},
	} {
		err := schema.Validate(x.schema, x.value)
		if (err != nil) != (x.want != "") || err != nil && !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: %v", x.name, err)
		}
	}
}
