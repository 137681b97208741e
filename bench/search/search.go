// Package search provides the function with which all libraries are measured. It takes five fields, including
// an enumeration, a list and a nested struct, and returns three fields.
package search

import (
	"context"
	"strings"
)

//go:generate go run -C ../.. ./cmd/aiongen -C bench/search

// Payload is a model's arguments, 144 bytes.
const Payload = `{"query":"all letters of the year 1923","limit":25,"order":"relevance",` +
	`"tags":["a","bb","ccc","dddd"],"filter":{"field":"author","value":"x"}}`

// Order is the order of the results.
type Order string

// The orders.
const (
	Ascending  Order = "asc"
	Descending Order = "desc"
	Relevance  Order = "relevance"
)

// Args are the arguments.
type Args struct {
	Query  string   `json:"query"`
	Limit  int      `json:"limit"`
	Order  Order    `json:"order"`
	Tags   []string `json:"tags"`
	Filter Filter   `json:"filter"`
}

// Filter is a part of the arguments.
type Filter struct {
	Field string `json:"field"`
	Value string `json:"value"`
}

// Result is the result.
type Result struct {
	OK      bool   `json:"ok"`
	Count   int    `json:"count"`
	Message string `json:"message"`
}

// Find does almost nothing, so that the overhead around it is measured.
func Find(_ context.Context, a Args) (Result, error) {
	return Result{OK: strings.Contains(a.Query, "a"), Count: a.Limit, Message: a.Filter.Field}, nil
}
