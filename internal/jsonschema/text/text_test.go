package text_test

import (
	"fmt"
	"testing"

	"github.com/aiongen/aiongen/internal/jsonschema/text"
)

func Example() {
	date, _ := text.FormatOf("date")
	fmt.Println(date.Is("2026-02-30"), "expected "+date.Expected("2026-02-30"))
	p, _ := text.Compile(`^\u0041+$`)
	fmt.Println(p.Match("AAA"))
	// Output:
	// false expected a date such as 2026-01-31
	// true
}

// TestCompile: what ECMA-262 writes otherwise means what it says there.
func TestCompile(t *testing.T) {
	for _, x := range []struct{ pattern, text string }{
		{`^\u0041$`, "A"}, {`^[\u00e0-\u00ff]+$`, "éü"}, {`^\ud83d\ude00$`, "😀"}, {`^\u{1F600}$`, "😀"}, {`^\cJ$`, "\n"}, {`^[^]$`, "\n"}, {`^a[]?$`, "a"}, {`^\\u0041$`, `\u0041`}, {`^(?<year>\d{4})$`, "2026"}, {`^\p{Letter}$`, "é"},
	} {
		p, err := text.Compile(x.pattern)
		if err != nil {
			t.Error(err)
		} else if !p.Match(x.text) {
			t.Errorf("%s does not match %q", x.pattern, x.text)
		}
	}
}
