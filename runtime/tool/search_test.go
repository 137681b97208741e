package tool_test

import (
	"context"
	"strings"

	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/runtime/wire"
)

// This file is what aiongen would generate for one tool, written by hand. The
// tests of reading, calling and speed run on it.

type Order string

type Filter struct {
	Field string `json:"field"`
	Value string `json:"value"`
}

type SearchArgs struct {
	Query  string   `json:"query"`
	Limit  int      `json:"limit"`
	Order  Order    `json:"order"`
	Tags   []string `json:"tags"`
	Filter Filter   `json:"filter"`
}

type Out struct {
	OK      bool   `json:"ok"`
	Count   int    `json:"count"`
	Message string `json:"message"`
}

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

var orderValues = []string{"asc", "desc", "relevance"}

func SearchTool() *tool.Of[SearchArgs, Out] { return searchAs(&searchDefinition) }

func searchAs(d *tool.Definition) *tool.Of[SearchArgs, Out] {
	return tool.NewOf(d, decodeSearchArgs, Search, encodeOut)
}

func decodeSearchArgs(v wire.Value) (x SearchArgs) {
	o := v.Object()
	x.Query = o.Str("query")
	x.Limit = o.Int("limit")
	x.Order = Order(o.Get("order").Enum(orderValues))
	x.Tags = wire.Slice(o.Get("tags"), wire.Value.Str)
	x.Filter = decodeFilter(o.Get("filter"))
	o.Done()
	return x
}

func decodeFilter(v wire.Value) (x Filter) {
	o := v.Object()
	x.Field = o.Str("field")
	x.Value = o.Str("value")
	o.Done()
	return x
}

func encodeOut(e *wire.Encoder, lead string, v Out) {
	if !e.Open(lead) {
		return
	}
	e.Bool(`,"ok":`, v.OK)
	e.Int(`,"count":`, int64(v.Count))
	e.Str(`,"message":`, v.Message)
	e.Close()
}
