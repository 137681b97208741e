package jsonschema_test

import (
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
)

// many joins what f makes of so many numbers, as elements or members are.
func many(n int, f func(i string) string) string {
	all := make([]string, n)
	for i := range all {
		all[i] = f(strconv.Itoa(i))
	}
	return strings.Join(all, ",")
}

// allocated returns how much memory f takes, in MiB.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return (after.TotalAlloc - before.TotalAlloc) >> 20
}

// TestLargeSchemas: what it takes to read a schema grows as the schema does. The
// names are escaped, for what reads them again and again shows in memory then.
func TestLargeSchemas(t *testing.T) {
	for name, schema := range map[string]string{
		"parts with long pointers": `{"properties":{"` + strings.Repeat("x", 1<<19) + `":{"properties":{` + many(5000, func(i string) string { return `"k` + i + `":true` }) + `}}}}`,
		"references": `{"$defs":{` + many(5000, func(i string) string { return `"\u006b` + i + `":true` }) + `},"allOf":[` +
			many(5000, func(i string) string { return `{"$ref":"#/$defs/k` + i + `"}` }) + `]}`,
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

// TestDearWords: what takes long to say of a value, or to find out, is paid for.
func TestDearWords(t *testing.T) {
	names := many(20_000, func(i string) string { return `"k` + i + `"` })
	for name, x := range map[string]struct{ schema, value string }{
		"values": {`{"items":{"enum":[` + names + `]}}`, "[" + strings.Repeat(`"x",`, 2000) + `"x"]`},
		"names of members": {`{"propertyNames":{"enum":[` + names + `]}}`,
			"{" + many(2000, func(i string) string { return `"x` + i + `":1` }) + "}"},
		"near names": {`{"additionalProperties":false,"properties":{` + strings.ReplaceAll(names, `",`, `":{},`) + `:{}}}`,
			"{" + many(1000, func(i string) string { return `"x` + i + `":1` }) + "}"},
		"zeros to divide":      {`{"items":{"multipleOf":` + strings.Repeat("7", 400) + `}}`, "[" + strings.Repeat("1e9000,", 500) + "1]"},
		"digits to divide":     {`{"items":{"multipleOf":` + strings.Repeat("7", 400) + `}}`, "[" + strings.Repeat("9", 20_000) + "]"},
		"a long pattern":       {`{"pattern":"^` + strings.Repeat("(a?){1000}", 10) + `b$"}`, `"` + strings.Repeat("a", 2000) + `"`},
		"a long pattern again": {`{"patternProperties":{"^` + strings.Repeat("(a?){1000}", 10) + `b$":{}}}`, `{"` + strings.Repeat("a", 2000) + `":1}`},
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

// TestLongPointers: faults are told as long as their pointers are not too long in all.
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
