package notes_test

import (
	"fmt"
	"testing"

	"github.com/aiongen/aiongen/aion/internal/notes"
)

func Example() {
	for _, part := range notes.Split("list[string] (tags) | enum=a,'b|c' | minimum=2") {
		fmt.Printf("%-18s at %2d", part.Text, part.At)
		if end, ok := notes.TypeEnd(part.Text); ok && part.At == 0 {
			fmt.Printf(", the type %s", part.Text[:end])
		}
		if option := notes.OptionName(part.Text); option != "" {
			fmt.Printf(", the option %s", option)
		} else if p, ok := notes.ParseCandidate(part); ok && p.IsOption(true) {
			fmt.Print(", in doubt")
		}
		fmt.Println()
	}
	// Output:
	// list[string] (tags) at  0, the type list[string]
	// enum=a,'b|c'       at 22, the option enum=
	// minimum=2          at 37, in doubt
}

// TestGuessHead guesses notes from prose in the style of other notations.
func TestGuessHead(t *testing.T) {
	for prose, want := range map[string]string{
		"string: the user":         "string (the user)",
		"int - how many":           "int (how many)",
		"list of strings":          "list[string]",
		"dict of string to int":    "dict[string, int]",
		"str?":                     "str?",
		"int = 10":                 "int | default=10",
		"str = 'all'":              "str | default='all'",
		"bool=True":                "bool | default=true",
		"int = the number":         "",
		"int == 10":                "",
		"int\u00a0":                "int",
		"number of rows to return": "",
		"any text":                 "",
		"The user":                 "",
		"list of numbers to add":   "",
		"[]string names":           "[]string (names)",
	} {
		if got := notes.GuessHead(prose); got != want {
			t.Errorf("%q: %q, want %q", prose, got, want)
		}
	}
}
