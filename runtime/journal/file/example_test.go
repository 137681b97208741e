package file_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/journal/file"
)

func Example() {
	ctx := context.Background()
	temp, err := os.MkdirTemp("", "runs")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(temp)
	j, err := file.Open(filepath.Join(temp, "journal"))
	if err != nil {
		fmt.Println(err)
		return
	}
	ours := journal.Entry{Kind: "note", By: "7f3a", Status: "running", Data: json.RawMessage(`"begun"`)}
	theirs := journal.Entry{Kind: "note", By: "c2d1", Status: "waiting", WaitsFor: "message"}
	fmt.Println(j.Append(ctx, "order/42", 0, ours))
	fmt.Println(j.Append(ctx, "order/42", 0, ours)) // as if the answer had been lost
	err = j.Append(ctx, "order/42", 0, theirs)
	if taken, ok := errors.AsType[*journal.ConflictError](err); ok {
		fmt.Println(err)
		fmt.Println(j.Append(ctx, "order/42", taken.N+1, theirs))
	}
	for info, err := range j.Runs(ctx, journal.Filter{Status: []string{"waiting"}, Limit: 10}) {
		fmt.Println(info.Run, info.Entries, info.Status, info.WaitsFor, err)
	}
	// Output:
	// <nil>
	// <nil>
	// journal: run "order/42" already exists
	// <nil>
	// order/42 2 waiting message <nil>
}
