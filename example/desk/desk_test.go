package desk

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/replay"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Recorded requests: one with a plan of three steps, one that opens a ticket whose title exists the second time, and
// one that waits for approval.
var (
	printer = recordedRequests[0].request
	grace   = recordedRequests[1].request
	vpn     = recordedRequests[2].request
)

var updateDialogue = flag.Bool("update", false, "record the dialogue again with the answers in this file, and update the expected output")

// modelAnswers are the model's answers to the recorded requests, call by call.
var modelAnswers = [][]string{
	{
		"```json\n" + `{"goal": "Record the printer problem and report the load", "steps": [
  {"step_id": 1, "description": "Open a ticket for the printer", "tool": "open_ticket", "arguments": {"title": "Printer on floor 2 prints blank pages", "priority": "normal", "requester": {"name": "Ada"}, "tags": "printer"}},
  {"step_id": 2, "description": "Count the tickets", "tool": "ticketStatistics"},
  {"step_id": 3, "description": "Tell how busy the desk is", "agent": "llm"},
]}` + "\n```",
		"The desk is quiet: yours is the only open ticket, number 1.",
	},
	{
		`{"goal":"Have somebody help Grace log in","steps":[{"step_id":"1","description":"Open a ticket","tool":"open_ticket","arguments":{"title":"Cannot log in","requester":{"name":"Grace"}}},{"step_id":"2","description":"Assign the new ticket to linus","tool":"assign_ticket","arguments":{"ticket_id":"<<step:1/id>>","assignee":"linus"}},{"step_id":"3","description":"Tell Grace who helps her","agent":"llm"}]}`,
		`{"priority":"high"}`,
		"Your ticket has number 1, Grace, and linus works on it.",
	},
	{
		`{"goal":"Tell linus about the VPN","steps":[{"step_id":"1","description":"Send linus a message","tool":"notify","arguments":{"user":"linus","message":"The VPN is down."}}]}`,
		"Linus knows that the VPN is down.",
	},
	{
		`{"goal":"Say who works on ticket 7","steps":[{"step_id":"1","description":"Look at ticket 7","tool":"get_ticket","arguments":{"ticket_id":7}},{"step_id":"2","description":"Say who works on it","agent":"llm"}]}`,
		`{"give_up":"Nobody works on ticket 7, for there is none."}`,
	},
	{
		`{"goal":"Book a flight","steps":[{"step_id":"1","description":"Book a flight to Lisbon","tool":"book_flight"}]}`,
		`{}`,
		"This desk has no tool that books flights.",
		"I cannot book flights: this desk has no tool for it.",
	},
	{
		`{"goal":"Ticket für Łukasz eröffnen","steps":[{"step_id":"1","description":"Ticket öffnen","tool":"open_ticket","arguments":{"title":"Drucker druckt nur leere Seiten 🖨","priority":"normal","requester":{"name":"Łukasz"},"tags":["drucker"]}},{"step_id":"2","description":"Łukasz auf Deutsch antworten","agent":"llm"}]}`,
		"Hallo Łukasz,\n\ndein Ticket hat die Nummer 1. Wir melden uns.",
	},
	{
		`{"goal":"Answer the request","steps":[{"step_id":"1","description":"Say what the desk can do, and that it closes tickets one by one","agent":"llm"}]}`,
		"I do not close all tickets at once, and my instructions stay with me. Name a ticket that is solved, and I close it.",
	},
	{
		"I do not understand that.", "What do you mean?",
	},
	{
		`call find_tickets {"words": "coffee", "status": null, "limit": 5}` + "\n" + `call suggest_priority {"description": "The coffee machine is broken"}`,
		`call open_ticket {"title": "Coffee machine", "priority": "normal", "requester": {"name": "Grace"}}`,
		"There was none, so I opened one: ticket 1, for Grace.",
	},
}

// durations matches the durations in the output, which vary.
var durations = regexp.MustCompile(`\) in [0-9.a-zµ]+:`)

// TestDialogue compares the output of every recorded request, with all approvals given.
func TestDialogue(t *testing.T) {
	if *updateDialogue {
		recordDialogue(t)
	}
	var shown bytes.Buffer
	for i, r := range recordedRequests {
		var stderr bytes.Buffer
		shown.WriteString("> " + r.request + "\n")
		before := shown.Len()
		kind, request := r.runKind()
		status := runCommand(t.Context(), "example", []string{"-yes", "-talk=" + strconv.FormatBool(kind == "conversation"), request}, unavailable, &person{}, &shown, &stderr)
		completed := strings.Contains(shown.String()[before:], "\ncompleted (") || kind == "conversation"
		if (status == 0) != completed || completed == strings.HasPrefix(r.shows, "fails: ") || !completed && i < 3 {
			t.Errorf("%s: exit status %d", r.request, status)
		}
		shown.WriteString(stderr.String() + "\n")
	}
	same := durations.ReplaceAllString(shown.String(), ") in …:")
	const file = "testdata/shown.golden"
	if *updateDialogue {
		if err := os.WriteFile(file, []byte(same), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if same != string(want) {
		t.Errorf("run with -update if this is right:\n%s", same)
	}
}

var readmeCommand = regexp.MustCompile(`(?m)^go run \./example (.*)"(.*)"$`)

// TestReadme makes the requests of example/README.md. The last of them fails.
func TestReadme(t *testing.T) {
	text, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir()) // the commands write files
	commands := readmeCommand.FindAllStringSubmatch(string(text), -1)
	if len(commands) != 3 {
		t.Fatalf("README.md has %q", commands)
	}
	for i, c := range commands {
		want := 0
		if i == 2 {
			want = 1
		}
		p := &person{screen: io.Discard, in: bufio.NewReader(strings.NewReader("y\n"))}
		if status, stdout, stderr := runExample(t.Context(), p, append(strings.Fields(c[1]), c[2])...); status != want {
			t.Errorf("%s: exit status %d: %s%s", c[0], status, stdout, stderr)
		}
	}
}

// recordDialogue records a dialogue with the given answers.
func recordDialogue(t *testing.T) {
	var b bytes.Buffer
	var script []string
	model := replay.Record(&b, llm.Func(func(context.Context, llm.Request) (llm.Response, error) {
		if len(script) == 0 {
			return llm.Response{}, &llm.Error{Kind: llm.ServerError, Err: errors.New("no more answers")}
		}
		var r llm.Response
		r, script = nextAnswer(script), script[1:]
		return r, nil
	}))
	for i, r := range recordedRequests {
		k, err := settings{}.openStorage(t.Context(), true)
		if err != nil {
			t.Fatal(err)
		}
		a, err := settings{}.newAgent(t.Context(), model, recordedTime, k)
		if err != nil {
			t.Fatal(err)
		}
		a.person, a.screen = &person{yes: true}, &screen{w: io.Discard}
		kind, request := r.runKind()
		script = modelAnswers[i]
		if _, err := a.executeRequest(t.Context(), kind, request); err != nil || len(script) > 0 {
			t.Errorf("%s: %v; these answers were not asked for: %q", request, err, script)
		}
	}
	for _, p := range []*person{{}, {screen: io.Discard, in: bufio.NewReader(strings.NewReader("no\n"))}} { // the persons refuse
		k, err := settings{}.openStorage(t.Context(), true)
		if err != nil {
			t.Fatal(err)
		}
		a, err := settings{}.newAgent(t.Context(), model, recordedTime, k)
		if err != nil {
			t.Fatal(err)
		}
		a.person, a.screen = p, &screen{w: io.Discard}
		script = []string{modelAnswers[2][0], `{"give_up":"Linus is not to be told."}`}
		if _, err := a.executeRequest(t.Context(), "plan", vpn); err != nil {
			t.Error(err)
		}
	}
	for _, second := range [][2]string{ // the ticket already exists
		{"y\n", "You have another ticket, number 2, Grace, and linus works on it."},
		{"n\n", "There is ticket 1 for that already, Grace, and linus works on it."},
	} {
		folder := filepath.Join(t.TempDir(), "desk")
		for i, last := range []string{modelAnswers[1][2], second[1]} {
			script = append(slices.Clone(modelAnswers[1][:2]), last)
			if _, shown := requestTwoTickets(t, folder, model, second[0]); len(script) > 0 {
				t.Errorf("request %d, %q: not asked for: %q; %s", i+1, second[0], script, shown)
			}
		}
	}
	if err := os.WriteFile("dialogue.json", b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	recordedDialogue = b.Bytes()
}

// nextAnswer removes the first answer from a script: a text, or calls of tools.
func nextAnswer(script []string) llm.Response {
	r := llm.Response{Text: script[0], Finish: llm.FinishStop, Usage: llm.Usage{Input: 900, Output: len(script[0]) / 4}}
	for line := range strings.Lines(script[0]) {
		call, ok := strings.CutPrefix(line, "call ")
		if !ok {
			continue
		}
		name, arguments, _ := strings.Cut(strings.TrimSpace(call), " ")
		r.Text, r.Finish = "", llm.FinishCalls
		r.Calls = append(r.Calls, tool.Request{ID: fmt.Sprintf("call_%d_%d", len(script), len(r.Calls)), Name: name, Arguments: []byte(arguments)})
	}
	return r
}

// requestTwoTickets makes Grace's request at a desk in a folder, with a person who gives one answer. It returns
// whether the request succeeded, and the output.
func requestTwoTickets(t *testing.T, folder string, model llm.Model, said string) (ok bool, shown string) {
	t.Helper()
	s := settings{memory: folder}
	k, err := s.openStorage(t.Context(), true)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := k.close(); err != nil {
			t.Error(err)
		}
	}()
	a, err := s.newAgent(t.Context(), model, recordedTime, k)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	a.person, a.screen = &person{screen: io.Discard, in: bufio.NewReader(strings.NewReader(said))}, &screen{w: &b}
	if ok, err = a.executeRequest(t.Context(), "plan", grace); err != nil {
		t.Error(err)
	}
	return ok, b.String()
}

// TestDuplicateTicket repeats a request whose ticket exists: the recorded dialogue must continue whether or not
// another ticket is opened.
func TestDuplicateTicket(t *testing.T) {
	for said, answered := range map[string]string{"y\n": "answered accept", "n\n": "answered decline"} {
		folder := filepath.Join(t.TempDir(), "desk")
		for _, want := range []string{"", answered} {
			model, _, err := settings{}.openModel()
			if err != nil {
				t.Fatal(err)
			}
			if ok, shown := requestTwoTickets(t, folder, model, said); !ok || !strings.Contains(shown, want) {
				t.Errorf("%q: %v, want %s: %s", said, ok, want, shown)
			}
		}
	}
}

func TestFiles(t *testing.T) {
	dir := t.TempDir()
	log, store := filepath.Join(dir, "log"), filepath.Join(dir, "memory")
	status, stdout, stderr := runExample(t.Context(), &person{}, "-json", "-log", log, "-memory", store, printer)
	if status != 0 {
		t.Errorf("exit status %d: %s", status, stderr)
	}
	lines, err := os.ReadFile(log)
	if err != nil || bytes.Count(lines, []byte("\n")) != 5 {
		t.Errorf("%v, the log is %s", err, lines)
	}
	for line := range strings.Lines(stdout) {
		if !json.Valid([]byte(line)) {
			t.Errorf("no JSON: %s", line)
		}
	}
	if !strings.Contains(stdout, `"status":"completed"`) {
		t.Errorf("%s", stdout)
	}
	if info, err := os.Stat(store); err != nil || info.Size() == 0 {
		t.Errorf("the store: %v", err)
	}
	status, _, stderr = runExample(t.Context(), &person{}, "-log", dir, printer)
	if status != 0 || !strings.Contains(stderr, "is not logged") {
		t.Errorf("with a log that cannot be written: exit status %d: %s", status, stderr)
	}
}

// runExample runs the command.
func runExample(ctx context.Context, p *person, args ...string) (status int, stdout, stderr string) {
	var out, errs bytes.Buffer
	status = runCommand(ctx, "example", args, unavailable, p, &out, &errs)
	return status, out.String(), errs.String()
}

func TestMisuse(t *testing.T) {
	text := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(text, []byte("no memory"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		args   []string
		status int
		want   []string
	}{
		{[]string{"-mcp", "-mcp-http", ":0"}, 2, []string{"cannot be combined with each other"}},
		{[]string{"-mcp", "hello"}, 2, []string{"cannot be combined with each other"}},
		{[]string{"-mcp", "-memory", "x", "-json"}, 2, []string{"cannot be combined with each other, a request or other flags"}},
		{[]string{"-mcp-http", ":0", "-yes"}, 2, []string{"cannot be combined with each other, a request or other flags"}},
		{[]string{"-yes", "-json"}, 2, []string{"there is no request for -json, -yes"}},
		{[]string{"-model-url", "http://127.0.0.1:1", "-model", "x"}, 2, []string{"there is no request for -model, -model-url"}},
		{[]string{"hello", "-nonsense"}, 2, []string{"not defined", "Usage: example"}},
		{[]string{"hello", "-ttl", "-1", "you"}, 2, []string{"must not be negative"}},
		{[]string{"-inspect", "-yes"}, 2, []string{"-inspect takes neither"}},
		{[]string{"-inspect=8089"}, 2, []string{"an address has a port"}},
		{[]string{"-inspect=0.0.0.0:0"}, 1, []string{"can be reached from other machines"}},
		{[]string{"-mcp-http", "0.0.0.0:0"}, 1, []string{"can be reached from other machines"}},
		{[]string{"-model", "x", "hello"}, 2, []string{"use -model-url and -model together"}},
		{[]string{"-provider", "openai", "hello"}, 2, []string{"-provider needs -model"}},
		{[]string{"-provider", "acme", "-model", "x", "hello"}, 2, []string{"-provider must be one of openai, anthropic, gemini, responses"}},
		{[]string{"-provider", "gemini", "-model", "x", "hello"}, 2, []string{"go run -C deploy ./desk -provider gemini"}},
		{[]string{"-nonsense"}, 2, []string{"not defined", "Usage: example"}},
		{[]string{"-ttl", "-1", "x"}, 2, []string{"must not be negative"}},
		{[]string{" "}, 2, []string{"the request is empty"}},
		{[]string{"-postgres", "postgres://x", "hello"}, 2, []string{"needs the program in the module deploy", "go run -C deploy ./desk -postgres postgres://x …"}},
		{[]string{"runs", "-temporal", "localhost:7233"}, 2, []string{"go run -C deploy ./desk -temporal localhost:7233 …"}},
		{[]string{"work", "-memory", "x"}, 2, []string{"work needs -postgres or -temporal: without such a flag, the process that makes a request executes the run"}},
		{[]string{"approve"}, 2, []string{"approve needs -memory or -postgres or -temporal, and takes no other flag"}},
		{[]string{"-h"}, 0, []string{"-memory folder", listRecorded()}},
		{[]string{"Something else"}, 1, []string{"no answer is recorded", "-model-url and -model", listRecorded()}},
		{[]string{strings.Repeat("long ", 100_000)}, 1, []string{"no answer is recorded"}},
		{[]string{"\x1b[31mred\x00\xff"}, 1, []string{"no answer is recorded"}},
		{[]string{"-memory", text, printer}, 1, []string{"not a directory"}},
		{[]string{"-memory", text + "2"}, 1, []string{"no request given, and no unfinished run to continue"}},
		{[]string{"-model-url", "localhost", "-model", "x", "hello"}, 1, []string{"base URL"}},
	} {
		status, stdout, stderr := runExample(t.Context(), &person{}, test.args...)
		for _, want := range test.want {
			if !strings.Contains(stderr, want) {
				t.Errorf("%.40q: there is no %q in %s", test.args, want, stderr)
			}
		}
		if status != test.status || strings.Contains(stdout+stderr, "\x1b") {
			t.Errorf("%.40q: exit status %d: %q", test.args, status, stderr)
		}
	}
}

// stopWriter cancels a context once a text is written.
type stopWriter struct {
	bytes.Buffer
	at   string
	stop func()
}

func (s *stopWriter) Write(b []byte) (int, error) {
	n, err := s.Buffer.Write(b)
	if strings.Contains(s.String(), s.at) {
		s.stop()
	}
	return n, err
}

// TestInterrupted interrupts runs at each point of their output. They must report what was done and continue to the
// same end.
func TestInterrupted(t *testing.T) {
	_, whole, _ := runExample(t.Context(), &person{}, printer)
	_, end, _ := strings.Cut(whole, "\nstep 3")
	for at, want := range map[string]string{
		"":           "there is no plan yet",
		"goal":       "1 of 3 steps are done", // the output shows effects that have started
		"step 1":     "1 of 3 steps are done",
		"complete":   "2 of 3 steps are done",
		"\nstep 3: ": "2 of 3 steps are done",
	} {
		for name, again := range map[string][]string{"same request": {printer}, "no request": nil} {
			t.Run(at+", "+name, func(t *testing.T) {
				file := filepath.Join(t.TempDir(), "memory")
				ctx, stop := context.WithCancel(t.Context())
				shown := &stopWriter{at: at, stop: stop}
				if at == "" {
					stop()
				}
				var errs bytes.Buffer
				status := runCommand(ctx, "example", []string{"-memory", file, printer}, unavailable, &person{}, shown, &errs)
				if at == "" {
					// There was nothing to be kept: the file could not even be searched.
					if status != 1 || !strings.Contains(errs.String(), "cancel") {
						t.Fatalf("exit status %d: %s", status, errs.String())
					}
					return
				}
				if status != 1 || !strings.Contains(errs.String(), want) || !strings.Contains(errs.String(), "to continue, repeat the request with -memory "+file) {
					t.Fatalf("exit status %d: %s", status, errs.String())
				}
				status, stdout, stderr := runExample(t.Context(), &person{}, append([]string{"-memory", file}, again...)...)
				if _, got, _ := strings.Cut(stdout, "\nstep 3"); status != 0 || durations.ReplaceAllString(got, "") != durations.ReplaceAllString(end, "") || !strings.Contains(stdout, "("+want+")") {
					t.Fatalf("exit status %d: %s%s", status, stdout, stderr)
				}
				_, stdout, _ = runExample(t.Context(), &person{}, "-memory", file, printer)
				if strings.Contains(stdout, "going on") || !strings.Contains(stdout, "open_ticket needs the answer of a person") { // the question about a second ticket at the same desk
					t.Errorf("a run that was done went on: %s", stdout)
				}
			})
		}
	}
}

// TestApproval asks a person, with various answers.
func TestApproval(t *testing.T) {
	for name, test := range map[string]struct {
		answer string // the answers of the person at the terminal
		nobody bool
		args   []string
		status int
		want   []string
	}{
		"yes":     {"y\n", false, nil, 0, []string{"approve notify {\"user\":\"linus\"", "approved in the terminal", "linus@desk.example"}},
		"no":      {"no\n", false, nil, 1, []string{"refused  in the terminal", "failed (tool)", "not allowed"}},
		"enter":   {"\n", false, nil, 1, []string{"refused  in the terminal"}},
		"the end": {"", false, nil, 1, []string{"refused  in the terminal"}},
		"nobody":  {"", true, nil, 1, []string{"there is nobody to ask", "-yes"}},
		"-yes":    {"", true, []string{"-yes"}, 0, []string{"approved by -yes", "linus@desk.example"}},
	} {
		t.Run(name, func(t *testing.T) {
			var terminal bytes.Buffer
			p := &person{screen: &terminal, in: bufio.NewReader(strings.NewReader(test.answer))}
			if test.nobody {
				p = &person{}
			}
			status, stdout, stderr := runExample(t.Context(), p, append(test.args, vpn)...)
			shown := stdout + stderr + terminal.String()
			for _, want := range test.want {
				if !strings.Contains(shown, want) {
					t.Errorf("there is no %q in %s", want, shown)
				}
			}
			if status != test.status {
				t.Errorf("exit status %d", status)
			}
		})
	}
	t.Run("interrupted", func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "memory")
		ctx, stop := context.WithCancel(t.Context())
		screen := &stopWriter{at: "[y/N", stop: stop}
		status, _, stderr := runExample(ctx, &person{screen: screen, in: bufio.NewReader(blockedReader{t.Context()})}, "-memory", file, vpn)
		if status != 1 || !strings.Contains(stderr, "while a call waited for a decision; 0 of 1 steps are done; to continue") {
			t.Fatalf("exit status %d: %s", status, stderr)
		}
		status, stdout, _ := runExample(t.Context(), &person{}, "-yes", "-memory", file)
		if status != 0 || !strings.Contains(stdout, "continuing: "+vpn) {
			t.Errorf("exit status %d: %s", status, stdout)
		}
	})
}

// TestApprovalShowsAll checks that a long call is shown completely before it is approved.
func TestApprovalShowsAll(t *testing.T) {
	var terminal bytes.Buffer
	p := &person{screen: &terminal, in: bufio.NewReader(strings.NewReader("n\n"))}
	request := &tool.Request{Name: "notify", Arguments: []byte(`{"message":"` + strings.Repeat("ä", 5000) + "\x1b the end" + `"}`)}
	d, err := p.decideCall(t.Context(), run.Wait{For: run.ForApproval, Request: request}, false)
	if shown := terminal.String(); d.approved || err != nil || !strings.Contains(shown, `ä  the end"}? [y/N`) {
		t.Errorf("%+v, %v: %q", d, err, shown)
	}
}

// blockedReader is a terminal at which nobody types.
type blockedReader struct{ context.Context }

func (b blockedReader) Read([]byte) (int, error) {
	<-b.Done()
	return 0, io.EOF
}

// TestSafe checks that control sequences in texts do not reach the terminal.
func TestSafe(t *testing.T) {
	for text, want := range map[string]string{
		"a\nb\tc":                    "a b c",
		"\x1b]0;title\x07\x1b[2Jx":   " ]0;title  [2Jx",
		"\u009b31m \u202egnp.exe":    " 31m  gnp.exe",
		"a\u2028b\u200ec\u061cd 🖨 ü": "a b c d 🖨 ü",
		"\xffé🖨":                     "\uFFFDé🖨",
		strings.Repeat("ä", 301):     strings.Repeat("ä", 300) + "…",
	} {
		if got := safeLine(text); got != want {
			t.Errorf("%q is shown as %q", text, got)
		}
	}
	if got := safeLines("a\r\n\x1b b\n"); got != "a \n  b" {
		t.Errorf("%q", got)
	}
}

// TestEndpoint checks the advice for various failures of endpoints.
func TestEndpoint(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "wrong")
	for name, test := range map[string]struct {
		status     int
		body, want string
	}{
		"a wrong key":  {401, `{"error":{"message":"Incorrect API key provided."}}`, "Incorrect API key provided.; there is no plan yet; the key is taken from the environment, OPENAI_API_KEY"},
		"busy":         {429, `{"error":{"message":"Slow down."}}`, "Slow down.; there is no plan yet; try again in 1h0m0s"},
		"a wrong path": {404, `<html>`, "is -model-url a base URL, such as http://127.0.0.1:8000/v1, and -model the name of a model there?"},
		"no endpoint":  {200, `<html>`, "malformed response"},
		"no words":     {200, `{"choices":[{"message":{"content":""}}]}`, "the model gave no answer"},
		"other words":  {200, `{"choices":[{"message":{"content":"I'm sorry, I cannot help with that."}}]}`, "no plan was made: there is no plan: 1:36: there is no JSON value in the text"},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if key := r.Header.Get("Authorization"); key != "Bearer wrong" {
				t.Errorf("the key is %s", key)
			}
			if test.status == 429 {
				w.Header().Set("Retry-After", "3600")
			}
			w.WriteHeader(test.status)
			io.WriteString(w, test.body)
		}))
		status, stdout, stderr := runExample(t.Context(), &person{}, "-model-url", server.URL, "-model", "m", "hello")
		server.Close()
		if status != 1 || !strings.Contains(stdout+stderr, test.want) {
			t.Errorf("%s: exit status %d: %s%s", name, status, stdout, stderr)
		}
	}
}

// TestOutputFails checks a run whose output fails.
func TestOutputFails(t *testing.T) {
	r, w := io.Pipe()
	r.Close()
	var stderr bytes.Buffer
	if status := runCommand(t.Context(), "example", []string{printer}, unavailable, &person{}, w, &stderr); status != 1 || stderr.String() != "example: io: read/write on closed pipe\n" {
		t.Errorf("exit status %d: %s", status, stderr.String())
	}
}

// TestBrokenPipe checks that the program continues when its output is closed.
func TestBrokenPipe(t *testing.T) {
	file := filepath.Join(t.TempDir(), "memory")
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	r.Close()
	var stderr bytes.Buffer
	cmd := exec.CommandContext(t.Context(), buildExample(t), "-yes", "-memory", file, vpn)
	cmd.Stdout, cmd.Stderr = w, &stderr
	if err := cmd.Run(); cmd.ProcessState.ExitCode() != 1 || !strings.Contains(stderr.String(), "broken pipe") {
		t.Errorf("%v: %s", err, stderr.String())
	}
	if status, _, stderr := runExample(t.Context(), &person{}, "-memory", file); status != 1 || !strings.Contains(stderr, "no unfinished run to continue") {
		t.Errorf("exit status %d: %s", status, stderr)
	}
}

// TestFlagsAfterRequest has flags after and inside the request.
func TestFlagsAfterRequest(t *testing.T) {
	for _, args := range [][]string{
		{vpn, "-yes"},
		{"Tell", "linus", "-yes", "that", "the", "-ttl", "50", "VPN", "is", "--", "down."},
		{"-yes", "--", vpn},
	} {
		if status, stdout, stderr := runExample(t.Context(), &person{}, args...); status != 0 || !strings.Contains(stdout, "approved by -yes") {
			t.Errorf("%q: exit status %d: %s%s", args, status, stdout, stderr)
		}
	}
	if status, _, stderr := runExample(t.Context(), &person{}, "--", "runs"); status != 1 || !strings.Contains(stderr, "no answer is recorded") {
		t.Errorf("exit status %d: %s", status, stderr)
	}
	if status, _, stderr := runExample(t.Context(), &person{}, "--", "Tell", "linus", "-yes"); status != 1 || !strings.Contains(stderr, "no answer is recorded") {
		t.Errorf("exit status %d: %s", status, stderr)
	}
}

// TestProgress checks the progress line of the terminal while a model is slow.
func TestProgress(t *testing.T) {
	var terminal bytes.Buffer
	status, stdout, _ := runExample(t.Context(), &person{screen: &terminal}, printer)
	for _, want := range []string{"\r\x1b[Kasking the model for a plan… 0s\r\x1b[K", "[1/3] running open_ticket… 0s", "[3/3] asking the model for this step… 0s"} {
		if !strings.Contains(terminal.String(), want) {
			t.Errorf("there is no %q in %q", want, terminal.String())
		}
	}
	if status != 0 || strings.Contains(stdout, "\x1b") || !strings.HasSuffix(terminal.String(), "\r\x1b[K") {
		t.Errorf("exit status %d; %q", status, terminal.String())
	}
}

// runKind splits a recorded request into the kind of its run and the request.
func (r recordedRequest) runKind() (kind, request string) {
	if request, talks := strings.CutPrefix(r.request, "-talk "); talks {
		return "conversation", request
	}
	return "plan", r.request
}
