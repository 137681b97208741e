package aion

import "slices"

// ElementProperties are the properties that an element may have.
func ElementProperties() []string { return slices.Clone(elementProperties) }

// PromptProperties are the properties of the array of elements.
func PromptProperties() []string { return slices.Clone(promptProperties) }

// NoteOptions are the options of notes, with a = where a value follows.
func NoteOptions() []string { return slices.Clone(noteOptions) }
