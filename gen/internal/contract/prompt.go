package contract

import (
	"slices"

	"github.com/aiongen/aiongen/aion/diag"
)

// prompts compares the prompts. The words of one say what a model is to do, but
// callers ask for it by its name.
func (r *report) prompts(before, now []Prompt) {
	find := func(all []Prompt, p Prompt) *Prompt {
		i := slices.IndexFunc(all, func(other Prompt) bool { return other.Package == p.Package && other.Name == p.Name })
		if i < 0 {
			return nil
		}
		return &all[i]
	}
	for _, was := range before {
		if find(now, was) == nil {
			r.Errorf("breaking-prompt", diag.Span{File: was.Place.File}, "the prompt %s is gone", was.Name).
				WithHelp("callers that ask for it get an error; keep it until none of them does")
		}
	}
	for _, is := range now {
		switch was := find(before, is); {
		case was == nil:
			r.harmless(is.Place, "the prompt %s is new", is.Name)
		case was.Text != is.Text:
			r.harmless(is.Place, "the words of the prompt %s changed", is.Name)
		}
	}
}
