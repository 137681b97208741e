package jsonschema_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/internal/jsonschema"
)

func ExampleExpectedFormat() {
	date, _ := jsonschema.LookupFormat("date")
	fmt.Println(date.Is("2026-02-30"), "expected "+jsonschema.ExpectedFormat("date", "2026-02-30"))
	p, _ := jsonschema.CompilePattern(`^\u0041+$`, 100)
	fmt.Println(p.Match("AAA"))
	// Output:
	// false expected a date such as 2026-01-31
	// true
}

// TestCompile checks that syntax which differs between ECMA-262 and Go has its meaning in ECMA-262.
func TestCompile(t *testing.T) {
	for _, x := range []struct{ pattern, text string }{
		{`^\u0041$`, "A"}, {`^[\u00e0-\u00ff]+$`, "éü"}, {`^\ud83d\ude00$`, "😀"}, {`^\u{1F600}$`, "😀"}, {`^\cJ$`, "\n"}, {`^[^]$`, "\n"}, {`^a[]?$`, "a"}, {`^\\u0041$`, `\u0041`}, {`^\[]\u0041$`, "[]A"}, {`^(?<year>\d{4})$`, "2026"}, {`^\p{Letter}$`, "é"},
	} {
		p, err := jsonschema.CompilePattern(x.pattern, 1000)
		if err != nil {
			t.Error(err)
		} else if !p.Match(x.text) {
			t.Errorf("%s does not match %q", x.pattern, x.text)
		}
	}
	if p, err := jsonschema.CompilePattern(`^[\u0041[]$`, 1000); err != nil || !p.Match("[") || p.Match("b") {
		t.Errorf("a bracket in a class is more than itself, or less: %v", err)
	}
}

func TestUUID(t *testing.T) {
	for s, want := range map[string]bool{
		"123e4567-e89b-12d3-a456-426614174000": true, "123E4567-E89B-12D3-A456-426614174000": true,
		"123e4567e89b12d3a456426614174000": false, "123e4567-e89b-12d3-a456-42661417400g": false,
		"123e4567-e89b-12d3-a456-42661417400": false, "123e4567-e89b-12d3-a456-4266141740001": false, "": false,
	} {
		if (jsonschema.ExpectedUUID(s) == "") != want {
			t.Errorf("%q is a UUID: %t", s, !want)
		}
	}
}

func TestBytes(t *testing.T) {
	for s, want := range map[string]string{"+/8=": "\xfb\xff", "+/8": "\xfb\xff", "-_8": "\xfb\xff", "-_8=": "\xfb\xff", "": ""} {
		if got, err := jsonschema.DecodeBase64(s); err != nil || string(got) != want {
			t.Errorf("%q is read as %q, %v, want %q", s, got, err, want)
		}
	}
	for _, s := range []string{"+_8", "a", "=", "é"} {
		if got, err := jsonschema.DecodeBase64(s); err == nil {
			t.Errorf("%q is read as %q", s, got)
		}
	}
}

// TestRegex checks that counted repetitions, which would be long programs, are accepted but not
// compiled.
func TestRegex(t *testing.T) {
	regex, _ := jsonschema.LookupFormat("regex")
	for s, want := range map[string]bool{strings.Repeat("(a?){1000}", 100): true, `^\u{1F600}[^]$`: true, "(": false, "(?=a)": false} {
		if regex.Is(s) != want {
			t.Errorf("%.40s is a regular expression: %t", s, !want)
		}
	}
}
