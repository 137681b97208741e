package shape

import (
	"testing"

	"github.com/aiongen/aiongen/internal/values"
)

// TestTagLiteral checks words that are text in a tag, but something else in a note.
func TestTagLiteral(t *testing.T) {
	for value, want := range map[string]values.Form{
		"none": values.QuotedForm, "NULL": values.QuotedForm, "True": values.QuotedForm, "true": values.BoolForm,
		"1.5": values.NumberForm, "[]": values.ListForm, "'a": values.WordForm, "a": values.WordForm, "": values.WordForm,
	} {
		if l := tagLiteral(value); values.FormOf(l) != want || l.Text != value {
			t.Errorf("%q is %+v", value, l)
		}
	}
}
