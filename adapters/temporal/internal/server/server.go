// Package server runs a Temporal development server for tests, on the loopback interface and with
// its data in a temporary folder. Tests can kill and restart it.
package server

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"go.temporal.io/sdk/client"
)

// ErrMissing reports that the Temporal CLI is not installed.
var ErrMissing = errors.New("the Temporal CLI is not installed: set TEMPORAL_CLI to its path, or install it by\n\tGOBIN=$HOME/.cache/aiongen-tools go install github.com/temporalio/cli/cmd/temporal@v1.5.1")

// Server is a server and its data. It is not safe for concurrent use.
type Server struct {
	program, folder string
	port, http      int
	running         *exec.Cmd // nil while the server is stopped
}

// New starts a server. The error is [ErrMissing] if the program is not installed.
func New(ctx context.Context) (*Server, error) {
	program, err := findProgram()
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "aion-temporal")
	if err != nil {
		return nil, err
	}
	s := &Server{program: program, folder: folder}
	if s.port, s.http, err = findFreePorts(); err == nil {
		err = s.Start(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func findProgram() (string, error) {
	home, _ := os.UserHomeDir()
	for _, path := range []string{os.Getenv("TEMPORAL_CLI"), "temporal", filepath.Join(home, ".cache/aiongen-tools/temporal")} {
		if path == "" {
			continue
		}
		if found, err := exec.LookPath(path); err == nil {
			return found, nil
		}
	}
	return "", ErrMissing
}

// findFreePorts returns two unused ports.
func findFreePorts() (port, http int, err error) {
	var ports [2]int
	for i := range ports {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return 0, 0, err
		}
		defer l.Close()
		ports[i] = l.Addr().(*net.TCPAddr).Port
	}
	return ports[0], ports[1], nil
}

// Address returns the host and port that the server listens on.
func (s *Server) Address() string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(s.port)) }

// startTime limits how long a server may take to answer.
const startTime = time.Minute

// Start starts the stopped server and waits until it answers.
func (s *Server) Start(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	log, err := os.Create(filepath.Join(s.folder, "log"))
	if err != nil {
		return err
	}
	defer log.Close() // the server has its own descriptor
	// With SQLite's defaults each of the many transactions waits for the disk. With these settings, the
	// server takes a third of the time. The data survives a kill, but not a power failure.
	s.running = exec.Command(s.program, "server", "start-dev", "--headless", "--ip", "127.0.0.1",
		"--port", strconv.Itoa(s.port), "--http-port", strconv.Itoa(s.http), "--metrics-port", "0",
		"--db-filename", filepath.Join(s.folder, "temporal.db"), "--sqlite-pragma", "journal_mode=wal", "--sqlite-pragma", "synchronous=1",
		"--log-level", "error")
	s.running.Env = append(os.Environ(), "TEMPORAL_VERSION_CHECK_DISABLED=1")
	s.running.Stdout, s.running.Stderr = log, log
	if err := s.running.Start(); err != nil {
		s.running = nil
		return err
	}
	for {
		c, err := client.DialContext(ctx, client.Options{HostPort: s.Address()})
		if err == nil {
			_, err = c.CheckHealth(ctx, nil)
			c.Close()
		}
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			output, _ := os.ReadFile(log.Name())
			return fmt.Errorf("temporal does not answer: %w\n%s", err, output)
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// Kill kills the server, if it runs, so that it loses everything it has not written to files.
func (s *Server) Kill() error {
	if s.running == nil {
		return nil
	}
	err := s.running.Process.Kill()
	_ = s.running.Wait()
	s.running = nil
	return err
}

// Close ends the server and removes its data.
func (s *Server) Close() error { return errors.Join(s.Kill(), os.RemoveAll(s.folder)) }
