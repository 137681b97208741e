package main

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/aiongen/aiongen/runtime/tool"
)

// experience is what a client observed.
type experience struct {
	Revision  string    // protocol version; some clients do not report it
	Tools     []string  // names of the listed tools
	Text      string    // text of a result
	Error     string    // text of a failed tool's result
	Unknown   int       // error code for an unknown tool
	Cancelled bool      // a canceled call ended immediately, and so did its function
	Progress  []float64 // reported progress of a call
	Asked     string    // questions to the person
	Answered  string    // result of the tool that asked, with the answer
	Changed   bool      // was notified that the list of tools has changed
}

// checkAgainst compares it with the expected observations.
func (got experience) checkAgainst(t *testing.T, revision string, cancels bool) {
	t.Helper()
	stage := &Stage{registry: tool.NewRegistry()}
	if err := stage.registerTools(); err != nil {
		t.Fatal(err)
	}
	want := experience{
		Revision:  revision,
		Tools:     stage.registry.Names(),
		Text:      SimpleText(),
		Error:     "test_error_handling failed: " + Fail().Error(),
		Unknown:   -32602,
		Cancelled: cancels,
		Progress:  []float64{0, 50, 100},
		Asked:     "Who are you?",
		Answered:  `accept {"email":"ada@example.com","username":"ada"}`,
		Changed:   true,
	}
	slices.Sort(want.Tools)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

// TestTypeScript tests the server with both official TypeScript SDKs.
func TestTypeScript(t *testing.T) {
	t.Parallel()
	modules := packages(t)
	for _, client := range []struct{ version, way, revision string }{
		{"v1", "stdio", ""},
		{"v1", "HTTP", "2025-11-25"},
		{"v2", "stdio", "2026-07-28"},
		{"v2", "HTTP", "2026-07-28"},
	} {
		t.Run(client.version+" "+client.way, func(t *testing.T) {
			t.Parallel()
			target := os.Args[0]
			if client.way == "HTTP" {
				target = serveHTTP(t)
			}
			cmd := exec.CommandContext(t.Context(), node(modules), filepath.Join("testdata", "client.cjs"), modules, client.version, target)
			cmd.Env, cmd.Stderr = append(os.Environ(), asServer+"=1"), os.Stderr
			out, err := cmd.Output()
			var seen experience
			if err != nil || json.Unmarshal(out, &seen) != nil {
				t.Fatalf("%v: %s", err, out)
			}
			seen.checkAgainst(t, client.revision, true)
		})
	}
}

// TestInspector lists and calls tools with the official inspector, which also checks whether common
// clients accept the schemas.
func TestInspector(t *testing.T) {
	t.Parallel()
	inspector := filepath.Join(packages(t), ".bin", "mcp-inspector")
	for _, era := range []string{"legacy", "modern"} {
		for _, way := range []string{"stdio", "HTTP"} {
			t.Run(way+" "+era, func(t *testing.T) {
				t.Parallel()
				target := []string{"--cli", os.Args[0], "-e", asServer + "=1"}
				if way == "HTTP" {
					target = []string{"--cli", serveHTTP(t), "--transport", "http"}
				}
				inspect := func(status int, to any, args ...string) {
					t.Helper()
					cmd := exec.CommandContext(t.Context(), inspector, slices.Concat(target, []string{"--protocol-era", era}, args)...)
					cmd.Stderr = os.Stderr
					out, err := cmd.Output()
					if got := cmd.ProcessState.ExitCode(); got != status || json.Unmarshal(out, to) != nil {
						t.Fatalf("%q: %v: %s", args, err, out)
					}
				}
				var list struct{ Tools []struct{ Name string } }
				inspect(0, &list, "--method", "tools/list", "--strict")
				if len(list.Tools) < 20 {
					t.Errorf("%d tools", len(list.Tools))
				}
				var result struct {
					Content []struct{ Type, Text, MimeType string }
					IsError bool
				}
				inspect(0, &result, "--method", "tools/call", "--tool-name", "test_multiple_content_types")
				if c := result.Content; len(c) != 3 || c[0].Type != "text" || c[1].MimeType != "image/png" || c[2].Type != "resource" {
					t.Errorf("%+v", result)
				}
				const isError = 5 // exit status for an error result
				inspect(isError, &result, "--method", "tools/call", "--tool-name", "test_error_handling")
				if !result.IsError {
					t.Errorf("%+v", result)
				}
			})
		}
	}
}

// goClient is a client written in Go.
type goClient interface {
	revision() string
	cancels() bool // whether the client notifies the server of a canceled call
	list(ctx context.Context) ([]string, error)

	// call calls a tool and returns the text of its result.
	call(ctx context.Context, name string, arguments map[string]any) (text string, isError bool, err error)

	// code returns the code of a protocol error.
	code(err error) int
}

// notifications are what a client receives in addition to responses.
type notifications struct {
	progress chan float64
	asked    chan string
	changed  chan struct{}
}

func newNotifications() notifications {
	return notifications{make(chan float64, 100), make(chan string, 100), make(chan struct{}, 1)}
}

// noteChange records that the list has changed.
func (s notifications) noteChange() {
	select {
	case s.changed <- struct{}{}:
	default: // the change is already recorded
	}
}

// personAnswer is the answer of the person at the client.
var personAnswer = map[string]any{"username": "ada", "email": "ada@example.com"}

// exerciseServer tests a server with a client.
func exerciseServer(t *testing.T, c goClient, s notifications) (e experience) {
	t.Helper()
	text := func(name string, arguments map[string]any) string {
		t.Helper()
		said, isError, err := c.call(t.Context(), name, arguments)
		if err != nil || isError {
			t.Fatalf("%s: %s %v", name, said, err)
		}
		return said
	}
	var err error
	if e.Tools, err = c.list(t.Context()); err != nil {
		t.Fatal(err)
	}
	e.Revision = c.revision()
	e.Text = text("test_simple_text", nil)
	if said, isError, err := c.call(t.Context(), "test_error_handling", nil); err != nil || isError {
		e.Error = said
	}
	_, _, err = c.call(t.Context(), "no_such_tool", nil)
	e.Unknown = c.code(err)

	e.Cancelled = c.cancels() && cancelCall(t, c, func() string { return text("running", nil) })
	text("test_tool_with_progress", nil)
	for range 3 {
		e.Progress = append(e.Progress, receiveWithin(t, s.progress))
	}
	e.Answered = text("test_elicitation", map[string]any{"message": "Who are you?"})
	e.Asked = receiveWithin(t, s.asked)
	e.Changed = waitForChange(t, s, func() { text("test_trigger_tool_change", nil) })
	return e
}

// cancelCall cancels a call and waits until the function has returned.
func cancelCall(t *testing.T, c goClient, running func() string) bool {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, _, err := c.call(ctx, "wait", map[string]any{"milliseconds": 60_000})
		ended <- err
	}()
	for running() != "1" {
	}
	cancel()
	for running() != "0" {
	}
	return <-ended != nil
}
