// Package mistakes has types to which the option fields does not apply.
package mistakes

import (
	"encoding/json"
	"time"
)

// Order reads itself by its tags.
type Order struct {
	ID      string `json:"id"`
	Size    int    `json:"size,omitempty"`
	Untold  Untold `json:"untold,omitempty"`
	private bool
}

// UnmarshalJSON reads an order.
func (o *Order) UnmarshalJSON(text []byte) error {
	type plain Order
	o.private = len(text) > 0
	return json.Unmarshal(text, (*plain)(o))
}

// Untold has no tags.
type Untold struct{ Name string }

// UnmarshalJSON reads a name.
func (u *Untold) UnmarshalJSON(text []byte) error { return json.Unmarshal(text, &u.Name) }

// Special is an order with a note.
type Special struct {
	Order
	Note string `json:"note"`
}

// Plain has no methods of its own.
type Plain struct {
	ID    string `json:"id"`
	Order Order  `json:"order"`
}

// Level writes itself, and is not a struct.
type Level int

// UnmarshalJSON reads a level.
func (l *Level) UnmarshalJSON(text []byte) error { return json.Unmarshal(text, (*int)(l)) }

// Written only writes itself.
type Written struct {
	ID string `json:"id"`
}

// MarshalJSON writes the ID.
func (w Written) MarshalJSON() ([]byte, error) { return json.Marshal(w.ID) }

// Place places orders.
func Place(o Order, all []*Order) error { return nil }

// Pass takes values.
func Pass(s Special, p Plain, u Untold, l Level, n int, at time.Time) (Order, Written, error) {
	return s.Order, Written{}, nil
}

// Show returns what writes itself.
func Show(n int) (Written, error) { return Written{}, nil }
