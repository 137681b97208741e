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

// Small takes small numbers.
func Small(n int8, u uint8, s Status, p *int, at time.Time, b bool) int { return int(n) }
