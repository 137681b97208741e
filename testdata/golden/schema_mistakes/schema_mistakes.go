// Package schemas is sound Go whose args_schema are not.
package schemas

import (
	"encoding/json"
	"net/url"
)

// Query says what to look for.
type Query struct {
	Text  string `json:"text"`
	Limit int    `json:"limit"`
}

// Other is another struct.
type Other struct {
	Text string `json:"text"`
}

// Names is no struct.
type Names []string

// Search takes the struct.
func Search(q Query) {}

// Find takes parameters.
func Find(text string, limit int8) {}

// Kelvin reads itself from JSON.
type Kelvin float64

// UnmarshalJSON reads it.
func (k *Kelvin) UnmarshalJSON(text []byte) error { return json.Unmarshal(text, (*float64)(k)) }

// Heat has one.
type Heat struct {
	Now Kelvin   `json:"now"`
	All []Kelvin `json:"all"`
	Old struct{ Then Kelvin }
}

// Warm takes one.
func Warm(k Kelvin) {}

// Warmer takes several.
func Warmer(h Heat) {}

// Visit visits.
func Visit(u url.URL) {}
