// Package describing has functions whose notes describe fields that are not there.
package describing

// Order is an order of goods.
type Order struct {
	Customer string `json:"customer"`
	Secret   string `json:"secret"`
}

// Add adds an order.
func Add(order Order) error { return nil }

// Name names an order.
func Name(id int, name string) error { return nil }
