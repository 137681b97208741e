// Package journal keeps what runs did, in order: entries with numbers, which only
// grow. [Journal] is the contract, [Map] a journal in memory, package journal/file
// one in a folder; package journaltest checks a journal of your own against the
// contract. What entries mean is for those to know who write them.
//
// A journal keeps everything in clear, also what people and tools said.
//
// Its layers, from top to bottom:
//
//	map      a journal in memory
//	page     which runs there are, for those who make one
//	prepare  which entries it keeps
//	journal  the contract
//	errors   what goes wrong
package journal

import (
	"context"
	"encoding/json"
	"iter"
	"time"
)

// Limits of every journal, in bytes but for MaxBatch.
const (
	MaxRun   = 512      // of the ID of a run
	MaxText  = 1024     // of each text of an entry
	MaxEntry = 32 << 20 // of the data of an entry, as JSON
	MaxBatch = 1000     // entries in one Append
)

// Journal keeps the entries of runs. The ID of a run is any UTF-8 text of 1 to
// [MaxRun] bytes. A journal is safe for concurrent use, also by several processes
// where it is not in memory; nothing that goes in or comes out is shared with it.
// Every error is a [*Taken], a [*Gone] or an [*Error]; if it is not a [*Taken], an
// Append may have been carried out all the same, and can be called again.
type Journal interface {
	// Append adds entries to a run, the first with the number n, those that follow
	// with the next ones, whatever their field N says. They are durable when it
	// returns, all or none of them, and cost the same however many there are before.
	// It is a [*Gone] if there is no entry n-1 (numbers count from 0), or if the run
	// was deleted; a [*Taken] if there is an entry n already, unless these are the
	// very entries that are there, by the same writer, whose answer was lost.
	Append(ctx context.Context, run string, n int, entries ...Entry) error

	// Read returns the entries of a run from a number on, in their order; what is
	// appended meanwhile may come or not. A run that is not there is a [*Gone]. An
	// error is the last that comes, with no entry.
	Read(ctx context.Context, run string, from int) iter.Seq2[Entry, error]

	// Runs returns the runs that are there, those with the newest last entries
	// first, and of the same time in the order of their IDs.
	Runs(ctx context.Context, filter Filter) iter.Seq2[Info, error]

	// Delete removes all entries of a run, if there are any, and lets no run have
	// its ID ever again.
	Delete(ctx context.Context, run string) error
}

// Entry is one thing that happened in a run. Its texts have at most [MaxText]
// bytes each, its data at most [MaxEntry].
type Entry struct {
	Format   int             `json:"format"`              // version of what the writer means by it
	N        int             `json:"n"`                   // its number, from 0
	Kind     string          `json:"kind"`                // what it is
	By       string          `json:"by"`                  // mark of the writer, which nobody else has; never empty
	Seen     int             `json:"seen,omitempty"`      // how many entries the writer had read
	Time     time.Time       `json:"time,omitzero"`       // kept in UTC
	Status   string          `json:"status,omitempty"`    // of the run from here on
	WaitsFor string          `json:"waits_for,omitempty"` // what the run waits for from here on
	Effect   string          `json:"effect,omitempty"`    // which effect it belongs to
	Data     json.RawMessage `json:"data,omitempty"`      // any JSON; white space in it may be lost
}

// Info is what the last entry says of a run.
type Info struct {
	Run      string    `json:"run"`
	Entries  int       `json:"entries"` // how many there are
	Kind     string    `json:"kind"`    // of the last one, as are the others
	Status   string    `json:"status,omitempty"`
	WaitsFor string    `json:"waits_for,omitempty"`
	Time     time.Time `json:"time,omitzero"`
}

// Filter says which runs [Journal.Runs] returns. The zero Filter is all of them.
type Filter struct {
	Status []string // one of these; none is any
	Limit  int      // how many at most; 0 is no limit
	After  Info     // the last one of the page before, of which Run and Time count
}
