package remote_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/mcp/remote"
	"github.com/aiongen/aiongen/runtime/tool"
)

// TestBrokenResume checks that the outcome of a call is unknown if its stream breaks and cannot be
// resumed, whatever the reason. The call may have run, so it must not be repeated in a new session.
func TestBrokenResume(t *testing.T) {
	for name, resume := range map[string]func(s *site, w http.ResponseWriter){
		"404": func(_ *site, w http.ResponseWriter) { w.WriteHeader(http.StatusNotFound) },
		"401": func(_ *site, w http.ResponseWriter) { w.WriteHeader(http.StatusUnauthorized) },
		"405": func(_ *site, w http.ResponseWriter) { w.WriteHeader(http.StatusMethodNotAllowed) },
		"429": func(_ *site, w http.ResponseWriter) { w.WriteHeader(http.StatusTooManyRequests) },
		"500": func(_ *site, w http.ResponseWriter) { w.WriteHeader(http.StatusInternalServerError) },
		"json": func(_ *site, w http.ResponseWriter) {
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprint(w, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no such stream"}}`)
		},
		"version": func(_ *site, w http.ResponseWriter) {
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprint(w, `{"jsonrpc":"2.0","id":null,"error":{"code":-32022,"message":"other version"}}`)
		},
		"gone": nil, // the server does not accept connections anymore
	} {
		t.Run(name, func(t *testing.T) {
			var ran atomic.Int32
			var s *site
			s = newSite(t, "s", func(w http.ResponseWriter, _ *http.Request, m message) {
				if m.Method == "tools/list" {
					m.writeReply(w, `{"tools":[{"name":"t"}]}`)
					return
				}
				ran.Add(1)
				w.Header().Set("Content-Type", "text/event-stream")
				fmt.Fprint(w, "id: 1\nretry: 100\ndata:\n\n")
				if resume == nil {
					_ = s.Listener.Close()
				}
			})
			s.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Method == http.MethodGet && r.Header.Get("Last-Event-ID") != "" {
					resume(s, w)
					return
				}
				w.Header().Set("Connection", "close")
				s.serveHTTP(w, r)
			})
			registry := newRegistry(t, s.connectClient(t))
			call := registry.Call(t.Context(), newRequest("t", "{}"))
			if !isUnknown(call.Err) || isUnavailable(call.Err) || tool.Retryable(call.Err) || ran.Load() != 1 {
				t.Errorf("ran %d times: %v", ran.Load(), call.Err)
			}
			if text := tool.ModelText(call.Err); !strings.Contains(text, "not known whether the call ran") {
				t.Error(text)
			}
		})
	}
}

// TestErrorCodes checks which errors of a server mean that a call did not run. Gateways report a lost
// connection or a timeout of the server behind them as errors, too.
func TestErrorCodes(t *testing.T) {
	const refused, failed, unknown = "the server refused the call: why", "the server answered the call with an error: why", "not known whether the call ran"
	for _, test := range []struct {
		status int
		id     string // "" for that of the call
		code   int
		want   string
	}{
		{200, "", -32602, refused},
		{200, "", -32601, refused},
		{200, "", -32603, failed},
		{200, "", 0, failed},
		{200, "", 403, failed},
		{200, "", -32000, unknown}, // the connection to the server behind a gateway was closed
		{200, "", -32001, unknown}, // that server did not answer in time
		{200, "null", -32603, unknown},
		{200, "null", -32042, unknown},
		{200, "null", -32022, unknown},
		{400, "null", -32000, "the server refused the request with HTTP status 400"},
		{400, "", -32001, failed},
		{403, "", -32603, failed},
		{500, "null", -32603, unknown},
		{500, "", -32603, unknown},
		{502, "null", -32600, unknown},
		{503, "", -32004, refused},
		{500, "", -32602, refused},
		{504, "null", -32001, unknown},
		{408, "null", -32000, unknown},
	} {
		var ran atomic.Int32
		s := newSite(t, "", func(w http.ResponseWriter, _ *http.Request, m message) {
			if m.Method == "tools/list" {
				m.writeReply(w, `{"tools":[{"name":"t"}]}`)
				return
			}
			ran.Add(1)
			id := string(m.ID)
			if test.id != "" {
				id = test.id
			}
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(test.status)
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":"why"}}`, id, test.code)
		})
		call := newRegistry(t, s.connectClient(t)).Call(t.Context(), newRequest("t", "{}"))
		if call.Err == nil || isUnknown(call.Err) != (test.want == unknown) || tool.Retryable(call.Err) || ran.Load() != 1 || !strings.Contains(call.Err.Error(), test.want) {
			t.Errorf("%+v: ran %d times: %v", test, ran.Load(), call.Err)
		}
		if test.want == unknown && !strings.Contains(tool.ModelText(call.Err), unknown) {
			t.Errorf("%+v: the model reads %s", test, tool.ModelText(call.Err))
		}
	}
}

// TestTooManyQuestionsUnknown checks that the outcome of a call that the client ends because the server
// asks too much during it is unknown: in protocol versions with sessions, the call is still running.
func TestTooManyQuestionsUnknown(t *testing.T) {
	far := connectFake(t, discardLogs(), func(f *fake, method string, params map[string]any) any {
		switch method {
		case "tools/list":
			return toolList(`{"name":"t"}`)
		case "tools/call":
			for i := range 300 {
				f.writeLine(fmt.Sprintf(`{"jsonrpc":"2.0","id":"q%d","method":"elicitation/create","params":{"mode":"form","message":"?","requestedSchema":{"type":"object","properties":{}}}}`, i))
			}
		}
		return nil
	})
	call := newRegistry(t, far).Call(t.Context(), newRequest("t", "{}"))
	if !isUnknown(call.Err) || !strings.Contains(call.Err.Error(), "questions") {
		t.Error(call.Err)
	}
}

// TestNoSecretInError checks that errors of a server that cannot be reached do not contain its URL, which
// may have a secret.
func TestNoSecretInError(t *testing.T) {
	s := newSite(t, "s", func(w http.ResponseWriter, _ *http.Request, m message) {
		m.writeReply(w, `{"tools":[{"name":"t"}]}`)
	})
	url := s.URL
	s.URL += "/?key=s3cret"
	registry := newRegistry(t, s.connectClient(t))
	s.URL = url
	s.Close()
	if call := registry.Call(t.Context(), newRequest("t", "{}")); !isUnavailable(call.Err) || strings.Contains(call.Err.Error(), "s3cret") {
		t.Error(call.Err)
	}
}

// TestLongQuestions checks that a server can have only 8 MiB of unanswered questions, and can ask again
// when they have been answered.
func TestLongQuestions(t *testing.T) {
	text := strings.Repeat("x", 1<<20)
	var handled atomic.Int32
	answer := make(chan struct{})
	options := discardLogs()
	options.ElicitationHandler = func(context.Context, *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
		handled.Add(1)
		<-answer
		return &sdk.ElicitResult{Action: "decline"}, nil
	}
	var questions, answered atomic.Int32
	far := connectFake(t, options, func(f *fake, method string, _ map[string]any) any {
		switch method {
		case "":
			answered.Add(1)
		case "tools/list":
			return toolList(`{"name":"t"}`)
		case "tools/call":
			for range 15 {
				f.writeLine(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s%d,"method":"elicitation/create","params":{"mode":"form","message":"%s","requestedSchema":{"type":"object","properties":{}}}}`, f.current, questions.Add(1), text))
			}
			return json.RawMessage(done)
		}
		return nil
	})
	registry := newRegistry(t, far)
	for round := int32(1); round <= 2; round++ {
		if call := registry.Call(t.Context(), newRequest("t", "{}")); call.Err != nil {
			t.Fatal(call.Err)
		}
		for range 50 { // until all questions have been handled that can be
			time.Sleep(10 * time.Millisecond)
		}
		if n := handled.Load(); n != 7*round {
			t.Errorf("after %d calls, %d questions were handled", round, n)
		}
		for range 7 {
			answer <- struct{}{}
		}
		for end := time.Now().Add(10 * time.Second); answered.Load() < 7*round && time.Now().Before(end); {
			time.Sleep(time.Millisecond)
		}
		time.Sleep(50 * time.Millisecond) // until the client has recorded the last answer
	}
}

// TestReopenPause checks that the delay that a server has set for its stream does not apply while the
// stream cannot be opened. All clients of a server that restarts would otherwise flood it.
func TestReopenPause(t *testing.T) {
	var streams atomic.Int32
	s := newSite(t, "s", func(w http.ResponseWriter, _ *http.Request, m message) {
		m.writeReply(w, `{"tools":[{"name":"t"}]}`)
	})
	s.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Method != http.MethodGet:
			s.serveHTTP(w, r)
		case streams.Add(1) == 1:
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprint(w, "retry: 100\ndata:\n\n")
		default:
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	})
	s.connectClient(t)
	time.Sleep(1500 * time.Millisecond)
	if n := streams.Load(); n > 3 {
		t.Errorf("the stream was opened %d times", n)
	}
}

// TestFinallyUnavailable checks that nobody is told to repeat a call later if the connection cannot be
// opened again.
func TestFinallyUnavailable(t *testing.T) {
	for name, end := range map[string]func(far *remote.Server, f *fake){
		"close": func(far *remote.Server, _ *fake) { _ = far.Close() },
		"end":   func(_ *remote.Server, f *fake) { _ = f.out.(io.Closer).Close() },
	} {
		servers := make(chan *fake, 1)
		far := connectFake(t, discardLogs(), func(f *fake, method string, _ map[string]any) any {
			if method == "tools/list" {
				servers <- f
			}
			return toolList(`{"name":"t"}`)
		})
		tools, err := far.Tools(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		registry := tool.NewRegistry()
		if err := registry.Register(tools...); err != nil {
			t.Fatal(err)
		}
		end(far, <-servers)
		var call *tool.Call
		for until := time.Now().Add(5 * time.Second); time.Now().Before(until); time.Sleep(10 * time.Millisecond) {
			if call = registry.Call(t.Context(), newRequest("t", "{}")); !tool.Retryable(call.Err) && !isUnknown(call.Err) {
				break
			}
		}
		var away *remote.UnavailableError
		if !errors.As(call.Err, &away) || tool.Retryable(call.Err) || strings.Contains(tool.ModelText(call.Err), "later") {
			t.Errorf("%s: %v, %s", name, call.Err, tool.ModelText(call.Err))
		}
	}
}
