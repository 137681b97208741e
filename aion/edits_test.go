package aion

import (
	"bytes"
	"slices"
	"testing"

	"github.com/aiongen/aiongen/aion/diag"
)

// newEdit returns an edit on one line of a file.
func newEdit(file string, start, end int, text string) diag.Edit {
	return diag.Edit{
		Span: diag.Span{File: file, Start: diag.Pos{Offset: start, Line: 1, Column: start + 1}, End: diag.Pos{Offset: end, Line: 1, Column: end + 1}},
		Text: text,
	}
}

func TestApplyEdits(t *testing.T) {
	a := func(start, end int, text string) diag.Edit { return newEdit("a", start, end, text) }
	for _, tt := range []struct {
		name  string
		fixes [][]diag.Edit
		want  string
		made  int
	}{
		{"none", nil, "0123456789", 0},
		{"out of order", [][]diag.Edit{{a(7, 8, "x")}, {a(1, 3, "")}}, "03456x89", 2},
		{"several places", [][]diag.Edit{{a(7, 8, "x"), a(0, 0, "[")}}, "[0123456x89", 1},
		{"the first of two that overlap", [][]diag.Edit{{a(1, 4, "x")}, {a(3, 5, "y")}, {a(4, 5, "z")}}, "0xz56789", 2},
		{"inside another", [][]diag.Edit{{a(1, 9, "x")}, {a(4, 4, "y")}}, "0x9", 1},
		{"around another", [][]diag.Edit{{a(4, 4, "y")}, {a(1, 9, "x")}}, "0123y456789", 1},
		{"behind one another", [][]diag.Edit{{a(1, 4, "x")}, {a(4, 4, ",")}, {a(1, 1, "<")}}, "0<x,456789", 3},
		{"twice at one place", [][]diag.Edit{{a(4, 4, "x")}, {a(4, 4, "y")}}, "0123x456789", 1},
		{"all or nothing", [][]diag.Edit{{a(1, 4, "x")}, {a(8, 9, "y"), a(3, 5, "z")}}, "0x456789", 1},
		{"against itself", [][]diag.Edit{{a(1, 4, "x"), a(3, 5, "z")}}, "0123456789", 0},
		{"another file", [][]diag.Edit{{newEdit("b", 1, 2, "x")}, {a(1, 2, "y"), newEdit("b", 1, 2, "y")}}, "0123456789", 0},
		{"what is not there", [][]diag.Edit{{a(8, 11, "x")}, {a(3, 2, "y")}, {a(-1, 2, "z")}, {}}, "0123456789", 0},
		{"at both ends", [][]diag.Edit{{a(10, 10, "]")}, {a(0, 0, "[")}}, "[0123456789]", 2},
	} {
		var fixes []diag.Fix
		for _, edits := range tt.fixes {
			fixes = append(fixes, diag.Fix{Edits: edits})
		}
		if got, made := applyEdits("a", []byte("0123456789"), fixes); string(got) != tt.want || made != tt.made {
			t.Errorf("%s: %q with %d, want %q with %d", tt.name, got, made, tt.want, tt.made)
		}
	}
}

// TestMakeLineEnds checks that inserted lines get the line ends of the file.
func TestApplyEditsLineEnds(t *testing.T) {
	for text, want := range map[string]string{
		"a\r\nb\n": "a1\r\n2\r\n3\r\nb\n",
		"a\nb\r\n": "a1\n2\r\n3\nb\r\n",
		"a":        "a1\n2\r\n3",
	} {
		if got, _ := applyEdits("a", []byte(text), []diag.Fix{{Edits: []diag.Edit{newEdit("a", 1, 1, "1\n2\r\n3")}}}); string(got) != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// FuzzApplyEdits applies arbitrary edits. The remaining text must keep its order, and each applied
// edit must occur once.
func FuzzApplyEdits(f *testing.F) {
	f.Add("0123456789", []byte{7, 8, 1, 3, 2, 2})
	f.Add("", []byte{0, 0, 0, 0})
	f.Add("abc", []byte{2, 1, 255, 3, 0, 3})
	f.Fuzz(func(t *testing.T, text string, places []byte) {
		var fixes []diag.Fix
		for pair := range slices.Chunk(places, 2) {
			if len(pair) == 2 {
				fixes = append(fixes, diag.Fix{Edits: []diag.Edit{newEdit("a", int(int8(pair[0])), int(int8(pair[1])), "\x00")}})
			}
		}
		fixed, made := applyEdits("a", []byte(text), fixes)
		rest := []byte(text)
		for _, c := range bytes.ReplaceAll(fixed, []byte{0}, nil) {
			_, behind, found := bytes.Cut(rest, []byte{c})
			if !found {
				t.Fatalf("%q became %q", text, fixed)
			}
			rest = behind
		}
		if n := bytes.Count(fixed, []byte{0}); n < made {
			t.Errorf("%q became %q with %d edits", text, fixed, made)
		}
		if made == 0 && string(fixed) != text {
			t.Errorf("%q became %q without an edit", text, fixed)
		}
	})
}
