package tool

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/aiongen/aiongen/runtime/tool/internal/show"
	"github.com/aiongen/aiongen/runtime/tool/internal/store"
)

// Definition is what a model is told of a tool. Its JSON names are stable, its raw
// messages shared: they must not be modified.
type Definition struct {
	Name        string          `json:"name"`                 // by which the model calls it
	Title       string          `json:"title,omitempty"`      // a name for people
	Description string          `json:"description"`          // what the tool does and when to use it
	Link        string          `json:"link,omitempty"`       // where to read more
	Input       json.RawMessage `json:"input,omitempty"`      // JSON Schema of the arguments, always an object
	Output      json.RawMessage `json:"output,omitempty"`     // JSON Schema of the result
	Example     json.RawMessage `json:"example,omitempty"`    // arguments of an example call
	Annotations Annotations     `json:"annotations,omitzero"` // what a call does to the world
	Package     string          `json:"-"`                    // import path of the generated code that it is in, if it is
}

// Annotations say what calls of a tool do to the world. They are claims of the
// tool's author, nothing that this package enforces. Each makes a tool more
// harmless, so that the zero Annotations, which claim nothing, are of one that may
// do anything.
type Annotations struct {
	ReadOnly    bool `json:"read_only,omitempty"`    // changes nothing; so it is additive and idempotent, too
	Additive    bool `json:"additive,omitempty"`     // does not overwrite or delete what was there
	Idempotent  bool `json:"idempotent,omitempty"`   // the same call again changes nothing more
	ClosedWorld bool `json:"closed_world,omitempty"` // deals with nothing outside the program
}

// Is reports whether the annotations claim what a call does to the world.
func (a Annotations) Is(x Annotation) bool {
	return map[string]bool{ // what is no claim is not there
		"read_only": a.ReadOnly, "additive": a.Additive || a.ReadOnly, "idempotent": a.Idempotent || a.ReadOnly, "closed_world": a.ClosedWorld,
	}[x.claim]
}

// Required returns the names of required arguments, in the order of Input.
func (d Definition) Required() []string {
	var schema struct{ Required []string }
	if json.Unmarshal(d.Input, &schema) != nil {
		return nil // no schema, or one that is not ours
	}
	return schema.Required
}

// Tool is a definition and how to invoke it. It is a small value to be copied.
// By hand they are made with [New]; one with types is the Tool of an [Of] or a [Do].
type Tool struct {
	definition *Definition // nil if there is no such tool
	invoke     func(context.Context, *Invocation)
	traits     *traits // nil for most
}

// traits are what makes a tool differ from most.
type traits struct {
	check     func(*Definition) error // what is wrong with it; nil if that was checked when it was generated
	ownRepair bool                    // repair counts, not that of the registry
	repair    Repair
	demand    store.Demand // what it needs of a scope
}

// with returns a copy of the tool with other traits.
func (t Tool) with(change func(*traits)) Tool {
	changed := t.peculiar()
	change(&changed)
	t.traits = &changed
	return t
}

// peculiar returns the traits.
func (t Tool) peculiar() traits {
	if t.traits == nil {
		return traits{}
	}
	return *t.traits
}

// Definition returns what a model is told of the tool.
func (t Tool) Definition() Definition {
	if t.definition == nil {
		return Definition{}
	}
	return *t.definition
}

func (t Tool) isZero() bool { return t.definition == nil || t.invoke == nil }

// String returns the name of the tool and the first line of its description.
func (t Tool) String() string {
	d := t.Definition()
	return strings.TrimSuffix(show.Name(d.Name)+": "+show.Line(d.Description), ": ")
}
