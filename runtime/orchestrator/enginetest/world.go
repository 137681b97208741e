package enginetest

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"time"

	"github.com/aiongen/aiongen/runtime/middleware"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// world provides the tools of runs, which record their effects in a file.
type world struct{ effects string }

// toolAnnotations contains the annotations of the tools: find is read-only, tag is idempotent, and the
// others have none. In addition, send needs an approval. In a world, order asks a person.
var toolAnnotations = map[string]tool.Annotations{"find": {ReadOnly: true}, "tag": {Idempotent: true}, "pay": {}, "send": {}, "order": {}}

// newRegistry returns a registry with the tools. All have the same input schema, and call perform.
func newRegistry(input string, perform func(ctx context.Context, name string, arguments json.RawMessage) (json.RawMessage, error)) (*tool.Registry, error) {
	r := tool.NewRegistry(tool.Use(middleware.Gate(middleware.RequireApproval(middleware.NameMatches("send")), middleware.Allow())), tool.MaxOutput(16<<20))
	for name, annotations := range toolAnnotations {
		dynamicTool, err := schema.Dynamic(tool.Definition{
			Name: name, Description: "Does " + name + ".", Annotations: annotations,
			Input: json.RawMessage(input), Output: json.RawMessage(`{"type":"string"}`),
		}, func(ctx context.Context, arguments json.RawMessage) (json.RawMessage, error) {
			return perform(ctx, name, arguments)
		})
		if err == nil {
			err = r.Register(dynamicTool)
		}
		if err != nil {
			return nil, err
		}
	}
	return r, nil
}

var question = tool.AskPerson("Really?", nil)

// newRegistry returns a registry with the tools.
func (w world) newRegistry() (*tool.Registry, error) {
	return newRegistry(`{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"],"additionalProperties":false}`, w.performEffect)
}

// performEffect records the effect of a tool. It pauses before and after it does so, because the process
// may be killed in each pause.
func (w world) performEffect(ctx context.Context, name string, arguments json.RawMessage) (json.RawMessage, error) {
	if name == "order" {
		if _, err := tool.ExchangeFrom(ctx).Ask(ctx, question); err != nil {
			return nil, err
		}
	}
	id := tool.CallFrom(ctx).ID
	fmt.Println("\nbegins", name)
	shortPause()
	if err := w.writeEffect(effect{id, name, string(arguments)}); err != nil {
		return nil, err
	}
	fmt.Println("\ndid", name)
	shortPause()
	return json.Marshal("did " + id)
}

func shortPause() { time.Sleep(time.Duration(rand.IntN(3000)) * time.Microsecond) }

// effect is one execution of a tool, or a message that the model was shown.
type effect struct{ id, name, arguments string }

// writeEffect appends an effect to the file.
func (w world) writeEffect(e effect) error {
	f, err := os.OpenFile(w.effects, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = fmt.Fprintf(f, "%s %s %s\n", e.id, e.name, e.arguments)
	return err
}

// readEffects returns the effects of a run.
func (w world) readEffects(run string) (all []effect, err error) {
	text, err := os.ReadFile(w.effects)
	if err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	for line := range strings.Lines(string(text)) {
		parts := strings.SplitN(strings.TrimSuffix(line, "\n"), " ", 3)
		if len(parts) == 3 && strings.HasPrefix(parts[0], run+"/") {
			all = append(all, effect{parts[0], parts[1], parts[2]})
		}
	}
	return all, nil
}
