package notes

import "testing"

func TestTypeWords(t *testing.T) {
	if len(TypeWords) != len(kinds) {
		t.Errorf("%d words, %d kinds", len(TypeWords), len(kinds))
	}
}
