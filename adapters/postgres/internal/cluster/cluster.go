// Package cluster runs a PostgreSQL of a test's own: in a temporary folder, with
// nothing but a Unix socket in it, so that nobody else can connect and no port is
// taken. It can be killed and started again.
//
// Its layers, from top to bottom:
//
//	cluster       the server and its data
//	owner_*       who runs it, for it refuses to be run by root
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

// ErrMissing says that there is no PostgreSQL on this machine.
var ErrMissing = errors.New("there is no PostgreSQL: no initdb on the PATH or in /usr/lib/postgresql/*/bin; Debian has it in the package postgresql")

// Cluster is a server and its data. Its methods are called one after the other.
type Cluster struct {
	folder string
	bin    string
	server *exec.Cmd // nil if it does not run
	ended  chan struct{}
}

// New makes a cluster and starts its server. The error is [ErrMissing] where there is
// nothing to start.
func New(ctx context.Context) (*Cluster, error) {
	bin, err := find()
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "aion-pg")
	if err != nil {
		return nil, err
	}
	c := &Cluster{folder: folder, bin: bin}
	if err = c.initialise(ctx); err == nil {
		err = c.Start(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// find returns the folder of the programs of PostgreSQL.
func find() (string, error) {
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

func (c *Cluster) initialise(ctx context.Context) error {
	if err := own(c.folder); err != nil {
		return err
	}
	out, err := c.command(ctx, "initdb", "-D", c.data(), "-U", "aion", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync").CombinedOutput()
	if err != nil {
		return fmt.Errorf("initdb: %w\n%s", err, out)
	}
	return nil
}

func (c *Cluster) data() string { return filepath.Join(c.folder, "data") }

func (c *Cluster) command(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, filepath.Join(c.bin, name), args...)
	cmd.Dir = c.folder
	unprivileged(cmd)
	return cmd
}

// URL is that of its database postgres, for a user who may do everything.
func (c *Cluster) URL() string {
	return "postgres:///postgres?" + url.Values{"host": {c.folder}, "user": {"aion"}}.Encode()
}

// startTime is how long a server may take until it answers.
const startTime = time.Minute

// Start starts the server, which does not run, and waits until it answers. One whose
// predecessor was killed ends at once while parts of that are left, so it is
// started again.
func (c *Cluster) Start(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	for {
		err := c.start(ctx)
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

func (c *Cluster) start(ctx context.Context) error {
	log, err := os.Create(filepath.Join(c.folder, "log"))
	if err != nil {
		return err
	}
	defer log.Close() // the server has its own
	c.server = c.command(context.WithoutCancel(ctx), "postgres", "-D", c.data(), "-k", c.folder, "-c", "listen_addresses=", "-c", "max_connections=200")
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
			said, _ := os.ReadFile(log.Name())
			return fmt.Errorf("postgres ended: %s", said)
		case <-ctx.Done():
			return errors.Join(ctx.Err(), c.Kill())
		case <-time.After(20 * time.Millisecond):
		}
		if c.command(ctx, "pg_isready", "-q", "-h", c.folder).Run() == nil {
			return nil
		}
	}
}

// Kill ends the server, if it runs, as a loss of power would, but for what the
// system has in its cache.
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
	for range 100 { // what is left of the server may still write
		if err := os.RemoveAll(c.folder); err == nil {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	return errors.Join(err, os.RemoveAll(c.folder))
}
