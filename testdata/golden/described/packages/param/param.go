// Package param has what clients of Stainless embed in the parameters of requests.
package param

import "encoding/json"

type metadata struct{ any }

// APIObject is embedded in objects.
type APIObject struct{ metadata }

// APIUnion is embedded in values with several forms.
type APIUnion struct{ metadata }

// Opt is a value that may be missing or null.
type Opt[T comparable] struct {
	Value T
	state int
}

// MarshalJSON writes the value or null.
func (o Opt[T]) MarshalJSON() ([]byte, error) {
	if o.state < 2 {
		return []byte("null"), nil
	}
	return json.Marshal(o.Value)
}

// UnmarshalJSON reads a value or null.
func (o *Opt[T]) UnmarshalJSON(text []byte) error {
	if o.state = 2; string(text) == "null" {
		o.state = 1
		return nil
	}
	return json.Unmarshal(text, &o.Value)
}

//lint:file-ignore U1000 generated clients have such fields
