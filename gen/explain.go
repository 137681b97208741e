package gen

import (
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/explain"
)

// Explain says what a code means, on its page with a wrong and a right example. Its
// second result is false for a code that there is not.
func Explain(code diag.Code) (d diag.Description, ok bool) {
	topic, ok := explain.Find(code)
	if !ok {
		return d, false
	}
	return topic.Description(), true
}

// Codes returns the codes of all diagnostics, in their order.
func Codes() (codes []diag.Code) {
	for _, topic := range explain.All() {
		codes = append(codes, topic.Code)
	}
	return codes
}
