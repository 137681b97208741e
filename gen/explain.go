package gen

import (
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/explain"
)

// Explain describes a diagnostic code. The Page of the description has a wrong and a right
// example. Explain returns false if there is no such code.
func Explain(code diag.Code) (d diag.Description, ok bool) {
	topic, ok := explain.Find(code)
	if !ok {
		return d, false
	}
	return topic.Description(), true
}

// Codes returns the codes of all diagnostics in alphabetical order.
func Codes() (codes []diag.Code) {
	for _, topic := range explain.All() {
		codes = append(codes, topic.Code)
	}
	return codes
}
