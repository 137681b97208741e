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

// StartAimock starts the npm package @copilotkit/aimock, an endpoint that was written independently of
// this project, and returns its URL without a path. The endpoint speaks the protocols of several
// providers, sends the answers in the files, and accepts the key [Key]. It stops at the end of the
// test, or after a minute. The environment variable AIMOCK contains the path of the program; the
// default is llmock in PATH. If the program is missing, the test is skipped.
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
				for lines.Scan() { // read all output, so that the process does not block
				}
			}()
			return address
		}
		t.Log(lines.Text())
	}
	t.Fatal("aimock ended before it listened")
	return ""
}

// TestAimock checks a model at an endpoint of [StartAimock] with the answers of package openai. It sends
// every request twice, without and with streaming. newModel returns a model with the given key. The model
// must not retry requests, and must send the name of the test in the header X-Test-Id.
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

// checkTools checks an answer with two calls, and an answer with a call that fails.
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
		req.Messages = append(req.Messages, roundTripMessages([]llm.Message{got.Message()})...)
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

// mustReport sends a prompt for which the model must return an error of the given kind.
func (a aimockCheck) mustReport(prompt, kind string) {
	a.Helper()
	got, err := a.generate(a.Context(), llm.Request{Prompt: prompt})
	if e, ok := errors.AsType[*llm.Error](err); !ok || e.Kind != kind {
		a.Errorf("%s: %+v, %v, want an error of the kind %s", prompt, got, err, kind)
	}
}
