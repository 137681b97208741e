package journal

import (
	"fmt"
	"strconv"

	"github.com/aiongen/aiongen/internal/words"
)

// Taken says that an entry was not appended, for there is one with its number.
type Taken struct {
	Run string
	N   int
}

// Error names the run and the number of the entry, or says that the ID of the run is taken.
func (e *Taken) Error() string {
	if e.N == 0 {
		return fmt.Sprintf("journal: there is a run %s already", quote(e.Run))
	}
	return fmt.Sprintf("journal: run %s has an entry %d already", quote(e.Run), e.N)
}

// Code returns "journal_taken".
func (e *Taken) Code() string { return "journal_taken" }

// Retryable tells that the same call fails again.
func (e *Taken) Retryable() bool { return false }

// Gone says that a run is not there, or not as far as it would have to be.
type Gone struct {
	Run     string
	Deleted bool // it was there once, and nobody can begin it anew
	Entries int  // how many entries there are, which are too few
}

// Error names the run, and how far it goes.
func (e *Gone) Error() string {
	switch {
	case e.Deleted:
		return fmt.Sprintf("journal: run %s was deleted", quote(e.Run))
	case e.Entries == 0:
		return fmt.Sprintf("journal: there is no run %s", quote(e.Run))
	}
	return fmt.Sprintf("journal: run %s ends before entry %d", quote(e.Run), e.Entries)
}

// Code returns "journal_gone".
func (e *Gone) Code() string { return "journal_gone" }

// Retryable tells that the same call fails again.
func (e *Gone) Retryable() bool { return false }

// Codes of an [Error].
const (
	Invalid = "journal_invalid" // the ID or an entry cannot be kept
	Corrupt = "journal_corrupt" // what was kept is not what was appended
	Failed  = "journal_failed"  // the journal could not do it, or not in time
)

// Error says why a journal did not do what it was asked to.
type Error struct {
	Kind string // one of the codes
	Run  string // if it is about one
	Err  error
}

// Error tells the run and what went wrong with it.
func (e *Error) Error() string {
	if e.Run == "" {
		return "journal: " + e.Err.Error()
	}
	return "journal: run " + quote(e.Run) + ": " + e.Err.Error()
}

// Unwrap returns what went wrong.
func (e *Error) Unwrap() error { return e.Err }

// Code returns the kind.
func (e *Error) Code() string { return e.Kind }

// Retryable tells whether the same call may succeed at another time.
func (e *Error) Retryable() bool { return e.Kind == Failed }

// longestQuoted bounds, in bytes, how much of an ID an error shows.
const longestQuoted = 64

func quote(run string) string { return strconv.Quote(words.Cut(run, longestQuoted)) }
