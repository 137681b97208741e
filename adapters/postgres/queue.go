package postgres

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/aiongen/aiongen/runtime/run"
)

// queueStatement returns SQL that changes the queue. It becomes part of the statement that appends to the
// journal. It depends on a value in ctx, because Append is called by the orchestrator, which does not know
// about the queue.
func queueStatement(ctx context.Context) (sql string, args []any) {
	switch change := ctx.Value(queueChangeKey{}).(type) {
	case runStarted:
		return `, queue AS (INSERT INTO aion_queue (run, tenant, priority, due) SELECT run, $8::bytea, $9::integer, now() FROM let ON CONFLICT (run) DO NOTHING)`,
			[]any{[]byte(change.tenant), change.priority}
	case runSignaled:
		return `, queue AS (` + insertQueueSQL + ` FROM let` + onConflictSQL + `)`, nil
	case workerAppended:
		return `, queue AS (UPDATE aion_queue` + setDueSQL + ` FROM let WHERE aion_queue.run = let.run AND owner IS DISTINCT FROM $8::text)`, []any{change.owner}
	}
	return "", nil
}

// A signal makes a run due. The run has no row in the queue yet if it was started without an
// engine.
const (
	insertQueueSQL = "INSERT INTO aion_queue (run, tenant, priority, due) SELECT run, '', 0, now()"
	onConflictSQL  = " ON CONFLICT (run) DO UPDATE" + setDueSQL
	setDueSQL      = " SET news = aion_queue.news + 1, due = now(), failures = 0, error = NULL"
)

type (
	queueChangeKey struct{}

	// runStarted: the append starts a run. Starting a forked run may take several appends.
	runStarted struct {
		tenant   string
		priority int32
	}

	// runSignaled: the append is a signal.
	runSignaled struct{}

	// workerAppended: the append comes from a worker. If another worker has claimed the run in the
	// meantime, the journal accepts only the outcome of a call. The run then becomes due, so that its new
	// owner reads this outcome.
	workerAppended struct{ owner string }
)

// claimedRun is a run that a worker has claimed. Another worker may have claimed it since.
type claimedRun struct {
	run       string
	owner     string // unique to this claim
	newsCount int64  // number of signals when the run was claimed
	failures  int
	progress  int // number of calls when failures were last reset
}

// claimRuns claims up to limit due runs for the duration of a lease. The owner must be unique to this
// claim. If reaping is set, claimRuns first makes the runs of dead workers due. With a limit per tenant
// (perTenant > 0) only one worker claims at a time, since concurrent claims would not count each
// other's runs. All statements are sent in one batch, so that a worker that loses its connection does
// not block the others.
func (db *DB) claimRuns(ctx context.Context, owner string, lease time.Duration, limit int, perTenant int, reaping bool) (runs []*claimedRun, err error) {
	var all pgx.Batch
	if reaping {
		all.Queue(reapSQL)
	}
	collect := func(rows pgx.Rows) (err error) {
		runs, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (*claimedRun, error) {
			var runID []byte
			h := claimedRun{owner: owner}
			err := row.Scan(&runID, &h.newsCount, &h.failures, &h.progress)
			h.run = string(runID)
			return &h, err
		})
		return err
	}
	if perTenant == 0 {
		all.Queue(claimSQL, owner, lease, limit).Query(collect)
	} else {
		all.Queue("SELECT pg_advisory_xact_lock($1)", claimLock)
		all.Queue(claimPerTenantSQL, owner, lease, limit, perTenant).Query(collect)
	}
	if err := db.pool.SendBatch(ctx, &all).Close(); err != nil {
		return nil, err
	}
	return runs, nil
}

const claimLock = migrationLock + 1

// A claim follows the index of unowned runs and skips those that another claim has locked. It
// claims no more runs of a tenant than the limit allows.
const (
	claimSQL = `
WITH free AS (
	SELECT run FROM aion_queue WHERE owner IS NULL AND due <= now()
	ORDER BY priority DESC, due LIMIT $3 FOR UPDATE SKIP LOCKED)
UPDATE aion_queue q SET owner = $1, lease = now() + $2::interval FROM free WHERE q.run = free.run` + returningSQL
	claimPerTenantSQL = `
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
UPDATE aion_queue q SET owner = $1, lease = now() + $2::interval FROM placed WHERE q.run = placed.run AND place <= $4` + returningSQL
	returningSQL = ` RETURNING q.run, q.news, q.failures, q.done`
)

// A run may crash every worker that executes it. Therefore it is not due immediately after a worker has died,
// except after the first death. After an interruption the pause is one second longer.
const (
	restSQL = `least(2 ^ least(failures, 10) - 1, 599) * interval '1 s'`
	reapSQL = `
UPDATE aion_queue q SET owner = NULL, lease = NULL, failures = failures + 1, due = q.lease + ` + restSQL + `
FROM (SELECT run FROM aion_queue WHERE owner IS NOT NULL AND lease < now() FOR UPDATE SKIP LOCKED) dead
WHERE q.run = dead.run`
)

// isReadOnly reports whether the server is read-only, so that workers cannot claim runs.
func (db *DB) isReadOnly(ctx context.Context) (readOnly bool, err error) {
	err = retryWhile(ctx, isTransient, func() error {
		return db.pool.QueryRow(ctx, "SELECT current_setting('transaction_read_only')::boolean").Scan(&readOnly)
	})
	return readOnly, err
}

// renewLeases extends the leases of claimed runs. It returns the runs that were lost because their
// lease had expired and another worker has claimed them.
func (db *DB) renewLeases(ctx context.Context, claims []*claimedRun, lease time.Duration) (lost []*claimedRun, err error) {
	runs, owners := make([][]byte, len(claims)), make([]string, len(claims))
	for i, h := range claims {
		runs[i], owners[i] = []byte(h.run), h.owner
	}
	err = retryWhile(ctx, isTransient, func() error {
		rows, err := db.pool.Query(ctx, `
UPDATE aion_queue q SET lease = now() + $3::interval FROM unnest($1::bytea[], $2::text[]) WITH ORDINALITY AS hold (run, owner, place)
WHERE q.run = hold.run AND q.owner = hold.owner RETURNING place`, runs, owners, lease)
		if err != nil {
			return err
		}
		renewed, err := pgx.CollectRows(rows, pgx.RowTo[int])
		lost = slices.Clone(claims)
		for _, number := range renewed { // from 1
			lost[number-1] = nil
		}
		return err
	})
	return slices.DeleteFunc(lost, func(h *claimedRun) bool { return h == nil }), err
}

// resetFailures clears the failure count of a run and records its progress.
func (db *DB) resetFailures(ctx context.Context, h *claimedRun, done int) error {
	return retryWhile(ctx, isTransient, func() error {
		_, err := db.pool.Exec(ctx, "UPDATE aion_queue SET failures = 0, done = $3 WHERE run = $1 AND owner = $2", []byte(h.run), h.owner, done)
		return err
	})
}

// outcome describes how a worker leaves a run in the queue.
type outcome struct {
	ended  bool
	dueNow bool
	failed bool   // due after a rest
	error  string // why a person should look at the run
}

// releaseRun gives up a claimed run. If a signal has arrived since it was claimed, the run is due at
// once, because the worker may not have seen the signal.
func (db *DB) releaseRun(ctx context.Context, h *claimedRun, o outcome) error {
	return retryWhile(ctx, isTransient, func() error {
		if o.ended {
			_, err := db.pool.Exec(ctx, "DELETE FROM aion_queue WHERE run = $1 AND owner = $2", []byte(h.run), h.owner)
			return err
		}
		_, err := db.pool.Exec(ctx, releaseSQL, []byte(h.run), h.owner, h.newsCount, o.dueNow, o.failed, sanitizeText(o.error))
		return err
	})
}

// sanitizeText returns a text that PostgreSQL accepts: valid UTF-8 without NUL.
func sanitizeText(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\uFFFD")
}

const releaseSQL = `
UPDATE aion_queue SET owner = NULL, lease = NULL, error = nullif($6, ''),
	failures = CASE WHEN $5::boolean THEN failures + 1 ELSE 0 END,
	due = CASE WHEN news > $3 OR $4::boolean THEN now() WHEN $5 THEN now() + interval '1 s' + ` + restSQL + ` END
WHERE run = $1 AND owner = $2`

// isStopped reports whether no worker executes a run or will execute it. It also returns true, and the
// error, if the last worker failed with a permanent error. In this case, a worker with another version of
// the program may still execute the run.
func (db *DB) isStopped(ctx context.Context, runID string) (stopped bool, why string, err error) {
	err = retryWhile(ctx, isTransient, func() error {
		err := db.pool.QueryRow(ctx, "SELECT owner IS NULL AND (due IS NULL OR error IS NOT NULL), coalesce(error, '') FROM aion_queue WHERE run = $1",
			[]byte(runID)).Scan(&stopped, &why)
		if errors.Is(err, pgx.ErrNoRows) {
			stopped, why, err = true, "", nil
		}
		return err
	})
	return stopped, why, err
}

// wakeRun makes a run due. It reports whether the run exists and has not ended.
func (db *DB) wakeRun(ctx context.Context, runID string) (exists bool, err error) {
	err = retryWhile(ctx, isTransient, func() error {
		done, err := db.pool.Exec(ctx, insertQueueSQL+" FROM aion_journal WHERE run = $1 AND entries > 0 AND status <> ALL ($2)"+onConflictSQL, []byte(runID),
			[][]byte{[]byte(run.Completed), []byte(run.Failed), []byte(run.Cancelled)})
		exists = done.RowsAffected() > 0
		return err
	})
	return exists, err
}
