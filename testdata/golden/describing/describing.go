// Package describing has functions whose notes describe fields.
package describing

// Order is an order of goods.
type Order struct {
	// Customer has a long description, which is written for programmers.
	Customer string `json:"customer"`

	Lines  []Line          `json:"lines"`
	Labels map[string]Mark `json:"labels,omitempty"`
	Kind   *Kind           `json:"kind,omitempty"`
	Base
}

// A Line is a line of an order.
type Line struct {
	// ID identifies the article.
	ID    int  `json:"id"`
	Count int  `json:"count"`
	Sub   *Sub `json:"a:b,omitempty"`
}

// Sub is a part of a line.
type Sub struct {
	// ID identifies the part.
	ID int `json:"id"`
}

// A Mark is a mark.
type Mark struct {
	Text string `json:"text"`
}

// Base is embedded.
type Base struct {
	Day string `json:"day,omitempty"`
}

// Kind is a kind of order.
type Kind string

// The kinds.
const (
	Fast Kind = "fast"
	Slow Kind = "slow"
)

// Add adds an order and returns it.
func Add(order Order) Order { return order }

// Send sends an order to an address.
func Send(order *Order, address string) (*Order, error) { return order, nil }
