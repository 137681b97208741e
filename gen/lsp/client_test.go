package lsp_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"golang.org/x/tools/txtar"

	"github.com/aiongen/aiongen/gen/lsp"
	"github.com/aiongen/aiongen/gen/lsp/internal/protocol"
)

var update = flag.Bool("update", false, "rewrite the expected answers in testdata")

// A client is an editor that talks to a server.
type client struct {
	testing.TB
	version  string // of the server
	dir      string // of the workspace
	encoding string
	out      io.WriteCloser
	messages chan answer // closed when the server has closed its output
	done     chan error  // receives the result of Serve
	log      bytes.Buffer

	texts       map[string]string // open documents, by name
	versions    map[string]int
	diagnostics map[string]json.RawMessage // the last ones, by URI
	counts      map[string]int             // of the server's requests, by method
	requests    []string                   // methods of the server's requests, with parameters
	lastID      int
}

// newClient writes the files of a workspace and connects to a new server in this process.
func newClient(t testing.TB, files []txtar.File) *client {
	t.Helper()
	toServer, out := io.Pipe()
	in, fromServer := io.Pipe()
	c := prepareClient(t, files, out)
	c.version = "v1.2.3"
	go func() {
		err := lsp.Serve(context.Background(), lsp.Config{Version: c.version, Log: slog.New(slog.NewTextHandler(&c.log, nil))}, toServer, fromServer)
		fromServer.Close()
		toServer.Close()
		c.done <- err
		close(c.done)
	}()
	go c.readAll(in)
	return c
}

// newProcess writes the files of a workspace and connects to a server that is started as an editor
// does.
func newProcess(t testing.TB, program string, files []txtar.File) *client {
	t.Helper()
	cmd := exec.Command(program, "lsp")
	out, errIn := cmd.StdinPipe()
	in, errOut := cmd.StdoutPipe()
	c := prepareClient(t, files, out)
	c.version = "(devel)"
	cmd.Stderr = &c.log
	if err := errors.Join(errIn, errOut, cmd.Start()); err != nil {
		t.Fatal(err)
	}
	go func() {
		c.readAll(in)
		c.done <- cmd.Wait()
		close(c.done)
	}()
	return c
}

// prepareClient writes the files of a workspace for a client that writes to out.
func prepareClient(t testing.TB, files []txtar.File, out io.WriteCloser) *client {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		path := filepath.Join(dir, f.Name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, f.Data, 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	c := &client{
		TB: t, dir: dir, out: out, messages: make(chan answer, 10_000), done: make(chan error, 1),
		texts: map[string]string{}, versions: map[string]int{}, diagnostics: map[string]json.RawMessage{}, counts: map[string]int{},
	}
	t.Cleanup(func() {
		_ = out.Close()
		for range c.messages {
		}
		<-c.done
		if strings.Contains(c.log.String(), "internal failure") {
			t.Error("a request failed")
		}
		if t.Failed() {
			t.Log(c.log.String())
		}
	})
	return c
}

// shutDown ends the session and returns the result of Serve or of the process.
func (c *client) shutDown() error {
	c.Helper()
	c.call("shutdown", nil)
	c.notify("exit", nil)
	return c.close()
}

// close ends the input of the server and returns the result of Serve or of the process.
func (c *client) close() error {
	_ = c.out.Close()
	return <-c.done
}

// capabilities are those of a client that supports everything.
const capabilities = `{
	"window": {"showDocument": {"support": true}},
	"workspace": {"applyEdit": true, "inlayHint": {"refreshSupport": true}, "codeLens": {"refreshSupport": true}, "didChangeWatchedFiles": {"dynamicRegistration": true}},
	"textDocument": {
		"completion": {"completionItem": {"snippetSupport": true}},
		"hover": {"contentFormat": ["markdown", "plaintext"]},
		"publishDiagnostics": {"relatedInformation": true}
	}
}`

// initialize begins the session in the folders, relative to the workspace.
func (c *client) initialize(encodings []string, folders ...string) json.RawMessage {
	c.Helper()
	var wanted map[string]any
	if err := json.Unmarshal([]byte(capabilities), &wanted); err != nil {
		c.Fatal(err)
	}
	wanted["general"] = map[string]any{"positionEncodings": encodings}
	var opened []any
	for _, f := range folders {
		opened = append(opened, map[string]any{"uri": c.uri(f), "name": f})
	}
	result := c.call("initialize", map[string]any{"processId": nil, "capabilities": wanted, "workspaceFolders": opened})
	var r struct {
		Capabilities struct{ PositionEncoding string }
	}
	if err := json.Unmarshal(result, &r); err != nil {
		c.Fatal(err)
	}
	c.encoding = r.Capabilities.PositionEncoding
	c.notify("initialized", map[string]any{})
	return result
}

func (c *client) uri(name string) string {
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(filepath.Join(c.dir, name))}).String()
}

func (c *client) notify(method string, params any) {
	c.Helper()
	c.send(map[string]any{"jsonrpc": "2.0", "method": method, "params": params})
}

// An answer is a message of the server.
type answer struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *protocol.Error `json:"error"`
}

// call sends a request and returns the result, or the error as JSON.
func (c *client) call(method string, params any) json.RawMessage {
	c.Helper()
	c.lastID++
	c.send(map[string]any{"jsonrpc": "2.0", "id": c.lastID, "method": method, "params": params})
	return c.await(fmt.Sprint(c.lastID))
}

func (c *client) send(message any) {
	c.Helper()
	text, err := json.Marshal(message)
	if err != nil {
		c.Fatal(err)
	}
	c.sendRaw(fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(text), text))
}

func (c *client) sendRaw(text string) {
	c.Helper()
	if _, err := c.out.Write([]byte(text)); err != nil {
		c.Fatal(err)
	}
}

// readAll reads what the server writes, so that it never waits for the test.
func (c *client) readAll(from io.Reader) {
	defer close(c.messages)
	in := bufio.NewReader(from)
	for {
		var length int
		if _, err := fmt.Fscanf(in, "Content-Length: %d\r\n\r\n", &length); err != nil {
			if err != io.EOF && err != io.ErrUnexpectedEOF {
				c.Error(err)
			}
			return
		}
		text := make([]byte, length)
		if _, err := io.ReadFull(in, text); err != nil {
			c.Error(err)
			return
		}
		var a answer
		if err := json.Unmarshal(text, &a); err != nil {
			c.Errorf("%v in %s", err, text)
		}
		c.messages <- a
	}
}

// read returns the next message of the server.
func (c *client) read() answer {
	c.Helper()
	a, ok := <-c.messages
	if !ok {
		c.Fatal("the server has closed its output")
	}
	c.record(a)
	return a
}

// record notes what the server reports and requests.
func (c *client) record(a answer) {
	c.Helper()
	switch {
	case a.Method == "textDocument/publishDiagnostics":
		var p struct{ URI string }
		if err := json.Unmarshal(a.Params, &p); err != nil {
			c.Fatal(err)
		}
		c.diagnostics[p.URI] = a.Params
	case a.Method != "" && a.ID != nil:
		if !strings.HasSuffix(a.Method, "/refresh") { // sent whenever a module was compiled
			c.requests = append(c.requests, a.Method+" "+string(a.Params))
		}
		c.counts[a.Method]++
		c.send(map[string]any{"jsonrpc": "2.0", "id": a.ID, "result": nil})
	}
}

// await returns the result of a request, or its error.
func (c *client) await(id string) json.RawMessage {
	c.Helper()
	for {
		a := c.read()
		if a.Method == "" && string(a.ID) == id {
			if a.Error != nil {
				text, _ := json.Marshal(a.Error)
				return text
			}
			return a.Result
		}
	}
}

// currentDiagnostics returns the diagnostics of a document after all changes so far. A request is
// answered after them.
func (c *client) currentDiagnostics(name string) json.RawMessage {
	c.Helper()
	c.call("textDocument/codeAction", map[string]any{"textDocument": map[string]any{"uri": c.uri(name)}})
	return c.diagnostics[c.uri(name)]
}

// open opens a file of the workspace, which need not exist.
func (c *client) open(name string) {
	c.Helper()
	text, err := os.ReadFile(filepath.Join(c.dir, name))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		c.Fatal(err)
	}
	c.texts[name], c.versions[name] = string(text), 1
	c.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{
		"uri": c.uri(name), "languageId": strings.TrimPrefix(filepath.Ext(name), "."), "version": 1, "text": string(text),
	}})
}

// edit replaces the only occurrence of a text in an open document.
func (c *client) edit(name, from, to string) {
	c.Helper()
	text := c.texts[name]
	at := strings.Index(text, from)
	if at < 0 || strings.Count(text, from) > 1 && from != "" {
		c.Fatalf("%s has %q %d times", name, from, strings.Count(text, from))
	}
	c.replace(name, at, at+len(from), to)
}

// replace replaces a part of an open document.
func (c *client) replace(name string, from, to int, by string) {
	c.Helper()
	text := c.texts[name]
	c.versions[name]++
	c.notify("textDocument/didChange", map[string]any{
		"textDocument":   map[string]any{"uri": c.uri(name), "version": c.versions[name]},
		"contentChanges": []any{map[string]any{"range": c.rangeOf(name, from, to), "text": by}},
	})
	c.texts[name] = text[:from] + by + text[to:]
}

func (c *client) rangeOf(name string, from, to int) map[string]any {
	return map[string]any{"start": c.position(name, from), "end": c.position(name, to)}
}

func (c *client) position(name string, offset int) map[string]any {
	before := c.texts[name][:offset]
	line := before[strings.LastIndex(before, "\n")+1:]
	character := len(line)
	if c.encoding == "utf-16" {
		character = len(utf16.Encode([]rune(line)))
	}
	return map[string]any{"line": strings.Count(before, "\n"), "character": character}
}
