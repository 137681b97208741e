package mcp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/mcp"
	"github.com/aiongen/aiongen/runtime/tool"
)

const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`

// listenHTTP serves at a port of 127.0.0.1 and returns the URL.
func listenHTTP(t testing.TB, r *tool.Registry, options ...mcp.Option) string {
	t.Helper()
	log := newServingLog()
	s := newServer(t, r, append(options, mcp.Logger(slog.New(slog.NewJSONHandler(log, nil))))...)
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	ended := make(chan error)
	go func() { ended <- s.ListenAndServe(ctx, ":0") }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("the server ended by %v", err)
		}
	})
	select {
	case url := <-log.url:
		return url
	case <-time.After(10 * time.Second):
		t.Fatal("the server does not listen")
		return ""
	}
}

// servingLog is a log that reports the URL in it.
type servingLog struct{ url chan string }

func newServingLog() servingLog { return servingLog{make(chan string, 1)} }

func (l servingLog) Write(p []byte) (int, error) {
	var line struct{ URL string }
	if err := json.Unmarshal(p, &line); err == nil && line.URL != "" {
		l.url <- line.URL
	}
	return len(p), nil
}

func TestHTTP(t *testing.T) {
	eachVersion(t, func(t *testing.T, version string) {
		r := newDesk(t)
		url := listenHTTP(t, r)
		if host, _, _ := net.SplitHostPort(hostOf(url)); host != "127.0.0.1" {
			t.Errorf("it listens at %s", url)
		}
		told := make(chan bool, 1000)
		session := openSDKSession(t, &sdk.StreamableClientTransport{Endpoint: url}, version, &sdk.ClientOptions{
			ToolListChangedHandler: func(context.Context, *sdk.ToolListChangedRequest) { told <- true },
		})
		defer session.Close()
		text, structured, isError := callTool(t, session, "echo", `{"text":"x"}`)
		if text != "x" || structured != `{"result":"x"}` || isError {
			t.Errorf("%q, %q, %v", text, structured, isError)
		}
		if text, _, isError := callTool(t, session, "panic", `{"text":"x"}`); !isError {
			t.Error(text)
		}
		checkListens(t, r, told)
		r.Replace(textTool("another", echoText))
		select {
		case <-told:
		case <-time.After(10 * time.Second):
			t.Error("the client was not told of a change")
		}
		if text, _, _ := callTool(t, session, "another", `{"text":"x"}`); text != "x" {
			t.Error(text)
		}
	})
}

func TestHTTPCancel(t *testing.T) {
	eachVersion(t, func(t *testing.T, version string) {
		wait, began, ended := newWaitingTool()
		r := tool.NewRegistry()
		r.Replace(wait)
		session := openSDKSession(t, &sdk.StreamableClientTransport{Endpoint: listenHTTP(t, r)}, version, nil)
		defer session.Close()
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			<-began
			cancel()
		}()
		if _, err := session.CallTool(ctx, &sdk.CallToolParams{Name: "wait", Arguments: json.RawMessage(`{"text":""}`)}); !errors.Is(err, context.Canceled) {
			t.Errorf("%v", err)
		}
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("the tool ended by %v", err)
		}
	})
}

// TestHTTPEnd checks that a server that shuts down does not wait for listening clients, waits for
// running calls only up to its limit, and answers them.
func TestHTTPEnd(t *testing.T) {
	eachVersion(t, func(t *testing.T, version string) {
		wait, began, ended := newWaitingTool()
		r := tool.NewRegistry()
		r.Replace(wait)
		log := newServingLog()
		s := newServer(t, r, mcp.Logger(slog.New(slog.NewJSONHandler(log, nil))), mcp.Drain(0))
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		served := make(chan error)
		go func() { served <- s.ListenAndServe(ctx, "localhost:0") }()
		session := openSDKSession(t, &sdk.StreamableClientTransport{Endpoint: <-log.url}, version, &sdk.ClientOptions{
			ToolListChangedHandler: func(context.Context, *sdk.ToolListChangedRequest) {},
		})
		called := make(chan error)
		go func() {
			result, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "wait", Arguments: json.RawMessage(`{"text":""}`)})
			if err == nil && !result.IsError {
				err = errors.New("a call that was cancelled has a result")
			}
			called <- err
		}()
		<-began
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("the tool ended by %v", err)
		}
		if err := <-served; err != nil {
			t.Errorf("the server ended by %v", err)
		}
		if err := <-called; err != nil {
			t.Errorf("the call ended by %v", err)
		}
		_ = session.Close()
	})
}

// TestUnusedConnection checks that a shutdown does not wait for a client that has connected without
// sending a request.
func TestUnusedConnection(t *testing.T) {
	log := newServingLog()
	s := newServer(t, newDesk(t), mcp.Logger(slog.New(slog.NewJSONHandler(log, nil))))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	served := make(chan error)
	go func() { served <- s.ListenAndServe(ctx, ":0") }()
	url := <-log.url
	connection, err := net.Dial("tcp", hostOf(url))
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	response, err := http.Get(url) // so that the other connection is accepted, too
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	began := time.Now()
	cancel()
	if err := <-served; err != nil || time.Since(began) > 4*time.Second {
		t.Errorf("the server ended after %v by %v", time.Since(began), err)
	}
}

// hostOf returns the host of a URL.
func hostOf(url string) string {
	return strings.TrimSuffix(strings.TrimPrefix(url, "http://"), "/mcp")
}

// TestRefused sends requests that the server must refuse, and some that it must not.
func TestRefused(t *testing.T) {
	const origin, authorization = "Origin", "Authorization"
	for _, test := range []struct {
		name    string
		options []mcp.Option
		host    string // "" for the address of the server
		header  map[string]string
		status  int
	}{
		{"plain", nil, "", nil, 200},
		{"localhost", nil, "localhost:1234", nil, 200},
		{"localhost in capitals", nil, "LOCALHOST", nil, 200},
		{"IPv6", nil, "[::1]:80", nil, 200},
		{"another host", nil, "attacker.example", nil, 403},
		{"a host like localhost", nil, "localhost.attacker.example", nil, 403},
		{"an address of the net", nil, "192.0.2.7", nil, 403},
		{"all addresses", nil, "0.0.0.0", nil, 403},
		{"two ports", nil, "127.0.0.1:80:80", nil, 403},
		{"a host that is allowed", []mcp.Option{mcp.Hosts("Tools.example")}, "tools.Example:8443", nil, 200},
		{"a host that is not", []mcp.Option{mcp.Hosts("tools.example")}, "tools.example.attacker.example", nil, 403},
		{"own origin", nil, "localhost:1234", map[string]string{origin: "http://localhost:1234"}, 200},
		{"another origin", nil, "localhost:1234", map[string]string{origin: "https://attacker.example"}, 403},
		{"another port", nil, "localhost:1234", map[string]string{origin: "http://localhost:4321"}, 403},
		{"origin of a file", nil, "localhost:1234", map[string]string{origin: "null"}, 403},
		{"no origin", nil, "localhost:1234", map[string]string{origin: ""}, 403},
		{"no URL", nil, "localhost:1234", map[string]string{origin: "http://local host:1234"}, 403},
		{"without token", []mcp.Option{mcp.Token("secret")}, "", nil, 401},
		{"token", []mcp.Option{mcp.Token("secret")}, "", map[string]string{authorization: "Bearer secret"}, 200},
		{"token, in lower case", []mcp.Option{mcp.Token("secret")}, "", map[string]string{authorization: "bearer secret"}, 200},
		{"wrong token", []mcp.Option{mcp.Token("secret")}, "", map[string]string{authorization: "Bearer secret2"}, 401},
		{"part of the token", []mcp.Option{mcp.Token("secret")}, "", map[string]string{authorization: "Bearer secre"}, 401},
		{"no token", []mcp.Option{mcp.Token("secret")}, "", map[string]string{authorization: "Bearer "}, 401},
		{"token of another kind", []mcp.Option{mcp.Token("secret")}, "", map[string]string{authorization: "Basic secret"}, 401},
		{"token and another host", []mcp.Option{mcp.Token("secret")}, "attacker.example", map[string]string{authorization: "Bearer secret"}, 403},
		{"long", []mcp.Option{mcp.MaxMessage(len(initialize) - 1)}, "", nil, 413},
		{"not too long", []mcp.Option{mcp.MaxMessage(len(initialize))}, "", nil, 200},
		{"no JSON", nil, "", map[string]string{"Content-Type": "text/plain"}, 415},
	} {
		t.Run(test.name, func(t *testing.T) {
			server := httptest.NewServer(newServer(t, newDesk(t), test.options...).Handler())
			defer server.Close()
			for _, method := range []string{http.MethodPost, http.MethodGet, http.MethodDelete} {
				request, err := http.NewRequestWithContext(t.Context(), method, server.URL, strings.NewReader(initialize))
				if err != nil {
					t.Fatal(err)
				}
				request.Header.Set("Content-Type", "application/json")
				request.Header.Set("Accept", "application/json, text/event-stream")
				request.Host = test.host
				for key, value := range test.header {
					request.Header.Set(key, value)
				}
				response, err := server.Client().Do(request)
				if err != nil {
					t.Fatal(err)
				}
				body, err := io.ReadAll(response.Body)
				_ = response.Body.Close()
				if err != nil {
					t.Fatal(err)
				}
				// The other cases do not apply without a session.
				if method != http.MethodPost && (test.status == 200 || test.status == 415) {
					test.status = 400
				}
				if response.StatusCode != test.status {
					t.Errorf("%s: %s, %s", method, response.Status, body)
				}
				if isChallenge := response.Header.Get("WWW-Authenticate") == "Bearer"; isChallenge != (test.status == 401) {
					t.Errorf("%s: WWW-Authenticate %q", method, response.Header.Get("WWW-Authenticate"))
				}
				if bytes.Contains(body, []byte("secret")) {
					t.Errorf("%s tells the token", body)
				}
			}
		})
	}
}

// TestMaxSessions checks that no session is opened while calls run in the maximum number of sessions,
// and that clients without sessions are served.
func TestMaxSessions(t *testing.T) {
	wait, began, ended := newWaitingTool()
	r := newDesk(t)
	r.Replace(wait)
	url := listenHTTP(t, r, mcp.MaxSessions(2))
	transport := &sdk.StreamableClientTransport{Endpoint: url, MaxRetries: -1, DisableStandaloneSSE: true}
	ctx, cancel := context.WithCancel(t.Context())
	var all sync.WaitGroup
	for range 2 {
		session := openSDKSession(t, transport, withSessions, nil)
		all.Go(func() {
			_, err := session.CallTool(ctx, &sdk.CallToolParams{Name: "wait", Arguments: json.RawMessage(`{"text":""}`)})
			if !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
			<-ended // closing a session waits for its calls
			_ = session.Close()
		})
		<-began
	}
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	if _, err := client.Connect(t.Context(), transport, &sdk.ClientSessionOptions{ProtocolVersion: withSessions}); err == nil || !strings.Contains(err.Error(), "Service Unavailable") {
		t.Errorf("the third session: %v", err)
	}
	defer openSDKSession(t, transport, stateless, nil).Close()
	cancel()
	all.Wait()
	if err := openSDKSession(t, transport, withSessions, nil).Close(); err != nil {
		t.Errorf("another session: %v", err)
	}
}

// TestNoGoodbye checks that clients which disappear without ending their sessions do not keep others
// out.
func TestNoGoodbye(t *testing.T) {
	url := listenHTTP(t, newDesk(t))
	for range 2000 {
		_, _ = io.Copy(io.Discard, sendRequest(t, http.MethodPost, url, initialize).Body)
	}
	session := openSDKSession(t, &sdk.StreamableClientTransport{Endpoint: url}, withSessions, nil)
	defer session.Close()
	if text, _, isError := callTool(t, session, "echo", `{"text":"x"}`); text != `x` || isError {
		t.Error(text)
	}
}

// TestHTTPDrain checks that a server that shuts down answers running calls and refuses others.
func TestHTTPDrain(t *testing.T) {
	eachVersion(t, func(t *testing.T, version string) {
		const calls = 50
		began, goOn := make(chan bool), make(chan bool)
		r := tool.NewRegistry()
		r.Replace(textTool("wait", func(_ context.Context, text string) (string, error) {
			began <- true
			<-goOn
			return text, nil
		}))
		log := newServingLog()
		s := newServer(t, r, mcp.Logger(slog.New(slog.NewJSONHandler(log, nil))), mcp.Drain(time.Minute))
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		served := make(chan error)
		go func() { served <- s.ListenAndServe(ctx, "localhost:0") }()
		url := <-log.url
		session := openSDKSession(t, &sdk.StreamableClientTransport{Endpoint: url}, version, &sdk.ClientOptions{
			ToolListChangedHandler: func(context.Context, *sdk.ToolListChangedRequest) {},
		})
		var all sync.WaitGroup
		for range calls {
			all.Go(func() {
				if text, _, isError := callTool(t, session, "wait", `{"text":"done"}`); text != "done" || isError {
					t.Error(text)
				}
			})
			<-began
		}
		cancel()
		for refused := false; !refused; { // another call may still start
			answer := sendRequest(t, http.MethodPost, url, initialize)
			refused = answer.StatusCode == http.StatusServiceUnavailable
			if body, _ := io.ReadAll(answer.Body); refused && (answer.Header.Get("Retry-After") == "" || !bytes.Contains(body, []byte(`"id":1,`))) {
				t.Errorf("refused by %v, %s", answer.Header, body)
			}
		}
		if _, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "wait", Arguments: json.RawMessage(`{"text":""}`)}); err == nil {
			t.Error("a call began when the server ended")
		}
		close(goOn)
		all.Wait()
		if err := <-served; err != nil {
			t.Errorf("the server ended by %v", err)
		}
		_ = session.Close()
	})
}

// TestLeaks checks that clients which connect, call, cancel and disconnect leave nothing behind.
func TestLeaks(t *testing.T) {
	eachVersion(t, func(t *testing.T, version string) {
		wait, began, ended := newWaitingTool()
		r := newDesk(t)
		r.Replace(wait)
		url := listenHTTP(t, r)
		visit := func() {
			session := openSDKSession(t, &sdk.StreamableClientTransport{Endpoint: url}, version, &sdk.ClientOptions{
				ToolListChangedHandler: func(context.Context, *sdk.ToolListChangedRequest) {},
			})
			defer session.Close()
			callTool(t, session, "panic", `{"text":"x"}`)
			ctx, cancel := context.WithCancel(t.Context())
			go func() { <-began; cancel() }()
			if _, err := session.CallTool(ctx, &sdk.CallToolParams{Name: "wait", Arguments: json.RawMessage(`{"text":""}`)}); err == nil {
				t.Error("a call that was cancelled has a result")
			}
			<-ended
			r.Replace(textTool("extra", echoText))
			r.Unregister("extra")
		}
		visit() // allows for goroutines that stay, such as those of idle connections
		http.DefaultClient.CloseIdleConnections()
		before := runtime.NumGoroutine()
		for range 10 {
			visit()
		}
		http.DefaultClient.CloseIdleConnections()
		for end := time.Now().Add(10 * time.Second); runtime.NumGoroutine() > before+5; time.Sleep(10 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("there are %d goroutines, and were %d", runtime.NumGoroutine(), before)
			}
		}
	})
}

// TestBrokenBody checks that an incomplete message does not block anything.
func TestBrokenBody(t *testing.T) {
	url := listenHTTP(t, newDesk(t))
	connection, err := net.Dial("tcp", hostOf(url))
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	if _, err := io.WriteString(connection, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: */*\r\nContent-Length: 9\r\n\r\n{}"); err != nil {
		t.Fatal(err)
	}
	if err := connection.(*net.TCPConn).CloseWrite(); err != nil {
		t.Fatal(err)
	}
	answer, err := io.ReadAll(connection)
	if err != nil || !bytes.HasPrefix(answer, []byte("HTTP/1.1 400 ")) {
		t.Errorf("%v: %s", err, answer)
	}
}

func TestListenAddress(t *testing.T) {
	for _, test := range []struct {
		addr    string
		options []mcp.Option
		want    string
	}{
		{"8080", nil, "missing port"},
		{"0.0.0.0:0", nil, "Hosts"},
		{"[::]:0", nil, "Hosts"},
		{"192.0.2.7:0", nil, "Hosts"},
		{"tools.example:0", nil, "Hosts"},
		{"192.0.2.7:0", []mcp.Option{mcp.Hosts("tools.example")}, "192.0.2.7:0"}, // nobody can use the port
		{"127.0.0.1:99999", nil, "99999"},
	} {
		if err := newServer(t, newDesk(t), test.options...).ListenAndServe(t.Context(), test.addr); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v", test.addr, err)
		}
	}
}

// TestWarning checks that listening on all interfaces without a token is allowed, but logs a warning.
func TestWarning(t *testing.T) {
	for _, test := range []struct {
		addr    string
		options []mcp.Option
		warned  bool
	}{
		{"127.0.0.1:0", nil, false},
		{"127.0.0.1:0", []mcp.Option{mcp.Hosts("tools.example")}, false},
		{"0.0.0.0:0", []mcp.Option{mcp.Hosts("tools.example")}, true},
		{"0.0.0.0:0", []mcp.Option{mcp.Hosts("tools.example"), mcp.Token("secret")}, false},
	} {
		var log lockedBuilder
		s := newServer(t, newDesk(t), append(test.options, mcp.Logger(slog.New(slog.NewTextHandler(&log, nil))))...)
		ctx, cancel := context.WithCancel(t.Context())
		served := make(chan error)
		go func() { served <- s.ListenAndServe(ctx, test.addr) }()
		for !strings.Contains(log.String(), "url=") {
			time.Sleep(time.Millisecond)
		}
		cancel()
		if err := <-served; err != nil {
			t.Error(err)
		}
		if warned := strings.Contains(log.String(), "it requires no token"); warned != test.warned || strings.Contains(log.String(), "secret") {
			t.Errorf("%s: the log is %s", test.addr, log.String())
		}
	}
}

func TestHTTPConcurrent(t *testing.T) {
	eachVersion(t, func(t *testing.T, version string) {
		url := listenHTTP(t, newDesk(t))
		var all sync.WaitGroup
		for range 4 {
			session := openSDKSession(t, &sdk.StreamableClientTransport{Endpoint: url}, version, nil)
			for range 4 {
				all.Go(func() {
					for range 5 {
						if text, _, isError := callTool(t, session, "echo", `{"text":"x"}`); text != "x" || isError {
							t.Error(text)
						}
					}
				})
			}
			defer session.Close()
		}
		all.Wait()
	})
}
