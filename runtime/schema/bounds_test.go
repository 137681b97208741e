package schema_test

import (
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// unions returns a schema of n unions, each with four references to the next one. It has a few hundred
// bytes and contains the last union 4ⁿ times.
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

// TestLowerUnions lowers schemas with exponentially many paths. Without the limit this test would not
// end.
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

// TestValidateUnions checks values with schemas with exponentially many paths.
func TestValidateUnions(t *testing.T) {
	for _, x := range []struct {
		name          string
		schema, value json.RawMessage
		want          string
	}{
		{"few", unions(unionAtMember, 4), json.RawMessage(`{"p":{}}`), ""},
		{"many", unions(unionAtMember, 30), json.RawMessage(`{"p":7}`), "/p: expected a value of one of 4 alternatives, found the number 7"},
		{"at the root", unions(unionAtRoot, 30), json.RawMessage(`{}`), ""},
		{"in circles", json.RawMessage(`{"allOf":[{"$ref":"#"}]}`), json.RawMessage("1"), "a value that is easier to check"},
		{"long", json.RawMessage(`{"items":{"anyOf":[{"type":"string"},{"type":"integer"}]}}`),
			json.RawMessage("[" + strings.Repeat("1,", 100_000) + "1]"), ""},
	} {
		err := schema.Validate(x.schema, x.value)
		if (err != nil) != (x.want != "") || err != nil && !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: %v", x.name, err)
		}
	}
}

// joinNumbers joins the results of a format for the numbers below n.
func joinNumbers(n int, format string) string {
	all := make([]string, n)
	for i := range all {
		all[i] = strings.ReplaceAll(format, "%", fmt.Sprint(i))
	}
	return strings.Join(all, ",")
}

// TestLowerLarge lowers schemas whose parts are used many times. The memory, and so the time, must be
// proportional to the size of the schema.
func TestLowerLarge(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long with the race detector; the full suite runs it")
	}
	referred := func(to string) string {
		return joinNumbers(2000, `"p%":{"$ref":"#/$defs/x"}`) + `}, "$defs":{"x":` + to + "}"
	}
	long := strings.Repeat("x", 100_000)
	for name, members := range map[string]string{
		"around alternatives":  `"a":{"anyOf":[` + joinNumbers(2000, `{}`) + `],` + joinNumbers(2000, `"x%":1`) + "}}",
		"properties in allOf":  `"a":{"allOf":[` + joinNumbers(20_000, `{"properties":{"p%":{}}}`) + "]}}",
		"required in allOf":    `"a":{"allOf":[{"required":[` + joinNumbers(10_000, `"p%"`) + `]},{"required":[` + joinNumbers(10_000, `"q%"`) + `]}]}}`,
		"a type again":         `"a":{"type":[` + joinNumbers(10_000, `"object"`) + `],"title":"` + long + `"}}`,
		"a long pattern":       referred(`{"type":"string","pattern":"(?i)` + long + `"}`),
		"many values":          referred(`{"enum":[` + joinNumbers(10_000, `"v%"`) + `]}`),
		"a long name":          `"` + long + `":{"type":"object","properties":{` + joinNumbers(2000, `"p%":{"type":"string","minLength":1}`) + "}}}",
		"names that are alike": joinNumbers(10_000, `"`+strings.Repeat("x", 60)+`-%é":{}`) + "}",
	} {
		d := tool.Definition{Name: "large", Description: "It is.", Input: json.RawMessage(`{"type":"object","properties":{` + members + "}")}
		for _, target := range schema.Targets() {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			lowered := lower(t, target, d)
			runtime.ReadMemStats(&after)
			if mib := (after.TotalAlloc - before.TotalAlloc) >> 20; mib > 500 || len(lowered.Input) > 4<<20 {
				t.Errorf("%s: %s takes %d MiB for a schema of %d KiB, which becomes %d KiB", name, target, mib, len(d.Input)>>10, len(lowered.Input)>>10)
			}
		}
	}
}
