package postgres_test

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/aiongen/aiongen/adapters/postgres"
	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

// TestSeveralAtOnce checks that a worker claims several runs at once, but no more than it can execute.
func TestSeveralAtOnce(t *testing.T) {
	url := newSchema(t)
	db := openDB(t, url)
	d := newDesk(t, db)
	on := make(chan struct{})
	d.does = func(ctx context.Context) {
		select {
		case <-on:
		case <-ctx.Done():
		}
	}
	e := newEngine(t, db, d, postgres.Workers(8))
	for i := range 12 {
		if _, err := e.Start(t.Context(), planOf(fmt.Sprint("r", i), "pay")); err != nil {
			t.Fatal(err)
		}
	}
	startWorking(t, e)
	waitUntil(t, url, "SELECT count(*) / 8 FROM aion_queue WHERE owner IS NOT NULL")
	if n := countRows(t, url, "SELECT count(DISTINCT owner) FROM aion_queue WHERE owner IS NOT NULL"); n > 4 {
		t.Errorf("it took %d claims", n)
	}
	if n := countRows(t, url, "SELECT count(*) FROM aion_queue WHERE owner IS NOT NULL"); n != 8 {
		t.Errorf("%d runs are held", n)
	}
	close(on)
	for i := range 12 {
		if r := waitForResult(t, e, fmt.Sprint("r", i)); r.Status != run.Completed {
			t.Errorf("%+v", r)
		}
	}
}

// TestFailuresReset checks that a run which has made progress since its last failure rests as after a first failure,
// and one without progress rests longer.
func TestFailuresReset(t *testing.T) {
	url := newSchema(t)
	db := openDB(t, url)
	d := newDesk(t, db)
	d.answers = func(context.Context, llm.Request) (llm.Response, error) { return llm.Response{}, toolFault{true} }
	e := newEngine(t, db, d)
	if _, err := e.Start(t.Context(), planOf("r", "pay", "pay")); err != nil {
		t.Fatal(err)
	}
	executeSQL(t, url, "UPDATE aion_queue SET failures = 5") // before its first call
	startWorking(t, e)
	waitUntil(t, url, "SELECT count(*) FROM aion_queue WHERE failures = 6 AND owner IS NULL AND due > now() + interval '20 s'")
	executeSQL(t, url, "UPDATE aion_queue SET due = now()")
	waitUntil(t, url, "SELECT count(*) FROM aion_queue WHERE failures BETWEEN 1 AND 4")
	executeSQL(t, url, "UPDATE aion_queue SET failures = 5, due = now()")
	waitUntil(t, url, "SELECT count(*) FROM aion_queue WHERE failures = 6 AND owner IS NULL AND due > now() + interval '20 s'")
}

// fillQueue adds running runs of a tenant to the queue.
func fillQueue(t *testing.T, url, tenant string, runs int) {
	t.Helper()
	executeSQL(t, url, fmt.Sprintf(`INSERT INTO aion_queue (run, tenant, priority, due)
		SELECT convert_to('%[1]s' || i, 'UTF8'), '%[1]s', 0, now() FROM generate_series(1, %d) i; ANALYZE`, tenant, runs))
}

// TestFlood checks that many runs of one tenant do not delay those of another.
func TestFlood(t *testing.T) {
	url := newSchema(t)
	db := openDB(t, url)
	d := newDesk(t, db)
	on := make(chan struct{})
	defer close(on)
	d.does = func(ctx context.Context) {
		if strings.HasPrefix(tool.CallFrom(ctx).ID, "ann") {
			select {
			case <-on:
			case <-ctx.Done():
			}
		}
	}
	e := newEngine(t, db, d, postgres.PerTenant("user", 2))
	begin := func(id, user string) {
		in := planOf(id, "pay")
		in.Meta = map[string]string{"user": user}
		if _, err := e.Start(t.Context(), in); err != nil {
			t.Fatal(err)
		}
	}
	begin("ann-a", "ann")
	begin("ann-b", "ann")
	fillQueue(t, url, "ann", 10_000)
	startWorking(t, e)
	waitUntil(t, url, "SELECT count(*) / 2 FROM aion_queue WHERE owner IS NOT NULL")
	for i := range 10 {
		begin(fmt.Sprint("bob", i), "bob")
	}
	for i := range 10 {
		if r := waitForResult(t, e, fmt.Sprint("bob", i)); r.Status != run.Completed {
			t.Errorf("%+v", r)
		}
	}
	if n := countRows(t, url, "SELECT count(*) FROM aion_queue WHERE tenant = 'ann'"); n != 10_002 {
		t.Errorf("there are %d runs of ann", n)
	}
}

// TestIndexes checks that no query scans a whole table.
func TestIndexes(t *testing.T) {
	address := newSchema(t)
	name := fmt.Sprint("indexes", schemaCount.Add(1))
	address += "&application_name=" + name
	scans := func() int { // the statistics are complete once all connections are closed
		waitUntil(t, sharedCluster.URL(), "SELECT (count(*) = 0)::integer FROM pg_stat_activity WHERE application_name = '"+name+"'")
		return countRows(t, address, "SELECT sum(seq_scan) FROM pg_stat_user_tables WHERE schemaname = current_schema() AND relname <> 'aion_migrations'")
	}
	openDB(t, address).Close()
	fillQueue(t, address, "ann", 20_000)
	executeSQL(t, address, `
		UPDATE aion_queue SET owner = 'somebody', lease = now() + interval '1 h' WHERE run < 'ann2';
		INSERT INTO aion_journal (run, entries, status, at, last) SELECT run, 1, 'running', '2026', '{}' FROM aion_queue;
		INSERT INTO aion_entries (run, n, entry, data) SELECT run, 0, '{}', '' FROM aion_queue;
		INSERT INTO aion_memory (key, value) SELECT run, '{}' FROM aion_queue`)
	executeSQL(t, address, "VACUUM ANALYZE")
	before := scans()
	one := openDB(t, address+"&pool_max_conns=1")
	for _, options := range [][]postgres.Option{nil, {postgres.PerTenant("user", 20_000)}} {
		d := newDesk(t, one)
		e := newEngine(t, one, d, append(options, postgres.Log(slog.New(slog.DiscardHandler)), postgres.Priority(func(orchestrator.Input) int32 { return 1 }))...)
		id := fmt.Sprint("mine", len(options))
		if _, err := e.Start(t.Context(), planOf(id, "pay", "send")); err != nil {
			t.Fatal(err)
		}
		stop := startWorking(t, e)
		r := waitForResult(t, e, id)
		if err := e.Send(t.Context(), id, run.Deny(r.Calls[0].Call, "no")); err != nil {
			t.Fatal(err)
		}
		waitForResult(t, e, id)
		stop()
		if err := one.Journal().Delete(t.Context(), id); err != nil {
			t.Fatal(err)
		}
	}
	for range one.Journal().Runs(t.Context(), journal.Filter{Limit: 10}) {
		break
	}
	for range one.Store().Search(t.Context(), "ann1") {
		break
	}
	one.Close()
	if n := scans() - before; n > 0 {
		t.Errorf("%d times a table was read as a whole", n)
	}
}

// TestListensOn checks that the connection for notifications is reused until the database is closed.
func TestListensOn(t *testing.T) {
	address, name := newSchema(t), fmt.Sprint("listener", schemaCount.Add(1))
	db := openDB(t, address+"&application_name="+name)
	e := newEngine(t, db, newDesk(t, db))
	other := openDB(t, address)
	startWorking(t, newEngine(t, other, newDesk(t, other)))
	listening := "FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND application_name = '" + name + "'"
	conn, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	first := 0
	for i := range 3 {
		if _, err := e.Start(t.Context(), planOf(fmt.Sprint("r", i), "pay")); err != nil {
			t.Fatal(err)
		}
		waitForResult(t, e, fmt.Sprint("r", i))
		waitUntil(t, address, "SELECT count(*) "+listening)
		pid := 0
		if err := conn.QueryRow(t.Context(), "SELECT pid "+listening).Scan(&pid); err != nil || first != 0 && pid != first {
			t.Errorf("%d listens after %d, %v", pid, first, err)
		}
		first = pid
	}
	db.Close()
	waitUntil(t, address, "SELECT (count(*) = 0)::integer "+listening)
}
