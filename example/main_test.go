package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/example/gen"
	"github.com/aiongen/aiongen/example/tools"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/replay"
	"github.com/aiongen/aiongen/runtime/memory"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/tool"
)

var update = flag.Bool("update", false, "record the dialogue again, from the answers here, and rewrite what is shown")

// answers are what a model says to the recorded requests, call by call.
var answers = [][]string{
	{
		"```json\n" + `{"goal": "Record the printer problem and report the load", "steps": [
  {"step_id": 1, "description": "Open a ticket for the printer", "tool": "open_ticket", "arguments": {"title": "Printer on floor 2 prints blank pages", "priority": "normal", "requester": {"name": "Ada"}, "tags": "printer"}},
  {"step_id": 2, "description": "Count the tickets", "tool": "ticketStatistics"},
  {"step_id": 3, "description": "Tell how busy the desk is", "agent": "llm"},
]}` + "\n```",
		"The desk is quiet: yours is the only open ticket, number 1.",
	},
	{
		`{"goal":"Book a flight","steps":[{"step_id":"1","description":"Book a flight to Lisbon","tool":"book_flight"}]}`,
		`{}`, `{"step_id":"1","description":"Book a flight to Lisbon","tool":"fly"}`,
		"I cannot book flights: this desk has no tool for it.",
	},
	{
		`{"goal":"Have somebody help Grace log in","steps":[{"step_id":"1","description":"Open a ticket","tool":"open_ticket","arguments":{"title":"Cannot log in","requester":{"name":"Grace"}}},{"step_id":"2","description":"Assign the new ticket to linus","tool":"assign_ticket"},{"step_id":"3","description":"Look at ticket 7","tool":"get_ticket","arguments":{"ticket_id":7}}]}`,
		`{"title":"Cannot log in","priority":"high","requester":{"name":"Grace"}}`,
		`{"ticket_id": 1, "assignee": "linus"}`,
	},
	{
		"I do not understand that.", "What do you mean?", "Sorry, there is nothing to plan.",
	},
}

// TestDialogue shows what a person sees of every recorded request.
func TestDialogue(t *testing.T) {
	if *update {
		recordDialogue(t)
	}
	var shown bytes.Buffer
	for _, request := range recorded {
		var stderr bytes.Buffer
		shown.WriteString("> " + request + "\n")
		before := shown.Len()
		status := run(t.Context(), []string{request}, &shown, &stderr)
		if (status == 0) != strings.Contains(shown.String()[before:], "\ncompleted: ") {
			t.Errorf("%s: exit status %d", request, status)
		}
		shown.WriteString(stderr.String() + "\n")
	}
	// Only the time that calls take is not the same every time.
	var same strings.Builder
	for line := range strings.Lines(shown.String()) {
		if !strings.HasPrefix(line, "  took ") {
			same.WriteString(line)
		}
	}
	const file = "testdata/shown.golden"
	if *update {
		if err := os.WriteFile(file, []byte(same.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if same.String() != string(want) {
		t.Errorf("run with -update if this is right:\n%s", same.String())
	}
}

// recordDialogue has the answers given to the requests, and records that.
func recordDialogue(t *testing.T) {
	var script []string
	for _, a := range answers {
		script = append(script, a...)
	}
	var b bytes.Buffer
	model := replay.Record(&b, llm.Func(func(context.Context, llm.Request) (llm.Response, error) {
		if len(script) == 0 {
			return llm.Response{}, &llm.Error{Kind: llm.ServerError, Err: errors.New("no more answers")}
		}
		text := script[0]
		script = script[1:]
		return llm.Response{Text: text, Finish: llm.FinishStop, Usage: llm.Usage{Input: 900, Output: len(text) / 4}}, nil
	}))
	for _, request := range recorded {
		registry := tool.NewRegistry()
		if err := gen.Register(registry, gen.Deps{Desk: tools.NewDesk(standing)}); err != nil {
			t.Fatal(err)
		}
		store := &memory.Map{}
		o := orchestrator.New(model, store, orchestrator.Tools(registry), orchestrator.Clock(standing))
		_, err := execute(t.Context(), o, store, request, "r")
		t.Log(request, err)
	}
	if len(script) > 0 {
		t.Fatalf("%d answers were not asked for", len(script))
	}
	if err := os.WriteFile("dialogue.json", b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	dialogue = b.Bytes()
}

func TestFiles(t *testing.T) {
	dir := t.TempDir()
	log, store := filepath.Join(dir, "log"), filepath.Join(dir, "memory")
	var stdout, stderr bytes.Buffer
	if status := run(t.Context(), []string{"-json", "-log", log, "-memory", store, "-ttl", "2", recorded[0]}, &stdout, &stderr); status != 1 {
		t.Errorf("exit status %d: %s", status, stderr.String())
	}
	lines, err := os.ReadFile(log)
	if err != nil || bytes.Count(lines, []byte("\n")) != 3 {
		t.Errorf("%v, the log is %s", err, lines)
	}
	if !strings.Contains(stdout.String(), `"status":"ttl_expired"`) {
		t.Errorf("%s", stdout.String())
	}
	if info, err := os.Stat(store); err != nil || info.Size() == 0 {
		t.Errorf("the store: %v", err)
	}
	stderr.Reset()
	if status := run(t.Context(), []string{"-log", dir, recorded[0]}, &stdout, &stderr); status != 0 || !strings.Contains(stderr.String(), "no log") {
		t.Errorf("with a log that cannot be written: exit status %d: %s", status, stderr.String())
	}
}

func TestMisuse(t *testing.T) {
	for _, test := range []struct {
		args   string
		status int
		want   string
	}{
		{"-model x hello", 2, "need each other"},
		{"-mcp -mcp-http :0", 2, "exclude each other"},
		{"-mcp hello", 2, "exclude each other"},
		{"-mcp-http 0.0.0.0:0", 1, "is reached from elsewhere"},
		{"-nonsense", 2, "not defined"},
		{"Something else", 1, "was not recorded"},
	} {
		var stdout, stderr bytes.Buffer
		if status := run(t.Context(), strings.Fields(test.args), &stdout, &stderr); status != test.status || !strings.Contains(stderr.String(), test.want) {
			t.Errorf("%s: exit status %d: %s", test.args, status, stderr.String())
		}
	}
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var stdout, stderr bytes.Buffer
	if status := run(ctx, []string{recorded[0]}, &stdout, &stderr); status != 1 || !strings.Contains(stderr.String(), "interrupted") {
		t.Errorf("exit status %d: %s", status, stderr.String())
	}
}
