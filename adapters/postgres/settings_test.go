package postgres_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/aiongen/aiongen/adapters/postgres"
	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/run"
)

// TestConnections checks that the settings and the number of connections do not matter.
func TestConnections(t *testing.T) {
	for _, with := range []string{
		"pool_max_conns=1",
		"default_query_exec_mode=exec", // for a pooler that shares connections between transactions
		"default_query_exec_mode=simple_protocol",
		"idle_session_timeout=250",
		"TimeZone=Asia/Tokyo&DateStyle=German&IntervalStyle=sql_standard",
		"bytea_output=escape",
	} {
		t.Run(with, func(t *testing.T) {
			db := openDB(t, newSchema(t)+"&"+with)
			d := newDesk(t, db)
			for i, options := range [][]postgres.Option{nil, {postgres.PerTenant("user", 3)}} {
				e := newEngine(t, db, d, options...)
				stop := startWorking(t, e)
				const runs = 20
				for k := range runs {
					if _, err := e.Start(t.Context(), planOf(fmt.Sprint("r\x00é", i, k), "pay", "pay")); err != nil {
						t.Fatal(err)
					}
				}
				for k := range runs {
					if r := waitForResult(t, e, fmt.Sprint("r\x00é", i, k)); r.Status != run.Completed {
						t.Errorf("%+v", r)
					}
				}
				stop()
			}
		})
	}
}

// TestTimeouts checks that statements which the server canceled because of locks are retried.
func TestTimeouts(t *testing.T) {
	for _, timeout := range []string{"statement_timeout", "lock_timeout"} {
		t.Run(timeout, func(t *testing.T) {
			address := newSchema(t)
			openDB(t, address).Close()
			conn, err := pgx.Connect(t.Context(), address)
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close(context.Background())
			short := openDB(t, address+"&"+timeout+"=50")
			for name, f := range map[string]func() error{
				"append": func() error { return short.Journal().Append(t.Context(), "r", 0, journal.Entry{By: "me"}) },
				"write":  func() error { return short.Store().Write(t.Context(), "k", "v") },
				"open": func() error {
					db, err := postgres.Open(t.Context(), address+"&"+timeout+"=50")
					if err == nil {
						db.Close()
					}
					return err
				},
			} {
				if _, err := conn.Exec(t.Context(), "BEGIN; LOCK aion_journal, aion_memory; SELECT pg_advisory_xact_lock(x'61696f6e'::bigint)"); err != nil {
					t.Fatal(err)
				}
				came := make(chan error, 1)
				go func() { came <- f() }()
				select {
				case err := <-came:
					t.Errorf("%s did not wait: %v", name, err)
					came <- nil
				case <-time.After(300 * time.Millisecond):
				}
				if _, err := conn.Exec(t.Context(), "COMMIT"); err != nil {
					t.Fatal(err)
				}
				if err := <-came; err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
		})
	}
}

// TestOnlyReads checks that a worker does not start on a read-only server, but that reading works.
func TestOnlyReads(t *testing.T) {
	address := newSchema(t)
	db := openDB(t, address)
	e := newEngine(t, db, newDesk(t, db))
	if _, err := e.Start(t.Context(), planOf("r", "pay")); err != nil {
		t.Fatal(err)
	}
	follower := openDB(t, address+"&default_transaction_read_only=on")
	only := newEngine(t, follower, newDesk(t, follower), postgres.Log(slog.New(slog.DiscardHandler)))
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	if err := only.Work(ctx); err == nil || !strings.Contains(err.Error(), "the server is read-only") {
		t.Error(err)
	}
	startWorking(t, e)
	if r, err := only.Result(t.Context(), "r"); err != nil || r.Status != run.Completed {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestPassword checks that errors do not contain a password, even if it is wrong or the URL is invalid.
func TestPassword(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			refuseConnection(conn)
			conn.Close()
		}
	}()
	for url, want := range map[string]string{
		"postgres://ann:hunter2@" + l.Addr().String() + "/db?sslmode=disable": `password authentication failed for user "ann"`,
		"postgres://ann:hunter2@h:x/db":                                       "invalid database URL: invalid port",
		"postgres://ann:hunter2%zz@h/db":                                      "invalid percent-encoded token in password",
		"postgres://h/db?password=hunter2&sslmode=x":                          "sslmode is invalid",
		"host=h port=x password = hunter2":                                    "invalid port",
		"host=h password='hunter2 port=x":                                     "unterminated quoted string",
		"ann:hunter2@h/db":                                                    "invalid keyword/value",
		"postgres://ann:hunter2`: @h:x/db":                                    "invalid port",
	} {
		db, err := postgres.Open(t.Context(), url)
		if err == nil {
			db.Close()
			t.Errorf("%s was opened", url)
			continue
		}
		if text := err.Error(); strings.Contains(text, "hunter2") || !strings.Contains(text, want) {
			t.Errorf("%s, want %q and no password", text, want)
		}
	}
}

// refuseConnection answers as a server does after a wrong password.
func refuseConnection(conn net.Conn) {
	server := pgproto3.NewBackend(conn, conn)
	if _, err := server.ReceiveStartupMessage(); err != nil {
		return
	}
	server.Send(&pgproto3.AuthenticationCleartextPassword{})
	_ = server.Flush()
	_, _ = server.Receive()
	server.Send(&pgproto3.ErrorResponse{Severity: "FATAL", Code: "28P01", Message: `password authentication failed for user "ann"`})
	_ = server.Flush()
}

// TestLargest checks that the largest allowed values are stored unchanged, with any text.
func TestLargest(t *testing.T) {
	j := openDB(t, newSchema(t)).Journal()
	large, err := json.Marshal("\x00\u2028\U0001F600" + strings.Repeat("x", 16<<20))
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		if err := j.Append(t.Context(), "r\x00", i, journal.Entry{By: "me\x00", Data: large}); err != nil {
			t.Fatal(err)
		}
	}
	n := 0
	for e, err := range j.Read(t.Context(), "r\x00", 0) {
		if n++; err != nil || string(e.Data) != string(large) || e.By != "me\x00" {
			t.Errorf("entry %d is not as it was: %d bytes, %v", e.N, len(e.Data), err)
		}
	}
	if n != 3 {
		t.Errorf("there are %d entries", n)
	}
}
