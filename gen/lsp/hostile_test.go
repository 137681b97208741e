package lsp_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// TestLongLine asks for all places in a file with one line, which must not take quadratic time.
func TestLongLine(t *testing.T) {
	elements := 10_000 // some minutes for each request in quadratic time
	if testing.Short() {
		elements = 100
	}
	element := `{ name --> "find", function --> "Find" --> { arg-1 --> "string" }, description --> "é" }, `
	c := newClient(t, []txtar.File{{Name: "a.aion", Data: []byte("[" + strings.Repeat(element, elements) + "]")}})
	c.initialize(nil, ".")
	c.open("a.aion")
	for _, method := range []string{"textDocument/documentSymbol", "textDocument/foldingRange", "textDocument/semanticTokens/full"} {
		if got := c.call(method, map[string]any{"textDocument": map[string]any{"uri": c.uri("a.aion")}}); got[0] == 'n' {
			t.Errorf("%s: %s", method, got)
		}
	}
}

// TestMissingParameters sends every request without parameters, and notifications about no document.
func TestMissingParameters(t *testing.T) {
	c := newClient(t, brokenFiles)
	c.initialize(nil, ".")
	for _, method := range append([]string{"workspace/executeCommand", "workspace/symbol"}, positionMethods...) {
		for _, params := range []string{"null", "{}", "[]", `{"textDocument":null,"position":null}`, `{"textDocument":{"uri":"file:///%zz"},"position":{"line":-1}}`} {
			if got := string(c.call(method, json.RawMessage(params))); strings.Contains(got, "internal failure") {
				t.Errorf("%s with %s: %s", method, params, got)
			}
		}
	}
	for _, method := range []string{"textDocument/didOpen", "textDocument/didChange", "textDocument/didSave", "textDocument/didClose", "$/cancelRequest"} {
		c.notify(method, nil)
	}
	c.currentDiagnostics("a.aion")
	if got, ok := c.diagnostics[""]; ok {
		t.Errorf("diagnostics of a document without a URI: %s", got)
	}
}

// TestRenameCollision renames a tool to the name of another one.
func TestRenameCollision(t *testing.T) {
	c := newClient(t, []txtar.File{{Name: "a.aion", Data: []byte("[ { name --> \"one\" }, { name --> \"two\" } ]")}})
	c.initialize(nil, ".")
	c.open("a.aion")
	for name, want := range map[string]string{"two": "another tool", "three": `"newText":"three"`, "one": `"newText":"one"`} {
		params := map[string]any{"newName": name}
		c.addPlace(params, "a.aion", "\"o‸ne")
		if got := string(c.call("textDocument/rename", params)); !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// TestEditVersion checks that edits name the version of an open document, and none of a file on disk,
// if the client supports that.
func TestEditVersion(t *testing.T) {
	c := newClient(t, []txtar.File{
		{Name: "go.mod", Data: []byte("module example.com/m\n\ngo 1.26\n")},
		{Name: "a.go", Data: []byte("package m\n\n// Find finds.\nfunc Find(words string) {}\n")},
		{Name: "a.aion", Data: []byte("[ { name --> \"find\", function --> \"Find\" --> { arg-1 --> \"string\" } } ]")},
	})
	c.call("initialize", map[string]any{
		"rootUri":      c.uri("."),
		"capabilities": map[string]any{"workspace": map[string]any{"workspaceEdit": map[string]any{"documentChanges": true}}},
	})
	c.encoding = "utf-16"
	c.open("a.aion")
	c.edit("a.aion", "[ ", "[\n")
	for text, want := range map[string]string{"\"fi‸nd": `a.aion","version":2}`, "arg‸-1": `a.go","version":null}`} {
		params := map[string]any{"newName": "other"}
		c.addPlace(params, "a.aion", text)
		if got := string(c.call("textDocument/rename", params)); !strings.Contains(got, want) || strings.Contains(got, `"changes"`) {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// TestHostileText shows the comment of a function and the names of fields, which are not commands.
func TestHostileText(t *testing.T) {
	c := newClient(t, []txtar.File{
		{Name: "go.mod", Data: []byte("module example.com/m\n\ngo 1.26\n")},
		{Name: "a.go", Data: []byte("package m\n\n// Find [x](command:y) ![i](http://e) <b>.\n//\n//\t# a_b\nfunc Find(in Input) {}\n\ntype Input struct{ Ref string `json:\"$ref}\"` }\n")},
		{Name: "a.aion", Data: []byte("[ { name --> \"find\", function --> \"Find\" --> { arg-1. } } ]")},
	})
	c.call("initialize", map[string]any{"rootUri": c.uri(".")}) // without snippets
	c.encoding = "utf-16"
	c.open("a.aion")
	for _, tt := range []struct{ method, text, want string }{
		{"textDocument/hover", "\"F‸ind", `Find \\[x\\](command:y) !\\[i\\](http://e) \\<b\\>.\n\n\\# a\\_b`},
		{"textDocument/completion", "arg-1.‸", `"newText":"arg-1.$ref} --> \""`},
	} {
		params := map[string]any{}
		c.addPlace(params, "a.aion", tt.text)
		if got := string(c.call(tt.method, params)); !strings.Contains(got, tt.want) {
			t.Errorf("%s: %s, want %s", tt.method, got, tt.want)
		}
	}
}

// TestLinkedFolder opens a folder that is a link, in which a package has no Go files.
func TestLinkedFolder(t *testing.T) {
	c := newClient(t, []txtar.File{
		{Name: "real/go.mod", Data: []byte("module example.com/m\n\ngo 1.26\n")},
		{Name: "real/a.aion", Data: []byte("[ { name --> \"find\" } ]")},
	})
	if err := os.Symlink("real", filepath.Join(c.dir, "link")); err != nil {
		t.Skip(err) // needs a privilege on Windows
	}
	c.initialize(nil, "link")
	c.open("link/a.aion")
	if got := string(c.currentDiagnostics("link/a.aion")); !strings.Contains(got, "no-go-files") {
		t.Error(got)
	}
}
