package history_test

import (
	"fmt"

	"github.com/aiongen/aiongen/runtime/internal/note"

	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/run/internal/history"
	"github.com/aiongen/aiongen/runtime/run/record"
)

// What was said while the model was asked is heard after its answer.
func Example() {
	var h history.History
	h.Take(&note.Note{Entry: journal.Entry{N: 1, Kind: note.KindSay}, Signal: &record.Signal{Message: &llm.Message{Text: "hello"}}})
	h.Take(&note.Note{Entry: journal.Entry{N: 2, Kind: note.KindModel, Seen: 1}})
	fmt.Println(h.Hear())
	fmt.Println(h.Next())
	h.Hand()
	fmt.Println(h.Hear().Text)
	// Output:
	// <nil>
	// model
	// hello
}
