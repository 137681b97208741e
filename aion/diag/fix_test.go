package diag

import (
	"strconv"
	"strings"
	"testing"
)

// newEdit returns an edit on one line of a file.
func newEdit(start, end int, text string) Edit {
	return Edit{Span{"a", Pos{start, 1, start + 1}, Pos{end, 1, end + 1}}, text}
}

// TestWithFix checks that a fix is not added if one of its edits has no position.
func TestWithFix(t *testing.T) {
	var list List
	d := list.Errorf("c", Span{File: "a"}, "m").WithFix(Edit{Span{File: "a"}, "x"}).WithGuess()
	if d.Fixes != nil {
		t.Errorf("%+v", d.Fixes)
	}
	d.WithGuess(newEdit(1, 2, ""), newEdit(3, 3, `"x"`), newEdit(4, 4, `"x"`))
	if got, want := d.Fixes[0].Title(), `delete the text, write "\"x\""`; got != want || !d.Fixes[0].Guess {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestTitle describes fixes with many edits and with long texts.
func TestTitle(t *testing.T) {
	var renumbered, same []Edit
	for i := range 1000 {
		renumbered = append(renumbered, newEdit(i, i+1, "arg-"+strconv.Itoa(i)))
		same = append(same, newEdit(i, i+1, ""))
	}
	for want, edits := range map[string][]Edit{
		`write "arg-0", write "arg-1", write "arg-2", write "arg-3" and more`: renumbered,
		`write "arg-0", write "arg-1", write "arg-2", write "arg-3"`:          renumbered[:4],
		"delete the text": same,
		`write "` + strings.Repeat("x", 128) + `…"`: {newEdit(1, 2, strings.Repeat("x", 1000))},
	} {
		if got := (Fix{Edits: edits}).Title(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
