//go:build unix

package main

import (
	"strings"
	"testing"
)

// TestDocsRunner checks that TestDocs finds what it promises to find, and nothing else.
func TestDocsRunner(t *testing.T) {
	for name, tt := range map[string]struct {
		text string
		want string // in the only problem, or "" for none
	}{
		"output":             {"```sh\nprintf 'one two\\nthree\\n'\n```\n\n```text\none …\nthree\n```\n", ""},
		"any lines":          {"```sh\nprintf '1\\n2\\n3\\n'\n```\n\n```text\n1\n…\n3\n```\n", ""},
		"no lines":           {"```sh\necho 3\n```\n\n```text\n…\n3\n```\n", ""},
		"wrong output":       {"```sh\necho one\n```\n\n```text\ntwo\n```\n", "the commands print\none\n\nthe page says\ntwo\n"},
		"stderr":             {"```sh\necho go: downloading >&2; echo one >&2\n```\n\n```text\none\n```\n", ""},
		"no newline":         {"```sh\nprintf one\n```\n\n```text\none\n```\n", ""},
		"output far below":   {"```sh\necho one\n```\n\nThis prints:\n\n```text\ntwo\n```\n", "the page says\ntwo\n"},
		"JSON output":        {"```sh\necho '{\"a\": 1}'\n```\n\n```json\n{\"a\": 2}\n```\n", "the page says\n{\"a\": 2}\n"},
		"state":              {"```sh\nmkdir a && cd a && b=c\n```\n\nIn `d/file.txt`:\n\n```text\nx\n```\n\n```sh\ncat d/file.txt; echo $b\n```\n\n```text\nx\nc\n```\n", ""},
		"failure":            {"```sh\nfalse\n```\n", "the commands fail: exit status 1"},
		"failure in a list":  {"```sh\nfalse\necho one\n```\n", "the commands fail: exit status 1"},
		"expected failure":   {"<!-- run: exit 3 -->\n```sh\necho one; sh -c 'exit 3'; echo two\n```\n\n```text\none\n```\n", ""},
		"no failure":         {"<!-- run: exit 3 -->\n```sh\necho one\n```\n", "exit status 0 instead of 3"},
		"background":         {"```sh\nsleep 600 &\necho $! >pid\n```\n\n```sh\nkill -0 $(cat pid)\n```\n", ""},
		"module":             {"```sh\ngo list -m && go tool | grep aiongen\n```\n\n```text\nexample.com/hello\ngithub.com/aiongen/aiongen/cmd/aiongen\n```\n", ""},
		"empty directory":    {"```sh\nls\ngo mod init example.com/a\n```\n\n```text\naiongen\n```\n", ""},
		"exempt":             {"<!-- run: none, the reader's server -->\n```sh\nfalse\n```\n", ""},
		"exempt for nothing": {"<!-- run: none -->\n```sh\ntrue\n```\n", `invalid directive "none"`},
		"other test":         {"<!-- run: by cmd/aiongen/docs_runner_test.go -->\n\n```sh\nfalse\n```\n", ""},
		"other page":         {"<!-- run: by cmd/aiongen/main.go -->\n\n```sh\nfalse\n```\n", "main.go does not name test.md"},
		"lost test":          {"<!-- run: by a_test.go -->\n```sh\nfalse\n```\n", "no such file"},
		"JSON":               {"```json\n{\"a\": 1,}\n```\n", "invalid JSON"},
		"Go":                 {"```go\nx :=\n```\n", "invalid Go"},
		"format":             {"```go\nx:=1\n```\n", "not formatted"},
		"no file name":       {"```go\npackage main\n```\n", "no file name"},
		"notation":           {"```aion\n[{ name => \"a\" }]\n```\n", "invalid notation"},
		"stray text":         {"```text\none\n```\n", "not the output"},
		"no language":        {"```\none\n```\n", "no language"},
		"key":                {"```sh\nexport OPENAI_API_KEY=sk MODEL=a\ncurl -sS https://example.com || echo $MODEL_URL$MODEL\n```\n\n```text\n…CONNECT…403\na\n```\n", ""},
		"key, answer": {"```sh\nOPENAI_API_KEY=sk\ncurl -sS --cacert $SSL_CERT_FILE -d '{}' -H 'Authorization: Bearer sk' https://api.openai.com/v1/chat/completions\n```\n\n" +
			"```text\nno answer fits the request {}\n```\n", "no answer fits"},
		"configuration":     {"```json\n{\"mcpServers\": {\"a\": {\"command\": \"/home/ada/hello/none\"}}}\n```\n\n```sh\ntrue\n```\n", "server a: "},
		"silent server":     {"```json\n{\"mcpServers\": {\"a\": {\"command\": \"true\"}}}\n```\n\n```sh\ntrue\n```\n", "server a: "},
		"no server":         {"```json\n{\"servers\": {\"a\": {\"type\": \"stdio\"}}}\n```\n\n```sh\ntrue\n```\n", "neither a command nor a URL"},
		"no answer":         {"```sh\ncurl -sS -d '{}' http://127.0.0.1:8000/v1/chat/completions\n```\n", "no answer fits"},
		"fragment":          {"<!-- go: a.go func(ctx context.Context) error -->\n```go\nr := tool.NewRegistry()\nx := strings.ToUpper(\"a\")\nreturn ctx.Err()\n```\n", ""},
		"wrong fragment":    {"<!-- go: a.go func() -->\n```go\nx := tool.NewRegistri()\n```\n", "undefined: tool.NewRegistri"},
		"declarations":      {"<!-- go: a.go -->\n```go\nvar _ = tool.Annotate(\"a\", tool.ReadOnly)\n```\n", ""},
		"lines of a file":   {"As `a.go`:\n\n```go\npackage main\n\nfunc f() {\n\tprintln()\n}\n```\n\n<!-- go: a.go -->\n```go\nprintln()\n```\n", ""},
		"lines of no file":  {"As `a.go`:\n\n```go\npackage main\n\nfunc f() {\n\tprintln()\n}\n```\n\n<!-- go: a.go -->\n```go\nprint()\n```\n", "a.go does not contain"},
		"lines of the tree": {"<!-- go: cmd/aiongen/main.go -->\n```go\npackage main\n```\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := parsePage("test.md", tt.text)
			p.checkBlocks()
			if p.isRun() {
				newDocSetup(t).runPage(t, p)
			}
			switch problems := strings.Join(p.problems, "\n"); {
			case tt.want == "" && problems != "":
				t.Error(problems)
			case tt.want != "" && !strings.Contains(problems, tt.want):
				t.Errorf("%q is not in\n%s", tt.want, problems)
			}
		})
	}
}
