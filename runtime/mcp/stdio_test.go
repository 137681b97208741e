package mcp_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/mcp"
	"github.com/aiongen/aiongen/runtime/tool"
)

// asServer is set where the test binary is to be a server at standard input and
// output.
const asServer = "TEST_MCP_SERVER"

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
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	s, err := mcp.New(r, mcp.MaxMessage(1<<16), mcp.Logger(slog.New(slog.DiscardHandler)))
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

// startServer starts a server. Wait waits for its end, and returns what it said
// beside the protocol.
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
	session = open(t, &sdk.CommandTransport{Command: process, TerminateDuration: 10 * time.Second}, stateless, nil)
	return session, process, func() string {
		_ = session.Close() // waits; the error is that of the process
		return said.String()
	}
}

func TestStdio(t *testing.T) {
	session, process, wait := startServer(t)
	if text, _, isError := call(t, session, "print", `{"text":"printed"}`); text != `{"result":"printed"}` || isError {
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

func TestStdioTooLong(t *testing.T) {
	session, process, wait := startServer(t)
	if _, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "print", Arguments: map[string]string{"text": strings.Repeat("x", 1<<17)}}); err == nil {
		t.Error("a message that is too long was taken")
	}
	if said := wait(); !strings.Contains(said, "exceeded") || process.ProcessState.ExitCode() != 1 {
		t.Errorf("%v, said %q", process.ProcessState, said)
	}
}
