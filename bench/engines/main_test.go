package main

import (
	"bufio"
	"bytes"
	"context"
	"os"
	"os/exec"
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
	s := settings{runs: 12, postgres: postgresURL(t)}
	for _, e := range engines() {
		if !e.there(s) {
			continue
		}
		l, err := measure(t.Context(), e, s, 2)
		if err != nil {
			t.Errorf("%s: %v", e.name, err)
			continue
		}
		if n := float64(l.cost.entries) / float64(l.runs); n < 2*calls || n > 3*calls || l.cost.bytes == 0 || l.took == 0 {
			t.Errorf("%s", l)
		}
	}
}

// postgresURL starts a server, where there is one; where CI is set there has to be.
func postgresURL(t *testing.T) string {
	t.Helper()
	folder, err := os.MkdirTemp("", "engines")
	if err == nil {
		err = os.Chmod(folder, 0o755) // who runs the server is somebody else
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	c := exec.CommandContext(context.WithoutCancel(t.Context()), "../../deploy/postgres", folder)
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
	url, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		if os.Getenv("CI") != "" || !strings.Contains(stderr.String(), "there is no PostgreSQL") {
			t.Fatal(err, stderr.String())
		}
		return ""
	}
	return strings.TrimSpace(url)
}
