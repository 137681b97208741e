// Package cluster runs a PostgreSQL server for tests. Its data and its Unix socket are in a temporary
// folder, so it needs no port, and nobody else can connect. Tests can kill and restart it.
package cluster

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"
)

// ErrMissing reports that PostgreSQL is not installed.
var ErrMissing = errors.New("PostgreSQL is not installed: no initdb on the PATH or in /usr/lib/postgresql/*/bin; on Debian install the package postgresql")

// Cluster is a server and its data. It is not safe for concurrent use.
type Cluster struct {
	folder string
	bin    string
	server *exec.Cmd // nil while the server is stopped
	ended  chan struct{}
}

// New creates a cluster and starts its server. The error is [ErrMissing] if PostgreSQL is not
// installed.
func New(ctx context.Context) (*Cluster, error) {
	bin, err := findPrograms()
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "aion-pg")
	if err != nil {
		return nil, err
	}
	c := &Cluster{folder: folder, bin: bin}
	if err = c.runInitdb(ctx); err == nil {
		err = c.Start(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// findPrograms returns the folder with the programs of PostgreSQL.
func findPrograms() (string, error) {
	if path, err := exec.LookPath("initdb"); err == nil {
		path, err = filepath.EvalSymlinks(path)
		return filepath.Dir(path), err
	}
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if err != nil || len(found) == 0 {
		return "", ErrMissing
	}
	return filepath.Dir(slices.Max(found)), nil
}

func (c *Cluster) runInitdb(ctx context.Context) error {
	if err := chownToNobody(c.folder); err != nil {
		return err
	}
	out, err := c.newCommand(ctx, "initdb", "-D", c.dataFolder(), "-U", "aion", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync").CombinedOutput()
	if err != nil {
		return fmt.Errorf("initdb: %w\n%s", err, out)
	}
	return nil
}

func (c *Cluster) dataFolder() string { return filepath.Join(c.folder, "data") }

func (c *Cluster) newCommand(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, filepath.Join(c.bin, name), args...)
	cmd.Dir = c.folder
	dropPrivileges(cmd)
	return cmd
}

// URL returns the URL of the database postgres, for a superuser.
func (c *Cluster) URL() string {
	return "postgres:///postgres?" + url.Values{"host": {c.folder}, "user": {"aion"}}.Encode()
}

// startTime limits how long a server may take to answer.
const startTime = time.Minute

// Start starts the stopped server and waits until it answers. After a kill, the first attempts may
// fail because processes of the old server still run, so it retries.
func (c *Cluster) Start(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	for {
		err := c.startServer(ctx)
		if err == nil || ctx.Err() != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(50 * time.Millisecond):
		}
	}
}

func (c *Cluster) startServer(ctx context.Context) error {
	log, err := os.Create(filepath.Join(c.folder, "log"))
	if err != nil {
		return err
	}
	defer log.Close() // the server has its own descriptor
	c.server = c.newCommand(context.WithoutCancel(ctx), "postgres", "-D", c.dataFolder(), "-k", c.folder, "-c", "listen_addresses=", "-c", "max_connections=200")
	c.server.Stderr = log
	if err := c.server.Start(); err != nil {
		c.server = nil
		return err
	}
	ended := make(chan struct{})
	c.ended = ended
	go func(server *exec.Cmd) { _ = server.Wait(); close(ended) }(c.server)
	for {
		select {
		case <-ended:
			c.server = nil
			output, _ := os.ReadFile(log.Name())
			return fmt.Errorf("postgres exited: %s", output)
		case <-ctx.Done():
			return errors.Join(ctx.Err(), c.Kill())
		case <-time.After(20 * time.Millisecond):
		}
		if c.newCommand(ctx, "pg_isready", "-q", "-h", c.folder).Run() == nil {
			return nil
		}
	}
}

// Kill kills the server, if it runs, so that it loses everything it has not written to files.
func (c *Cluster) Kill() error {
	if c.server == nil {
		return nil
	}
	err := c.server.Process.Kill()
	<-c.ended
	c.server = nil
	if errors.Is(err, os.ErrProcessDone) {
		return nil
	}
	return err
}

// Close ends the server and removes its data.
func (c *Cluster) Close() error {
	err := c.Kill()
	for range 100 { // remaining processes of the server may still write files
		if err := os.RemoveAll(c.folder); err == nil {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	return errors.Join(err, os.RemoveAll(c.folder))
}
