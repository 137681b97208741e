// Package search is the function that all are measured with: five fields, an
// enumeration, a list and a nested struct in, three fields out.
package search

import (
	"context"
	"strings"
)

//go:generate go run -C ../.. ./cmd/aiongen -C bench/search

// Payload is what a model sends, 144 bytes.
const Payload = `{"query":"all letters of the year 1923","limit":25,"order":"relevance",` +
	`"tags":["a","bb","ccc","dddd"],"filter":{"field":"author","value":"x"}}`

// Order is how results are sorted.
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

// Find does next to nothing, so that what is around it is measured.
func Find(_ context.Context, a Args) (Result, error) {
	return Result{OK: strings.Contains(a.Query, "a"), Count: a.Limit, Message: a.Filter.Field}, nil
}
