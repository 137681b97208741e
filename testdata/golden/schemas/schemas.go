// Package schemas has tools whose arguments are described by args_schema.
package schemas

import (
	"context"
	"time"

	"github.com/aiongen/aiongen/testdata/golden/tags"
)

// Query says what to look for.
type Query struct {
	Text   string        `json:"text" jsonschema:"minLength=2,title=The text"`         // words of the query
	UserID string        `json:"user" jsonschema:"pattern=^u[0-9]+$,example=u1"`       // who asks
	Limit  int           `json:"limit,omitempty" jsonschema:"default=10,maximum=50"`   // how many
	Within time.Duration `json:"within,omitempty"`                                     // how long it may take
	Tags   []string      `json:"tags,omitempty" jsonschema:"enum=a,enum=b,maxItems=2"` // labels
}

// Search takes the struct.
func Search(ctx context.Context, q *Query) Query { return *q }

// Find takes parameters that are the fields of the struct, in another order.
//   - text: not what the struct says
func Find(limit int, text string, tags []string, user string, within time.Duration) Query {
	return Query{text, user, limit, within, tags}
}

// Order takes a struct of another package.
func Order(o tags.Order) string { return o.Slug }

// Plain has parameters.
func Plain(userID string, n int, on *bool, rest ...string) []any {
	return []any{userID, n, on == nil, rest}
}

// Page is generic.
type Page[T any] struct {
	Items []T `json:"items"`
	Next  int `json:"next,omitzero"`
}

// Turn takes an instance.
func Turn(p Page[Query]) Page[int] { return Page[int]{Items: []int{len(p.Items)}} }

// Likes has names that differ by their spelling alone.
type Likes struct {
	Ab       int     `json:"ab"`
	AB       float64 `json:"a_b"`
	UserID   string  `json:"user-id"`
	UserID2  string  `json:"user_id2"`
	Arg6     bool    `json:"arg6"`
	Unnamed6 bool    `json:"arg_62"`
}

// Alike has parameters whose names differ by their spelling alone, and one without
// a name.
func Alike(a_b float64, ab int, userID, user_id string, arg_6, _ bool) {}

// Item is what a note describes as a whole.
type Item struct {
	Name  string
	Count int
}

// Buy takes it.
func Buy(item Item) {}

// Sell takes a pointer to it.
func Sell(item *Item) {}
