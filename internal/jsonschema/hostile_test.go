package jsonschema_test

import (
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
)

// joinNumbers joins the results of f for the numbers below n with commas.
func joinNumbers(n int, f func(i string) string) string {
	all := make([]string, n)
	for i := range all {
		all[i] = f(strconv.Itoa(i))
	}
	return strings.Join(all, ",")
}

// allocated returns the memory that f allocates, in MiB.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return (after.TotalAlloc - before.TotalAlloc) >> 20
}

// TestLargeSchemas checks that the memory for reading a schema grows linearly. The names are escaped,
// so that decoding them repeatedly would be visible.
func TestLargeSchemas(t *testing.T) {
	for name, schema := range map[string]string{
		"parts with long pointers": `{"properties":{"` + strings.Repeat("x", 1<<19) + `":{"properties":{` + joinNumbers(5000, func(i string) string { return `"k` + i + `":true` }) + `}}}}`,
		"references": `{"$defs":{` + joinNumbers(5000, func(i string) string { return `"\u006b` + i + `":true` }) + `},"allOf":[` +
			joinNumbers(5000, func(i string) string { return `{"$ref":"#/$defs/k` + i + `"}` }) + `]}`,
	} {
		mib := allocated(func() {
			if _, err := jsonschema.Parse([]byte(schema)); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		})
		if mib > 50 {
			t.Errorf("%s: it takes %d MiB to read a schema of %d KiB", name, mib, len(schema)>>10)
		}
	}
}

// TestDearWords checks that expensive descriptions of values count as steps.
func TestDearWords(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long with the race detector; the full suite runs it")
	}
	names := joinNumbers(20_000, func(i string) string { return `"k` + i + `"` })
	for name, x := range map[string]struct{ schema, value string }{
		"values": {`{"items":{"enum":[` + names + `]}}`, "[" + strings.Repeat(`"x",`, 2000) + `"x"]`},
		"names of members": {`{"propertyNames":{"enum":[` + names + `]}}`,
			"{" + joinNumbers(2000, func(i string) string { return `"x` + i + `":1` }) + "}"},
		"near names": {`{"additionalProperties":false,"properties":{` + strings.ReplaceAll(names, `",`, `":{},`) + `:{}}}`,
			"{" + joinNumbers(1000, func(i string) string { return `"x` + i + `":1` }) + "}"},
		"zeros to divide":       {`{"items":{"multipleOf":` + strings.Repeat("7", 400) + `}}`, "[" + strings.Repeat("1e9000,", 500) + "1]"},
		"digits to divide":      {`{"items":{"multipleOf":` + strings.Repeat("7", 400) + `}}`, "[" + strings.Repeat("9", 20_000) + "]"},
		"a long pattern":        {`{"pattern":"^` + strings.Repeat("(a?){1000}", 10) + `b$"}`, `"` + strings.Repeat("a", 2000) + `"`},
		"a long pattern again":  {`{"patternProperties":{"^` + strings.Repeat("(a?){1000}", 10) + `b$":{}}}`, `{"` + strings.Repeat("a", 2000) + `":1}`},
		"what others looked at": {`{"$defs":{"x":{"prefixItems":[true]}},"unevaluatedItems":true,"allOf":[` + joinNumbers(5000, func(string) string { return `{"$ref":"#/$defs/x"}` }) + `]}`, listOfZeros(10_000)},
		"elements":              {`{"allOf":[` + joinNumbers(10_000, func(string) string { return `{"type":"array"}` }) + `]}`, listOfZeros(100_000)},
		"a long number":         {`{"anyOf":[` + joinNumbers(5000, func(string) string { return `{"type":"integer"}` }) + `]}`, "1." + strings.Repeat("7", 100_000)},
		"a long name":           {`{"allOf":[` + joinNumbers(5000, func(string) string { return `{"properties":{}}` }) + `]}`, `{"` + strings.Repeat(`\n`, 50_000) + `":1}`},
		"a long name again": {`{"anyOf":[{"required":["x"],"properties":{` + joinNumbers(5000, func(i string) string { return `"k` + i + `":{"const":1}` }) + `}},false]}`,
			`{"` + strings.Repeat(`\n`, 50_000) + `":1}`},
		"a format": {`{"allOf":[` + joinNumbers(5000, func(string) string { return `{"format":"regex"}` }) + `]}`, `"` + strings.Repeat("(a)", 10_000) + `"`},
		"scopes": {`{"$id":"http://x/","$dynamicAnchor":"q","$defs":{"x":{"type":"number"},"d":{"$dynamicRef":"#q"},` +
			joinNumbers(2000, func(i string) string {
				return `"r` + i + `":{"$id":"r` + i + `","$ref":"r` + i + `n"},"s` + i + `":{"$id":"r` + i + `n","$ref":"` + nextResource(i) + `"}`
			}) +
			`,"z":{"$id":"r2000","items":{"allOf":[` + joinNumbers(20, func(string) string { return `{"$ref":"http://x/#/$defs/x"}` }) + `]}}},"$ref":"r0"}`, listOfZeros(2000)},
		"kinds of objects": {`{"items":{"anyOf":[{"required":["z"],"properties":{` + strings.ReplaceAll(names, `",`, `":{},`) + `:{}}},{"required":["y"]}]}}`,
			"[" + strings.Repeat("{},", 2000) + "{}]"},
	} {
		s, err := jsonschema.Parse([]byte(x.schema))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if faults := check(t, s, x.value); len(faults) != 1 || !strings.Contains(faults[0].Expected, "steps") {
			t.Errorf("%s: %d faults, %.1v", name, len(faults), faults)
		}
	}
}

// nextResource returns the name of the resource after the one with the given number.
func nextResource(i string) string {
	n, _ := strconv.Atoi(i)
	return "r" + strconv.Itoa(n+1)
}

// listOfZeros returns a list of n zeros.
func listOfZeros(n int) string { return "[" + strings.Repeat("0,", n-1) + "0]" }

// TestDearSchemas checks that messages which a few bytes of a schema would make long are refused or
// cut.
func TestDearSchemas(t *testing.T) {
	digits := strings.Repeat("0", 100_000)
	for name, x := range map[string]struct{ schema, value, want string }{
		"a long minimum":  {`{"items":{"minimum":1` + digits + `}}`, listOfZeros(2000), "expected a number of at least 1000"},
		"a long multiple": {`{"items":{"multipleOf":1` + digits + `}}`, strings.ReplaceAll(listOfZeros(2000), "0", "7"), "expected a multiple of 1000"},
		"a long value":    {`{"items":{"enum":[["` + digits + `"]]}}`, listOfZeros(2000), "steps"},
		"a long name": {`{"additionalProperties":false,"properties":{"` + digits + `":{}}}`, "{" + joinNumbers(2000, func(i string) string { return `"x` + i + `":1` }) + "}",
			"expected only the key 000"},
		"patterns":   {`{"allOf":[` + joinNumbers(10_000, func(string) string { return `{"pattern":"[a-z]{1000}"}` }) + `]}`, "1", "it is too long with its repetitions"},
		"a pattern":  {`{"pattern":"` + strings.Repeat("[a-z]{1000}", 3000) + `"}`, "1", "it is too long with its repetitions"},
		"surrogates": {`{"pattern":"` + strings.Repeat(`\\ud83d\\ude00`, 20_000) + `"}`, "1", ""},
		"keywords":   {`{"exclusiveMinimum":1,` + joinNumbers(40_000, func(string) string { return `"exclusiveMinimum":1` }) + `}`, "2", ""},
		"dynamic anchors": {`{"$id":"http://x/","$defs":{` + joinNumbers(4000, func(i string) string {
			next := nextResource(i)
			return `"r` + i + `":{"$id":"r` + i + `","$defs":{"a":{"$dynamicAnchor":"r` + i + `","$dynamicRef":"#` + next + `"},"b":{"$dynamicAnchor":"` + next + `"}}}`
		}) + `},"$ref":"r0#r0"}`, "1", ""},
	} {
		got := ""
		mib := allocated(func() {
			s, err := jsonschema.Parse([]byte(x.schema))
			if err != nil {
				got = err.Error()
			} else if faults := check(t, s, x.value); len(faults) > 0 {
				got = faults[0].String()
			}
		})
		if mib > 100 || len(got) > 500 || !strings.Contains(got, x.want) || x.want == "" && got != "" {
			t.Errorf("%s: in %d MiB, %.200s", name, mib, got)
		}
	}
}

// TestUnclearParts checks that the unclear parts of a value are searched once, even if many schemas do
// not examine them, and are reported once.
func TestUnclearParts(t *testing.T) {
	s, err := jsonschema.Parse([]byte(`{"allOf":[` + joinNumbers(20_000, func(string) string { return `{"type":"object"}` }) + `]}`))
	if err != nil {
		t.Fatal(err)
	}
	faults := check(t, s, `{"a":{"x":1,"x":1,"y":1e99999,"b":`+listOfZeros(50_000)+`}}`)
	if len(faults) != 2 || faults[0].Pointer != "/a/x" || faults[1].Pointer != "/a/y" {
		t.Errorf("%.500v", faults)
	}
}

// TestLongPointers checks that no more faults are reported once their pointers are too long in total.
func TestLongPointers(t *testing.T) {
	s, err := jsonschema.Parse([]byte(`{"additionalProperties":{"items":{"type":"string"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	text := `{"` + strings.Repeat("x", 1<<20) + `":[` + strings.Repeat("1,", 2000) + "1]}"
	v, err := jsontext.Parse(text, 10)
	if err != nil {
		t.Fatal(err)
	}
	faults := 0
	if mib := allocated(func() { faults = len(s.Check(v, len(text))) }); mib > 100 || faults < 10 {
		t.Errorf("%d faults in %d MiB", faults, mib)
	}
}
