package emit

import (
	"strings"
	"testing"
)

// TestSum adds up many terms: each stands once and in order, and few stand side by side.
func TestSum(t *testing.T) {
	var terms []string
	for range 10_000 {
		terms = append(terms, "a")
	}
	text := sum(terms)
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
