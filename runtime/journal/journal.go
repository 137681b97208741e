// Package journal defines journals, which record what runs did as numbered entries. Entries are
// only appended. [Journal] is the interface. A new [Map] is a journal in memory, and package
// journal/file opens one in a folder. Pass it to the option Journal of package orchestrator, or to
// an Env of package run, which defines the meaning of entries. Package journaltest tests custom
// journals.
//
// A journal stores everything in clear text, including the words of people and tools.
package journal

import (
	"context"
	"encoding/json"
	"iter"
	"time"
)

// Limits of every journal, in bytes except for MaxBatch.
const (
	MaxRun   = 512      // of the ID of a run
	MaxText  = 1024     // of each text of an entry
	MaxEntry = 32 << 20 // of the data of an entry, as JSON
	MaxBatch = 1000     // entries in one Append
)

// Journal stores the entries of runs. The ID of a run is any UTF-8 text of 1 to [MaxRun] bytes. A
// journal is safe for concurrent use, and unless it is in memory, by several processes. It shares
// no memory with its callers. Every error is a [*ConflictError], a [*NotFoundError] or an
// [*Error]. After an error other than a ConflictError, the entries may have been appended;
// calling Append again is safe.
type Journal interface {
	// Append appends entries to a run. Their numbers are n and the following ones, whatever their
	// field N says. Either all of them are durable when Append returns, or none is appended. The
	// cost does not depend on the length of the run. Append returns a [*NotFoundError] if entry n-1
	// does not exist (numbers count from 0), or if the run was deleted. It returns a
	// [*ConflictError] if entry n exists, unless the same writer appended exactly these entries
	// before and the response was lost.
	Append(ctx context.Context, run string, n int, entries ...Entry) error

	// Read returns the entries of a run from a number on, in order. It may omit entries that are
	// appended in the meantime. If the run does not exist, the error is a [*NotFoundError]. An error
	// ends the sequence and comes without an entry.
	Read(ctx context.Context, run string, from int) iter.Seq2[Entry, error]

	// Runs returns the existing runs, those with the latest last entries first, and runs with equal
	// times in the order of their IDs.
	Runs(ctx context.Context, filter Filter) iter.Seq2[Info, error]

	// Delete removes all entries of a run, if there are any. Its ID cannot be used again.
	Delete(ctx context.Context, run string) error
}

// Entry is an event in a run. Each of its texts has at most [MaxText] bytes, its data at most
// [MaxEntry].
type Entry struct {
	Format   int             `json:"format"`              // version of the writer's data
	N        int             `json:"n"`                   // its number, from 0
	Kind     string          `json:"kind"`                // of the entry, such as "begin"; see package run
	By       string          `json:"by"`                  // unique ID of the writer; never empty
	Seen     int             `json:"seen,omitempty"`      // number of entries that the writer had read
	Time     time.Time       `json:"time,omitzero"`       // stored in UTC
	Status   string          `json:"status,omitempty"`    // of the run after the entry
	WaitsFor string          `json:"waits_for,omitempty"` // what the run waits for after the entry
	Effect   string          `json:"effect,omitempty"`    // the effect that the entry belongs to
	Data     json.RawMessage `json:"data,omitempty"`      // any JSON; white space may be lost
}

// Info describes a run by its last entry.
type Info struct {
	Run      string    `json:"run"`
	Entries  int       `json:"entries"` // number of entries
	Kind     string    `json:"kind"`    // the last entry's, like the following fields
	Status   string    `json:"status,omitempty"`
	WaitsFor string    `json:"waits_for,omitempty"`
	Time     time.Time `json:"time,omitzero"`
}

// Filter selects the runs that [Journal.Runs] returns. The zero Filter selects all.
type Filter struct {
	Status []string // any of these; empty selects all
	Limit  int      // maximum number of runs; 0 is unlimited
	After  Info     // the last run of the previous page; only Run and Time matter
}
