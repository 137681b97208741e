// Package functions has a tool for each form of function and result.
package functions

import (
	"context"
	"time"
)

func none() {}

func onlyError(ctx context.Context) error { return ctx.Err() }

func oneResult(n int) int { return n }

// Several returns three results. It has a list that is no description:
//
//   - first
//   - second
//
// and one that is:
//
//   - userID: who asks, as written in the doc comment
//   - limit: hidden by the note
//   - total: the sum, hidden, too
//   - lastUserID: who was last
func Several(userID string, limit *int, rest ...float64) (total float64, lastUserID string, err error) {
	if limit != nil {
		total = float64(*limit)
	}
	for _, n := range rest {
		total += n
	}
	return total, userID, nil
}

// Described has no notes at all.
//   - text: what to
//     count
//   - n: how long it is
func Described(text string) (n int) { return len(text) }

// unnamed has no names to take.
func unnamed(int, string) (int, string) { return 1, "x" }

// Handler tells what time it was given.
var Handler = func(ctx context.Context, when time.Time) (time.Time, error) { return when, nil }

// Options is the arguments object of a tool.
type Options struct {
	// Verbose says more.
	Verbose bool `json:"verbose,omitempty"`
	Depth   int  `json:"depth"` // how deep to look
}

// Scan takes its options by pointer.
func Scan(o *Options) error { return nil }

// Store holds things.
type Store struct{ embedded }

type embedded struct{}

// Promoted is a method of what Store embeds.
func (embedded) Promoted(key string) string { return key }

// Find finds a thing.
func (s *Store) Find(ctx context.Context, key string) (string, bool, error) { return key, true, nil }

// Clock is an interface that the application implements.
type Clock interface {
	// Now is the time.
	Now() time.Time
}

// FixedClock is a clock that stands.
type FixedClock struct{}

// Now is the beginning of time.
func (FixedClock) Now() time.Time { return time.Time{} }

// GetURL is found by its snake_case name.
func GetURL(fromURL string) string { return fromURL }

// tool, context and the like are names that generated code would use.
func tool(ctx, in, v, x, o, a, e, r, lead, err string) string { return ctx }
