package aion

import (
	"slices"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/aion/internal/property"
	"github.com/aiongen/aiongen/aion/internal/syntax"
	"github.com/aiongen/aiongen/internal/words"
)

// A reader goes through the tree of a file, reports what is wrong in it, and
// builds the document from the rest.
type reader struct {
	*syntax.Reader
	doc   *Document
	names map[string]bool // of tools, and such as were proposed
	keys  map[string]bool // of the element or array that is read

	tooMany bool // elements, which was reported
}

// maxElements limits how many elements of a file are read.
const maxElements = 10_000

// items reads the items of the array.
func (r *reader) items(items []*syntax.Item) {
	whole := r.Tidy(items)
	keys := keysOf(whole)
	for _, it := range whole {
		r.keys = keys
		switch {
		case r.Full(), r.tooMany:
			return
		case it.IsElement():
			r.items(r.element(it))
		case it.Key == nil:
			r.Unexpected(it, "the array", "the array holds elements, { … }, and the properties "+words.List(property.Prompt, " and "))
		default:
			r.prompt(it)
		}
	}
}

// markFaulty marks the elements in which the scanner reported a fault.
func (r *reader) markFaulty(lexical diag.List) {
	elements := r.doc.Elements
	for _, d := range lexical {
		i, found := slices.BinarySearchFunc(elements, d.Span.Start.Offset, func(e *Element, offset int) int {
			return e.Span.Start.Offset - offset
		})
		if !found {
			i--
		}
		if i >= 0 && d.Span.Start.Offset < elements[i].Span.End.Offset {
			elements[i].Faulty = true
		}
	}
}

// keysOf returns the names that items are given to.
func keysOf(items []*syntax.Item) map[string]bool {
	keys := map[string]bool{}
	for _, it := range items {
		if it.Key != nil {
			keys[it.Key.Value] = true
		}
	}
	return keys
}
