package postgres

import (
	"context"
	"errors"
	"fmt"
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
	owner    string // unlike that of any other
	news     int64  // when it was taken
	failures int
}

// claim takes a run that is due, for an owner, so long. It is nil if there is none. Where
// tenants are limited, one worker claims at a time, for two would not count each other; it says all at once,
// so that one that is lost meanwhile does not keep the others waiting.
func (db *DB) claim(ctx context.Context, owner string, lease time.Duration, limit int) (h *held, err error) {
	if limit <= 0 {
		return claimed(owner, db.pool.QueryRow(ctx, fmt.Sprintf(claim, ""), owner, lease))
	}
	var all pgx.Batch
	all.Queue("SELECT pg_advisory_xact_lock($1)", claimLock)
	all.Queue(fmt.Sprintf(claim, among), owner, lease, limit)
	answers := db.pool.SendBatch(ctx, &all)
	if _, err = answers.Exec(); err == nil {
		h, err = claimed(owner, answers.QueryRow())
	}
	return h, errors.Join(err, answers.Close())
}

func claimed(owner string, row pgx.Row) (*held, error) {
	var run []byte
	h := held{owner: owner}
	switch err := row.Scan(&run, &h.news, &h.failures); {
	case errors.Is(err, pgx.ErrNoRows):
		return nil, nil
	case err != nil:
		return nil, err
	}
	h.run = string(run)
	return &h, nil
}

const claimLock = migrationLock + 1

// A run whose workers died one after the other may be what they died of, so it rests in
// between: the first time it is taken at once, see pause.
const (
	claim = `
UPDATE aion_queue SET owner = $1, lease = now() + $2::interval, failures = failures + (owner IS NOT NULL)::integer
WHERE run = (
	SELECT run FROM aion_queue
	WHERE due <= now() AND (owner IS NULL OR lease < now() - least(2 ^ least(failures, 10) - 1, 600) * interval '1 s')%s
	ORDER BY priority DESC, due LIMIT 1 FOR UPDATE SKIP LOCKED)
RETURNING run, news, failures`
	among = ` AND tenant NOT IN (
		SELECT tenant FROM aion_queue WHERE owner IS NOT NULL AND lease >= now() GROUP BY tenant HAVING count(*) >= $3)`
)

// renew makes leases begin anew. It returns whose: who was not heard of for too long has
// lost his run.
func (db *DB) renew(ctx context.Context, owners []string, lease time.Duration) (kept []string, err error) {
	err = again(ctx, passing, func() error {
		rows, err := db.pool.Query(ctx, "UPDATE aion_queue SET lease = now() + $2::interval WHERE owner = ANY ($1) RETURNING owner", owners, lease)
		if err != nil {
			return err
		}
		kept, err = pgx.CollectRows(rows, pgx.RowTo[string])
		return err
	})
	return kept, err
}

// outcome is how a worker leaves a run.
type outcome struct {
	ended bool
	again bool          // it is due after a pause
	pause time.Duration // 0 is at once
	error string        // why somebody should look
}

// release gives a run up. It is due at once if it was told something since it was
// taken, for the worker may not have seen that.
func (db *DB) release(ctx context.Context, h *held, o outcome) error {
	return again(ctx, passing, func() error {
		if o.ended {
			_, err := db.pool.Exec(ctx, "DELETE FROM aion_queue WHERE run = $1 AND owner = $2", []byte(h.run), h.owner)
			return err
		}
		failures := 0
		if o.again && o.pause > 0 {
			failures = h.failures + 1
		}
		_, err := db.pool.Exec(ctx, release, []byte(h.run), h.owner, h.news, o.again, o.pause, failures, text(o.error))
		return err
	})
}

// text returns a text as a column can have it.
func text(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\uFFFD")
}

const release = `
UPDATE aion_queue SET owner = NULL, lease = NULL, failures = $6, error = nullif($7, ''),
	due = CASE WHEN news > $3 THEN now() WHEN $4::boolean THEN now() + $5::interval END
WHERE run = $1 AND owner = $2`

// stopped tells whether no worker has or will have anything to do with a run, unless
// another is of another opinion.
func (db *DB) stopped(ctx context.Context, run string) (stopped bool, err error) {
	err = again(ctx, passing, func() error {
		return db.pool.QueryRow(ctx, `SELECT NOT EXISTS (SELECT FROM aion_queue
			WHERE run = $1 AND (owner IS NOT NULL OR due IS NOT NULL AND error IS NULL))`, []byte(run)).Scan(&stopped)
	})
	return stopped, err
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
