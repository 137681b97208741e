package aion

import (
	"slices"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/aion/internal/syntax"
	"github.com/aiongen/aiongen/internal/words"
)

// A reader walks the tree of a file, reports its faults, and builds the document from the
// rest.
type reader struct {
	*syntax.Reader
	doc   *Document
	names map[string]bool // of the tools that were read, and names that fixes give to others
	keys  map[string]bool // of the current element or array

	tooMany bool // the file has too many elements, which was reported
}

// maxElements limits how many elements of a file are read.
const maxElements = 10_000

// readItems reads the items of the array.
func (r *reader) readItems(items []*syntax.Item) {
	items = r.CompleteItems(items)
	keys := keysOf(items)
	for _, it := range items {
		r.keys = keys
		switch {
		case r.Full(), r.tooMany:
			return
		case it.IsElement():
			r.readItems(r.readElement(it))
		case it.Key == nil:
			r.ReportUnexpected(it, "the array", "the array holds elements, { … }, and the properties "+words.List(syntax.PromptProperties, " and "))
		default:
			r.readPrompt(it)
		}
	}
}

// markFaulty marks the elements in which the scanner found a fault.
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

// keysOf returns the keys of items.
func keysOf(items []*syntax.Item) map[string]bool {
	keys := map[string]bool{}
	for _, it := range items {
		if it.Key != nil {
			keys[it.Key.Value] = true
		}
	}
	return keys
}
