package diag

import (
	"bytes"
	"slices"
	"testing"
)

// between is an edit of a file on one line.
func between(file string, start, end int, text string) Edit {
	return Edit{Span{file, Pos{start, 1, start + 1}, Pos{end, 1, end + 1}}, text}
}

func TestMend(t *testing.T) {
	a := func(start, end int, text string) Edit { return between("a", start, end, text) }
	for _, tt := range []struct {
		name  string
		fixes [][]Edit
		want  string
		made  int
	}{
		{"none", nil, "0123456789", 0},
		{"out of order", [][]Edit{{a(7, 8, "x")}, {a(1, 3, "")}}, "03456x89", 2},
		{"several places", [][]Edit{{a(7, 8, "x"), a(0, 0, "[")}}, "[0123456x89", 1},
		{"the first of two that overlap", [][]Edit{{a(1, 4, "x")}, {a(3, 5, "y")}, {a(4, 5, "z")}}, "0xz56789", 2},
		{"inside another", [][]Edit{{a(1, 9, "x")}, {a(4, 4, "y")}}, "0x9", 1},
		{"around another", [][]Edit{{a(4, 4, "y")}, {a(1, 9, "x")}}, "0123y456789", 1},
		{"behind one another", [][]Edit{{a(1, 4, "x")}, {a(4, 4, ",")}, {a(1, 1, "<")}}, "0<x,456789", 3},
		{"twice at one place", [][]Edit{{a(4, 4, "x")}, {a(4, 4, "y")}}, "0123x456789", 1},
		{"all or nothing", [][]Edit{{a(1, 4, "x")}, {a(8, 9, "y"), a(3, 5, "z")}}, "0x456789", 1},
		{"against itself", [][]Edit{{a(1, 4, "x"), a(3, 5, "z")}}, "0123456789", 0},
		{"another file", [][]Edit{{between("b", 1, 2, "x")}, {a(1, 2, "y"), between("b", 1, 2, "y")}}, "0123456789", 0},
		{"what is not there", [][]Edit{{a(8, 11, "x")}, {a(3, 2, "y")}, {a(-1, 2, "z")}, {}}, "0123456789", 0},
		{"at both ends", [][]Edit{{a(10, 10, "]")}, {a(0, 0, "[")}}, "[0123456789]", 2},
	} {
		var fixes []Fix
		for _, edits := range tt.fixes {
			fixes = append(fixes, Fix{Edits: edits})
		}
		if got, made := Mend("a", []byte("0123456789"), fixes); string(got) != tt.want || made != tt.made {
			t.Errorf("%s: %q with %d, want %q with %d", tt.name, got, made, tt.want, tt.made)
		}
	}
}

// TestMendLineEnds: lines that come in end as those that are there.
func TestMendLineEnds(t *testing.T) {
	for text, want := range map[string]string{
		"a\r\nb\n": "a1\r\n2\r\n3\r\nb\n",
		"a\nb\r\n": "a1\n2\r\n3\nb\r\n",
		"a":        "a1\n2\r\n3",
	} {
		if got, _ := Mend("a", []byte(text), []Fix{{Edits: []Edit{between("a", 1, 1, "1\n2\r\n3")}}}); string(got) != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// FuzzMend makes any edits: what is left of the text is in its order, and each edit that
// was made stands in it once.
func FuzzMend(f *testing.F) {
	f.Add("0123456789", []byte{7, 8, 1, 3, 2, 2})
	f.Add("", []byte{0, 0, 0, 0})
	f.Add("abc", []byte{2, 1, 255, 3, 0, 3})
	f.Fuzz(func(t *testing.T, text string, places []byte) {
		var fixes []Fix
		for pair := range slices.Chunk(places, 2) {
			if len(pair) == 2 {
				fixes = append(fixes, Fix{Edits: []Edit{between("a", int(int8(pair[0])), int(int8(pair[1])), "\x00")}})
			}
		}
		mended, made := Mend("a", []byte(text), fixes)
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

// TestWithFix: an edit without a place is none.
func TestWithFix(t *testing.T) {
	var list List
	d := list.Errorf("c", Span{File: "a"}, "m").WithFix(Edit{Span{File: "a"}, "x"}).WithGuess()
	if d.Fixes != nil {
		t.Errorf("%+v", d.Fixes)
	}
	d.WithGuess(between("a", 1, 2, ""), between("a", 3, 3, `"x"`), between("a", 4, 4, `"x"`))
	if got, want := d.Fixes[0].Title(), `delete what stands there, write "\"x\""`; got != want || !d.Fixes[0].Guess {
		t.Errorf("%s, want %s", got, want)
	}
}
