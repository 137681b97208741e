package aion

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/aion/internal/syntax"
	"github.com/aiongen/aiongen/internal/values"
)

// TestNotationDocWords checks that the documentation mentions every word that the parser knows.
func TestNotationDocWords(t *testing.T) {
	text, err := os.ReadFile("../docs/reference/notation.md")
	if err != nil {
		t.Fatal(err)
	}
	var options []string
	for _, o := range values.Options {
		options = append(options, o.Forms()...)
		if !strings.Contains(string(text), " | "+o.Help) {
			t.Errorf("no row of the document has the help of %s: %s", o.Name, o.Help)
		}
	}
	for what, words := range map[string][]string{
		"property of elements": syntax.ElementProperties, "property of the array": syntax.PromptProperties,
		"option of notes": options, "type word": values.TypeWords,
	} {
		for _, word := range words {
			if !strings.Contains(string(text), "\n| `"+word+"`") && !regexp.MustCompile("\n\\| [^|]*`"+regexp.QuoteMeta(word)+"`[^|]* \\|").Match(text) {
				t.Errorf("no table has the %s %s", what, word)
			}
		}
	}
	checkOptions(t, string(text), options)
}

// optionRow is a row of the table of options: its first cell.
var optionRow = regexp.MustCompile("(?m)^\\| ([^|]*`[^|]*) \\| ")

// checkOptions checks that the table of options has no other options, and that each one occurs in
// an example: after a bar in a note.
func checkOptions(t *testing.T, page string, options []string) {
	t.Helper()
	_, table, _ := strings.Cut(page, "\n### Options\n")
	table, _, _ = strings.Cut(table, "\n\nNotes on results")
	found := 0
	for _, row := range optionRow.FindAllStringSubmatch(table, -1) {
		for _, word := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(row[1], -1) {
			found++
			if !slices.Contains(options, word[1]) && word[1] != "?" {
				t.Errorf("there is no option %s", word[1])
			}
		}
	}
	if found < len(options) {
		t.Errorf("the table has %d of %d options", found, len(options))
	}
	for _, option := range options {
		end := "[ \"`\\\\]"
		if strings.HasSuffix(option, "=") {
			end = "[^ `]"
		}
		if !regexp.MustCompile(`\| ` + regexp.QuoteMeta(option) + end).MatchString(page) {
			t.Errorf("no example has the option %s", option)
		}
	}
}

// TestOptionFields checks that a note has a field for each option that is not a list of paths.
func TestOptionFields(t *testing.T) {
	for _, o := range values.Options {
		for _, form := range o.Forms() {
			paths := strings.HasSuffix(form, "=") && (o.Value == values.PathsOfValue || o.Value == values.PathsWithText)
			if field := new(Note).field(form); (field == nil) != paths {
				t.Errorf("the option %s has the field %T", form, field)
			}
		}
	}
}
