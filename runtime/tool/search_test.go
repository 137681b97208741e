package tool_test

import (
	"context"
	"strings"

	"github.com/aiongen/aiongen/runtime/internal/testdata/search"
	"github.com/aiongen/aiongen/runtime/tool"
)

type (
	Filter     = search.Filter
	SearchArgs = search.Args
	Out        = search.Out
)

const (
	payload            = search.Payload
	fiveMistakesAndOne = search.FiveMistakesAndOne
)

// Search is the user's function.
func Search(_ context.Context, a SearchArgs) (Out, error) {
	return Out{OK: strings.Contains(a.Query, "a"), Count: a.Limit, Message: a.Filter.Field}, nil
}

const searchInput = `{"type":"object","properties":{"query":{"type":"string"},"limit":{"type":"integer"},` +
	`"order":{"enum":["asc","desc","relevance"]},"tags":{"type":"array","items":{"type":"string"}},` +
	`"filter":{"type":"object","properties":{"field":{"type":"string"},"value":{"type":"string"}},` +
	`"required":["field","value"],"additionalProperties":false}},` +
	`"required":["query","limit","order","tags","filter"],"additionalProperties":false}`

const searchOutput = `{"type":"object","properties":{"ok":{"type":"boolean"},"count":{"type":"integer"},` +
	`"message":{"type":"string"}},"required":["ok","count","message"],"additionalProperties":false}`

var searchDefinition = tool.Definition{
	Name:        "search",
	Description: "Searches the archive.",
	Input:       []byte(searchInput),
	Output:      []byte(searchOutput),
}

func SearchTool() *tool.TypedTool[SearchArgs, Out] { return searchAs(&searchDefinition) }

func searchAs(d *tool.Definition) *tool.TypedTool[SearchArgs, Out] {
	return tool.BindTypedTool(d, search.DecodeArgs, runSearch, search.EncodeOut)
}

func runSearch(ctx context.Context, a *SearchArgs) (Out, error) {
	return Search(ctx, *a)
}

func invokeSearch(ctx context.Context, in *tool.Invocation) {
	var a SearchArgs
	search.DecodeArgs(in.Arguments(), &a)
	if !in.Ready() {
		return
	}
	r, err := runSearch(ctx, &a)
	if !in.RecordError(err) {
		search.EncodeOut(in.Result(), "", &r)
	}
}
