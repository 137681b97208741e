package code

import (
	"go/format"
	"strings"
	"testing"
)

// TestLayOut lays out what go/format lays out the same.
func TestLayOut(t *testing.T) {
	for name, lines := range map[string][]string{
		"nothing":    nil,
		"one column": {"var x = T{", "A:\t1,", "Bcd:\tf(2),", "}"},
		"fields": {
			"// T holds {", "type T struct {", "// Words: what (", "Words\tstring\t`json:\"words\"`", "Limit\tint\t`json:\"l\"`", "In\tcontext.Context", "F\tmap[string]int\t`x`", "",
			"Ö\tint", "Long\tstring", "p.Embedded\t`y`", "*Other", "}",
		},
		"one field":   {"type T struct {", "A\tint\t`x`", "}"},
		"types":       {"var _ func(struct {", "A\tstruct {", "Bcd\tint\t`x`", "E\tinterface {", "M() error", "}\t`y`", "F\tint", "}", "Long\tint", "}) (T, error) = f", ""},
		"constants":   {"const (", "a\t= `{\"a\":  1}`", "bcd\t= 1", ")", "", "const c = 1"},
		"functions":   {"func f(v wire.Value, x *T) {", "x.A = wire.Or(o.Opt(\"a\"), func(v wire.Value) int {", "return v.Int()", "}, 10)", "if !e.Open(lead) {", "return", "}", "}", "", "func _() {}"},
		"many depths": {"func f() {", "if a {", "if b {", "if c {", "x(T{", "A:\t1,", "Bc: U{", "D:\t2,", "},", "Efg:\t3,", "})", "}", "}", "}", "}"},
	} {
		t.Run(name, func(t *testing.T) {
			var l Lines
			for _, line := range lines {
				l.Add(line)
			}
			got := string(l.LayOut([]byte("var first int\n")))
			want, err := format.Source([]byte("var first int\n\n" + strings.Join(lines, "\n") + "\n"))
			if err != nil {
				t.Fatal(err)
			}
			if got = strings.TrimRight(got, "\n"); got != strings.TrimRight(string(want), "\n") {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
			if len(l.text) > 0 {
				t.Errorf("%q is left", l.text)
			}
		})
	}
}
