package remote_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"sync/atomic"
	"testing"

	mark3labs "github.com/mark3labs/mcp-go/server"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/mcp/remote"
	"github.com/aiongen/aiongen/runtime/tool"
)

// asServer names the server that the test binary runs at standard input and output, and withVersion
// its version of the protocol.
const (
	asServer    = "TEST_REMOTE_SERVER"
	withVersion = "TEST_REMOTE_VERSION"
)

func TestMain(m *testing.M) {
	version := os.Getenv(withVersion)
	var err error
	switch os.Getenv(asServer) {
	case "":
		os.Exit(m.Run())
	case "go-sdk":
		err = newOfficial(version).Run(context.Background(), new(sdk.StdioTransport))
	case "mcp-go":
		ctx := mark3labs.WithSupportedProtocolVersions(context.Background(), []string{version})
		err = mark3labs.NewStdioServer(newMark3labs(version)).Listen(ctx, os.Stdin, os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
}

// TestServers uses the tools of each server, by each way, in both versions.
func TestServers(t *testing.T) {
	overHTTP := map[string]func(version string) http.Handler{"go-sdk": officialHTTP, "mcp-go": mark3labsHTTP}
	for _, whose := range []string{"go-sdk", "mcp-go"} {
		for _, version := range []string{"2025-11-25", "2026-07-28"} {
			t.Run(whose+" "+version+" stdio", func(t *testing.T) {
				program, err := os.Executable()
				if err != nil {
					t.Fatal(err)
				}
				command := exec.Command(program)
				command.Env = append(os.Environ(), asServer+"="+whose, withVersion+"="+version)
				command.Stderr = os.Stderr
				use(t, version, &sdk.CommandTransport{Command: command})
			})
			t.Run(whose+" "+version+" HTTP", func(t *testing.T) {
				server := httptest.NewServer(overHTTP[whose](version))
				t.Cleanup(server.Close)
				use(t, version, &sdk.StreamableClientTransport{Endpoint: server.URL})
			})
		}
	}
}

// TestOtherVersion calls a tool of a server over HTTP that restarts with another version of the
// protocol: first from the newest to the last one that had sessions, then in the other direction.
func TestOtherVersion(t *testing.T) {
	for whose, handler := range map[string]func(version string) http.Handler{"go-sdk": officialHTTP, "mcp-go": mark3labsHTTP} {
		t.Run(whose, func(t *testing.T) {
			var current atomic.Pointer[http.Handler]
			start := func(version string) {
				h := handler(version)
				current.Store(&h)
			}
			start("2026-07-28")
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { (*current.Load()).ServeHTTP(w, r) }))
			t.Cleanup(server.Close)
			far, err := remote.Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: server.URL})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = far.Close() })
			registry := tool.NewRegistry()
			if err := far.Follow(t.Context(), registry); err != nil {
				t.Fatal(err)
			}
			for _, version := range []string{"2026-07-28", "2025-11-25", "2026-07-28"} {
				start(version)
				c := registry.Call(t.Context(), tool.Request{Name: "note", Arguments: json.RawMessage(`{"id":1}`)})
				if string(c.Output) != noteText {
					t.Errorf("%s: %s, %v", version, c.Output, c.Err)
				}
			}
		})
	}
}

// use uses the tools of a server.
func use(t *testing.T, version string, transport sdk.Transport) {
	far, err := remote.Connect(t.Context(), transport, remote.TrustHints())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = far.Close() })
	if got := far.Session().InitializeResult().ProtocolVersion; got != version {
		t.Fatalf("the version is %s", got)
	}
	registry := tool.NewRegistry()
	if err := far.Follow(t.Context(), registry.With(tool.Prefix("far_"))); err != nil {
		t.Fatal(err)
	}
	if got := registry.Names(); !slices.Equal(got, []string{"far_book", "far_fail", "far_grow", "far_note", "far_picture", "far_slow"}) {
		t.Fatalf("there are %s", got)
	}
	call := func(ctx context.Context, name, arguments string) *tool.Call {
		return registry.Call(ctx, tool.Request{Name: name, Arguments: json.RawMessage(arguments)})
	}

	note, _ := registry.Get("far_note")
	if d := note.Definition(); d.Title != "Note" || d.Description != "Reads a note." || !d.Annotations.ReadOnly || len(d.Output) == 0 {
		t.Errorf("note is %+v", d)
	}
	if c := call(t.Context(), "far_note", `{"id":1}`); string(c.Output) != noteText || len(c.Content) > 0 {
		t.Errorf("note: %s, %v, %v", c.Output, c.Content, c.Err)
	}
	var wrong *tool.ArgumentError
	if c := call(t.Context(), "far_note", `{"id":"one","more":1}`); !errors.As(c.Err, &wrong) || len(wrong.Faults) != 2 {
		t.Errorf("note: %v", c.Err)
	}
	if c := call(t.Context(), "far_fail", ``); c.Err == nil || c.Err.Error() != "far_fail: there is no such note" {
		t.Errorf("fail: %v", c.Err)
	}
	if c := call(t.Context(), "far_picture", ``); string(c.Output) != `"a dot"` || len(c.Content) != 1 || c.Content[0].Media != "image/png" || len(c.Content[0].Data) != 3 {
		t.Errorf("picture: %s, %v, %v", c.Output, c.Content, c.Err)
	}
	slow(t, call)
	book(t, call)

	if c := call(t.Context(), "far_grow", ``); c.Err != nil {
		t.Error(c.Err)
	}
	for {
		changed := registry.Changed()
		if _, ok := registry.Get("far_grown"); ok {
			break
		}
		select {
		case <-changed:
		case <-t.Context().Done():
			t.Fatalf("there are %s", registry.Names())
		}
	}
	if c := call(t.Context(), "far_grown", ``); string(c.Output) != `"new"` {
		t.Errorf("grown: %s, %v", c.Output, c.Err)
	}
}

// slow cancels a call after it has reported progress.
func slow(t *testing.T, call func(ctx context.Context, name, arguments string) *tool.Call) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	told := make(chan string, 10)
	ctx = tool.WithPeer(ctx, tool.Peer{Progress: func(done, total float64, text string) {
		told <- fmt.Sprint(done, " of ", total, " ", text)
		cancel()
	}})
	if c := call(ctx, "far_slow", ``); c.Status != tool.StatusCancelled {
		t.Errorf("slow: %s, %v", c.Status, c.Err)
	}
	if got := <-told; got != "1 of 10 one" {
		t.Errorf("told was %s", got)
	}
}

// book answers the question of a tool, in the same call and by another call.
func book(t *testing.T, call func(ctx context.Context, name, arguments string) *tool.Call) {
	rome := json.RawMessage(`{"city":"Rome"}`)
	ctx := tool.WithPeer(t.Context(), tool.Peer{Ask: func(_ context.Context, questions []tool.Question) ([]tool.Answer, error) {
		return []tool.Answer{questions[0].Accept(rome)}, nil
	}})
	if c := call(ctx, "far_book", ``); string(c.Output) != `"accept Rome"` {
		t.Errorf("book: %s, %v", c.Output, c.Err)
	}
	if c := call(t.Context(), "far_book", ``); string(c.Output) != `"cancel "` {
		t.Errorf("book: %s, %v", c.Output, c.Err)
	}
	later := tool.WithPeer(t.Context(), tool.Peer{Ask: func(context.Context, []tool.Question) ([]tool.Answer, error) { return nil, tool.ErrAnswersPending }})
	var open *tool.AskError
	if c := call(later, "far_book", ``); !errors.As(c.Err, &open) || open.Nobody || open.Questions[0].Text != "Where to?" {
		t.Errorf("book: %s, %v", c.Output, c.Err)
	}
}
