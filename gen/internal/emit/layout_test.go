package emit

import (
	"bytes"
	"go/format"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/gen/internal/model"
)

// TestLayOut compares the layout of lines with go/format.
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
		"functions":   {"func f(v wire.Value, x *T) {", "x.A = wire.ReadOr(o.Opt(\"a\"), func(v wire.Value) int {", "return v.Int()", "}, 10)", "if !e.Open(lead) {", "return", "}", "}", "", "func _() {}"},
		"many depths": {"func f() {", "if a {", "if b {", "if c {", "x(T{", "A:\t1,", "Bc: U{", "D:\t2,", "},", "Efg:\t3,", "})", "}", "}", "}", "}"},
	} {
		t.Run(name, func(t *testing.T) {
			var l Lines
			for _, line := range lines {
				l.add(line)
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

// TestTypes compares the layout of nested types, where they occur in generated code, with
// go/format.
func TestTypes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	names := NewNames(&model.Package{}).WithOwnImports()
	for range 300 {
		var l Lines
		a, b := names.GoType(randomType(r, 4)), names.GoType(randomType(r, 3))
		l.add("type T struct {")
		l.add("A\t", a, "\t`json:\"a\"`")
		l.add("Bcd\t", b)
		l.add("}")
		l.addBlank()
		l.addBlock("func f(v *"+a+") ("+b+", error) {", func() {
			l.add("var _ func(", a, ", ...", b, ") = g")
			l.add("x.A = wire.Read[", a, "](v, func(v wire.Value) ", b, " {")
			l.addReturn("*new(" + b + ")")
			l.add("}, 10)")
			l.addIf("v != (struct {\nA "+a+"\n}{})", "return")
		}, "}")
		got := l.LayOut([]byte("package p\n"))
		if want, err := format.Source(got); err != nil || !bytes.Equal(got, want) {
			t.Fatalf("got\n%s\nwant (%v)\n%s", got, err, want)
		}
	}
}

// randomType returns a type with a nesting depth.
func randomType(r *rand.Rand, depth int) model.GoType {
	kinds := []model.GoKind{model.GoPointer, model.GoSlice, model.GoArray, model.GoMap, model.GoChan, model.GoSendChan, model.GoReceiveChan, model.GoFunc, model.GoStruct, model.GoInterface}
	if depth == 0 {
		return model.Basic([]string{"int", "any", "Größe", "context.Context"}[r.IntN(4)])
	}
	some := func(n int) (list []model.GoType) {
		for range n {
			list = append(list, randomType(r, depth-1))
		}
		return list
	}
	t := model.GoType{Kind: kinds[r.IntN(len(kinds))], Len: r.Int64N(3), Elems: some(2)}
	switch t.Kind {
	case model.GoFunc:
		t.Elems, t.Result = some(r.IntN(3)), some(r.IntN(3))
	case model.GoStruct, model.GoInterface:
		for i := range r.IntN(5) {
			f := model.GoField{Name: strings.Repeat("Ä", 1+r.IntN(9)) + strconv.Itoa(i), Type: randomType(r, depth-1)}
			switch {
			case t.Kind == model.GoInterface:
				f.Type = model.GoType{Kind: model.GoFunc, Elems: some(r.IntN(3)), Result: some(r.IntN(3))}
			case r.IntN(4) == 0:
				f.Name, f.Type = "", model.GoType{Kind: model.GoPointer, Elems: []model.GoType{model.Basic("Embedded")}}
			}
			if t.Kind == model.GoStruct && r.IntN(2) == 0 {
				f.Tag = []string{`json:"a"`, "a `tag`"}[r.IntN(2)]
			}
			t.Fields = append(t.Fields, f)
		}
	}
	return t
}
