// Package reach binds functions of another package, whose types it cannot all name.
package reach

import "github.com/aiongen/aiongen/testdata/golden/reach_mistakes/parts"

// Stored leads to what cannot be had.
type Stored struct {
	Name  string
	Parts []Part
}

// Part is one of them.
type Part struct {
	Asked map[string]parts.Asked
}

// Store stores.
func Store(s Stored, n int) {}

// Serve serves.
func Serve(all []parts.Service) {}
