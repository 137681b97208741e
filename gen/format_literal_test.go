package gen_test

import (
	"strings"
	"testing"

	"github.com/aiongen/aiongen/gen"
)

// TestFormatLiterals formats function literals and leaves other texts unchanged.
func TestFormatLiterals(t *testing.T) {
	for _, tt := range []struct{ function, want string }{
		{`"func( x int )int{return x+1}"`, `"func(x int) int { return x + 1 }"`},
		{"\"\"\"\n   func( s string )string{\n  if s==\"\" {\n\treturn `raw\n\t\ttext`   // nothing\n}\n\n\n         // the rest\n return s }\n\"\"\"", `"""
      func(s string) string {
        if s == "" {
          return ` + "`raw\n      \t\ttext`" + ` // nothing
        }

        // the rest
        return s
      }
    """`},
		{`"func(x int"`, `"func(x int"`},
		{`"func() {}()"`, `"func() {}()"`},
		{`"func() {}; func init() {}"`, `"func() {}; func init() {}"`},
		{`"func_name"`, `"func_name"`},
		{`"lambda x:  x+1"`, `"lambda x:  x+1"`},
	} {
		source := "[ { name --> \"x\", function --> " + tt.function + " --> {} } ]"
		want := "[\n  {\n    name --> \"x\",\n    function --> " + tt.want + " --> {}\n  }\n]\n"
		for range 2 {
			change, faults := gen.FormatInput("x.aion", strings.NewReader(source))
			if faults.Err() != nil {
				t.Fatalf("%s: %v", source, faults)
			}
			if source = string(change.New); source != want {
				t.Errorf("%s is formatted as\n%s\nwant\n%s", tt.function, source, want)
			}
		}
	}
}
