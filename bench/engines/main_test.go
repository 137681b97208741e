package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestMain lets the test binary also run as a worker.
func TestMain(m *testing.M) {
	if slices.Contains(os.Args, "-work") {
		main()
		return
	}
	os.Exit(m.Run())
}

// TestMeasure lets two workers execute a few runs on each available engine. The journal must have the five
// requests and outcomes of each run, and no more entries than necessary.
func TestMeasure(t *testing.T) {
	t.Setenv("TEMPORAL_CLI", cmp.Or(os.Getenv("TEMPORAL_CLI"), "temporal")) // the binary exists, so it is not built here
	s := settings{runs: 12, postgres: startServer(t, "postgres"), temporal: startServer(t, "temporal", freePort(t))}
	for _, e := range allEngines() {
		if !e.isAvailable(s) {
			continue
		}
		l, err := measureLine(t.Context(), e, s, 2)
		if err != nil {
			t.Errorf("%s: %v", e.name, err)
			continue
		}
		most := 3. * callsPerRun
		if e.name == temporalEngine.name {
			most = 8 * callsPerRun // events: a call has three, and the workflow task that follows it four
		}
		if n := float64(l.cost.entries) / float64(l.runs); n < 2*callsPerRun || n > most || l.cost.bytes == 0 || l.took == 0 {
			t.Errorf("%s", l)
		}
	}
}

func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return port
}

// startServer starts a server by its script and returns the address that it prints. It skips the test if the
// server is not installed, except where CI is set.
func startServer(t *testing.T, script string, args ...string) string {
	t.Helper()
	folder, err := os.MkdirTemp("", "engines")
	if err == nil {
		err = os.Chmod(folder, 0o755) // the server runs as another user
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	c := exec.CommandContext(context.WithoutCancel(t.Context()), filepath.Join("../../deploy", script), append([]string{folder}, args...)...)
	var stderr bytes.Buffer
	c.Stderr = &stderr
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Process.Signal(os.Interrupt)
		_ = c.Wait()
	})
	place, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		if os.Getenv("CI") != "" || !strings.Contains(stderr.String(), "there is no") {
			t.Fatal(err, stderr.String())
		}
		return ""
	}
	return strings.TrimSpace(place)
}
