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

// Journal returns the journal of a database. Its Runs reads what there is to tell of
// all runs before it tells of one: a limit bounds that.
func (db *DB) Journal() journal.Journal { return log{db} }

type log struct{ db *DB }

// An append is one statement, whose first part lets one writer through: the first
// that makes the row of the run, or that changes it as it was. A writer that comes at
// the same time waits at the row, and finds it changed.
const (
	begin = `INSERT INTO aion_journal (run, entries, status, at, last)
		VALUES ($1::bytea, $2::bigint + cardinality($3::text[]), $5::bytea, $6::text, $7::text)
		ON CONFLICT DO NOTHING RETURNING run`
	goOn = `UPDATE aion_journal SET entries = $2::bigint + cardinality($3::text[]), status = $5::bytea, at = $6::text, last = $7::text
		WHERE run = $1::bytea AND entries = $2::bigint RETURNING run`
	insert = ` INSERT INTO aion_entries (run, n, entry, data)
		SELECT let.run, $2::bigint + place - 1, entry, data
		FROM let, unnest($3::text[], $4::text[]) WITH ORDINALITY AS new (entry, data, place)`
)

// Append is [journal.Journal]'s.
func (l log) Append(ctx context.Context, run string, n int, entries ...journal.Entry) error {
	if err := journal.Check(ctx, run); err != nil {
		return err
	}
	entries, err := journal.Prepare(run, n, entries)
	if err != nil {
		return err
	}
	heads, data, err := texts(entries)
	if err != nil {
		return logError(run, err)
	}
	first := goOn
	if n == 0 {
		first = begin
	}
	last := entries[len(entries)-1]
	for {
		err := again(ctx, passing, func() error {
			with, args := told(ctx)
			done, err := l.db.pool.Exec(ctx, "WITH let AS ("+first+")"+with+insert,
				append([]any{[]byte(run), int64(n), heads, data, []byte(last.Status), at(last.Time), heads[len(heads)-1]}, args...)...)
			if err == nil && done.RowsAffected() == 0 {
				return errNotLet
			}
			return err
		})
		if !errors.Is(err, errNotLet) {
			return logError(run, err)
		}
		if err := l.compare(ctx, run, n, entries); !errors.Is(err, errNotLet) {
			return logError(run, err)
		}
	}
}

// errNotLet says that entries could not be appended where they were to be.
var errNotLet = errors.New("the run has not as many entries")

// compare returns why entries were not appended: nil if they are there, errNotLet if
// by now they could be.
func (l log) compare(ctx context.Context, run string, n int, entries []journal.Entry) error {
	there, same := n, true
	page, length, err := l.page(ctx, run, n)
	for ; err == nil && len(page) > 0 && same && there < n+len(entries); page, length, err = l.page(ctx, run, there) {
		for _, e := range page[:min(len(page), n+len(entries)-there)] {
			same = same && e.Same(entries[e.N-n])
			there++
		}
	}
	gone, isGone := errors.AsType[*journal.Gone](err)
	switch {
	case isGone && !gone.Deleted && n == 0, err == nil && length == n && n > 0:
		return errNotLet
	case err != nil:
		return err
	case length < n:
		return &journal.Gone{Run: run, Entries: length}
	case same && there == n+len(entries):
		return nil
	}
	return &journal.Taken{Run: run, N: n}
}

// texts returns entries without their data, and their data.
func texts(entries []journal.Entry) (heads, data []string, err error) {
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

// at is a time as it is ordered.
func at(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000000000") }

// Read is [journal.Journal]'s. It reads so much at a time, see search.
func (l log) Read(ctx context.Context, run string, from int) iter.Seq2[journal.Entry, error] {
	return func(yield func(journal.Entry, error) bool) {
		if err := journal.Check(ctx, run); err != nil {
			yield(journal.Entry{}, err)
			return
		}
		if l.db.probed(ctx) {
			return
		}
		for next, length := max(from, 0), 1; ; {
			var page []journal.Entry
			var err error
			if page, length, err = l.page(ctx, run, next); err != nil {
				yield(journal.Entry{}, logError(run, err))
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

const read = `
SELECT head.entries, coalesce(entry, ''), coalesce(data, '') FROM aion_journal head LEFT JOIN LATERAL (
	SELECT n, entry, data FROM (
		SELECT n, entry, data, sum(octet_length(data)) OVER (ORDER BY n) - octet_length(data) AS before
		FROM (SELECT n, entry, data FROM aion_entries WHERE run = $1 AND n >= $2 ORDER BY n LIMIT 256) page
	) page WHERE before < 1048576
) page ON true WHERE head.run = $1 ORDER BY n`

// page returns entries of a run from a number on, some if there are any, and how many
// there are in all.
func (l log) page(ctx context.Context, run string, from int) (page []journal.Entry, length int, err error) {
	err = again(ctx, passing, func() error {
		rows, err := l.db.pool.Query(ctx, read, []byte(run), int64(from))
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
			e, err := entry(run, head)
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
		err = &journal.Gone{Run: run, Deleted: length == 0}
	case len(page) == 0 && from < length, len(page) > 0 && (page[0].N != from || page[len(page)-1].N != from+len(page)-1):
		err = &journal.Error{Kind: journal.Corrupt, Run: run, Err: fmt.Errorf("entries from %d on are missing", from)}
	}
	return page, length, err
}

func entry(run, head string) (e journal.Entry, err error) {
	if err := json.Unmarshal([]byte(head), &e); err != nil {
		return e, &journal.Error{Kind: journal.Corrupt, Run: run, Err: err}
	}
	return e, nil
}

const list = `
SELECT run, last FROM aion_journal
WHERE entries > 0 AND (cardinality($1::bytea[]) = 0 OR status = ANY ($1)) AND at <= $2 AND (at < $2 OR run > $3)
ORDER BY at DESC, run LIMIT nullif($4::bigint, 0)`

// Runs is [journal.Journal]'s.
func (l log) Runs(ctx context.Context, filter journal.Filter) iter.Seq2[journal.Info, error] {
	return func(yield func(journal.Info, error) bool) {
		infos, err := l.list(ctx, filter)
		for _, info := range infos {
			if !yield(info, nil) {
				return
			}
		}
		if err != nil {
			yield(journal.Info{}, logError("", err))
		}
	}
}

// list returns the runs of one moment: one that goes on meanwhile is not passed over.
func (l log) list(ctx context.Context, filter journal.Filter) (infos []journal.Info, err error) {
	statuses := make([][]byte, len(filter.Status))
	for i, s := range filter.Status {
		statuses[i] = []byte(s)
	}
	before := "~" // which is later than every time
	if filter.After.Run != "" {
		before = at(filter.After.Time)
	}
	err = again(ctx, passing, func() error {
		rows, err := l.db.pool.Query(ctx, list, statuses, before, []byte(filter.After.Run), max(filter.Limit, 0))
		if err != nil {
			return err
		}
		infos, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (journal.Info, error) {
			var run, head string
			var id []byte
			err := row.Scan(&id, &head)
			if run = string(id); err != nil {
				return journal.Info{}, err
			}
			last, err := entry(run, head)
			return last.Info(run), err
		})
		return err
	})
	return infos, err
}

// Delete is [journal.Journal]'s.
func (l log) Delete(ctx context.Context, run string) error {
	if err := journal.Check(ctx, run); err != nil {
		return err
	}
	// Whoever appends has done so, or finds it deleted; what was appended the next
	// statement sees.
	return logError(run, again(ctx, passing, func() error {
		var all pgx.Batch // a transaction
		all.Queue("UPDATE aion_journal SET entries = 0, status = '', at = '', last = '' WHERE run = $1", []byte(run))
		all.Queue("DELETE FROM aion_entries WHERE run = $1", []byte(run))
		all.Queue("DELETE FROM aion_queue WHERE run = $1", []byte(run))
		return l.db.pool.SendBatch(ctx, &all).Close()
	}))
}

// logError returns an error as a journal has to.
func logError(run string, err error) error {
	switch e := err.(type) {
	case nil, *journal.Taken, *journal.Gone, *journal.Error:
		return err
	default:
		if closed(e) {
			err = errors.New("the database is closed")
		}
		return &journal.Error{Kind: journal.Failed, Run: run, Err: err}
	}
}
