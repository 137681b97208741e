package diag

import "testing"

// between is an edit of a file on one line.
func between(file string, start, end int, text string) Edit {
	return Edit{Span{file, Pos{start, 1, start + 1}, Pos{end, 1, end + 1}}, text}
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
