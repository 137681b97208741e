// Package llamacpp runs agents against llama.cpp with a model of random weights, whose calls and answers are
// constrained by grammars. The model writes what a constrained model can write, but never what it should.
package llamacpp

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/aiongen/aiongen/conformance/internal/npm"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/openai"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/repair"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/testdata/golden/corpus"
)

// startServer starts a server with a random model and returns its URL. It skips the test without the packages of npm;
// see [npm.Folder].
func startServer(t *testing.T) string {
	t.Helper()
	folder := npm.Folder(t, "node-llama-cpp")
	model := filepath.Join(t.TempDir(), "random.gguf")
	if err := os.WriteFile(model, randomModel(1), 0o600); err != nil {
		t.Fatal(err)
	}
	_, stdout := npm.Start(t, "server.mjs", folder, model, "1")
	lines := bufio.NewScanner(stdout)
	if !lines.Scan() {
		t.Fatalf("the server has no URL: %v", lines.Err())
	}
	return lines.Text()
}

// recorder counts the calls that reach functions and those that are refused.
type recorder struct {
	mu      sync.Mutex
	reached int
	refused int
}

// newRegistry returns tools with the schemas of many Go types. Their functions check that their arguments are
// valid, with another validator.
func newRegistry(t *testing.T, r *recorder, options ...tool.Option) *tool.Registry {
	t.Helper()
	registry := tool.NewRegistry(append(options, tool.Use(r.count))...)
	for _, x := range corpus.Tools() {
		d := x.Definition()
		input := compileSchema(t, d.Input)
		dynamic, err := schema.Dynamic(d, func(_ context.Context, arguments json.RawMessage) (json.RawMessage, error) {
			value, err := jsonschema.UnmarshalJSON(strings.NewReader(string(arguments)))
			if err == nil {
				err = input.Validate(value)
			}
			if err != nil {
				t.Errorf("%s was called with %s: %v", d.Name, arguments, err)
			}
			r.mu.Lock()
			defer r.mu.Unlock()
			r.reached++
			return nil, fmt.Errorf("%s does nothing", d.Name)
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := registry.Register(dynamic); err != nil {
			t.Fatal(err)
		}
	}
	return registry
}

// count counts the calls whose arguments are refused.
func (r *recorder) count(next tool.Handler) tool.Handler {
	return func(ctx context.Context, c *tool.Call) (json.RawMessage, error) {
		output, err := next(ctx, c)
		if _, ok := errors.AsType[*tool.ArgumentError](err); ok {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.refused++
		}
		return output, err
	}
}

// runCount is how many runs TestRandomModel makes.
const runCount = 60

// honestKinds are the kinds of errors with which a run may end.
var honestKinds = []string{"cut_off", "gave_up", "invalid_answer", "invalid_plan", "turn_limit"}

// TestRandomModel runs agents of both kinds. Each run must end in an answer or an honest error: it says that the model did
// not do what it should.
func TestRandomModel(t *testing.T) {
	model := openai.New("random", openai.BaseURL(startServer(t)), openai.NoRetry())
	ctx, cancel := context.WithTimeout(t.Context(), 90*time.Second)
	defer cancel()
	r := &recorder{}
	strict, tolerant := newRegistry(t, r), newRegistry(t, r, tool.Tolerant(repair.Arguments))
	names := strict.Names()
	ends := map[string]int{}
	for i := range runCount {
		registry := strict
		if i%2 == 0 {
			registry = tolerant
		}
		view, err := registry.Select(names[2*i%len(names)], names[(2*i+1)%len(names)], names[(2*i+2)%len(names)])
		if err != nil {
			t.Fatal(err)
		}
		result := runAgent(ctx, t, model, view, i)
		if result.Error == nil {
			ends["answered"]++
			continue
		}
		ends[result.Error.Kind]++
		if !slices.Contains(honestKinds, result.Error.Kind) {
			t.Errorf("run %d: %s: %v", i, result.Status, result.Error)
		}
	}
	t.Logf("%d runs ended: %v; %d calls reached functions, %d were refused", runCount, ends, r.reached, r.refused)
	if r.reached < runCount/4 || r.refused == 0 || ends["answered"] == 0 || len(ends) < 4 {
		t.Error("the model is not random enough")
	}
}

// runAgent makes a run: a conversation, one with a schema of the answer, or a plan.
func runAgent(ctx context.Context, t *testing.T, model llm.Model, tools *tool.Registry, i int) *run.Result {
	t.Helper()
	agent, err := orchestrator.New(model, tools, orchestrator.Conversation{Turns: 4})
	if err != nil {
		t.Fatal(err)
	}
	in := orchestrator.Input{Request: "Do something.", Limits: run.Limits{Steps: 10}}
	switch i % 3 {
	case 1:
		in.Answer = json.RawMessage(`{"type":"object","properties":{"count":{"type":"integer","minimum":0},"names":{"type":"array","items":{"type":"string"},"maxItems":3}},"required":["count"],"additionalProperties":false}`)
	case 2:
		in.Kind = "plan"
	}
	started, err := agent.Start(ctx, in)
	if err != nil {
		t.Fatal(err)
	}
	result, err := started.Execute(ctx)
	if err != nil {
		t.Fatalf("run %d: %v", i, err)
	}
	return result
}

func compileSchema(t *testing.T, text []byte) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	c.AssertContent()
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	if err := c.AddResource("schema.json", doc); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return compiled
}
