package mcp_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/mcp"
	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/runtime/wire"
)

// asServer is the environment variable that makes the test binary a server at standard input and
// output.
const asServer = "TEST_MCP_SERVER"

// withDrain is the time that calls of that server have during a shutdown. If it is not set, the time
// is long enough for a busy machine.
const withDrain = "TEST_MCP_DRAIN"

func TestMain(m *testing.M) {
	if os.Getenv(asServer) == "" {
		os.Exit(m.Run())
	}
	stdout := os.Stdout
	r := tool.NewRegistry()
	r.Replace(textTool("print", func(_ context.Context, text string) (string, error) {
		fmt.Println(text)
		return text, nil
	}))
	r.Replace(textTool("sleep", func(ctx context.Context, text string) (string, error) {
		d, err := time.ParseDuration(text)
		if err != nil {
			return "", err
		}
		select {
		case <-time.After(d):
			return "slept", nil
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}))
	r.Replace(newTripTool(new(atomic.Int32)))
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	drain, err := time.ParseDuration(os.Getenv(withDrain))
	if err != nil {
		drain = time.Minute
	}
	s, err := mcp.New(r, mcp.MaxMessage(1<<16), mcp.Logger(slog.New(slog.DiscardHandler)), mcp.Drain(drain))
	if err == nil {
		err = s.ServeStdio(ctx)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if os.Stdout != stdout {
		fmt.Fprintln(os.Stderr, "standard output is not what it was")
	}
}

// startServer starts a server. The function wait waits for its end and returns its output that is not
// protocol messages.
func startServer(t *testing.T) (session *sdk.ClientSession, process *exec.Cmd, wait func() (stderr string)) {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	process = exec.CommandContext(t.Context(), program)
	process.Env = append(os.Environ(), asServer+"=1")
	process.Stderr = &said
	session = openSDKSession(t, &sdk.CommandTransport{Command: process, TerminateDuration: 10 * time.Second}, stateless, nil)
	return session, process, func() string {
		_ = session.Close() // waits; the error is that of the process
		return said.String()
	}
}

func TestStdio(t *testing.T) {
	session, process, wait := startServer(t)
	if text, _, isError := callTool(t, session, "print", `{"text":"printed"}`); text != "printed" || isError {
		t.Error(text)
	}
	if said := wait(); said != "printed\n" || !process.ProcessState.Success() {
		t.Errorf("%v, said %q", process.ProcessState, said)
	}
}

func TestStdioInterrupted(t *testing.T) {
	session, process, wait := startServer(t)
	if err := process.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := session.Wait(); err != nil && !errors.Is(err, sdk.ErrConnectionClosed) {
		t.Error(err)
	}
	if said := wait(); said != "" || !process.ProcessState.Success() {
		t.Errorf("%v, said %q", process.ProcessState, said)
	}
}

// TestStdioPiped checks that requests before the end of the input, or before a shutdown, are answered;
// with an error if they take too long.
func TestStdioPiped(t *testing.T) {
	const begin = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
`
	const list = `{"jsonrpc":"2.0","id":"two","method":"tools/list"}` + "\n"
	sleep := func(d string) string {
		return `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"sleep","arguments":{"text":"` + d + `"}}}` + "\n"
	}
	for _, tt := range []struct {
		name, input string
		drain       string // if the test should pass
		interrupt   bool
		answered    string
	}{
		{"one", strings.SplitAfter(begin, "\n")[0], "", false, "1"},
		{"quick", begin + list + sleep("0s"), "", false, "1 3 two"},
		{"without a line end", begin + list + strings.TrimSpace(sleep("300ms")), "", false, "1 3 two"},
		{"slow", begin + list + sleep("1s"), "", false, "1 3 two"},
		{"too slow", begin + list + sleep("1h"), "2s", false, "1 3 two"},
		{"interrupted", begin + sleep("1h") + list, "2s", true, "1 3 two"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			program, err := os.Executable()
			if err != nil {
				t.Fatal(err)
			}
			process := exec.CommandContext(t.Context(), program)
			process.Env = append(os.Environ(), asServer+"=1", withDrain+"="+tt.drain)
			process.Stdin = strings.NewReader(tt.input)
			var said bytes.Buffer
			process.Stderr = &said
			out, err := process.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := process.Start(); err != nil {
				t.Fatal(err)
			}
			var ids []string
			var interrupted time.Time
			for lines := bufio.NewScanner(out); lines.Scan(); {
				var answer struct{ ID any }
				if err := json.Unmarshal(lines.Bytes(), &answer); err != nil {
					t.Fatal(err)
				}
				if ids = append(ids, fmt.Sprint(answer.ID)); tt.interrupt && len(ids) == 2 {
					interrupted = time.Now()
					_ = process.Process.Signal(os.Interrupt)
				}
			}
			if err := process.Wait(); err != nil || said.Len() > 0 {
				t.Errorf("%v, said %q", err, said.String())
			}
			if took := time.Since(interrupted); tt.interrupt && took > 30*time.Second {
				t.Errorf("it took %v to end", took)
			}
			slices.Sort(ids)
			if got := strings.Join(ids, " "); got != tt.answered {
				t.Errorf("answered are %s, not %s", got, tt.answered)
			}
		})
	}
}

// TestStdioDrain checks that a server that shuts down answers all running calls.
func TestStdioDrain(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	process := exec.CommandContext(t.Context(), program)
	process.Env = append(os.Environ(), asServer+"=1")
	in, err := process.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := process.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := process.Start(); err != nil {
		t.Fatal(err)
	}
	const calls = 50
	fmt.Fprintln(in, initialize)
	fmt.Fprintln(in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	for i := range calls {
		fmt.Fprintf(in, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"sleep","arguments":{"text":"1s"}}}`+"\n", i+2)
	}
	fmt.Fprintln(in, `{"jsonrpc":"2.0","id":"all were read","method":"ping"}`)
	slept := 0
	for lines := bufio.NewScanner(out); lines.Scan(); {
		switch {
		case strings.Contains(lines.Text(), "all were read"):
			if err := process.Process.Signal(os.Interrupt); err != nil {
				t.Error(err)
			}
		case strings.Contains(lines.Text(), "slept"):
			slept++
		}
	}
	if err := process.Wait(); err != nil || slept != calls {
		t.Errorf("%v, after %d answers of %d", err, slept, calls)
	}
}

// TestStdioNoMessages checks that invalid messages are answered, and that the server continues.
func TestStdioNoMessages(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	const ping = `{"jsonrpc":"2.0","id":%d,"method":"ping"}`
	const tooLong = 1<<16 + 1
	process := exec.CommandContext(t.Context(), program)
	process.Env = append(os.Environ(), asServer+"=1")
	stdin, err := process.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := process.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := process.Start(); err != nil {
		t.Fatal(err)
	}
	io.WriteString(stdin, strings.Join([]string{
		"garbage",
		fmt.Sprintf(ping, 1),
		`{"jsonrpc":"2.0","id":2,"method":"ping","params":{"n":Infinity}}`,
		"\r",
		`{"jsonrpc":"2.0","id":` + strings.Repeat(" ", 1<<17) + `3,"method":"ping"}`,
		strings.Repeat(" ", 1<<17),
		fmt.Sprintf(ping, 4) + strings.Repeat(" ", tooLong-len(ping)-1) + "\r",
		`{"jsonrpc":"1.0","id":5,"method":"ping"}`,
		`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"as one server tells another"}}`,
		`[]`,
		`[[` + strings.Repeat("[", 20_000),
		fmt.Sprintf(ping, 6) + fmt.Sprintf(ping, 7),
		fmt.Sprintf(ping, 8) + "\n",
	}, "\n"))
	codes := map[int]int{}
	answered, refused := map[int]bool{}, map[int]int{}
	lines := bufio.NewScanner(stdout)
	for lines.Scan() {
		line := lines.Text()
		var answer struct {
			ID    *int
			Error *struct{ Code int }
		}
		if err := json.Unmarshal([]byte(line), &answer); err != nil {
			t.Fatal(err)
		}
		switch {
		case answer.ID != nil && answer.Error != nil:
			refused[*answer.ID] = answer.Error.Code
		case answer.ID != nil:
			if answered[*answer.ID] = true; *answer.ID == 8 { // requests that are not answered when the input ends need not be answered
				io.WriteString(stdin, `{"jsonrpc":`)
				stdin.Close()
			}
		case answer.ID == nil && strings.Contains(line, `"id":null`):
			codes[answer.Error.Code]++
		default:
			t.Error(line)
		}
	}
	if err := process.Wait(); err != nil {
		t.Error(err)
	}
	if want := map[int]int{-32700: 5, -32600: 2}; !maps.Equal(codes, want) || !maps.Equal(answered, map[int]bool{1: true, 4: true, 8: true}) {
		t.Errorf("%v, %v", codes, answered)
	}
	if want := map[int]int{3: -32600, 5: -32600}; !maps.Equal(refused, want) {
		t.Errorf("refused by their ids are %v, want %v", refused, want)
	}
}

// TestNullArguments checks null arguments, which clients send that serialize an absent value.
func TestNullArguments(t *testing.T) {
	r := tool.NewRegistry()
	if err := r.Register(tool.NewTypedAction(&tool.Definition{Name: "now"}, wire.NoArguments, func(context.Context, struct{}) error { return nil }).Tool); err != nil {
		t.Fatal(err)
	}
	for _, version := range versions {
		session := connectClient(t, newServer(t, r), version, nil)
		if text, _, isError := callTool(t, session, "now", `null`); isError {
			t.Error(version, text)
		}
	}
}
