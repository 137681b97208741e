package emit

import (
	"strings"
	"testing"
)

// TestJoinTerms checks that each term occurs once and in order, and that groups are small.
func TestJoinTerms(t *testing.T) {
	var terms []string
	for range 10_000 {
		terms = append(terms, "a")
	}
	text := joinTerms(terms)
	plain := strings.NewReplacer("(", "", ")", "").Replace(text)
	if plain != strings.Join(terms, " + ") {
		t.Errorf("%.100s", plain)
	}
	for _, group := range strings.FieldsFunc(text, func(c rune) bool { return c == '(' || c == ')' }) {
		if count := strings.Count(group, "a"); count > maxTerms {
			t.Errorf("%d terms stand side by side", count)
		}
	}
}
