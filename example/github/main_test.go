package main

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/google/go-github/v74/github"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

var updateTold = flag.Bool("update", false, "rewrite testdata/told.txt")

// calls are made one after another. The response is the recorded file with the name of the call or, if set, of answer.
var calls = []struct {
	tool, arguments string
	answer          string
	status          int // 200 if it is 0
}{
	{tool: "list_issues", arguments: `{"owner":"octocat","repo":"Hello-World","opts":{"State":"all","Labels":["bug","ui"],"Since":"2011-01-01T00:00:00Z"}}`},
	{tool: "list_issues", arguments: `{"owner":"octocat","repo":"Hello-World","opts":{"ListOptions":{"Page":2,"PerPage":2}}}`, answer: "list_issues_2"},
	{tool: "search_issues", arguments: `{"query":"repo:octocat/Hello-World is:open crash","opts":{"Sort":"updated","Page":2}}`},
	{tool: "get_issue", arguments: `{"owner":"octocat","repo":"Hello-World","number":1347}`},
	{tool: "get_issue", arguments: `{"owner":"octocat","repo":"Hello-World","number":"1347"}`},
	{tool: "create_issue", arguments: `{"owner":"octocat","repo":"Hello-World","issue":{"title":"It crashes","labels":["bug"]}}`, status: http.StatusCreated},
	{tool: "edit_issue", arguments: `{"owner":"octocat","repo":"Hello-World","number":1347,"issue":{"state":"closed","state_reason":"completed","labels":[]}}`},
	{tool: "list_issue_comments", arguments: `{"owner":"octocat","repo":"Hello-World","number":1347,"opts":{"PerPage":100}}`},
	{tool: "comment_issue", arguments: `{"owner":"octocat","repo":"Hello-World","number":1347,"comment":{"body":"Thanks!"}}`, status: http.StatusCreated},
	{tool: "list_labels", arguments: `{"owner":"octocat","repo":"Hello-World"}`},
	{tool: "get_repository", arguments: `{"owner":"octocat","repo":"Hello-World"}`},
	{tool: "list_repositories", arguments: `{"user":"octocat","opts":{"Sort":"pushed"}}`},
	{tool: "search_repositories", arguments: `{"query":"language:go stars:>10","opts":{"PerPage":1}}`},
	{tool: "list_branches", arguments: `{"owner":"octocat","repo":"Hello-World","opts":{"Protected":true}}`},
	{tool: "list_commits", arguments: `{"owner":"octocat","repo":"Hello-World","opts":{"SHA":"main","Path":"docs"}}`},
	{tool: "list_directory", arguments: `{"owner":"octocat","repo":"Hello-World","path":"docs"}`},
	{tool: "read_file", arguments: `{"owner":"octocat","repo":"Hello-World","path":"docs/guide.md","ref":"v1.0"}`},
	{tool: "read_readme", arguments: `{"owner":"octocat","repo":"Hello-World"}`},
	{tool: "list_pull_requests", arguments: `{"owner":"octocat","repo":"Hello-World","opts":{"Base":"main","Page":1}}`},
	{tool: "get_pull_request", arguments: `{"owner":"octocat","repo":"Hello-World","number":1347}`},
	{tool: "list_pull_request_files", arguments: `{"owner":"octocat","repo":"Hello-World","number":1347}`},

	// Errors.
	{tool: "get_issue", arguments: `{"owner":"octocat","number":"7"}`},
	{tool: "create_issue", arguments: `{"owner":"octocat","repo":"Hello-World","issue":{"body":"no title"}}`},
	{tool: "create_issue", arguments: `{"owner":"..","repo":"user/repos?","issue":{"title":"t"}}`},
	{tool: "list_repositories", arguments: `{"user":"octocat/../../user"}`},
	{tool: "get_issue", arguments: `{"owner":"octocat","repo":"Hello-World","number":9999}`, answer: "not_found", status: http.StatusNotFound},
	{tool: "create_issue", arguments: `{"owner":"octocat","repo":"Hello-World","issue":{"title":"","assignees":["nobody"]}}`, answer: "invalid", status: http.StatusUnprocessableEntity},
	{tool: "get_repository", arguments: `{"owner":"octocat","repo":"Hello-World"}`, answer: "unauthorized", status: http.StatusUnauthorized},
	{tool: "read_file", arguments: `{"owner":"octocat","repo":"Hello-World","path":"docs"}`, answer: "list_directory"},
	{tool: "read_file", arguments: `{"owner":"octocat","repo":"Hello-World","path":"logo.png"}`, answer: "read_binary"},
	{tool: "list_directory", arguments: `{"owner":"octocat","repo":"Hello-World","path":"docs/guide.md"}`, answer: "read_file"},
	{tool: "list_branches", arguments: `{"owner":"octocat","repo":"Hello-World"}`, answer: "limited", status: http.StatusForbidden},
}

// TestCalls calls each tool as a client does, and compares the requests to GitHub and the results with
// testdata/told.txt.
func TestCalls(t *testing.T) {
	a := newAPI(t)
	c := startServer(t, a, "-write", "create_issue, edit_*,comment_issue")
	tools := listTools(t, c)
	called := map[string]bool{}
	var b strings.Builder
	for _, call := range calls {
		answer, status := call.answer, call.status
		if answer == "" {
			answer = call.tool
		}
		if status == 0 {
			status = http.StatusOK
		}
		a.setAnswer(status, readAnswer(t, answer))
		result := c.callTool(t, call.tool, call.arguments)
		if !result.IsError {
			checkSchema(t, tools[call.tool], result)
			called[call.tool] = true
		}
		fmt.Fprintf(&b, "%s %s\n%s%s\n\n", call.tool, call.arguments, a.requests(), resultText(result))
	}
	compareFile(t, "testdata/told.txt", b.String())
	for name := range tools {
		if !called[name] {
			t.Errorf("%s is not called", name)
		}
	}
}

// listTools returns the tools by their names.
func listTools(t *testing.T, c *client) map[string]*sdk.Tool {
	t.Helper()
	list, err := c.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	tools := map[string]*sdk.Tool{}
	for _, tool := range list.Tools {
		tools[tool.Name] = tool
	}
	return tools
}

// checkSchema checks a result against the output schema of the tool.
func checkSchema(t *testing.T, tool *sdk.Tool, result *sdk.CallToolResult) {
	t.Helper()
	output, err := json.Marshal(tool.OutputSchema)
	structured, err2 := json.Marshal(result.StructuredContent)
	if err := errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(output, structured); err != nil {
		t.Errorf("%s: %v", tool.Name, err)
	}
}

func compareFile(t *testing.T, file, got string) {
	t.Helper()
	if *updateTold {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("not as in %s, which -update rewrites:\n%s", file, got)
	}
}

// TestSmall checks the purpose of shaping results: each has at most 4 kB.
func TestSmall(t *testing.T) {
	registry, err := newRegistry(github.NewClient(nil), nil, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range registry.Available(nil) {
		if n := len(d.Output); n == 0 || n > 4<<10 {
			t.Errorf("%s: the output schema has %d bytes", d.Name, n)
		}
	}
}

// TestReadOnly calls tools that write without permission.
func TestReadOnly(t *testing.T) {
	a := newAPI(t)
	c := startServer(t, a)
	for name, tool := range listTools(t, c) {
		a.setAnswer(http.StatusOK, []byte(`{}`))
		if tool.Annotations != nil && tool.Annotations.ReadOnlyHint {
			continue
		}
		result := c.callTool(t, name, `{"owner":"o","repo":"r","number":1,"issue":{"title":"t"},"comment":{"body":"b"}}`)
		if !result.IsError || !strings.HasPrefix(resultText(result), "You may not call "+name+".") || a.requests() != "" {
			t.Errorf("%s: asked %q, told %q", name, a.requests(), resultText(result))
		}
	}
}

// TestTrim reads a file that is too long for a model.
func TestTrim(t *testing.T) {
	a := newAPI(t)
	c := startServer(t, a)
	long := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("All work and no play. ", 10_000)))
	a.setAnswer(http.StatusOK, []byte(`{"type":"file","encoding":"base64","size":220000,"path":"long.txt","content":"`+long+`"}`))
	result := c.callTool(t, "read_file", `{"owner":"octocat","repo":"Hello-World","path":"long.txt"}`)
	if text := resultText(result); result.IsError || len(text) > 50<<10 || !strings.Contains(text, "too long and has been cut") {
		t.Errorf("%d bytes: %.200s", len(text), text)
	}
}

func TestFlags(t *testing.T) {
	none := func(string) string { return "" }
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"serve"}, "unexpected argument serve"},
		{[]string{"-write", "coment_issue"}, "-write coment_issue does not match any tool that writes; these are comment_issue, create_issue, edit_issue"},
		{[]string{"-base-url", "http://[::1"}, `parse "http://[::1": missing ']' in host`},
		{[]string{"-http", ":0"}, "mcp: the token is empty or contains spaces"},
	} {
		if err := runServer(t.Context(), c.args, none, io.Discard); err == nil || err.Error() != c.want {
			t.Errorf("%q: got %v, want %s", c.args, err, c.want)
		}
	}
}

// TestAnnotated checks that every tool has annotations, because a tool without them would need -write.
func TestAnnotated(t *testing.T) {
	tools, err := newRegistry(github.NewClient(nil), nil, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range tools.All() {
		if a := d.Annotations; !a.Is(tool.ReadOnly) && !a.Is(tool.Additive) && !a.Is(tool.Idempotent) {
			t.Errorf("%s: nothing is said of what it does", d.Name)
		}
	}
}
