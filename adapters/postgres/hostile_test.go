package postgres_test

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/url"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aiongen/aiongen/adapters/postgres"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/run"
)

// garbledError has a text that PostgreSQL does not accept.
type garbledError struct{}

func (garbledError) Error() string { return "out \x00 of \xff order" }

// TestGarbledError checks that a run is released whatever its error contains.
func TestGarbledError(t *testing.T) {
	url := newSchema(t)
	db := openDB(t, url)
	d := newDesk(t, db)
	d.answers = func(context.Context, llm.Request) (llm.Response, error) { return llm.Response{}, garbledError{} }
	e := newEngine(t, db, d)
	startWorking(t, e)
	if _, err := e.Start(t.Context(), planOf("r", "pay")); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	if r, err := e.Result(ctx, "r"); err != nil || r.Status != run.Interrupted {
		t.Fatalf("%+v, %v", r, err)
	}
	if n := countRows(t, url, "SELECT count(*) FROM aion_queue WHERE error = U&'out \\FFFD of \\FFFD order'"); n != 1 {
		t.Error("nobody can see what is wrong")
	}
}

// TestCloseWhileWorking checks that a worker returns an error if its database is closed.
func TestCloseWhileWorking(t *testing.T) {
	db := openDB(t, newSchema(t))
	e := newEngine(t, db, newDesk(t, db))
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- e.Work(ctx) }()
	db.Close()
	if err := <-ended; err == nil || !strings.Contains(err.Error(), "the database was closed") {
		t.Error(err)
	}
}

// TestRunWithoutQueueRow checks that a run which was started before the tables had a queue is executed once it
// receives a signal or is woken.
func TestRunWithoutQueueRow(t *testing.T) {
	url := newSchema(t)
	old := newDesk(t, openDB(t, url))
	var call string
	for _, id := range []string{"waits", "rests"} {
		r, err := old.Start(t.Context(), planOf(id, "send"))
		if err == nil && id == "waits" {
			var result *run.Result
			result, err = r.Execute(t.Context())
			call = result.Calls[0].Call
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	executeSQL(t, url, "DROP TABLE aion_queue; DROP FUNCTION aion_queue_tell; DELETE FROM aion_migrations WHERE version > 1")
	db := openDB(t, url)
	e := newEngine(t, db, newDesk(t, db))
	if err := e.Send(t.Context(), "waits", run.Approve(call, "ann", nil)); err != nil {
		t.Fatal(err)
	}
	if err := e.Wake(t.Context(), "rests"); err != nil {
		t.Fatal(err)
	}
	startWorking(t, e)
	if r := waitForResult(t, e, "waits"); r.Status != run.Completed {
		t.Errorf("%+v", r)
	}
	if r := waitForResult(t, e, "rests"); r.Status != run.Waiting {
		t.Errorf("%+v", r)
	}
	if err := e.Wake(t.Context(), "waits"); err == nil {
		t.Error("a run that has ended was woken")
	}
}

// TestLostWhileClaiming checks that a worker which loses its connection while it counts the runs of a tenant does not
// block other workers.
func TestLostWhileClaiming(t *testing.T) {
	address := newSchema(t)
	db := openDB(t, address)
	e := newEngine(t, db, newDesk(t, db), postgres.PerTenant("user", 1))
	through, lost, hangUp := newDeafProxy(t, address, "pg_advisory_xact_lock($1)")
	defer hangUp() // so that the worker need not wait for its timeout
	away := openDB(t, through+"&default_query_exec_mode=exec")
	lost.Store(true) // lose the connection after the next request for the lock
	startWorking(t, newEngine(t, away, newDesk(t, away), postgres.PerTenant("user", 1)))
	for lost.Load() {
		time.Sleep(time.Millisecond)
	}
	if _, err := e.Start(t.Context(), planOf("r", "pay")); err != nil {
		t.Fatal(err)
	}
	startWorking(t, e)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	if r, err := e.Result(ctx, "r"); err != nil || r.Status != run.Completed {
		t.Errorf("%+v, %v", r, err)
	}
}

// newDeafProxy returns a URL of a proxy. Once armed is set, the server receives nothing more from the next client
// that sends word, and armed is reset. The function hangUp closes all connections.
func newDeafProxy(t *testing.T, address, word string) (through string, armed *atomic.Bool, hangUp func()) {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	socket := filepath.Join(q.Get("host"), ".s.PGSQL.5432")
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(func() { cancel(); l.Close() })
	armed = new(atomic.Bool)
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			server, err := net.Dial("unix", socket)
			if err != nil {
				t.Error(err)
				client.Close()
				return
			}
			context.AfterFunc(ctx, func() { client.Close(); server.Close() })
			go func() { _, _ = io.Copy(client, server) }()
			go forwardReplies(server, client, word, armed)
		}
	}()
	host, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	q.Set("host", host)
	q.Set("port", port)
	q.Set("sslmode", "disable")
	u.RawQuery = q.Encode()
	return u.String(), armed, cancel
}

func forwardReplies(server, client net.Conn, word string, armed *atomic.Bool) {
	buffer := make([]byte, 64<<10)
	for {
		n, err := client.Read(buffer)
		if _, failed := server.Write(buffer[:n]); err != nil || failed != nil {
			return
		}
		if bytes.Contains(buffer[:n], []byte(word)) && armed.CompareAndSwap(true, false) {
			return
		}
	}
}
