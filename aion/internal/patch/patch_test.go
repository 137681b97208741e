package patch

import (
	"bytes"
	"slices"
	"testing"

	"github.com/aiongen/aiongen/aion/diag"
)

// between is an edit of a file on one line.
func between(file string, start, end int, text string) diag.Edit {
	return diag.Edit{
		Span: diag.Span{File: file, Start: diag.Pos{Offset: start, Line: 1, Column: start + 1}, End: diag.Pos{Offset: end, Line: 1, Column: end + 1}},
		Text: text,
	}
}

func TestMake(t *testing.T) {
	a := func(start, end int, text string) diag.Edit { return between("a", start, end, text) }
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
		{"another file", [][]diag.Edit{{between("b", 1, 2, "x")}, {a(1, 2, "y"), between("b", 1, 2, "y")}}, "0123456789", 0},
		{"what is not there", [][]diag.Edit{{a(8, 11, "x")}, {a(3, 2, "y")}, {a(-1, 2, "z")}, {}}, "0123456789", 0},
		{"at both ends", [][]diag.Edit{{a(10, 10, "]")}, {a(0, 0, "[")}}, "[0123456789]", 2},
	} {
		var fixes []diag.Fix
		for _, edits := range tt.fixes {
			fixes = append(fixes, diag.Fix{Edits: edits})
		}
		if got, made := Make("a", []byte("0123456789"), fixes); string(got) != tt.want || made != tt.made {
			t.Errorf("%s: %q with %d, want %q with %d", tt.name, got, made, tt.want, tt.made)
		}
	}
}

// TestMakeLineEnds: lines that come in end as those that are there.
func TestMakeLineEnds(t *testing.T) {
	for text, want := range map[string]string{
		"a\r\nb\n": "a1\r\n2\r\n3\r\nb\n",
		"a\nb\r\n": "a1\n2\r\n3\nb\r\n",
		"a":        "a1\n2\r\n3",
	} {
		if got, _ := Make("a", []byte(text), []diag.Fix{{Edits: []diag.Edit{between("a", 1, 1, "1\n2\r\n3")}}}); string(got) != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// FuzzMake makes any edits: what is left of the text is in its order, and each edit that
// was made stands in it once.
func FuzzMake(f *testing.F) {
	f.Add("0123456789", []byte{7, 8, 1, 3, 2, 2})
	f.Add("", []byte{0, 0, 0, 0})
	f.Add("abc", []byte{2, 1, 255, 3, 0, 3})
	f.Fuzz(func(t *testing.T, text string, places []byte) {
		var fixes []diag.Fix
		for pair := range slices.Chunk(places, 2) {
			if len(pair) == 2 {
				fixes = append(fixes, diag.Fix{Edits: []diag.Edit{between("a", int(int8(pair[0])), int(int8(pair[1])), "\x00")}})
			}
		}
		mended, made := Make("a", []byte(text), fixes)
		rest := []byte(text)
		for _, c := range bytes.ReplaceAll(mended, []byte{0}, nil) {
			_, behind, found := bytes.Cut(rest, []byte{c})
			if !found {
				t.Fatalf("%q became %q", text, mended)
			}
			rest = behind
		}
		if n := bytes.Count(mended, []byte{0}); n < made {
			t.Errorf("%q became %q with %d edits", text, mended, made)
		}
		if made == 0 && string(mended) != text {
			t.Errorf("%q became %q without an edit", text, mended)
		}
	})
}
