package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/aiongen/aiongen/runtime/journal"
)

// Journal returns the journal of the database. Its Runs method reads all matching runs into memory
// before it yields the first: limit their number with the filter.
func (db *DB) Journal() journal.Journal { return dbJournal{db} }

type dbJournal struct{ db *DB }

// An append is one statement. Its first part inserts or updates the row of the run, so that only one
// of several concurrent writers succeeds: the others wait for the row and then find it changed.
const (
	insertRunSQL = `INSERT INTO aion_journal (run, entries, status, at, last)
		VALUES ($1::bytea, $2::bigint + cardinality($3::text[]), $5::bytea, $6::text, $7::text)
		ON CONFLICT DO NOTHING RETURNING run`
	updateRunSQL = `UPDATE aion_journal SET entries = $2::bigint + cardinality($3::text[]), status = $5::bytea, at = $6::text, last = $7::text
		WHERE run = $1::bytea AND entries = $2::bigint RETURNING run`
	insertEntriesSQL = ` INSERT INTO aion_entries (run, n, entry, data)
		SELECT let.run, $2::bigint + place - 1, entry, data
		FROM let, unnest($3::text[], $4::text[]) WITH ORDINALITY AS new (entry, data, place)`
)

// Append implements [journal.Journal].
func (l dbJournal) Append(ctx context.Context, run string, n int, entries ...journal.Entry) error {
	if err := journal.Check(ctx, run); err != nil {
		return err
	}
	entries, err := journal.Prepare(run, n, entries)
	if err != nil {
		return err
	}
	heads, data, err := splitEntries(entries)
	if err != nil {
		return journalError(run, err)
	}
	first := updateRunSQL
	if n == 0 {
		first = insertRunSQL
	}
	last := entries[len(entries)-1]
	for {
		err := retryWhile(ctx, isTransient, func() error {
			with, args := queueStatement(ctx)
			done, err := l.db.pool.Exec(ctx, "WITH let AS ("+first+")"+with+insertEntriesSQL,
				append([]any{[]byte(run), int64(n), heads, data, []byte(last.Status), formatTime(last.Time), heads[len(heads)-1]}, args...)...)
			if err == nil && done.RowsAffected() == 0 {
				return errWrongLength
			}
			return err
		})
		if !errors.Is(err, errWrongLength) {
			return journalError(run, err)
		}
		if err := l.compareEntries(ctx, run, n, entries); !errors.Is(err, errWrongLength) {
			return journalError(run, err)
		}
	}
}

// errWrongLength reports that the first entry to append would not be the next entry of the run.
var errWrongLength = errors.New("the run has another number of entries")

// compareEntries is called after entries could not be appended. It returns nil if the journal already
// has them, errWrongLength if another attempt may succeed, and otherwise the error of the append.
func (l dbJournal) compareEntries(ctx context.Context, run string, n int, entries []journal.Entry) error {
	has, length, err := l.hasEntries(ctx, run, n, entries)
	notFound, isNotFound := errors.AsType[*journal.NotFoundError](err)
	switch {
	case isNotFound && !notFound.Deleted && n == 0, err == nil && length == n && n > 0:
		return errWrongLength
	case err != nil:
		return err
	case length < n:
		return &journal.NotFoundError{Run: run, Entries: length}
	case has:
		return nil
	}
	return &journal.ConflictError{Run: run, N: n}
}

// hasEntries reports whether a journal has these entries from entry n on, and returns its length.
func (l dbJournal) hasEntries(ctx context.Context, run string, n int, entries []journal.Entry) (has bool, length int, err error) {
	at, end, same := n, n+len(entries), true
	page, length, err := l.readPage(ctx, run, n)
	for ; err == nil && len(page) > 0 && same && at < end; page, length, err = l.readPage(ctx, run, at) {
		for _, e := range page[:min(len(page), end-at)] {
			same = same && e.Same(entries[e.N-n])
			at++
		}
	}
	return same && at == end, length, err
}

// splitEntries returns the entries as JSON without their data, and their data.
func splitEntries(entries []journal.Entry) (heads, data []string, err error) {
	for _, e := range entries {
		data = append(data, string(e.Data))
		e.Data = nil
		head, err := json.Marshal(e)
		if err != nil {
			return nil, nil, err
		}
		heads = append(heads, string(head))
	}
	return heads, data, nil
}

// formatTime formats a time so that formatted times sort as text.
func formatTime(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000000000") }

// Read implements [journal.Journal]. It reads in pages for the same reason as dbStore.Search.
func (l dbJournal) Read(ctx context.Context, run string, from int) iter.Seq2[journal.Entry, error] {
	return func(yield func(journal.Entry, error) bool) {
		if err := journal.Check(ctx, run); err != nil {
			yield(journal.Entry{}, err)
			return
		}
		if l.db.recordProbe(ctx) {
			return
		}
		for next := max(from, 0); ; {
			page, length, err := l.readPage(ctx, run, next)
			if err != nil {
				yield(journal.Entry{}, journalError(run, err))
				return
			}
			for _, e := range page {
				if !yield(e, nil) {
					return
				}
			}
			if next += len(page); next >= length {
				return
			}
		}
	}
}

const readEntriesSQL = `
SELECT head.entries, coalesce(entry, ''), coalesce(data, '') FROM aion_journal head LEFT JOIN LATERAL (
	SELECT n, entry, data FROM (
		SELECT n, entry, data, sum(octet_length(data)) OVER (ORDER BY n) - octet_length(data) AS before
		FROM (SELECT n, entry, data FROM aion_entries WHERE run = $1 AND n >= $2 ORDER BY n LIMIT 256) page
	) page WHERE before < 1048576
) page ON true WHERE head.run = $1 ORDER BY n`

// readPage returns entries of a run starting with number from, at least one if there are any, and
// the number of all entries of the run.
func (l dbJournal) readPage(ctx context.Context, run string, from int) (page []journal.Entry, length int, err error) {
	err = retryWhile(ctx, isTransient, func() error {
		rows, err := l.db.pool.Query(ctx, readEntriesSQL, []byte(run), int64(from))
		if err != nil {
			return err
		}
		page, length = nil, -1
		var head string
		var data []byte
		_, err = pgx.ForEachRow(rows, []any{&length, &head, &data}, func() error {
			if head == "" {
				return nil
			}
			e, err := decodeEntry(run, head)
			if len(data) > 0 {
				e.Data = data
			}
			page, data = append(page, e), nil
			return err
		})
		return err
	})
	switch {
	case err != nil:
	case length <= 0:
		err = &journal.NotFoundError{Run: run, Deleted: length == 0}
	case len(page) == 0 && from < length, len(page) > 0 && (page[0].N != from || page[len(page)-1].N != from+len(page)-1):
		err = &journal.Error{Kind: journal.Corrupt, Run: run, Err: fmt.Errorf("entries from %d on are missing", from)}
	}
	return page, length, err
}

func decodeEntry(run, head string) (e journal.Entry, err error) {
	if err := json.Unmarshal([]byte(head), &e); err != nil {
		return e, &journal.Error{Kind: journal.Corrupt, Run: run, Err: err}
	}
	return e, nil
}

const listRunsSQL = `
SELECT run, last FROM aion_journal
WHERE entries > 0 AND (cardinality($1::bytea[]) = 0 OR status = ANY ($1)) AND at <= $2 AND (at < $2 OR run > $3)
ORDER BY at DESC, run LIMIT nullif($4::bigint, 0)`

// Runs implements [journal.Journal].
func (l dbJournal) Runs(ctx context.Context, filter journal.Filter) iter.Seq2[journal.Info, error] {
	return func(yield func(journal.Info, error) bool) {
		infos, err := l.listRuns(ctx, filter)
		for _, info := range infos {
			if !yield(info, nil) {
				return
			}
		}
		if err != nil {
			yield(journal.Info{}, journalError("", err))
		}
	}
}

// listRuns reads the runs in one statement, because a run that changes between two statements might
// be missing in both results.
func (l dbJournal) listRuns(ctx context.Context, filter journal.Filter) (infos []journal.Info, err error) {
	statuses := make([][]byte, len(filter.Status))
	for i, s := range filter.Status {
		statuses[i] = []byte(s)
	}
	before := "~" // sorts after every time
	if filter.After.Run != "" {
		before = formatTime(filter.After.Time)
	}
	err = retryWhile(ctx, isTransient, func() error {
		rows, err := l.db.pool.Query(ctx, listRunsSQL, statuses, before, []byte(filter.After.Run), max(filter.Limit, 0))
		if err != nil {
			return err
		}
		infos, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (journal.Info, error) {
			var run []byte
			var head string
			if err := row.Scan(&run, &head); err != nil {
				return journal.Info{}, err
			}
			last, err := decodeEntry(string(run), head)
			return last.Info(string(run)), err
		})
		return err
	})
	return infos, err
}

// Delete implements [journal.Journal].
func (l dbJournal) Delete(ctx context.Context, run string) error {
	if err := journal.Check(ctx, run); err != nil {
		return err
	}
	// A concurrent append has either finished, and the DELETE removes its entries, or finds the
	// run deleted.
	return journalError(run, retryWhile(ctx, isTransient, func() error {
		var all pgx.Batch // runs as one transaction
		all.Queue("UPDATE aion_journal SET entries = 0, status = '', at = '', last = '' WHERE run = $1", []byte(run))
		all.Queue("DELETE FROM aion_entries WHERE run = $1", []byte(run))
		all.Queue("DELETE FROM aion_queue WHERE run = $1", []byte(run))
		return l.db.pool.SendBatch(ctx, &all).Close()
	}))
}

// journalError wraps an error in a *journal.Error, unless it has a type that journals may return.
func journalError(run string, err error) error {
	switch e := err.(type) { //nolint:errorlint // errors of a journal have these types, unwrapped
	case nil, *journal.ConflictError, *journal.NotFoundError, *journal.Error:
		return err
	default:
		if isClosed(e) {
			err = errors.New("the database is closed")
		}
		return &journal.Error{Kind: journal.Failed, Run: run, Err: err}
	}
}
