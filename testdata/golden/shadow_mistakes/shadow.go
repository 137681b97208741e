//lint:file-ignore U1000 names are the point

// Package shadow takes Go's own names for itself.
package shadow

type string int

var nil = 0

func len(s []int) int { return 1 }

func Register() {}

// Count counts.
func Count(s string) string { return s }
