package aion

import (
	"slices"

	"github.com/aiongen/aiongen/aion/internal/notes"
)

// NoteOptions are the options of notes, with a = where a value follows;
// some are there with and without.
func NoteOptions() []string {
	options := slices.Clone(notes.Options)
	for _, mark := range notes.Marks {
		options = append(options, mark+"=")
	}
	return options
}

// TypeWords are the words for types that a note may use without Go.
func TypeWords() []string { return slices.Concat(notes.TypeWords...) }
