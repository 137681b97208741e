// Package client imitates an older client of Stainless.
package client

import (
	"encoding/json"

	"github.com/aiongen/aiongen/conformance/known/client/internal/param"
)

// Params are the parameters of a request.
type Params[T any] struct {
	V    param.Field[T] `json:"v"`
	Need param.Field[T] `json:"need" api:"required"`
}

// MarshalJSON writes the values that are present.
func (p Params[T]) MarshalJSON() ([]byte, error) {
	object := map[string]any{}
	for name, f := range map[string]param.Field[T]{"v": p.V, "need": p.Need} {
		switch {
		case !f.Present:
		case f.Null:
			object[name] = nil
		default:
			object[name] = f.Value
		}
	}
	return json.Marshal(object)
}
