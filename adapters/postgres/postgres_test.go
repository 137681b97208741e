package postgres_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/aiongen/aiongen/adapters/postgres"
	"github.com/aiongen/aiongen/adapters/postgres/internal/cluster"
	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/journal/journaltest"
	"github.com/aiongen/aiongen/runtime/memory"
	"github.com/aiongen/aiongen/runtime/memory/memorytest"
	"github.com/aiongen/aiongen/runtime/orchestrator/enginetest"
)

// sharedCluster is a server for tests that do not kill it.
var sharedCluster *cluster.Cluster

// TestMain skips all tests if PostgreSQL is not installed, except in CI.
func TestMain(m *testing.M) {
	if url := os.Getenv(workerURL); url != "" {
		if err := runWorkerProcess(url); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	if enginetest.IsChild() {
		os.Exit(m.Run())
	}
	var err error
	if sharedCluster, err = cluster.New(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		if errors.Is(err, cluster.ErrMissing) && os.Getenv("CI") == "" {
			fmt.Fprintln(os.Stderr, "nothing is tested; it would be an error if CI were set")
			os.Exit(0)
		}
		os.Exit(1)
	}
	code := m.Run()
	if err := sharedCluster.Close(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = max(code, 1)
	}
	os.Exit(code)
}

var schemaCount atomic.Int64

// newSchema returns a URL for a new schema of the shared server.
func newSchema(t testing.TB) string {
	t.Helper()
	schema := fmt.Sprint("test", schemaCount.Add(1))
	executeSQL(t, sharedCluster.URL(), "CREATE SCHEMA "+schema)
	return sharedCluster.URL() + "&" + url.Values{"search_path": {schema}}.Encode()
}

// executeSQL executes a statement.
func executeSQL(t testing.TB, url, sql string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	if _, err := conn.Exec(t.Context(), sql); err != nil {
		t.Fatal(err)
	}
}

func openDB(t testing.TB, url string) *postgres.DB {
	t.Helper()
	db, err := postgres.Open(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	return db
}

func TestJournal(t *testing.T) {
	journaltest.Run(t, func(t *testing.T) journal.Journal { return openDB(t, newSchema(t)).Journal() })
}

// TestKilledAnywhere kills processes at random times; see the flag -killtest.runs.
func TestKilledAnywhere(t *testing.T) {
	enginetest.RunKilled(t, func() string { return newSchema(t) }, func(place string) (journal.Journal, error) { return openDB(t, place).Journal(), nil })
}

func TestStore(t *testing.T) {
	memorytest.Run(t, func(t *testing.T) memory.Store { return openDB(t, newSchema(t)).Store() })
}

// deepJSON returns a value with the maximum depth of encoding/json.
func deepJSON() json.RawMessage {
	return json.RawMessage(strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000))
}

func TestDeepJSON(t *testing.T) {
	db := openDB(t, newSchema(t))
	if err := db.Store().Write(t.Context(), "k", deepJSON()); err != nil {
		t.Error(err)
	}
	if value, _, err := db.Store().Read(t.Context(), "k"); err != nil || !bytes.Equal(value, deepJSON()) {
		t.Errorf("%.20s, %v", value, err)
	}
	if err := db.Journal().Append(t.Context(), "r", 0, journal.Entry{By: "me", Data: deepJSON()}); err != nil {
		t.Error(err)
	}
}

// TestDeleteWhileAppending checks that entries appended during the deletion of a run are deleted too.
func TestDeleteWhileAppending(t *testing.T) {
	url := newSchema(t)
	j := openDB(t, url).Journal()
	for round := range 20 {
		run := fmt.Sprint(round)
		begun, done := make(chan struct{}), make(chan error)
		go func() {
			for n := 0; ; n++ {
				if err := j.Append(t.Context(), run, n, journal.Entry{By: "me"}); err != nil {
					done <- err
					return
				}
				if n == 0 {
					close(begun)
				}
			}
		}()
		<-begun
		if err := j.Delete(t.Context(), run); err != nil {
			t.Fatal(err)
		}
		if gone, ok := errors.AsType[*journal.NotFoundError](<-done); !ok || !gone.Deleted {
			t.Errorf("the writer is told %v", gone)
		}
	}
	if left := countRows(t, url, "SELECT count(*) FROM aion_entries"); left != 0 {
		t.Errorf("of deleted runs there are %d entries", left)
	}
}

func countRows(t testing.TB, url, sql string) (n int) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	if err := conn.QueryRow(t.Context(), sql).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// waitUntil waits until a query returns a number greater than zero.
func waitUntil(t testing.TB, url, sql string) {
	t.Helper()
	for end := time.Now().Add(time.Minute); countRows(t, url, sql) == 0; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("never: %s", sql)
		}
	}
}

// TestCorrupt checks that missing entries are detected.
func TestCorrupt(t *testing.T) {
	url := newSchema(t)
	j := openDB(t, url).Journal()
	if err := j.Append(t.Context(), "r", 0, journal.Entry{By: "me"}, journal.Entry{By: "me"}, journal.Entry{By: "me"}); err != nil {
		t.Fatal(err)
	}
	for _, n := range []string{"1", "2", "0"} {
		executeSQL(t, url, "DELETE FROM aion_entries WHERE n = "+n)
		var last error
		for _, err := range j.Read(t.Context(), "r", 0) {
			last = err
		}
		if e, ok := errors.AsType[*journal.Error](last); !ok || e.Code() != journal.Corrupt {
			t.Errorf("without entry %s: %v", n, last)
		}
	}
}

func TestClosed(t *testing.T) {
	db := openDB(t, newSchema(t))
	db.Close()
	_, _, readErr := db.Store().Read(t.Context(), "k")
	for call, err := range map[string]error{"Write": db.Store().Write(t.Context(), "k", 1), "Read": readErr} {
		if e, ok := errors.AsType[*memory.Error](err); !ok || e.Code() != memory.Closed {
			t.Errorf("%s: %v", call, err)
		}
	}
	err := db.Journal().Append(t.Context(), "r", 0, journal.Entry{By: "me"})
	if e, ok := errors.AsType[*journal.Error](err); !ok || e.Err.Error() != "the database is closed" {
		t.Errorf("Append: %v", err)
	}
}
