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
	"github.com/aiongen/aiongen/runtime/run/record"
)

// garbled is an error that no text of PostgreSQL can be.
type garbled struct{}

func (garbled) Error() string { return "out \x00 of \xff order" }

// TestGarbledError: a run is given up whatever its error says.
func TestGarbledError(t *testing.T) {
	url := empty(t)
	db := open(t, url)
	d := newDesk(t, db)
	d.answers = func(context.Context, llm.Request) (llm.Response, error) { return llm.Response{}, garbled{} }
	e := engine(t, db, d)
	work(t, e)
	if _, err := e.Start(t.Context(), steps("r", "pay")); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	if r, err := e.Result(ctx, "r"); err != nil || r.Status != record.Interrupted {
		t.Fatalf("%+v, %v", r, err)
	}
	if n := count(t, url, "SELECT count(*) FROM aion_queue WHERE error = U&'out \\FFFD of \\FFFD order'"); n != 1 {
		t.Error("nobody can see what is wrong")
	}
}

// TestCloseWhileWorking: a worker whose database was closed ends, and says so.
func TestCloseWhileWorking(t *testing.T) {
	db := open(t, empty(t))
	e := engine(t, db, newDesk(t, db))
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- e.Work(ctx) }()
	db.Close()
	if err := <-ended; err == nil || !strings.Contains(err.Error(), "the database is closed") {
		t.Error(err)
	}
}

// TestAdopted: a run that was begun when the tables had no queue is driven from the time
// on that somebody tells it something, or wakes it.
func TestAdopted(t *testing.T) {
	url := empty(t)
	old := newDesk(t, open(t, url))
	var call string
	for _, id := range []string{"waits", "rests"} {
		r, err := old.Start(t.Context(), steps(id, "send"))
		if err == nil && id == "waits" {
			var result *record.Result
			result, err = r.Execute(t.Context())
			call = result.Calls[0].Call
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	execute(t, url, "DROP TABLE aion_queue; DROP FUNCTION aion_queue_tell; DELETE FROM aion_migrations WHERE version > 1")
	db := open(t, url)
	e := engine(t, db, newDesk(t, db))
	if err := e.Send(t.Context(), "waits", record.Approve(call, "ann", nil)); err != nil {
		t.Fatal(err)
	}
	if err := e.Wake(t.Context(), "rests"); err != nil {
		t.Fatal(err)
	}
	work(t, e)
	if r := result(t, e, "waits"); r.Status != record.Completed {
		t.Errorf("%+v", r)
	}
	if r := result(t, e, "rests"); r.Status != record.Waiting {
		t.Errorf("%+v", r)
	}
	if err := e.Wake(t.Context(), "waits"); err == nil {
		t.Error("a run that has ended was woken")
	}
}

// TestLostWhileClaiming: a worker that is lost while it counts the runs of a tenant keeps
// no other from doing so.
func TestLostWhileClaiming(t *testing.T) {
	address := empty(t)
	db := open(t, address)
	e := engine(t, db, newDesk(t, db), postgres.PerTenant("user", 1))
	through, lost, hangUp := deafened(t, address, "pg_advisory_xact_lock($1)")
	defer hangUp() // so that the worker need not wait for its time to be over
	away := open(t, through+"&default_query_exec_mode=exec")
	lost.Store(true) // from now on, when it has asked for the lock
	work(t, engine(t, away, newDesk(t, away), postgres.PerTenant("user", 1)))
	for lost.Load() {
		time.Sleep(time.Millisecond)
	}
	if _, err := e.Start(t.Context(), steps("r", "pay")); err != nil {
		t.Fatal(err)
	}
	work(t, e)
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
	defer cancel()
	if r, err := e.Result(ctx, "r"); err != nil || r.Status != record.Completed {
		t.Errorf("%+v, %v", r, err)
	}
}

// deafened returns a URL at which a server hears nothing more of who says a word, once
// armed is set; it is unset then. Who hangs up ends all connections.
func deafened(t *testing.T, address, word string) (through string, armed *atomic.Bool, hangUp func()) {
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
			go hear(server, client, word, armed)
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

func hear(server, client net.Conn, word string, armed *atomic.Bool) {
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
