package py_test

import (
	"math"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/py"
)

// TestFormat checks formats at the limits of their types. The differential test compares the others
// with Python.
func TestFormat(t *testing.T) {
	for got, want := range map[string]string{
		py.FormatInt(int64(math.MinInt64), "x"):   "-8000000000000000",
		py.FormatInt(uint64(math.MaxUint64), ","): "18,446,744,073,709,551,615",
		py.FormatInt(int8(-128), "#b"):            "-0b10000000",
		py.FormatInt(1234, "08,"):                 "0,001,234",
		py.FormatFloat(math.Inf(-1), "+08.1f"):    "-0000inf",
		py.FormatFloat(5e-324, ".3e"):             "4.941e-324",
		py.FormatText("é日本", "^7.2"):              "  é日   ",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	for _, spec := range []string{"5000000", ".5000000f"} {
		if _, err := py.ParseFormat(spec, "float"); err == nil || !strings.HasPrefix(err.Error(), "MemoryError: ") {
			t.Errorf("%s: %v", spec, err)
		}
	}
}
