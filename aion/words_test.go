package aion

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/aion/internal/property"
	"github.com/aiongen/aiongen/internal/values"
)

// TestNotationDocWords looks in the document for every word that the parser knows.
func TestNotationDocWords(t *testing.T) {
	text, err := os.ReadFile("../docs/notation.md")
	if err != nil {
		t.Fatal(err)
	}
	options := slices.Clone(values.Options)
	for _, mark := range values.Marks {
		options = append(options, mark+"=")
	}
	for what, words := range map[string][]string{
		"property of elements": property.Element, "property of the array": property.Prompt,
		"option of notes": options, "type word": values.TypeWords,
	} {
		for _, word := range words {
			if !strings.Contains(string(text), "\n| `"+word+"`") && !regexp.MustCompile("\n\\| [^|]*`"+regexp.QuoteMeta(word)+"`[^|]* \\|").Match(text) {
				t.Errorf("no table has the %s %s", what, word)
			}
		}
	}
}
