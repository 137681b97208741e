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
	"github.com/aiongen/aiongen/runtime/run/record"
	"github.com/aiongen/aiongen/runtime/tool"
)

// TestSeveralAtOnce: a worker claims several runs at once, and no more than it drives.
func TestSeveralAtOnce(t *testing.T) {
	url := empty(t)
	db := open(t, url)
	d := newDesk(t, db)
	on := make(chan struct{})
	d.does = func(ctx context.Context) {
		select {
		case <-on:
		case <-ctx.Done():
		}
	}
	e := engine(t, db, d, postgres.Workers(8))
	for i := range 12 {
		if _, err := e.Start(t.Context(), steps(fmt.Sprint("r", i), "pay")); err != nil {
			t.Fatal(err)
		}
	}
	work(t, e)
	until(t, url, "SELECT count(*) / 8 FROM aion_queue WHERE owner IS NOT NULL")
	if n := count(t, url, "SELECT count(DISTINCT owner) FROM aion_queue WHERE owner IS NOT NULL"); n > 4 {
		t.Errorf("it took %d claims", n)
	}
	if n := count(t, url, "SELECT count(*) FROM aion_queue WHERE owner IS NOT NULL"); n != 8 {
		t.Errorf("%d runs are held", n)
	}
	close(on)
	for i := range 12 {
		if r := result(t, e, fmt.Sprint("r", i)); r.Status != record.Completed {
			t.Errorf("%+v", r)
		}
	}
}

// TestForgiven: a run that has got further since it failed rests as if for the first
// time; and one that has not, longer.
func TestForgiven(t *testing.T) {
	url := empty(t)
	db := open(t, url)
	d := newDesk(t, db)
	d.answers = func(context.Context, llm.Request) (llm.Response, error) { return llm.Response{}, fault{true} }
	e := engine(t, db, d)
	if _, err := e.Start(t.Context(), steps("r", "pay", "pay")); err != nil {
		t.Fatal(err)
	}
	execute(t, url, "UPDATE aion_queue SET failures = 5") // before it has called anything
	work(t, e)
	until(t, url, "SELECT count(*) FROM aion_queue WHERE failures = 6 AND owner IS NULL AND due > now() + interval '20 s'")
	execute(t, url, "UPDATE aion_queue SET due = now()")
	until(t, url, "SELECT count(*) FROM aion_queue WHERE failures BETWEEN 1 AND 4")
	execute(t, url, "UPDATE aion_queue SET failures = 5, due = now()")
	until(t, url, "SELECT count(*) FROM aion_queue WHERE failures = 6 AND owner IS NULL AND due > now() + interval '20 s'")
}

// fill has runs in the queue that somebody began, of a tenant.
func fill(t *testing.T, url, tenant string, runs int) {
	t.Helper()
	execute(t, url, fmt.Sprintf(`INSERT INTO aion_queue (run, tenant, priority, due)
		SELECT convert_to('%[1]s' || i, 'UTF8'), '%[1]s', 0, now() FROM generate_series(1, %d) i; ANALYZE`, tenant, runs))
}

// TestFlood: one tenant's runs, be they ever so many, do not keep those of another
// waiting.
func TestFlood(t *testing.T) {
	url := empty(t)
	db := open(t, url)
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
	e := engine(t, db, d, postgres.PerTenant("user", 2))
	begin := func(id, user string) {
		in := steps(id, "pay")
		in.Meta = map[string]string{"user": user}
		if _, err := e.Start(t.Context(), in); err != nil {
			t.Fatal(err)
		}
	}
	begin("ann-a", "ann")
	begin("ann-b", "ann")
	fill(t, url, "ann", 10_000)
	work(t, e)
	until(t, url, "SELECT count(*) / 2 FROM aion_queue WHERE owner IS NOT NULL")
	for i := range 10 {
		begin(fmt.Sprint("bob", i), "bob")
	}
	for i := range 10 {
		if r := result(t, e, fmt.Sprint("bob", i)); r.Status != record.Completed {
			t.Errorf("%+v", r)
		}
	}
	if n := count(t, url, "SELECT count(*) FROM aion_queue WHERE tenant = 'ann'"); n != 10_002 {
		t.Errorf("there are %d runs of ann", n)
	}
}

// TestIndexes: no table is read as a whole, however long.
func TestIndexes(t *testing.T) {
	address := empty(t)
	name := fmt.Sprint("indexes", schemas.Add(1))
	address += "&application_name=" + name
	scans := func() int { // known when all connections have ended
		until(t, shared.URL(), "SELECT (count(*) = 0)::integer FROM pg_stat_activity WHERE application_name = '"+name+"'")
		return count(t, address, "SELECT sum(seq_scan) FROM pg_stat_user_tables WHERE schemaname = current_schema() AND relname <> 'aion_migrations'")
	}
	open(t, address).Close()
	fill(t, address, "ann", 20_000)
	execute(t, address, `
		UPDATE aion_queue SET owner = 'somebody', lease = now() + interval '1 h' WHERE run < 'ann2';
		INSERT INTO aion_journal (run, entries, status, at, last) SELECT run, 1, 'running', '2026', '{}' FROM aion_queue;
		INSERT INTO aion_entries (run, n, entry, data) SELECT run, 0, '{}', '' FROM aion_queue;
		INSERT INTO aion_memory (key, value) SELECT run, '{}' FROM aion_queue`)
	execute(t, address, "VACUUM ANALYZE")
	before := scans()
	one := open(t, address+"&pool_max_conns=1")
	for _, options := range [][]postgres.Option{nil, {postgres.PerTenant("user", 20_000)}} {
		d := newDesk(t, one)
		e := engine(t, one, d, append(options, postgres.Log(slog.New(slog.DiscardHandler)), postgres.Priority(func(orchestrator.Input) int32 { return 1 }))...)
		id := fmt.Sprint("mine", len(options))
		if _, err := e.Start(t.Context(), steps(id, "pay", "send")); err != nil {
			t.Fatal(err)
		}
		stop := work(t, e)
		r := result(t, e, id)
		if err := e.Send(t.Context(), id, record.Deny(r.Calls[0].Call, "no")); err != nil {
			t.Fatal(err)
		}
		result(t, e, id)
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

// TestListensOn: the connection on which results are heard of is there for the next one,
// until the database is closed.
func TestListensOn(t *testing.T) {
	address, name := empty(t), fmt.Sprint("listener", schemas.Add(1))
	db := open(t, address+"&application_name="+name)
	e := engine(t, db, newDesk(t, db))
	other := open(t, address)
	work(t, engine(t, other, newDesk(t, other)))
	listening := "FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND application_name = '" + name + "'"
	conn, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	first := 0
	for i := range 3 {
		if _, err := e.Start(t.Context(), steps(fmt.Sprint("r", i), "pay")); err != nil {
			t.Fatal(err)
		}
		result(t, e, fmt.Sprint("r", i))
		until(t, address, "SELECT count(*) "+listening)
		pid := 0
		if err := conn.QueryRow(t.Context(), "SELECT pid "+listening).Scan(&pid); err != nil || first != 0 && pid != first {
			t.Errorf("%d listens after %d, %v", pid, first, err)
		}
		first = pid
	}
	db.Close()
	until(t, address, "SELECT (count(*) = 0)::integer "+listening)
}
