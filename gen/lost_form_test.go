package gen

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const formsPackage = `package forms

import (
	"database/sql"
	"net/url"
	"time"

	"github.com/aiongen/aiongen/runtime/tool"
)

// Money is represented as a text.
type Money struct{ cents int }

// Account is represented as a text.
type Account int

// Figure has variants.
type Figure interface{ isFigure() }

// Circle is a figure.
type Circle struct{ Radius int }

func (Circle) isFigure() {}

// Bill contains a represented value.
type Bill struct {
	Total Money
	Paid  bool
}

// Plain has the form of encoding/json.
type Plain struct{ Name string }

var (
	_ = tool.Represent(func(text string) (Money, error) { return Money{len(text)}, nil }, func(m Money) string { return "money" })
	_ = tool.Represent(func(text string) (Account, error) { return 0, nil }, func(a Account) string { return "account" })
)

// The functions return values of the types.
func Price() Money                { return Money{} }
func PricePointer() *Money        { return nil }
func Prices() []Money             { return nil }
func PricesByName() map[string]Money { return nil }
func Number() Account             { return 0 }
func Numbers() []Account          { return nil }
func Draw() Figure                { return Circle{} }
func Charge() Bill                { return Bill{} }
func Name() sql.NullString        { return sql.NullString{} }
func Link() url.URL               { return url.URL{} }
func Wait() time.Duration         { return 0 }
func Simple() Plain               { return Plain{} }
func Describe(v any) string       { return "" }
func DescribeAll(n int, v ...any) string { return "" }
func Anything() any               { return nil }
`

// TestLostForm checks that a lambda cannot put a value into an any where it would lose the JSON that
// generated code writes for its type.
func TestLostForm(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the go command")
	}
	lost := []string{
		"{'a': Price(), 'b': 1}", "{'a': PricePointer(), 'b': 1}", "[Price(), 1]", "[1, Prices()]", "{'a': PricesByName(), 'b': 'x'}",
		"{'a': Number(), 'b': 'x'}", "{'a': Numbers(), 'b': 'x'}", "[Draw(), 1]", "{'a': Charge(), 'b': 1}", "{'a': Name(), 'b': 1}",
		"{'a': Link(), 'b': 1}", "{'a': Wait(), 'b': 'x'}", "1 if Anything() else Price()", "Anything() or Prices()", "[Anything()] + Prices()",
		"[Anything()] + Numbers()", "[[p, 1] for p in Prices()]", "Numbers()[Anything()]", "{**PricesByName(), 'b': 1}", "Anything() + Numbers()",
		"Anything().get('a', Price())", "PricesByName().get(Anything())",
	}
	kept := []string{
		"Price()", "[Price()]", "{'a': Prices()}", "Describe(Price())", "DescribeAll(1, Price(), Number())", "{'a': Simple(), 'b': 1}",
		"{'a': Describe(Draw()), 'b': 1}", "len(Prices())", "{'a': Number() + 1, 'b': 'x'}",
	}
	notation := ""
	for i, text := range slices.Concat(lost, kept) {
		notation += fmt.Sprintf("{ name --> \"f%d\", description --> \"d\", function --> \"lambda: %s\" --> {} }\n", i, text)
	}
	dir := desk(t, "["+strings.ReplaceAll(strings.TrimSpace(notation), "}\n", "},\n")+"]")
	if err := os.WriteFile(filepath.Join(dir, "desk.go"), []byte(formsPackage), 0o666); err != nil {
		t.Fatal(err)
	}
	_, faults := Generate(t.Context(), Config{Dir: dir})
	byLine := map[int]string{}
	for _, d := range faults {
		byLine[d.Span.Start.Line] += d.Error()
	}
	for i, text := range lost {
		if got := byLine[i+1]; !strings.Contains(got, "its JSON would differ from that of") {
			t.Errorf("%s: got %q, want an error about the lost JSON", text, got)
		}
	}
	for i, text := range kept {
		if got := byLine[len(lost)+i+1]; got != "" {
			t.Errorf("%s: %s", text, got)
		}
	}
}
