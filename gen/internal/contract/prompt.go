package contract

import (
	"slices"

	"github.com/aiongen/aiongen/aion/diag"
)

// comparePrompts compares prompts. Removing one is a breaking change, because callers
// request prompts by name; a changed text is compatible.
func (r *report) comparePrompts(before, now []Prompt) {
	find := func(all []Prompt, p Prompt) *Prompt {
		i := slices.IndexFunc(all, func(other Prompt) bool { return other.Package == p.Package && other.Name == p.Name })
		if i < 0 {
			return nil
		}
		return &all[i]
	}
	for _, was := range before {
		if find(now, was) == nil {
			r.Errorf("breaking-prompt", diag.Span{File: was.Place.File}, "the prompt %s was removed", was.Name).
				WithHelp("callers that request it get an error; keep it until no caller uses it")
		}
	}
	for _, is := range now {
		switch was := find(before, is); {
		case was == nil:
			r.noteCompatible(is.Place, "the prompt %s is new", is.Name)
		case was.Text != is.Text:
			r.noteCompatible(is.Place, "the text of the prompt %s changed", is.Name)
		}
	}
}
