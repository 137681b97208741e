package jsonschema_test

import (
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/internal/jsonschema"
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
