// Package genkit tests that the tools of a registry work with genkit, and that a module which uses both builds with the
// versions that genkit requires. It has only tests, and is a separate module so that nothing else depends on genkit.
package genkit

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/firebase/genkit/go/ai"
	"github.com/firebase/genkit/go/genkit"
	"github.com/google/dotprompt/go/dotprompt"

	"github.com/aiongen/aiongen/example/gen"
	desk "github.com/aiongen/aiongen/example/tools"
	"github.com/aiongen/aiongen/runtime/tool"
)

// define registers the tools of a registry with genkit.
func define(t *testing.T, g *genkit.Genkit, r *tool.Registry) {
	for _, d := range r.All() {
		var input map[string]any
		if err := json.Unmarshal(d.Input, &input); err != nil {
			t.Fatal(err)
		}
		genkit.DefineTool(g, d.Name, d.Description, func(ctx *ai.ToolContext, arguments any) (json.RawMessage, error) {
			text, err := json.Marshal(arguments)
			if err != nil {
				return nil, err
			}
			call := r.Call(ctx, tool.Request{Name: d.Name, Arguments: text})
			return call.Output, call.Err
		}, ai.WithInputSchema(input))
	}
}

// TestTools calls tools of a registry through genkit.
func TestTools(t *testing.T) {
	registry := tool.NewRegistry()
	if err := gen.Register(registry, gen.Deps{Desk: desk.NewDesk(time.Now)}); err != nil {
		t.Fatal(err)
	}
	g := genkit.Init(t.Context())
	define(t, g, registry)
	for _, d := range registry.All() {
		if genkit.LookupTool(g, d.Name) == nil {
			t.Errorf("genkit has no tool %s", d.Name)
		}
	}
	open := genkit.LookupTool(g, "open_ticket")
	ticket, err := open.RunRaw(t.Context(), map[string]any{"title": "No paper", "priority": "low", "requester": map[string]any{"name": "Ada"}})
	if fields, _ := ticket.(map[string]any); err != nil || fields["title"] != "No paper" || fields["status"] != "open" {
		t.Errorf("%v, %v", ticket, err)
	}
	_, err = open.RunRaw(t.Context(), map[string]any{"title": "No paper", "priority": "soon", "requester": map[string]any{"name": "Ada"}})
	if err == nil || !strings.Contains(err.Error(), "priority") {
		t.Errorf("with a wrong argument: %v", err)
	}
}

// TestPrompts uses genkit's package whose API depends on the version of a JSON Schema module.
func TestPrompts(t *testing.T) {
	prompt, err := dotprompt.NewDotprompt(nil).Parse("---\ninput:\n  schema:\n    name: string, who it is\n---\nHello, {{name}}!")
	if err != nil || !strings.Contains(prompt.Template, "{{name}}") {
		t.Errorf("%+v, %v", prompt, err)
	}
}
