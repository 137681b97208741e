package gen

import (
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/explain"
)

// Explain returns a page of text on a code: what it means, with a wrong and a right
// example. Its second result is false for a code that there is not.
func Explain(code diag.Code) (page string, ok bool) {
	topic, ok := explain.Find(code)
	if !ok {
		return "", false
	}
	return topic.String(), true
}

// Codes returns the codes of all diagnostics, in their order.
func Codes() (codes []diag.Code) {
	for _, topic := range explain.All() {
		codes = append(codes, topic.Code)
	}
	return codes
}

// Describe says what a code means in a sentence, at length, and where to read on.
func Describe(code diag.Code) diag.Description { return explain.Describe(code) }
