package aion

import (
	"slices"

	"github.com/aiongen/aiongen/aion/internal/notes"
	"github.com/aiongen/aiongen/aion/internal/property"
)

// ElementProperties are the properties that an element may have.
func ElementProperties() []string { return slices.Clone(property.Element) }

// PromptProperties are the properties of the array of elements.
func PromptProperties() []string { return slices.Clone(property.Prompt) }

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
var TypeWords = []string{
	"string", "str", "int", "integer", "float", "number", "bool", "boolean",
	"list", "array", "dict", "object", "any", "none", "null",
}
