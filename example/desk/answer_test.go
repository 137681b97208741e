package desk

import (
	"bufio"
	"bytes"
	"encoding/json"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

// newAskingRun returns a folder with a run that waits for an answer, because a similar ticket exists and nobody was
// there to ask, and the run's ID.
func newAskingRun(t *testing.T) (folder, id string) {
	t.Helper()
	folder = filepath.Join(t.TempDir(), "desk")
	if status, stdout, stderr := runExample(t.Context(), &person{}, "-memory", folder, printer); status != 0 {
		t.Fatalf("exit status %d: %s%s", status, stdout, stderr)
	}
	status, stdout, stderr := runExample(t.Context(), &person{}, "-memory", folder, printer)
	found := regexp.MustCompile(`There is ticket 1 already: .*: example answer -memory \S+ (\S+), or example deny`).FindStringSubmatch(stderr)
	if status != 1 || found == nil || !strings.Contains(stdout, "waits    open_ticket needs the answer of a person") {
		t.Fatalf("exit status %d: %s%s", status, stdout, stderr)
	}
	return folder, found[1]
}

// TestAnswer answers a tool's question from another process.
func TestAnswer(t *testing.T) {
	for name, test := range map[string]struct {
		words        []string
		status       int
		stdout, then string // of the command, and of the run
	}{
		"yes":       {[]string{"answer", "y"}, 0, "answer open_ticket", `{"counts":{"open":2},"longest_waiting":1}`},
		"no":        {[]string{"answer", "ID", "no"}, 0, "ID: answer open_ticket", `{"counts":{"open":1},"longest_waiting":1}`},
		"no answer": {[]string{"answer", "ID", "perhaps"}, 1, `Open another one?: answer yes or no, not "perhaps"`, ""},
		"deny":      {[]string{"deny", "ID", "one", "is", "enough"}, 0, "deny open_ticket", "not allowed: one is enough"},
		"approve":   {[]string{"approve", "ID"}, 1, "there are 0 runs to approve", ""},
	} {
		t.Run(name, func(t *testing.T) {
			folder, id := newAskingRun(t)
			if _, stdout, _ := runExample(t.Context(), &person{}, "runs", "-memory", folder); !strings.Contains(stdout, "waiting for answer") || !strings.Contains(stdout, "asks: There is ticket 1 already") {
				t.Errorf("the list is\n%s", stdout)
			}
			args := []string{}
			for _, word := range test.words {
				args = append(args, strings.ReplaceAll(word, "ID", id))
			}
			status, stdout, stderr := runExample(t.Context(), &person{}, append(args, "-memory", folder)...)
			if status != test.status || !strings.Contains(stdout+stderr, strings.ReplaceAll(test.stdout, "ID", id)) {
				t.Fatalf("exit status %d: %s%s", status, stdout, stderr)
			}
			if test.then == "" {
				return
			}
			if _, stdout, stderr = runExample(t.Context(), &person{}, "-memory", folder); !strings.Contains(stdout, test.then) {
				t.Errorf("the run says %s%s", stdout, stderr)
			}
		})
	}
}

// TestAskAtTerminal asks the question at the terminal.
func TestAskAtTerminal(t *testing.T) {
	for typed, want := range map[string]string{
		"y\n":               `answered accept`,
		"n\n":               `answered decline`,
		"what?\nhm\nY\n":    `answered accept`,
		"what?\nhm\nwell\n": `answered cancel`,
		"":                  `answered cancel`,
	} {
		folder, _ := newAskingRun(t)
		var terminal bytes.Buffer
		p := &person{screen: &terminal, in: bufio.NewReader(strings.NewReader(typed))}
		status, stdout, stderr := runExample(t.Context(), p, "-memory", folder) // the outcome with two tickets is not recorded
		if !strings.Contains(stdout, want) || !strings.Contains(terminal.String(), `open_ticket {"title":"Printer on floor 2`) || !strings.Contains(terminal.String(), "Open another one? [y/N]") {
			t.Errorf("%q: exit status %d: %s%s%s", typed, status, stdout, stderr, terminal.String())
		}
	}
}

var personForm = tool.AskPerson("Who are you?", json.RawMessage(`{"type":"object","properties":{"name":{"type":"string","title":"Your name"},"floor":{"type":"integer","minimum":1},
	"urgent":{"type":"boolean","default":false},"kind":{"type":"string","enum":["hardware","software"]},"tags":{"type":"array","items":{"type":"string","enum":["a","b"]}}},"required":["name","floor"]}`))

// TestForm asks for the members of an object.
func TestForm(t *testing.T) {
	for typed, want := range map[string]string{
		"Ada\n3\n\n\n\n":                    `accept {"floor":3,"name":"Ada","urgent":false}`,
		"Ada\n3\ny\nhardware\na, b\n":       `accept {"floor":3,"kind":"hardware","name":"Ada","tags":["a","b"],"urgent":true}`,
		"Ada\nthree\n\n\n\nAda\n3\n\n\n\n":  `accept {"floor":3,"name":"Ada","urgent":false}`,
		"Ada\n3\n\nfurniture\n\n\n":         `cancel`,
		"\n":                                `cancel`,
		strings.Repeat("Ada\n0\n\n\n\n", 3): `cancel`,
	} {
		var terminal bytes.Buffer
		p := &person{screen: &terminal, in: bufio.NewReader(strings.NewReader(typed))}
		wait := run.Wait{For: run.ForAnswer, Request: &tool.Request{Name: "open", Arguments: json.RawMessage(`{}`)}, Questions: []tool.Question{personForm}}
		d, err := p.decideCall(t.Context(), wait, true)
		if err != nil || d.why != want || len(d.answers) != 1 || personForm.Check(d.answers[0]) != nil {
			t.Errorf("%q: %s %v", typed, d.why, err)
		}
		if !strings.Contains(terminal.String(), "open {} asks: Who are you? \n    Your name: ") {
			t.Errorf("it asks %s", terminal.String())
		}
	}
}

// TestAskerShownFirst checks that the name of the asking tool is shown before its question.
func TestAskerShownFirst(t *testing.T) {
	var terminal bytes.Buffer
	p := &person{screen: &terminal, in: bufio.NewReader(strings.NewReader("y\n"))}
	q := tool.AskPerson("May transfer_money run?", nil)
	q.From = `tool "transfer" of MCP server "far"`
	wait := run.Wait{For: run.ForAnswer, Request: &tool.Request{Name: "far_transfer", Arguments: json.RawMessage(`{}`)}, Questions: []tool.Question{q}}
	if _, err := p.decideCall(t.Context(), wait, true); err != nil {
		t.Fatal(err)
	}
	if want := `  tool "transfer" of MCP server "far" asks: May transfer_money run? (in the call far_transfer {}) [y/N] `; terminal.String() != want {
		t.Errorf("it asks %q", terminal.String())
	}
	if got := formatQuestions([]tool.Question{q}); !strings.HasPrefix(got, q.From) {
		t.Errorf("it asks %q", got)
	}
}

// TestAnswersOf parses answers to one and to several questions.
func TestAnswersOf(t *testing.T) {
	sure := tool.AskPerson("Sure?", nil)
	whom := tool.AskPerson("Whom?", json.RawMessage(`{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}`))
	news := tool.AskPerson("News?", json.RawMessage(`{"type":"object","properties":{"news":{"type":"boolean"}},"required":["news"]}`))
	vote := tool.AskPerson("Vote?", json.RawMessage(`{"type":"object","properties":{"vote":{"type":"string","enum":["yes","no"]}},"required":["vote"]}`))
	for _, test := range []struct {
		questions  []tool.Question
		text, want string
	}{
		{[]tool.Question{sure}, "yes", `accept`},
		{[]tool.Question{sure}, "", `cancel`},
		{[]tool.Question{whom}, "ada lovelace", `accept {"name":"ada lovelace"}`},
		{[]tool.Question{whom}, `{"name":"no"}`, `accept {"name":"no"}`},
		{[]tool.Question{whom}, "no", `decline`},
		{[]tool.Question{news}, "no", `accept {"news":false}`},
		{[]tool.Question{news}, "Y", `accept {"news":true}`},
		{[]tool.Question{news}, "", `cancel`},
		{[]tool.Question{news}, "perhaps", `News?: /news: expected a boolean (true or false), found the string "perhaps"`},
		{[]tool.Question{vote}, "no", `accept {"vote":"no"}`},
		{[]tool.Question{vote}, "n", `decline`},
		{[]tool.Question{vote, news}, `["no", false]`, `accept {"vote":"no"}, accept {"news":false}`},
		{[]tool.Question{whom}, `{"name":7}`, "Whom?: /name: expected a string, found the number 7"},
		{[]tool.Question{personForm}, "ada", "Who are you?: its value is not JSON: expected a value at byte 0, found 'a'"},
		{[]tool.Question{sure, whom}, `[true, "ada"]`, `accept, accept {"name":"ada"}`},
		{[]tool.Question{sure, whom}, `["n", {"name":"ada"}]`, `decline, accept {"name":"ada"}`},
		{[]tool.Question{sure, whom}, `yes`, "there are 2 questions: answer with a JSON list"},
		{[]tool.Question{sure, whom}, `[true]`, "there are 2 questions: answer with a JSON list"},
	} {
		var got []string
		answers, err := parseAnswers(test.questions, test.text)
		for _, a := range answers {
			got = append(got, strings.TrimSpace(string(a.Action)+" "+string(a.Value)))
		}
		if err != nil {
			got = []string{err.Error()}
		}
		if is := strings.Join(got, ", "); is != test.want && (err == nil || !strings.HasPrefix(is, test.want)) {
			t.Errorf("%q: %s, want %s", test.text, is, test.want)
		}
	}
}

// TestHint checks that the hint names everything to answer. TestFormatProgress checks that the progress of a call is
// shown in one line of the terminal.
func TestHint(t *testing.T) {
	if got, want := formatQuestions([]tool.Question{tool.AskPerson("Sure?", nil), tool.AskPerson("Whom\x1b[2J?", nil)}), "Sure?; Whom [2J?"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestFormatProgress(t *testing.T) {
	var terminal, shown bytes.Buffer
	s := &screen{w: &shown, progress: progress{w: &terminal}}
	s.showEvent(t.Context(), run.Event{What: run.CallStart{Request: tool.Request{Name: "scan"}}})
	s.showEvent(t.Context(), run.Event{What: run.Progress{Tool: "scan", Done: 1, Total: 4, Text: "floor\n1"}})
	s.showEvent(t.Context(), run.Event{What: run.CallLogged{Tool: "scan", Text: "it is dark"}})
	s.showEvent(t.Context(), run.Event{What: run.Progress{Tool: "scan", Done: 2.5}})
	s.progress.clear()
	for _, want := range []string{"running scan: 1 of 4 floor 1… 0s", "running scan: 2.5… 0s"} {
		if !strings.Contains(terminal.String(), want) {
			t.Errorf("there is no %q in %q", want, terminal.String())
		}
	}
	if !strings.Contains(shown.String(), "  says     it is dark\n") {
		t.Errorf("it shows %s", shown.String())
	}
}
