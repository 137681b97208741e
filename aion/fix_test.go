package aion

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/aion/diag"
)

// TestApplyFixes applies fixes of faults that no code's example has.
func TestApplyFixes(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"comment of several lines", "[\n  /* one\n   * two\n   */\n]", "[\n  // one\n  // two\n]"},
		{"comment before something", "[ /* one */ ]", "[ // one\n]"},
		{"quote at the end of a block", `[ system_prompt --> """say "x"""" ]`, "[ system_prompt --> \"\"\"say \"x\"\n\"\"\" ]"},
		{"quotes inside other quotes", `[ system_prompt --> 'say "x" now' ]`, `[ system_prompt --> """say "x" now""" ]`},
		{"end of the array", `[ { name --> "a", link --> "https://e.com", description --> "d" }`, "[ { name --> \"a\", link --> \"https://e.com\", description --> \"d\" }\n]"},
		{"end of an element", `[ { name --> "a", link --> "https://e.com", description --> "d" ]`, `[ { name --> "a", link --> "https://e.com", description --> "d" } ]`},
		{"end of an element before the next", `[ { name --> "a", link --> "https://e.com", description --> "d", { name --> "b", link --> "https://e.com", description --> "d" } ]`,
			`[ { name --> "a", link --> "https://e.com", description --> "d" }, { name --> "b", link --> "https://e.com", description --> "d" } ]`},
		{"nothing at all", "", "[]\n"},
		{"arrows without blanks", `[ { name:"a",link=>"https://e.com",description:"d" } ]`, `[ { name --> "a",link --> "https://e.com",description --> "d" } ]`},
		{"names in other quotes", `[ { 'name': 'a', ‘link’ --> “https://e.com”, ` + "`description` = `d`" + ` } ]`, `[ { name --> "a", link --> "https://e.com", description --> "d" } ]`},
		{"commas in a row", "[ { name --> \"a\", link --> \"https://e.com\", description --> \"d\" },\n  , ,\n]", "[ { name --> \"a\", link --> \"https://e.com\", description --> \"d\" },\n]"},
		{"options in a row", `[ { name --> "a", function --> "A" --> { arg-1 --> "int | min=1, max=7 | required=false", arg-2 --> "int | range=1..3" } } ]`,
			`[ { name --> "a", function --> "A" --> { arg-1 --> "int | min=1 | max=7 | optional", arg-2 --> "int | min=1 | max=3" } } ]`},
		{"an edit that does harm", `[ { name --> "a", function --> "A" --> { arg-1 --> "int | min=1 | range=1..3" } } ]`,
			`[ { name --> "a", function --> "A" --> { arg-1 --> "int | min=1 | range=1..3" } } ]`},
		{"an arrow in a text that may have ended", `[ { name --> "a", function --> "A' --> {}, description --> "d" } ]`, `[ { name --> "a", function --> "A' --> {}, description --> "d" } ]`},
		{"two quotes for one", `[ { name --> "a", function --> ""A" --> {} } ]`, `[ { name --> "a", function --> ""A" --> {} } ]`},
		{"another quote at the end", "[ { name --> \"a\", function --> \"A` --> {} },\n  { name --> \"b\", function --> \"B\" --> {} } ]", "[ { name --> \"a\", function --> \"A` --> {} },\n  { name --> \"b\", function --> \"B\" --> {} } ]"},
		{"another quote at the start", `[ { name --> "a", function --> “A" --> {} } ]`, `[ { name --> "a", function --> "A" --> {} } ]`},
		{"no quote in front of an arrow", "[ { name --> \"a\", function --> \"A --> {\n  arg-1 --> \"int\" } } ]", "[ { name --> \"a\", function --> \"A\" --> {\n  arg-1 --> \"int\" } } ]"},
		{"another quote before a comment", "[ { name --> \"a\", link --> \"https://e.com/”, // here\n  description --> \"d\" } ]", "[ { name --> \"a\", link --> \"https://e.com/”, // here\n  description --> \"d\" } ]"},
		{"a quote too many behind a block", "[ system_prompt --> \"\"\"\n  say it\n\"\"\"\" ]", "[ system_prompt --> \"\"\"\n  say it\n\"\"\"\" ]"},
		{"a property of the element in its last block", `[ { name --> "a", function --> "A" --> {}, args_schema --> { x --> "int", description --> "d" } ]`, `[ { name --> "a", function --> "A" --> {}, args_schema --> { x --> "int", description --> "d" } ]`},
		{"an option without its bar", `[ { name --> "a", function --> "A" --> { arg-1 --> "float (in kelvins) min=0", arg-2 --> "dict, omit=x | optional", arg-3 --> "dict (all), optional" } } ]`,
			`[ { name --> "a", function --> "A" --> { arg-1 --> "float (in kelvins) min=0", arg-2 --> "dict, omit=x | optional", arg-3 --> "dict (all), optional" } } ]`},
		{"a bar in parentheses", `[ { name --> "a", function --> "A" --> { arg-1 --> "int (one|two) | min=1" } } ]`,
			`[ { name --> "a", function --> "A" --> { arg-1 --> "int (one/two) | min=1" } } ]`},
		{"a guess stays", `[ { nme --> "a", link --> "https://e.com", description --> "d" } ]`, `[ { nme --> "a", link --> "https://e.com", description --> "d" } ]`},
	} {
		text := []byte(tt.text)
		for range 3 {
			_, list := Parse("a.aion", text)
			text, _ = ApplyFixes("a.aion", text, certainFixes(list))
		}
		if string(text) != tt.want {
			t.Errorf("%s:\n%s\nwant\n%s", tt.name, text, tt.want)
		}
	}
}

// certainFixes returns the fixes of diagnostics, without guesses.
func certainFixes(list diag.List) (fixes []diag.Fix) {
	for _, d := range list {
		for _, f := range d.Fixes {
			if !f.Guess {
				fixes = append(fixes, f)
			}
		}
	}
	return fixes
}

// TestApplyEachFix applies each fix of each bad file alone. The fault of the fix must then be gone.
func TestApplyEachFix(t *testing.T) {
	files, err := filepath.Glob("testdata/bad/*.aion")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	tried := 0
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		_, list := Parse(file, src)
		for _, d := range list {
			for _, f := range d.Fixes {
				tried++
				fixed, made := applyEdits(file, src, []diag.Fix{f})
				_, left := Parse(file, fixed)
				same := func(other *diag.Diagnostic) bool {
					return other.Code == d.Code && other.Message == d.Message && other.Span.Start == d.Span.Start
				}
				if made != 1 || slices.ContainsFunc(left, same) {
					t.Errorf("%v: it is still there after %+v:\n%s", d, f, fixed)
				}
			}
		}
	}
	if tried < 100 {
		t.Errorf("the files have %d fixes", tried)
	}
}

// TestFixExtraBrackets deletes several closing brackets with one fix, which must keep the text between
// them.
func TestFixExtraBrackets(t *testing.T) {
	for text, want := range map[string]string{
		"[]]":                           "[]",
		"[]]]}]":                        "[]",
		"[] ] ]\n]\n":                   "[]\n",
		"[]]]// a\n]":                   "[]// a\n]",
		"[} }, { } ] }]":                "[, { } ]",
		"[]" + strings.Repeat("]", 1e5): "[]",
	} {
		_, list := Parse("a.aion", []byte(text))
		var fixes []diag.Fix
		for _, d := range list {
			if d.Code == "extra-bracket" {
				fixes = append(fixes, d.Fixes...)
			}
		}
		if got, _ := ApplyFixes("a.aion", []byte(text), fixes); string(got) != want {
			t.Errorf("%.20s: %.20s, want %s", text, got, want)
		}
	}
}
