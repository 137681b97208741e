package llmtest

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// StartAimock starts an endpoint that was written independently of this project, npm's
// @copilotkit/aimock, and returns its URL without a path. It speaks the protocols of several
// providers, gives the answers in the files, and accepts the key [Key]. It ends with the test, at the
// latest after a minute. The test is skipped if the program is missing: the environment variable
// AIMOCK contains its path, or else it is llmock in PATH.
func StartAimock(t *testing.T, files ...string) (url string) {
	t.Helper()
	program := os.Getenv("AIMOCK")
	if program == "" {
		var err error
		if program, err = exec.LookPath("llmock"); err != nil {
			t.Skip("no llmock on PATH: npm install -g @copilotkit/aimock@1.43.0, or set AIMOCK to the program")
		}
	}
	arguments := []string{"--port", "0"}
	for _, file := range files {
		arguments = append(arguments, "--fixtures", file)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	cmd := exec.CommandContext(ctx, program, arguments...)
	cmd.Env = append(os.Environ(), "AIMOCK_API_KEYS="+Key)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		cancel()
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cancel()
		_ = cmd.Wait() // the process was killed, so the error is expected
	})
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if _, address, found := strings.Cut(lines.Text(), "listening on "); found {
			go func() {
				for lines.Scan() { // otherwise the process would block
				}
			}()
			return address
		}
		t.Log(lines.Text())
	}
	t.Fatal("aimock ended before it listened")
	return ""
}

// TestAimock checks a model at an endpoint of [StartAimock] with the answers of package openai. It makes
// every request twice: for the whole answer at once, and for a stream. newModel returns a model with the
// given key, which must not retry requests, and must send the name of the test in the header X-Test-Id.
func TestAimock(t *testing.T, newModel func(t *testing.T, key string) llm.Model) {
	for _, m := range modes[:2] {
		t.Run(m.name, func(t *testing.T) {
			a := aimockCheck{&check{T: t, mode: m, model: newModel(t, Key)}}
			a.checkText()
			a.checkTools()
			a.checkErrors()
			a.model = newModel(t, "wrong")
			a.mustReport("greet", llm.Unauthorized)
		})
	}
}

// aimockCheck checks a model at aimock.
type aimockCheck struct{ *check }

func (a aimockCheck) checkText() {
	got, err := a.generate(a.Context(), llm.Request{System: "Be kind.", Prompt: "greet"})
	if err != nil || got.Text != "Hello, Ada. How are you?" || got.Finish != llm.FinishStop || got.Usage != (llm.Usage{Input: 12, Output: 7}) {
		a.Errorf("%+v, %v", got, err)
	}
}

// checkTools calls a tool twice at once, and a tool that fails.
func (a aimockCheck) checkTools() {
	weather, err := schema.Dynamic(weatherTool, func(_ context.Context, arguments json.RawMessage) (json.RawMessage, error) {
		if !strings.Contains(string(arguments), "Oslo") && !strings.Contains(string(arguments), "Rome") {
			return nil, errors.New("no such place")
		}
		return json.RawMessage(`"snow"`), nil
	})
	if err != nil {
		a.Fatal(err)
	}
	registry := tool.NewRegistry()
	if err := registry.Replace(weather); err != nil {
		a.Fatal(err)
	}
	for question, want := range map[string]string{
		"the weather of Oslo and Rome": "It snows in Oslo, it rains in Rome.",
		"the weather of Atlantis":      "There is no such place.",
	} {
		req := llm.Request{Messages: []llm.Message{{Role: llm.RoleUser, Text: question}}, Tools: registry.All()}
		got, err := a.generate(a.Context(), req)
		if err != nil || len(got.Calls) == 0 || got.Finish != llm.FinishCalls {
			a.Errorf("%+v, %v", got, err)
			continue
		}
		req.Messages = append(req.Messages, throughJournal([]llm.Message{got.Message()})...)
		for _, call := range registry.CallAll(a.Context(), got.Calls, tool.Batch{}) {
			req.Messages = append(req.Messages, llm.Message{Role: llm.RoleTool, Result: call})
		}
		if got, err = a.generate(a.Context(), req); err != nil || got.Text != want {
			a.Errorf("%+v, %v", got, err)
		}
	}
}

func (a aimockCheck) checkErrors() {
	for prompt, want := range map[string]string{"down": llm.ServerError, "garble": llm.Malformed, "hang up": llm.Unreachable, "not foreseen": llm.BadRequest} {
		a.mustReport(prompt, want)
	}
	if a.mode.streamed {
		a.mustReport("cut", llm.CutOff)
	}
}

// mustReport sends a prompt that must fail with an error of a kind.
func (a aimockCheck) mustReport(prompt, kind string) {
	a.Helper()
	got, err := a.generate(a.Context(), llm.Request{Prompt: prompt})
	if e, ok := errors.AsType[*llm.Error](err); !ok || e.Kind != kind {
		a.Errorf("%s: %+v, %v, want an error of the kind %s", prompt, got, err, kind)
	}
}
