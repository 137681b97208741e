package worker_test

import (
	"context"
	"fmt"
	"time"

	"github.com/aiongen/aiongen/runtime/internal/note"

	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/run/internal/worker"
	"github.com/aiongen/aiongen/runtime/run/record"
)

// Of two workers with one run, the one that claimed it last drives it.
func Example() {
	ctx := context.Background()
	var j journal.Map
	_ = j.Append(ctx, "42", 0, journal.Entry{Kind: note.KindBegin, By: "x", Data: []byte("{}")})
	open := func() *worker.Worker {
		w, err := worker.Open(ctx, &j, "42", time.Now, func(*note.Note) {})
		if err != nil {
			fmt.Println(err)
		}
		return w
	}
	first := open()
	fmt.Println(first.Flush(ctx))
	second := open()
	fmt.Println(second.Flush(ctx))
	_, err := first.Flush(ctx) // nothing is to be appended
	fmt.Println(err)
	done, _ := first.Entry(note.KindDo, "look", first.Count, note.Done{})
	first.Keep(done)
	_, err = first.Flush(ctx)
	_, over := err.(*record.TakenOver)
	fmt.Println(over)
	// Output:
	// false <nil>
	// false <nil>
	// <nil>
	// true
}
