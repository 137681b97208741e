package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync/atomic"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/runtime/wire"
)

// userKey is the context key under which a custom handler stores the user.
type userKey struct{}

// TestUser checks that a function sees the user of the request that calls it, not the one who opened
// the session.
func TestUser(t *testing.T) {
	eachVersion(t, func(t *testing.T, version string) {
		r := tool.NewRegistry()
		r.Replace(textTool("who", func(ctx context.Context, _ string) (string, error) {
			user, _ := ctx.Value(userKey{}).(string)
			return user, nil
		}))
		handler := newServer(t, r).Handler()
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			handler.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), userKey{}, r.Header.Get("User"))))
		}))
		t.Cleanup(server.Close)
		as := new(user)
		as.name.Store("ann")
		session := openSDKSession(t, &sdk.StreamableClientTransport{Endpoint: server.URL, HTTPClient: &http.Client{Transport: as}}, version, nil)
		t.Cleanup(func() { _ = session.Close() }) // or the server ended
		for _, name := range []string{"ann", "bob", "ann"} {
			as.name.Store(name)
			if got, _, _ := callTool(t, session, "who", `{"text":""}`); got != name {
				t.Errorf("%s is taken for %q", name, got)
			}
		}
	})
}

// user adds a name to requests.
type user struct{ name atomic.Value }

func (u *user) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("User", u.name.Load().(string))
	return http.DefaultTransport.RoundTrip(r)
}

// TestExchange checks that a function knows the caller of the current request, and that everything it
// sends in addition to its result arrives.
func TestExchange(t *testing.T) {
	eachVersion(t, func(t *testing.T, version string) {
		r := tool.NewRegistry()
		r.Replace(textTool("all", func(ctx context.Context, _ string) (string, error) {
			x := tool.ExchangeFrom(ctx)
			x.Attach(content.Image("image/png", []byte("png")), content.File("file:///a.txt", "text/plain", []byte("a")))
			_ = x.Reply("took", json.RawMessage(`{"ms":5}`))
			who, _ := json.Marshal(map[string]any{"client": x.Caller().Client, "session": x.Caller().Session != "", "meta": x.Meta(), "language": x.Header("Accept-Language")})
			return string(who), nil
		}))
		session := openSDKSession(t, &sdk.StreamableClientTransport{Endpoint: listenHTTP(t, r), HTTPClient: &http.Client{Transport: speaks("fr")}}, version, nil)
		defer session.Close()
		result, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "all", Arguments: json.RawMessage(`{"text":""}`), Meta: sdk.Meta{"traceparent": "00-1-2-03", "number": 5}})
		if err != nil {
			t.Fatal(err)
		}
		got, err := json.Marshal(result.Content[1:])
		if want := `[{"type":"image","mimeType":"image/png","data":"cG5n"},{"type":"resource","resource":{"uri":"file:///a.txt","mimeType":"text/plain","text":"a"}}]`; string(got) != want || err != nil {
			t.Errorf("%s, %v", got, err)
		}
		want := fmt.Sprintf(`{"client":"test 1","language":"fr","meta":{"traceparent":"00-1-2-03"},"session":%v}`, version == withSessions)
		if text := result.Content[0].(*sdk.TextContent).Text; text != want {
			t.Errorf("%s, want %s", text, want)
		}
		if took, _ := json.Marshal(result.Meta["took"]); string(took) != `{"ms":5}` {
			t.Errorf("it took %s", took)
		}
	})
}

// speaks adds a language to requests.
type speaks string

func (s speaks) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Accept-Language", string(s))
	return http.DefaultTransport.RoundTrip(r)
}

// TestAttachedAlone checks that attachments replace an empty result.
func TestAttachedAlone(t *testing.T) {
	r := tool.NewRegistry()
	r.Replace(tool.NewTypedAction(&tool.Definition{Name: "draw", Input: json.RawMessage(`{"type":"object"}`)}, func(wire.Value) int { return 0 }, func(ctx context.Context, _ int) error {
		tool.ExchangeFrom(ctx).Attach(content.Image("image/png", []byte("png")))
		return nil
	}).Tool)
	result, err := connectClient(t, newServer(t, r), stateless, nil).CallTool(t.Context(), &sdk.CallToolParams{Name: "draw"})
	if err != nil || len(result.Content) != 1 {
		t.Fatalf("%+v %v", result, err)
	}
	if _, ok := result.Content[0].(*sdk.ImageContent); !ok {
		t.Errorf("%+v", result.Content[0])
	}
}

// TestProgress checks that progress is sent only on request, in order, not in every iteration of a
// loop, and completely at the end.
func TestProgress(t *testing.T) {
	eachVersion(t, func(t *testing.T, version string) {
		const turns = 10_000
		r := tool.NewRegistry()
		r.Replace(textTool("count", func(ctx context.Context, _ string) (string, error) {
			told := true
			for i := range turns + 1 {
				told = tool.ExchangeFrom(ctx).Progress(float64(i), turns, "counting") && told
				told = tool.ExchangeFrom(ctx).Progress(0, turns, "again") && told
			}
			return fmt.Sprint(told), nil
		}))
		var progress []float64 // the notifications are sent in order
		done := make(chan bool)
		session := connectClient(t, newServer(t, r), version, &sdk.ClientOptions{ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) {
			progress = append(progress, r.Params.Progress)
			if r.Params.ProgressToken != "p" || r.Params.Message != "counting" || r.Params.Total != turns {
				t.Errorf("told is %+v", r.Params)
			}
			if r.Params.Progress == turns {
				close(done)
			}
		}})
		params := &sdk.CallToolParams{Name: "count", Arguments: json.RawMessage(`{"text":""}`)}
		for _, want := range []string{"false", "true"} {
			result, err := session.CallTool(t.Context(), params)
			if err != nil || result.Content[0].(*sdk.TextContent).Text != want {
				t.Errorf("%+v %v, want %s", result, err, want)
			}
			params.Meta = sdk.Meta{"progressToken": "p"}
		}
		<-done
		if !slices.IsSorted(progress) || len(progress) < 10 || len(progress) > turns/10 || progress[0] != 0 {
			t.Errorf("told is %v", progress)
		}
	})
}

// TestLog checks that messages for the client's log are sent from its level on, and not at all if it
// has set none.
func TestLog(t *testing.T) {
	eachVersion(t, func(t *testing.T, version string) {
		r := tool.NewRegistry()
		r.Replace(textTool("log", func(ctx context.Context, text string) (string, error) {
			x := tool.ExchangeFrom(ctx)
			x.Log(int(slog.LevelInfo), text)
			x.Log(int(slog.LevelWarn)+1, text)
			return "", nil
		}))
		logged := make(chan string, 10)
		session := connectClient(t, newServer(t, r), version, &sdk.ClientOptions{LoggingMessageHandler: func(_ context.Context, r *sdk.LoggingMessageRequest) {
			logged <- fmt.Sprintf("%s %s %v", r.Params.Logger, r.Params.Level, r.Params.Data)
		}})
		params := &sdk.CallToolParams{Name: "log", Arguments: json.RawMessage(`{"text":"first"}`)}
		if _, err := session.CallTool(t.Context(), params); err != nil {
			t.Fatal(err)
		}
		if version == withSessions {
			if err := session.SetLoggingLevel(t.Context(), &sdk.SetLoggingLevelParams{Level: "warning"}); err != nil {
				t.Fatal(err)
			}
		}
		params.Meta, params.Arguments = sdk.Meta{sdk.MetaKeyLogLevel: "warning"}, json.RawMessage(`{"text":"second"}`)
		if _, err := session.CallTool(t.Context(), params); err != nil {
			t.Fatal(err)
		}
		if got := <-logged; got != "log warning second" {
			t.Errorf("logged is %q", got)
		}
		if len(logged) > 0 {
			t.Errorf("logged is also %q", <-logged)
		}
	})
}
