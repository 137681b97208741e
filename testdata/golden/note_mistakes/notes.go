// Package notes is sound Go whose notes are not.
package notes

import "time"

// Status is a state.
type Status string

// The states.
const (
	Open   Status = "open"
	Closed Status = "closed"
)

// Types of which only Go knows the kind.
type (
	Name  string
	Count int
	Ratio float64
)

// Large takes them.
func Large(a, b Name, c Count, r Ratio, l []string, e Name, n int, s Status, p []byte) {}

// Small takes small numbers.
func Small(n int8, u uint8, s Status, p *int, at time.Time, b bool) int { return int(n) }

// Exact takes numbers that no float64 holds.
func Exact(a, b int64, f float64, n Name, c Count) {}

// Level has its constants, and Weekday those of another package.
type (
	Level   int
	Weekday struct {
		Day time.Month `json:"day" jsonschema:"enum=1,enum=13"`
	}
)

// The levels.
const (
	Low  Level = 1
	High Level = 2
)

// Shut takes values that have constants.
func Shut(a, b, c Status, l Level, w Weekday) {}

// Huge takes numbers that no int64 holds.
func Huge(n, m uint64) {}
