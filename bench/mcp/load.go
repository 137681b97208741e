//go:build linux

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"time"

	"github.com/aiongen/aiongen/bench/search"
)

// versions are the last version of the protocol with sessions and the first without.
var versions = []string{"2025-11-25", "2026-07-28"}

// measurement are the costs of a server.
type measurement struct {
	cpu  float64 // µs per call
	rate float64 // calls per second
	peak float64 // MiB
}

// process is a server process.
type process struct {
	url string
	in  io.WriteCloser
	out *bufio.Reader
	cmd *exec.Cmd
}

func startServer(name string) (*process, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	p := &process{cmd: exec.Command(self, "-serve", name)}
	p.cmd.Stderr = os.Stderr
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	p.out = bufio.NewReader(out)
	_, err = fmt.Fscanln(p.out, &p.url)
	return p, err
}

// usedResources returns what the process has used so far.
func (p *process) usedResources() (cpu time.Duration, peakKiB int64, err error) {
	if _, err = fmt.Fprintln(p.in); err == nil {
		_, err = fmt.Fscanln(p.out, &cpu, &peakKiB)
	}
	return cpu, peakKiB, err
}

// measureServer puts a server under load. It opens the sessions before it measures.
func measureServer(name, version string, clients, calls int) (m measurement, err error) {
	p, err := startServer(name)
	if err != nil {
		return m, err
	}
	defer func() {
		_ = p.in.Close()
		_ = p.cmd.Wait()
	}()
	all := make([]*client, clients)
	for i := range all {
		if all[i], err = openClient(p.url, version); err != nil {
			return m, err
		}
	}
	before, _, err := p.usedResources()
	if err != nil {
		return m, err
	}
	began := time.Now()
	var failed atomic.Pointer[error]
	var wait sync.WaitGroup
	for _, c := range all {
		wait.Go(func() {
			for range calls {
				if err := c.call(); err != nil {
					failed.Store(&err)
					return
				}
			}
		})
	}
	wait.Wait()
	took := time.Since(began)
	if failed.Load() != nil {
		return m, *failed.Load()
	}
	after, peak, err := p.usedResources()
	n := float64(clients * calls)
	return measurement{float64(after-before) / n / 1000, n / took.Seconds(), float64(peak) / 1024}, err
}

// client is a client with its own connection.
type client struct {
	url, version, session string
	http                  http.Client
	message               []byte // of a call
}

// openClient returns a client that has made one call.
func openClient(url, version string) (*client, error) {
	c := &client{url: url, version: version, http: http.Client{Transport: new(http.Transport)}}
	params := map[string]any{"name": "search", "arguments": json.RawMessage(search.Payload)}
	if version == versions[0] {
		hello := []byte(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"` + version + `","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}`)
		if err := c.postMessage(hello, "initialize", `"serverInfo"`); err != nil {
			return nil, err
		}
		if err := c.postMessage([]byte(`{"jsonrpc":"2.0","method":"notifications/initialized"}`), "", ""); err != nil {
			return nil, err
		}
	} else {
		params["_meta"] = map[string]any{
			"io.modelcontextprotocol/protocolVersion":    version,
			"io.modelcontextprotocol/clientCapabilities": map[string]any{},
			"io.modelcontextprotocol/clientInfo":         map[string]any{"name": "bench", "version": "1"},
		}
	}
	var err error
	if c.message, err = json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params}); err != nil {
		return nil, err
	}
	return c, c.call()
}

func (c *client) call() error { return c.postMessage(c.message, "tools/call", `"structuredContent":{`) }

// postMessage sends a message and checks that the response contains want.
func (c *client) postMessage(message []byte, method, want string) error {
	r, err := http.NewRequest(http.MethodPost, c.url, bytes.NewReader(message))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	if method != "initialize" {
		r.Header.Set("Mcp-Protocol-Version", c.version)
	}
	switch {
	case c.session != "":
		r.Header.Set("Mcp-Session-Id", c.session)
	case method == "tools/call":
		r.Header.Set("Mcp-Method", method)
		r.Header.Set("Mcp-Name", "search")
	}
	answer, err := c.http.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		return err
	}
	if answer.StatusCode >= 300 || !bytes.Contains(body, []byte(want)) {
		return fmt.Errorf("%s: %s %s", method, answer.Status, body)
	}
	if id := answer.Header.Get("Mcp-Session-Id"); id != "" {
		c.session = id
	}
	return nil
}
