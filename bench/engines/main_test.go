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

// TestMain has the test be a worker, too.
func TestMain(m *testing.M) {
	if slices.Contains(os.Args, "-work") {
		main()
		return
	}
	os.Exit(m.Run())
}

// TestMeasure has two workers carry out a few runs on each engine that is on this machine:
// each has its five requests and outcomes in the journal, and no more than it has to.
func TestMeasure(t *testing.T) {
	t.Setenv("TEMPORAL_CLI", cmp.Or(os.Getenv("TEMPORAL_CLI"), "temporal")) // so that none is built here
	s := settings{runs: 12, postgres: server(t, "postgres"), temporal: server(t, "temporal", freePort(t))}
	for _, e := range engines() {
		if !e.there(s) {
			continue
		}
		l, err := measure(t.Context(), e, s, 2)
		if err != nil {
			t.Errorf("%s: %v", e.name, err)
			continue
		}
		most := 3. * calls
		if e.name == onTemporal.name {
			most = 8 * calls // events, of which a call has three, and what a workflow does next four
		}
		if n := float64(l.cost.entries) / float64(l.runs); n < 2*calls || n > most || l.cost.bytes == 0 || l.took == 0 {
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

// server starts a server by its script, where there is one, and returns where it says that
// it is; where CI is set there has to be.
func server(t *testing.T, script string, args ...string) string {
	t.Helper()
	folder, err := os.MkdirTemp("", "engines")
	if err == nil {
		err = os.Chmod(folder, 0o755) // who runs the server is somebody else
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
