package lsp_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// brokenFiles are a module whose files are incomplete.
var brokenFiles = []txtar.File{
	{Name: "go.mod", Data: []byte("module example.com/m\n\ngo 1.26\n")},
	{Name: "a.go", Data: []byte("package m\n\ntype T struct{ Name string `json:\"name\"`; Next *T `json:\"next\"` }\n\n// Find finds.\nfunc (t T) Find(words string, t2 T) (T, error) {\n\nfunc lost(")},
	{Name: "a.aion", Data: []byte("\uFEFF// 🙂\r\n[ system_prompt --> \"\"\"\n  a\n  \"\"\",\n{ name --> \"f🙂\", function --> \"T.Find\" --> { arg-1 --> \"string | enum=a,🙂\", arg-2.next.na --> \"x | only=next.name,\", return-1 --> \"dict | describe=na:x|\" }, args_schema --> { words --> \"\" } },\n{ function --> \"lambda a, : [find(a, 🙂, str.\" }, { name --> \"\", function --> \"func(\xff) { \" --> {} , link --> ")},
}

// positionMethods are the requests about a place in a document.
var positionMethods = []string{
	"textDocument/codeAction", "textDocument/codeLens", "textDocument/completion", "textDocument/definition", "textDocument/documentHighlight",
	"textDocument/documentSymbol", "textDocument/foldingRange", "textDocument/formatting", "textDocument/hover", "textDocument/inlayHint",
	"textDocument/prepareRename", "textDocument/rangeFormatting", "textDocument/references", "textDocument/rename", "textDocument/selectionRange",
	"textDocument/semanticTokens/full", "textDocument/signatureHelp", "textDocument/typeDefinition",
}

// TestBrokenText sends every request about places in text with many errors, some of which do not exist.
func TestBrokenText(t *testing.T) {
	c := newClient(t, brokenFiles)
	c.initialize(nil, ".")
	for _, name := range []string{"a.aion", "a.go"} {
		c.open(name)
		var places []map[string]any
		for line := range 6 {
			for character := 0; character < 220; character += 3 {
				places = append(places, map[string]any{"line": line, "character": character})
			}
		}
		places = append(places, map[string]any{"line": 4294967295, "character": 4294967295})
		for i, place := range places {
			method := positionMethods[i%len(positionMethods)]
			answer := string(c.call(method, map[string]any{
				"textDocument": map[string]any{"uri": c.uri(name)}, "position": place, "positions": []any{place}, "newName": "other",
				"range": map[string]any{"start": place, "end": places[(i*7)%len(places)]},
			}))
			if strings.Contains(answer, "internal failure") {
				t.Errorf("%s at %v of %s: %s", method, place, name, answer)
			}
		}
	}
}

// TestManyFiles edits a document in a module with 10,000 other Go files.
func TestManyFiles(t *testing.T) {
	others := 10_000
	if testing.Short() {
		others = 500
	}
	c := newClient(t, append(slices.Clone(soundFiles), otherFiles(others)...))
	c.initialize([]string{"utf-8"}, ".")
	c.open("tools/a.aion")
	c.edit("tools/a.aion", "\"Close\"", "\"Closed\"")
	if got := string(c.currentDiagnostics("tools/a.aion")); !strings.Contains(got, "did you mean Close (tools/a.go:") {
		t.Error(got)
	}
	c.edit("tools/a.aion", "\"Closed\"", "\"Close\"")
	if got := string(c.currentDiagnostics("tools/a.aion")); strings.Contains(got, "\"severity\":1") {
		t.Error(got)
	}
	if got := string(c.call("workspace/symbol", map[string]any{"query": "close"})); strings.Count(got, "\"name\"") != 1 {
		t.Error(got)
	}
}

// TestCancellation cancels a request that waits for another one.
func TestCancellation(t *testing.T) {
	c := newClient(t, brokenFiles)
	c.initialize(nil, ".")
	c.open("a.aion")
	c.currentDiagnostics("a.aion")
	params := map[string]any{"textDocument": map[string]any{"uri": c.uri("a.aion")}}
	for i := range 20 { // a request that was already answered ignores the cancellation
		c.edit("a.aion", "// 🙂", "// 🙂")
		id := fmt.Sprint(1000 + i)
		c.send(map[string]any{"jsonrpc": "2.0", "id": 1000 + i, "method": "textDocument/hover", "params": params})
		c.notify("$/cancelRequest", map[string]any{"id": 1000 + i})
		if got := string(c.await(id)); got != "null" && !strings.Contains(got, "-32800") {
			t.Fatal(got)
		}
	}
}

// TestSeveralFolders opens two modules, one of them in a workspace of modules, closes one and opens a
// file of a module outside of the folders.
func TestSeveralFolders(t *testing.T) {
	const aion = "[ { name --> \"a\", function --> \"Missing\" --> {} } ]"
	c := newClient(t, []txtar.File{
		{Name: "one/go.mod", Data: []byte("module example.com/one\n\ngo 1.26\n")},
		{Name: "one/a.go", Data: []byte("package one\n")},
		{Name: "one/a.aion", Data: []byte(aion)},
		{Name: "work/go.work", Data: []byte("go 1.26\n\nuse (\n\t./two\n\t./three\n)\n")},
		{Name: "work/two/go.mod", Data: []byte("module example.com/two\n\ngo 1.26\n")},
		{Name: "work/two/a.go", Data: []byte("package two\n\nimport _ \"example.com/three\"\n")},
		{Name: "work/two/a.aion", Data: []byte("[ { name --> \"a\", function --> \"three.Thrice\" --> {} } ]")},
		{Name: "work/three/go.mod", Data: []byte("module example.com/three\n\ngo 1.26\n")},
		{Name: "work/three/a.go", Data: []byte("package three\n\n// Twice doubles.\nfunc Twice(n int) int { return n }\n")},
		{Name: "outside/go.mod", Data: []byte("module example.com/outside\n\ngo 1.26\n")},
		{Name: "outside/a.go", Data: []byte("package outside\n")},
		{Name: "outside/a.aion", Data: []byte(aion)},
	})
	c.initialize(nil, "one", "work")
	check := func(name, want string) {
		t.Helper()
		if got := string(c.currentDiagnostics(name)); !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	check("one/a.aion", "there is no function Missing")
	check("work/two/a.aion", "did you mean Twice")
	c.open("work/three/a.go")
	c.edit("work/three/a.go", "Twice(", "Thrice(")
	check("work/two/a.aion", `"diagnostics":[]`)
	c.open("outside/a.aion")
	check("outside/a.aion", "there is no function Missing")
	c.notify("workspace/didChangeWorkspaceFolders", map[string]any{"event": map[string]any{
		"added": []any{}, "removed": []any{map[string]any{"uri": c.uri("one"), "name": "one"}},
	}})
	for !strings.Contains(string(c.diagnostics[c.uri("one/a.aion")]), `"diagnostics":[]`) {
		c.read()
	}
	if answer := string(c.call("workspace/symbol", map[string]any{"query": ""})); strings.Contains(answer, "one/a.aion") || !strings.Contains(answer, "outside/a.aion") {
		t.Error(answer)
	}
	if err := c.shutDown(); err != nil {
		t.Error(err)
	}
}
