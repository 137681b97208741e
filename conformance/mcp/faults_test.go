package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	neturl "net/url"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// lastID is the last request ID: open requests of a session need different IDs.
var lastID atomic.Int64

func nextID() string { return fmt.Sprint(lastID.Add(1)) }

// callText calls a tool and returns the text of its result, and whether it is an error.
func callText(t *testing.T, url string, header http.Header, name, arguments string) (text string, isError bool) {
	t.Helper()
	message := callRequest(nextID(), `{"name":"`+name+`","arguments":`+arguments+`}`)
	if header.Get("Mcp-Session-Id") == "" {
		changed, m := statelessRequest("tools/call", name, `"name":"`+name+`","arguments":`+arguments+`,`)
		changed.Set("X-User", header.Get("X-User"))
		header, message = changed, m
	}
	_, _, body := postMessage(t, url, header, message)
	return resultText(t, body)
}

// TestUsers checks that two users, in one session and without a session, are each identified correctly.
func TestUsers(t *testing.T) {
	t.Parallel()
	url := serveHTTP(t)
	for _, header := range []http.Header{openSession(t, url), {}} {
		var all sync.WaitGroup
		for i := range 100 {
			all.Go(func() {
				user, header := []string{"ann", "bob"}[i%2], header.Clone()
				header.Set("X-User", user)
				if text, isError := callText(t, url, header, "caller", "{}"); text != user || isError {
					t.Errorf("%s is seen as %s", user, text)
				}
			})
		}
		all.Wait()
	}
}

// TestAbandonedSessions checks that 2,000 clients that open a session, call and disappear do not keep
// the next one from being served.
func TestAbandonedSessions(t *testing.T) {
	t.Parallel()
	url := serveHTTP(t)
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			for range 100 {
				if text, isError := callText(t, url, openSession(t, url), "test_simple_text", "{}"); text != SimpleText() || isError {
					t.Errorf("a client had %s", text)
				}
			}
		})
	}
	all.Wait()
	if text, isError := callText(t, url, openSession(t, url), "test_simple_text", "{}"); text != SimpleText() || isError {
		t.Errorf("the next client had %s", text)
	}
}

// TestSilentConnections checks that connections which send nothing more, or very slowly, are closed in
// time, and that other clients are served meanwhile.
func TestSilentConnections(t *testing.T) {
	t.Parallel()
	url := serveHTTP(t)
	at, err := neturl.Parse(url)
	if err != nil {
		t.Fatal(err)
	}
	const (
		each  = 50
		limit = 90 * time.Second // 30 for a body, and a machine that is busy
	)
	head := func(host string) string {
		return "POST /mcp HTTP/1.1\r\nHost: " + host + "\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n"
	}
	var all sync.WaitGroup
	for name, said := range map[string]string{
		"half a head":                 "POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",
		"a head":                      head("localhost"),
		"a head and a byte":           head("localhost") + "{",
		"the head of what is refused": head("evil.example"),
		"a head that never ends":      "POST /mcp HTTP/1.1\r\nHost: localhost\r\n",
	} {
		slow := strings.Contains(name, "byte") || strings.Contains(name, "never")
		for range each {
			all.Go(func() {
				if err := openSilent(at.Host, said, slow, limit); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			})
		}
	}
	if text, isError := callText(t, url, openSession(t, url), "test_simple_text", "{}"); text != SimpleText() || isError {
		t.Errorf("another one had %s", text)
	}
	all.Wait()
}

// openSilent opens a connection, sends a text and then, if slow, a byte each second. It returns when the
// connection was closed, with an error if that took longer than limit.
func openSilent(address, said string, slow bool, limit time.Duration) error {
	connection, err := net.Dial("tcp", address)
	if err != nil {
		return err
	}
	defer connection.Close()
	if _, err := io.WriteString(connection, said); err != nil {
		return err
	}
	over := make(chan struct{})
	defer close(over)
	if slow {
		go func() {
			for second := time.NewTicker(time.Second); ; {
				select {
				case <-second.C:
					_, _ = io.WriteString(connection, "x") // fails when it is closed
				case <-over:
					return
				}
			}
		}()
	}
	if err := connection.SetReadDeadline(time.Now().Add(limit)); err != nil {
		return err
	}
	if _, err = io.Copy(io.Discard, connection); err != nil && os.IsTimeout(err) {
		return err
	}
	return nil // closed, or reset because the client continued writing
}

// TestTerminateWhileCalling terminates the server during 50 calls. All must be answered: with their
// results, or with an error if they take too long and are canceled.
func TestTerminateWhileCalling(t *testing.T) {
	for name, tt := range map[string]struct {
		milliseconds int
		drain, want  string
		isError      bool
	}{
		"in time":  {2_000, "1m", "The time has passed.", false},
		"too long": {60_000, "100ms", "wait failed: context canceled", true},
	} {
		for _, way := range []string{"in a session", "without one", "by lines"} {
			t.Run(name+" "+way, func(t *testing.T) {
				t.Parallel()
				const calls = 50
				answers := make(chan string, calls)
				ask, terminate := startWaiting(t, way, tt.drain, answers)
				for range calls {
					ask(fmt.Sprintf(`{"milliseconds":%d}`, tt.milliseconds))
				}
				terminate(calls)
				for range calls {
					text, isError := resultText(t, receiveWithin(t, answers))
					if !strings.Contains(text, tt.want) || isError != tt.isError {
						t.Errorf("%q, %t, want %q", text, isError, tt.want)
					}
				}
			})
		}
	}
}

// startWaiting starts a server. It returns a function that calls the tool wait, whose answers go to a
// channel, and a function that terminates the server once so many calls run.
func startWaiting(t *testing.T, way, drain string, answers chan string) (ask func(arguments string), terminate func(calls int)) {
	t.Helper()
	if way == "by lines" {
		return startWaitingStdio(t, drain, answers)
	}
	s := startServer(t, "-http", ":0", "-drain", drain)
	header := http.Header{}
	if way == "in a session" {
		header = openSession(t, s.url)
	}
	ask = func(arguments string) {
		go func() {
			header, message := header, callRequest(nextID(), `{"name":"wait","arguments":`+arguments+`}`)
			if way != "in a session" {
				header, message = statelessRequest("tools/call", "wait", `"name":"wait","arguments":`+arguments+`,`)
			}
			_, _, body := postMessage(t, s.url, header, message)
			answers <- body
		}()
	}
	return ask, func(calls int) {
		for n := ""; n != fmt.Sprint(calls); {
			n, _ = callText(t, s.url, header, "running", "{}")
		}
		s.terminate(t)
	}
}

// startWaitingStdio is startWaiting for a server at standard input and output.
func startWaitingStdio(t *testing.T, drain string, answers chan string) (ask func(arguments string), terminate func(calls int)) {
	t.Helper()
	cmd := serverCommand(context.WithoutCancel(t.Context()), "-drain", drain)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	counted := make(chan string)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			switch line := lines.Text(); {
			case strings.Contains(line, `"id":"count"`):
				counted <- line
			case !strings.Contains(line, `"id":0`):
				answers <- line
			}
		}
	}()
	t.Cleanup(func() {
		<-done
		if err := cmd.Wait(); err != nil {
			t.Errorf("the server ended by %v", err)
		}
	})
	_, _ = fmt.Fprintln(in, initialize+"\n"+`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	ask = func(arguments string) {
		_, _ = fmt.Fprintln(in, callRequest(nextID(), `{"name":"wait","arguments":`+arguments+`}`))
	}
	return ask, func(calls int) {
		for n := ""; n != fmt.Sprint(calls); {
			_, _ = fmt.Fprintln(in, callRequest(`"count"`, `{"name":"running"}`))
			n, _ = resultText(t, receiveWithin(t, counted))
		}
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Error(err)
		}
	}
}
