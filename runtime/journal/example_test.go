package journal_test

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/aiongen/aiongen/runtime/journal"
)

func Example() {
	ctx := context.Background()
	var j journal.Map
	for n, text := range []string{`"asked"`, `"answered"`} {
		entry := journal.Entry{Kind: "note", By: "7f3a", Data: json.RawMessage(text)}
		if err := j.Append(ctx, "42", n, entry); err != nil {
			fmt.Println(err)
		}
	}
	for entry, err := range j.Read(ctx, "42", 0) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(entry.N, entry.Kind, string(entry.Data))
	}
	fmt.Println(j.Append(ctx, "42", 3, journal.Entry{By: "7f3a"}))
	// Output:
	// 0 note "asked"
	// 1 note "answered"
	// journal: run "42" ends before entry 2
}
