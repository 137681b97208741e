package killtest

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"time"

	"github.com/aiongen/aiongen/runtime/ask"
	"github.com/aiongen/aiongen/runtime/guard"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// world is the tools of a run, and a file in which they note what they do.
type world struct{ effects string }

// claims has the annotations of the tools: find reads, tag is idempotent, and the others have
// none. In addition, send needs an approval, and order asks a person.
var claims = map[string]tool.Annotations{"find": {ReadOnly: true}, "tag": {Idempotent: true}, "pay": {}, "send": {}, "order": {}}

var question = ask.Person("Really?", nil)

// registry returns a registry with the tools.
func (w world) registry() (*tool.Registry, error) {
	r := tool.NewRegistry(tool.Use(guard.Gate(guard.Ask(guard.Named("send")), guard.Allow())))
	for name, does := range claims {
		made, err := schema.Dynamic(tool.Definition{
			Name: name, Description: "Does " + name + ".", Annotations: does,
			Input:  json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"],"additionalProperties":false}`),
			Output: json.RawMessage(`{"type":"string"}`),
		}, func(ctx context.Context, arguments json.RawMessage) (json.RawMessage, error) {
			return w.act(ctx, name, arguments)
		})
		if err == nil {
			err = r.Register(made)
		}
		if err != nil {
			return nil, err
		}
	}
	return r, nil
}

// act notes what a tool does, with a moment before and after it in which the process may be
// killed.
func (w world) act(ctx context.Context, name string, arguments json.RawMessage) (json.RawMessage, error) {
	if name == "order" {
		if _, err := tool.ExchangeFrom(ctx).Ask(ctx, question); err != nil {
			return nil, err
		}
	}
	id := tool.CallFrom(ctx).ID
	fmt.Println("\nbegins", name)
	pause()
	if err := w.write(effect{id, name, string(arguments)}); err != nil {
		return nil, err
	}
	fmt.Println("\ndid", name)
	pause()
	return json.Marshal("did " + id)
}

func pause() { time.Sleep(time.Duration(rand.IntN(3000)) * time.Microsecond) }

// effect is one execution of a tool, or a message that the model was shown.
type effect struct{ id, name, arguments string }

// write notes an effect.
func (w world) write(e effect) error {
	f, err := os.OpenFile(w.effects, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = fmt.Fprintf(f, "%s %s %s\n", e.id, e.name, e.arguments)
	return err
}

// happened returns the effects of a run.
func (w world) happened(run string) (all []effect, err error) {
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
