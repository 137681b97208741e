// Package search implements one tool as aiongen would generate it, but written by hand. Tests and
// benchmarks of reading and calling use it.
package search

import (
	"strings"

	"github.com/aiongen/aiongen/runtime/wire"
)

// Order is the order in which results are sorted.
type Order string

// Filter limits a search to entries with a value in a field.
type Filter struct {
	Field string `json:"field"`
	Value string `json:"value"`
}

// Args are the arguments.
type Args struct {
	Query  string   `json:"query"`
	Limit  int      `json:"limit"`
	Order  Order    `json:"order"`
	Tags   []string `json:"tags"`
	Filter Filter   `json:"filter"`
}

// Out is the result.
type Out struct {
	OK      bool   `json:"ok"`
	Count   int    `json:"count"`
	Message string `json:"message"`
}

// Payload has 144 bytes.
const Payload = `{"query":"all letters of the year 1923","limit":25,"order":"relevance",` +
	`"tags":["a","bb","ccc","dddd"],"filter":{"field":"author","value":"x"}}`

// FiveMistakesAndOne has a mistake in each of the five fields, and an unknown field.
const FiveMistakesAndOne = `{"query":7,"limit":5.5,"order":"up","tags":["a",true],"filter":{"value":"v"},"x":1}`

// Hostile returns arguments of about the given size, by name. Each of them is the worst case for
// a different part of the reader.
func Hostile(size int) map[string]string {
	fill := func(before, unit, after string) string {
		return before + strings.Repeat(unit, (size-len(before)-len(after))/len(unit)) + after
	}
	return map[string]string{
		"brackets":       fill("", "[", ""),
		"unknown keys":   fill(`{"":0`, `,"x":0`, "}"),
		"repeated keys":  fill(`{"query":""`, `,"query":""`, "}"),
		"escaped keys":   fill(`{"":0`, `,"\u0071uery":""`, "}"),
		"long key":       fill(`{"`, `\u0071`, `":0}`),
		"wrong elements": fill(`{"tags":[0`, `,0`, "]}"),
		"long number":    fill(`{"limit":1`, "0", "}"),
		"long exponent":  fill(`{"limit":1e`, "9", "}"),
		"long fraction":  fill(`{"limit":1.`, "0", "1}"),
		"long string":    fill(`{"limit":"`, "\\n", `"}`),
		"open string":    fill(`{"query":"`, "é", ""),
		"white space":    fill(`{`, " ", ""),
	}
}

// OrderValues are the valid values of Order.
var OrderValues = []string{"asc", "desc", "relevance"}

// DecodeArgs reads the arguments.
func DecodeArgs(v wire.Value, x *Args) {
	if wire.ReadReference(v, x) {
		return
	}
	o := v.Object()
	x.Query = o.Str("query")
	x.Limit = o.Int("limit")
	x.Order = Order(o.Get("order").Enum(OrderValues))
	x.Tags = wire.Slice(o.Get("tags"), wire.Value.Str)
	DecodeFilter(o.Get("filter"), &x.Filter)
	o.Done()
}

// DecodeFilter reads a filter.
func DecodeFilter(v wire.Value, x *Filter) {
	if wire.ReadReference(v, x) {
		return
	}
	o := v.Object()
	x.Field = o.Str("field")
	x.Value = o.Str("value")
	o.Done()
}

// EncodeOut writes the result.
func EncodeOut(e *wire.Encoder, lead string, v *Out) {
	if !e.Open(lead) {
		return
	}
	e.Bool(`,"ok":`, v.OK)
	e.Int(`,"count":`, int64(v.Count))
	e.Str(`,"message":`, v.Message)
	e.Close()
}
