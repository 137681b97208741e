package httpserver

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/aiongen/aiongen/runtime/mcp/internal/rpc"
)

// long is an answer that does not fit into the buffers of a connection.
const long = 64 << 20

// serveLong serves answers of the given size, and reports when they end and with which error.
func serveLong(t *testing.T, timeout time.Duration) (h *Handler, address string, ended chan error) {
	t.Helper()
	h = newTestHandler(Settings{})
	h.writeTimeout = timeout
	ended = make(chan error, 10)
	answer := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, err := w.Write(make([]byte, long))
		ended <- err
	})
	h.stateful, h.stateless = answer, answer
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return h, server.Listener.Addr().String(), ended
}

// dialServer connects and sends a request.
func dialServer(t *testing.T, address string) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	_ = c.SetDeadline(time.Now().Add(time.Minute))
	if _, err := fmt.Fprintf(c, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n%s", len(initialize), initialize); err != nil {
		t.Fatal(err)
	}
	return c
}

// A client that does not read is disconnected. In an earlier version, its answer took memory and a
// goroutine indefinitely.
func TestUnread(t *testing.T) {
	_, address, ended := serveLong(t, 100*time.Millisecond)
	dialServer(t, address)
	select {
	case err := <-ended:
		if err == nil {
			t.Error("what nobody read was written")
		}
	case <-time.After(20 * time.Second):
		t.Error("the answer is still being written")
	}
}

// A client that reads slowly gets its whole answer, even if that takes several times the limit for one
// write.
func TestReadSlowly(t *testing.T) {
	const timeout = time.Second
	_, address, ended := serveLong(t, timeout)
	response, err := http.ReadResponse(bufio.NewReader(dialServer(t, address)), nil)
	if err != nil {
		t.Fatal(err)
	}
	begun, read := time.Now(), int64(0)
	for pause := timeout / 10; err == nil; {
		if time.Since(begun) > 3*timeout {
			pause = 0
		}
		time.Sleep(pause)
		var n int64
		n, err = io.CopyN(io.Discard, response.Body, 1<<20)
		read += n
	}
	if took := time.Since(begun); read != long || took < 2*timeout {
		t.Errorf("%d of %d bytes came in %v: %v", read, long, took, err)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// The deadline of an answer does not apply to the next answer of the connection, not even to that of
// another handler.
func TestWriteDeadlineEnds(t *testing.T) {
	h := newTestHandler(Settings{})
	h.writeTimeout = 50 * time.Millisecond
	mux := http.NewServeMux()
	mux.Handle("/mcp", h)
	mux.HandleFunc("/other", func(w http.ResponseWriter, _ *http.Request) {
		time.Sleep(2 * h.writeTimeout)
		fmt.Fprint(w, "other")
	})
	server := httptest.NewServer(mux)
	defer server.Close()
	for _, path := range []string{"/mcp", "/other", "/mcp", "/other"} {
		response, err := server.Client().Post(server.URL+path, "application/json", strings.NewReader("not JSON"))
		if err != nil {
			t.Fatal(path, err)
		}
		if body, err := io.ReadAll(response.Body); err != nil || response.ContentLength != int64(len(body)) {
			t.Errorf("%s: %q of %d bytes, %v", path, body, response.ContentLength, err)
		}
		response.Body.Close()
	}
}

// The deadline applies only to writing: an event stream over HTTP/2 may be silent for longer. HTTP/2
// resets a stream when the deadline passes, even if nothing is being written.
func TestSilentStream(t *testing.T) {
	h := newTestHandler(Settings{})
	h.writeTimeout = 100 * time.Millisecond
	h.stateful = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		flusher := http.NewResponseController(w)
		for i := range 3 {
			fmt.Fprintln(w, i)
			_ = flusher.Flush()
			time.Sleep(3 * h.writeTimeout)
		}
	})
	server := httptest.NewUnstartedServer(h)
	server.EnableHTTP2 = true
	server.StartTLS()
	defer server.Close()
	response, err := server.Client().Post(server.URL, "application/json", strings.NewReader(initialize))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if body, err := io.ReadAll(response.Body); response.ProtoMajor != 2 || err != nil || string(body) != "0\n1\n2\n" {
		t.Errorf("%s: %q, %v", response.Proto, body, err)
	}
}

// While the server shuts down, each answer announces that it is the last one on its connection.
func TestConnectionClose(t *testing.T) {
	calls := rpc.NewCalls(time.Minute, nil)
	calls.Begin()
	defer calls.End()
	h := newTestHandler(Settings{Origins: []string{"https://app.example"}})
	answer := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Connection", "keep-alive") // as the SDK does
		fmt.Fprint(w, "data: {}\n\n")
	})
	h.stateful, h.stateless = answer, answer
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	served := make(chan error)
	go func() { served <- h.Serve(ctx, l, calls) }()
	root := "http://" + l.Addr().String()
	ask := func(method, path, body string, headers ...string) *http.Response {
		r, err := http.NewRequestWithContext(t.Context(), method, root+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(headers); i += 2 {
			r.Header.Set(headers[i], headers[i+1])
		}
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		return response
	}
	all := func(closes bool) {
		t.Helper()
		for name, response := range map[string]*http.Response{
			"a call":           ask(http.MethodPost, "/mcp", initialize),
			"a notification":   ask(http.MethodPost, "/mcp", `{"jsonrpc":"2.0","method":"notifications/x"}`, "Mcp-Protocol-Version", StatelessVersion),
			"not JSON":         ask(http.MethodPost, "/mcp", "{"),
			"another path":     ask(http.MethodGet, "/", ""),
			"another origin":   ask(http.MethodPost, "/mcp", initialize, "Origin", "https://attacker.example"),
			"a preflight":      ask(http.MethodOptions, "/mcp", "", "Origin", "https://app.example", "Access-Control-Request-Method", "POST"),
			"an ended session": ask(http.MethodDelete, "/mcp", "", "Mcp-Session-Id", "x"),
		} {
			if response.Close != closes {
				t.Errorf("%s: %s, closes %v, want %v", name, response.Status, response.Close, closes)
			}
		}
	}
	all(false)
	cancel()
	for !calls.IsEnding() {
		time.Sleep(time.Millisecond)
	}
	all(true)
	calls.End()
	if err := <-served; err != nil {
		t.Error(err)
	}
	calls.Begin()
}
