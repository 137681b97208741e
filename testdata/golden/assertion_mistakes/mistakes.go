// Package assertions has notes that do not hold for interfaces.
package assertions

import "io"

// Put puts a value.
func Put(key any, value io.Reader, list []any) any { return key }

// Keep keeps a value.
func Keep(key any) (any, error) { return key, nil }

// Odd has its own form in JSON.
type Odd struct{ n int }

// UnmarshalJSON accepts anything.
func (o *Odd) UnmarshalJSON(text []byte) error { o.n = len(text); return nil }
