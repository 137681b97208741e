package replay_test

import (
	"bytes"
	"context"
	"regexp"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/replay"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

// runRequest is a request that a run makes.
type runRequest struct{ purpose, step, tool, prompt string }

// send sends the request from a run with the given tools.
func (r runRequest) send(m llm.Model, tools ...tool.Definition) (string, error) {
	e := run.Event{Run: run.NewID(), Step: r.step, Tools: tools, What: run.ModelStart{For: r.purpose, Tool: r.tool, Attempt: 1}}
	response, err := m.Generate(e.Context(context.Background()), llm.Request{Prompt: r.prompt})
	return response.Text, err
}

// recordRun returns the recording of requests of a run. Each answer is the prompt.
func recordRun(t *testing.T, requests ...runRequest) []byte {
	t.Helper()
	var b bytes.Buffer
	recorder := replay.Record(&b, llm.Func(func(_ context.Context, r llm.Request) (llm.Response, error) {
		return llm.Response{Text: "to " + r.Prompt}, nil
	}))
	for _, r := range requests {
		if _, err := r.send(recorder, echo, add); err != nil {
			t.Fatal(err)
		}
	}
	return b.Bytes()
}

var recordedRun = []runRequest{
	{run.PurposePlan, "", "", "plan"},
	{run.PurposeArguments, "1", "echo", "arguments 1"},
	{run.PurposeArguments, "2", "echo", "arguments 2"},
	{run.PurposeRepair, "", "", "repair 1"},
	{run.PurposeRepair, "", "", "repair 2"},
}

// TestMeaning checks that requests of a run match by their meaning if their text has changed, and in
// the order of the recording if their meaning is the same.
func TestMeaning(t *testing.T) {
	recording := recordRun(t, recordedRun...)
	m, err := replay.Read(bytes.NewReader(recording))
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range []int{2, 1, 3, 4, 0} {
		r := recordedRun[i]
		r.prompt = "please: " + r.prompt
		if text, err := r.send(m, add, echo); err != nil || text != "to "+recordedRun[i].prompt {
			t.Errorf("%+v: %q, %v", r, text, err)
		}
	}
	if m.Unused() != 0 {
		t.Errorf("%d answers are unused", m.Unused())
	}
	if m, err = replay.Read(bytes.NewReader(recording)); err != nil {
		t.Fatal(err)
	}
	for i, want := range []int{4, 3} { // the second one has another text
		r := recordedRun[4]
		r.prompt = []string{"repair 2", "changed"}[i]
		if text, err := r.send(m, echo, add); err != nil || text != "to "+recordedRun[want].prompt {
			t.Errorf("%+v: %q, %v", r, text, err)
		}
	}
}

// TestMeaningOfAgents checks that agents with the same tools do not receive each other's answers.
func TestMeaningOfAgents(t *testing.T) {
	send := func(m llm.Model, call, prompt string) (string, error) {
		id := run.NewID()
		e := run.Event{Run: id, AgentCall: id + call, What: run.ModelStart{For: run.PurposeAnswer, Attempt: 1}}
		response, err := m.Generate(e.Context(t.Context()), llm.Request{Prompt: prompt})
		return response.Text, err
	}
	var b bytes.Buffer
	recorder := replay.Record(&b, llm.Func(func(_ context.Context, r llm.Request) (llm.Response, error) {
		return llm.Response{Text: "to " + r.Prompt}, nil
	}))
	agents := []string{"/find/1", "/pay/1", "/pay/1/:1"}
	for _, call := range agents {
		if _, err := send(recorder, call, call); err != nil {
			t.Fatal(err)
		}
	}
	m, err := replay.Read(&b)
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range []int{2, 0, 1} {
		if text, err := send(m, agents[i], "changed"); err != nil || text != "to "+agents[i] {
			t.Errorf("%s: %q, %v", agents[i], text, err)
		}
	}
}

// TestMeaningUnrecorded checks the errors for requests of a run that are not recorded.
func TestMeaningUnrecorded(t *testing.T) {
	const head = "model: unrecorded: the request is not in the recording; the most similar unused one, "
	const again = "record the dialogue again if this change is intended"
	recording := recordRun(t, recordedRun...)
	old := bytes.ReplaceAll(recording, []byte("dialogue 2"), []byte("dialogue 1"))
	old = regexp.MustCompile(`(?s)"for": \{.*?\},`).ReplaceAll(old, nil)
	for name, test := range map[string]struct {
		recording []byte
		options   []replay.Option
		request   runRequest
		tools     []tool.Definition
		want      string
	}{
		"step": {recording, nil, runRequest{run.PurposeArguments, "3", "echo", "arguments 3"}, []tool.Definition{echo, add}, head + `request 2 of 5, differs in its meaning:
- recorded: purpose "arguments", step "1", tool "echo", tools add, echo
+ sent:     purpose "arguments", step "3", tool "echo", tools add, echo
and in prompt:
- recorded: "prompt": "arguments 1",
+ sent:     "prompt": "arguments 3",
` + again},
		"tools": {recording, nil, runRequest{run.PurposePlan, "", "", "plan!"}, nil, head + `request 1 of 5, differs in its meaning:
- recorded: purpose "plan", tools add, echo
+ sent:     purpose "plan", no tools
and in prompt:
- recorded: "prompt": "plan",
+ sent:     "prompt": "plan!",
` + again},
		"exact": {recording, []replay.Option{replay.Exact()}, runRequest{run.PurposePlan, "", "", "plan!"}, []tool.Definition{echo, add}, head + `request 1 of 5, differs in prompt:
- recorded: "prompt": "plan",
+ sent:     "prompt": "plan!",
` + again},
		"old": {old, nil, runRequest{run.PurposePlan, "", "", "plan!"}, []tool.Definition{echo, add}, head + `request 1 of 5, differs in prompt:
- recorded: "prompt": "plan",
+ sent:     "prompt": "plan!",
The recording is in an old format, in which requests match only by their text: ` + again},
	} {
		m, err := replay.Read(bytes.NewReader(test.recording), test.options...)
		if err != nil {
			t.Fatal(err)
		}
		if _, err = test.request.send(m, test.tools...); err == nil || err.Error() != test.want {
			t.Errorf("%s: got\n%v\nwant\n%s", name, err, test.want)
		}
		if m.Unused() != 5 {
			t.Errorf("%s: an answer was used up", name)
		}
		if text, err := recordedRun[0].send(m, echo, add); err != nil || text != "to plan" {
			t.Errorf("%s: the same text: %q, %v", name, text, err)
		}
		if name == "exact" || name == "old" {
			continue
		}
		if _, err = (runRequest{run.PurposePlan, "", "", "other"}).send(m, echo, add); err == nil || !strings.Contains(err.Error(), "the answer to request 1 of the recording was already used") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
