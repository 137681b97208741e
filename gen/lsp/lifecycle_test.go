package lsp_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/aiongen/aiongen/gen/lsp"
)

// TestLifecycle checks the answers to requests before, during and after a session, and that
// responses and unknown notifications are ignored.
func TestLifecycle(t *testing.T) {
	c := newClient(t, nil)
	check := func(method, want string) {
		t.Helper()
		if got := string(c.call(method, map[string]any{})); got != want {
			t.Errorf("%s: %s, want %s", method, got, want)
		}
	}
	check("shutdown", `{"code":-32600,"message":"shutdown outside of a session"}`)
	check("textDocument/formatting", `{"code":-32002,"message":"textDocument/formatting before initialize"}`)
	c.notify("textDocument/didOpen", map[string]any{})
	c.initialize(nil)
	check("initialize", `{"code":-32600,"message":"initialize was sent twice"}`)
	check("textDocument/unknown", `{"code":-32601,"message":"the server has no method \"textDocument/unknown\""}`)
	check("$/unknown", `{"code":-32601,"message":"the server has no method \"$/unknown\""}`)
	c.send(map[string]any{"jsonrpc": "2.0", "id": "x", "result": nil})
	c.notify("$/unknown", nil)
	c.notify("textDocument/didChange", map[string]any{"textDocument": 5})
	c.lastID++
	c.send(map[string]any{"jsonrpc": "2.0", "id": c.lastID, "method": "textDocument/formatting", "params": []int{1}})
	if got := string(c.await(fmt.Sprint(c.lastID))); !strings.Contains(got, "-32602") {
		t.Error(got)
	}
	c.send(map[string]any{"jsonrpc": "2.0", "id": "text", "method": "textDocument/unknown"})
	if got := string(c.await(`"text"`)); !strings.Contains(got, "-32601") {
		t.Error(got)
	}
	check("shutdown", `null`)
	check("shutdown", `{"code":-32600,"message":"shutdown outside of a session"}`)
	check("textDocument/formatting", `{"code":-32600,"message":"textDocument/formatting after shutdown"}`)
	c.notify("exit", nil)
	if err := c.close(); err != nil {
		t.Error(err)
	}
}

// TestEnd checks what Serve returns when a session does not end as it should.
func TestEnd(t *testing.T) {
	for _, tt := range []struct {
		input string
		want  error
	}{
		{"", lsp.ErrNoShutdown},
		{"Content-Length: 33\r\n\r\n" + `{"jsonrpc":"2.0","method":"exit"}`, lsp.ErrNoShutdown},
		{"Content-Length: 34\r\n\r\n" + `{"jsonrpc":"2.0","method":"exit"}`, io.ErrUnexpectedEOF},
		{"Content-Length: 1", io.ErrUnexpectedEOF},
	} {
		if err := lsp.Serve(t.Context(), lsp.Config{}, strings.NewReader(tt.input), io.Discard); !errors.Is(err, tt.want) {
			t.Errorf("%q: %v, want %v", tt.input, err, tt.want)
		}
	}
}

// TestInvalidMessages checks that a session survives messages that are not valid.
func TestInvalidMessages(t *testing.T) {
	c := newClient(t, nil)
	c.initialize(nil)
	for _, tt := range []struct{ text, want string }{
		{`{`, `{"code":-32700,"message":"the message is not JSON"}`},
		{`{"jsonrpc":"1.0","id":1,"method":"x"}`, `{"code":-32600,"message":"not a message of JSON-RPC 2.0"}`},
		{`[]`, `{"code":-32600,"message":"not a message of JSON-RPC 2.0"}`},
		{`{"jsonrpc":"2.0","id":{},"method":"x"}`, `{"code":-32600,"message":"the id is neither a string nor a number"}`},
		{strings.Repeat("[", 100_000), `{"code":-32700,"message":"the message is not JSON"}`},
	} {
		c.sendRaw(fmt.Sprintf("Content-Type: x\r\ncontent-length: %d\r\n\r\n%s", len(tt.text), tt.text))
		if got := string(c.await("null")); got != tt.want {
			t.Errorf("%.40s: %s, want %s", tt.text, got, tt.want)
		}
	}
}

// TestOutsideOfModules checks documents that do not belong to a module, which are only parsed.
func TestOutsideOfModules(t *testing.T) {
	c := newClient(t, []txtar.File{{Name: "a.aion", Data: []byte("[ { nme --> \"a\" } ]")}})
	c.initialize(nil, ".")
	c.open("a.aion")
	if got := string(c.currentDiagnostics("a.aion")); !strings.Contains(got, "unknown-property") {
		t.Error(got)
	}
	const untitled = "untitled:Untitled-1"
	c.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": untitled, "languageId": "aion", "version": 7, "text": "[ { "}})
	c.currentDiagnostics("a.aion")
	if got := string(c.diagnostics[untitled]); !strings.Contains(got, `"version":7,"diagnostics":[{`) {
		t.Error(got)
	}
	c.notify("textDocument/didClose", map[string]any{"textDocument": map[string]any{"uri": untitled}})
	c.currentDiagnostics("a.aion")
	if got := string(c.diagnostics[untitled]); !strings.Contains(got, `"diagnostics":[]`) {
		t.Error(got)
	}
}

// TestStandardLibrary jumps to a function outside of the module. Its types come from the source of
// its package or, with some flags, from the compiler, whose positions do not name the file on disk.
func TestStandardLibrary(t *testing.T) {
	flags := []string{"", "-pgo=off"}
	if !testing.Short() {
		flags = append(flags, "-pgo=off -trimpath") // may compile the standard library
	}
	for _, flags := range flags {
		t.Run(flags, func(t *testing.T) {
			t.Setenv("GOFLAGS", flags)
			c := newClient(t, []txtar.File{
				{Name: "go.mod", Data: []byte("module example.com/m\n\ngo 1.26\n")},
				{Name: "a.go", Data: []byte("package m\n")},
				{Name: "a.aion", Data: []byte("[ { name --> \"shout\", function --> \"strings.ToUpper\" --> {} } ]")},
			})
			c.initialize(nil, ".")
			c.open("a.aion")
			params := map[string]any{}
			c.addPlace(params, "a.aion", "ToUpper")
			if got := string(c.call("textDocument/definition", params)); !strings.Contains(got, "/src/strings/strings.go") {
				t.Error(got)
			}
		})
	}
}

// TestRefresh checks that the client is asked to update hints and lenses when a Go file changes what
// they show, and not after other edits.
func TestRefresh(t *testing.T) {
	c := newClient(t, []txtar.File{
		{Name: "go.mod", Data: []byte("module example.com/m\n\ngo 1.26\n")},
		{Name: "a.go", Data: []byte("package m\n\n// Find finds.\nfunc Find(words string) {}\n")},
		{Name: "a.aion", Data: []byte("[ { name --> \"find\", function --> \"Find\" --> {} } ]")},
	})
	c.initialize(nil, ".")
	c.open("a.go")
	c.open("a.aion")
	for i, edit := range [][3]string{{"a.aion", "[", "[ "}, {"a.go", "words", "text"}, {"a.aion", "}", "}"}, {"a.go", "text", "word"}} {
		c.currentDiagnostics("a.aion")
		if i == 0 {
			c.counts = map[string]int{}
		}
		c.replace(edit[0], strings.Index(c.texts[edit[0]], edit[1]), strings.Index(c.texts[edit[0]], edit[1])+len(edit[1]), edit[2])
	}
	c.currentDiagnostics("a.aion")
	if hints, lenses := c.counts["workspace/inlayHint/refresh"], c.counts["workspace/codeLens/refresh"]; hints != 2 || lenses != 2 {
		t.Errorf("%d and %d requests, want 2", hints, lenses)
	}
}
