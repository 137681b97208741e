package journal

import (
	"fmt"
	"strconv"

	"github.com/aiongen/aiongen/internal/words"
)

// ConflictError reports that an entry was not appended because an entry with its number exists.
type ConflictError struct {
	Run string
	N   int
}

// Error names the run and the number of the entry, or says that the run exists.
func (e *ConflictError) Error() string {
	if e.N == 0 {
		return fmt.Sprintf("journal: run %s already exists", quoteID(e.Run))
	}
	return fmt.Sprintf("journal: run %s already has an entry %d", quoteID(e.Run), e.N)
}

// Code returns "journal_taken".
func (e *ConflictError) Code() string { return "journal_taken" }

// Retryable returns false.
func (e *ConflictError) Retryable() bool { return false }

// NotFoundError reports that a run does not exist, or has too few entries.
type NotFoundError struct {
	Run     string
	Deleted bool // the run existed; its ID cannot be used again
	Entries int  // number of existing entries, which are too few
}

// Error names the run and its length.
func (e *NotFoundError) Error() string {
	switch {
	case e.Deleted:
		return fmt.Sprintf("journal: run %s was deleted", quoteID(e.Run))
	case e.Entries == 0:
		return fmt.Sprintf("journal: run %s does not exist", quoteID(e.Run))
	}
	return fmt.Sprintf("journal: run %s ends before entry %d", quoteID(e.Run), e.Entries)
}

// Code returns "journal_gone".
func (e *NotFoundError) Code() string { return "journal_gone" }

// Retryable returns false.
func (e *NotFoundError) Retryable() bool { return false }

// Codes of an [Error].
const (
	Invalid = "journal_invalid" // the ID or an entry cannot be stored
	Corrupt = "journal_corrupt" // the stored data differs from what was appended
	Failed  = "journal_failed"  // the journal failed, or the context was done
)

// Error reports any other failure of a journal.
type Error struct {
	Kind string // one of the codes
	Run  string // may be empty
	Err  error
}

// Error names the run and the cause.
func (e *Error) Error() string {
	if e.Run == "" {
		return "journal: " + e.Err.Error()
	}
	return "journal: run " + quoteID(e.Run) + ": " + e.Err.Error()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Code returns the kind.
func (e *Error) Code() string { return e.Kind }

// Retryable reports whether the same call may succeed later.
func (e *Error) Retryable() bool { return e.Kind == Failed }

// maxQuoted is the maximum number of bytes of an ID that an error shows.
const maxQuoted = 64

func quoteID(run string) string { return strconv.Quote(words.Cut(run, maxQuoted)) }
