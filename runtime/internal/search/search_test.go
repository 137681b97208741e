package search_test

import (
	"fmt"

	"github.com/aiongen/aiongen/runtime/internal/search"
	"github.com/aiongen/aiongen/runtime/wire"
)

func Example() {
	var d wire.Decoder
	var args search.Args
	search.DecodeArgs(d.Read([]byte(search.Payload), &wire.Limits{Arguments: 1 << 10, Depth: 3}, nil, false), &args)
	fmt.Println(args.Query, args.Tags, args.Filter)
	// Output: all letters of the year 1923 [a bb ccc dddd] {author x}
}
