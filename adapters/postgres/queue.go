package postgres

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/aiongen/aiongen/runtime/run/record"
)

// told is what an append says to the queue, in the same statement: it comes with the
// context, for it is the kernel that appends.
func told(ctx context.Context) (sql string, args []any) {
	switch news := ctx.Value(newsKey{}).(type) {
	case begun:
		return `, queue AS (INSERT INTO aion_queue (run, tenant, priority, due) SELECT run, $8::bytea, $9::integer, now() FROM let)`,
			[]any{[]byte(news.tenant), news.priority}
	case signalled:
		return `, queue AS (` + adopt + ` FROM let` + wake + `)`, nil
	case worked:
		return `, queue AS (UPDATE aion_queue` + tell + ` FROM let WHERE aion_queue.run = let.run AND owner IS DISTINCT FROM $8::text)`, []any{news.owner}
	}
	return "", nil
}

// Whoever is told something is due. It has no row if it was begun past the engine, or
// before there was one.
const (
	adopt = "INSERT INTO aion_queue (run, tenant, priority, due) SELECT run, '', 0, now()"
	wake  = " ON CONFLICT (run) DO UPDATE" + tell
	tell  = " SET news = aion_queue.news + 1, due = now(), failures = 0, error = NULL"
)

type (
	newsKey struct{}

	// begun is a run that began.
	begun struct {
		tenant   string
		priority int32
	}

	// signalled is a run that was told something.
	signalled struct{}

	// worked is what a worker appends: news if it has lost the run meanwhile, which is
	// what came of a call, for nothing else is let through then.
	worked struct{ owner string }
)

// held is a run that a worker holds. It may have lost it, and taken it again.
type held struct {
	run      string
	owner    string // of it, this time
	news     int64  // when it was taken
	failures int
	done     int
}

// claim takes runs that are due, at most so many, for an owner that is unlike any other,
// so long. If that is asked for, it makes those due first whose workers have died. Where
// tenants are limited, which is not by 0, one worker claims at a time, for two would not count each other; it
// says all at once, so that one that is lost meanwhile does not keep the others waiting.
func (db *DB) claim(ctx context.Context, owner string, lease time.Duration, most int, perTenant int, reaping bool) (runs []*held, err error) {
	var all pgx.Batch
	if reaping {
		all.Queue(reap)
	}
	mine := func(rows pgx.Rows) (err error) {
		runs, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (*held, error) {
			var run []byte
			h := held{owner: owner}
			err := row.Scan(&run, &h.news, &h.failures, &h.done)
			h.run = string(run)
			return &h, err
		})
		return err
	}
	if perTenant == 0 {
		all.Queue(claim, owner, lease, most).Query(mine)
	} else {
		all.Queue("SELECT pg_advisory_xact_lock($1)", claimLock)
		all.Queue(claimWithin, owner, lease, most, perTenant).Query(mine)
	}
	if err := db.pool.SendBatch(ctx, &all).Close(); err != nil {
		return nil, err
	}
	return runs, nil
}

const claimLock = migrationLock + 1

// A claim goes along the index of runs that nobody holds, and leaves out those that
// another one is about to take. Of a tenant it takes no more than it may have.
const (
	claim = `
WITH free AS (
	SELECT run FROM aion_queue WHERE owner IS NULL AND due <= now()
	ORDER BY priority DESC, due LIMIT $3 FOR UPDATE SKIP LOCKED)
UPDATE aion_queue q SET owner = $1, lease = now() + $2::interval FROM free WHERE q.run = free.run` + taken
	claimWithin = `
WITH held AS (
	SELECT tenant, count(*) AS runs FROM aion_queue WHERE owner IS NOT NULL GROUP BY tenant
), free AS (
	SELECT run, tenant, priority, due FROM aion_queue WHERE owner IS NULL AND due <= now()
	AND tenant NOT IN (SELECT tenant FROM held WHERE runs >= $4)
	ORDER BY priority DESC, due LIMIT $3 FOR UPDATE SKIP LOCKED
), placed AS (
	SELECT run, coalesce(runs, 0) + row_number() OVER (PARTITION BY tenant ORDER BY priority DESC, due) AS place
	FROM free LEFT JOIN held USING (tenant)
)
UPDATE aion_queue q SET owner = $1, lease = now() + $2::interval FROM placed WHERE q.run = placed.run AND place <= $4` + taken
	taken = ` RETURNING q.run, q.news, q.failures, q.done`
)

// A run whose workers died one after the other may be what they died of, so it rests in
// between; the first time it is due at once. One that was interrupted rests a second
// longer.
const (
	rests = `least(2 ^ least(failures, 10) - 1, 599) * interval '1 s'`
	reap  = `
UPDATE aion_queue q SET owner = NULL, lease = NULL, failures = failures + 1, due = q.lease + ` + rests + `
FROM (SELECT run FROM aion_queue WHERE owner IS NOT NULL AND lease < now() FOR UPDATE SKIP LOCKED) dead
WHERE q.run = dead.run`
)

// onlyReads tells whether nothing can be claimed.
func (db *DB) onlyReads(ctx context.Context) (reads bool, err error) {
	err = again(ctx, passing, func() error {
		return db.pool.QueryRow(ctx, "SELECT current_setting('transaction_read_only')::boolean").Scan(&reads)
	})
	return reads, err
}

// renew makes leases begin anew. It returns which were lost: those of who was not heard
// of for too long.
func (db *DB) renew(ctx context.Context, holds []*held, lease time.Duration) (lost []*held, err error) {
	runs, owners := make([][]byte, len(holds)), make([]string, len(holds))
	for i, h := range holds {
		runs[i], owners[i] = []byte(h.run), h.owner
	}
	err = again(ctx, passing, func() error {
		rows, err := db.pool.Query(ctx, `
UPDATE aion_queue q SET lease = now() + $3::interval FROM unnest($1::bytea[], $2::text[]) WITH ORDINALITY AS hold (run, owner, place)
WHERE q.run = hold.run AND q.owner = hold.owner RETURNING place`, runs, owners, lease)
		if err != nil {
			return err
		}
		kept, err := pgx.CollectRows(rows, pgx.RowTo[int])
		lost = slices.Clone(holds)
		for _, place := range kept {
			lost[place-1] = nil
		}
		return err
	})
	return slices.DeleteFunc(lost, func(h *held) bool { return h == nil }), err
}

// progress forgets the failures of a run that has got further since.
func (db *DB) progress(ctx context.Context, h *held, done int) error {
	return again(ctx, passing, func() error {
		_, err := db.pool.Exec(ctx, "UPDATE aion_queue SET failures = 0, done = $3 WHERE run = $1 AND owner = $2", []byte(h.run), h.owner, done)
		return err
	})
}

// outcome is how a worker leaves a run.
type outcome struct {
	ended  bool
	again  bool   // it is due at once
	failed bool   // it is due when it has rested
	error  string // why somebody should look
}

// release gives a run up. It is due at once if it was told something since it was
// taken, for the worker may not have seen that.
func (db *DB) release(ctx context.Context, h *held, o outcome) error {
	return again(ctx, passing, func() error {
		if o.ended {
			_, err := db.pool.Exec(ctx, "DELETE FROM aion_queue WHERE run = $1 AND owner = $2", []byte(h.run), h.owner)
			return err
		}
		_, err := db.pool.Exec(ctx, release, []byte(h.run), h.owner, h.news, o.again, o.failed, text(o.error))
		return err
	})
}

// text returns a text as a column can have it.
func text(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\uFFFD")
}

const release = `
UPDATE aion_queue SET owner = NULL, lease = NULL, error = nullif($6, ''),
	failures = CASE WHEN $5::boolean THEN failures + 1 ELSE 0 END,
	due = CASE WHEN news > $3 OR $4::boolean THEN now() WHEN $5 THEN now() + interval '1 s' + ` + rests + ` END
WHERE run = $1 AND owner = $2`

// stopped tells whether no worker has or will have anything to do with a run, unless
// another is of another opinion: then also why this one had not.
func (db *DB) stopped(ctx context.Context, run string) (stopped bool, why string, err error) {
	err = again(ctx, passing, func() error {
		err := db.pool.QueryRow(ctx, "SELECT owner IS NULL AND (due IS NULL OR error IS NOT NULL), coalesce(error, '') FROM aion_queue WHERE run = $1",
			[]byte(run)).Scan(&stopped, &why)
		if errors.Is(err, pgx.ErrNoRows) {
			stopped, why, err = true, "", nil
		}
		return err
	})
	return stopped, why, err
}

// wake has a worker go on with a run. It tells whether there is one that has not ended.
func (db *DB) wake(ctx context.Context, run string) (there bool, err error) {
	err = again(ctx, passing, func() error {
		done, err := db.pool.Exec(ctx, adopt+" FROM aion_journal WHERE run = $1 AND entries > 0 AND status <> ALL ($2)"+wake, []byte(run),
			[][]byte{[]byte(record.Completed), []byte(record.Failed), []byte(record.Cancelled)})
		there = done.RowsAffected() > 0
		return err
	})
	return there, err
}
