package tool

import (
	"context"
	"encoding/json"
	"strings"
)

// Definition describes a tool to a model. Its JSON names are stable. Its raw messages are shared and must not
// be modified.
type Definition struct {
	Name        string          `json:"name"`                 // the name that the model calls it by
	Title       string          `json:"title,omitempty"`      // a name for people
	Description string          `json:"description"`          // what the tool does and when to use it
	Link        string          `json:"link,omitempty"`       // a page with more information
	Input       json.RawMessage `json:"input,omitempty"`      // JSON Schema of the arguments, always an object
	Output      json.RawMessage `json:"output,omitempty"`     // JSON Schema of the result
	Example     json.RawMessage `json:"example,omitempty"`    // arguments of an example call
	Annotations Annotations     `json:"annotations,omitzero"` // effects of a call
	Package     string          `json:"-"`                    // import path of the generated code; empty for other tools
	Binding     *Binding        `json:"-"`                    // declaration and function of a generated tool; nil for other tools
	Agent       any             `json:"-"`                    // agent that carries out the calls, set by package orchestrator; nil for other tools
}

// Annotations state the effects of calls of a tool. They are claims of the tool's author, which this package does
// not verify. Each claim excludes some effects; the zero Annotations exclude none.
type Annotations struct {
	ReadOnly    bool `json:"read_only,omitempty"`    // changes nothing, and therefore is also additive and idempotent
	Additive    bool `json:"additive,omitempty"`     // does not overwrite or delete existing data
	Idempotent  bool `json:"idempotent,omitempty"`   // repeating the call changes nothing more
	ClosedWorld bool `json:"closed_world,omitempty"` // interacts with nothing outside the program
}

// Is reports whether the annotations include the claim x.
func (a Annotations) Is(x Annotation) bool {
	return map[string]bool{ // an annotation without a claim is not in the map
		"read_only": a.ReadOnly, "additive": a.Additive || a.ReadOnly, "idempotent": a.Idempotent || a.ReadOnly, "closed_world": a.ClosedWorld,
	}[x.claim]
}

// Required returns the names of the required arguments, in the order of Input.
func (d Definition) Required() []string {
	var schema struct{ Required []string }
	if json.Unmarshal(d.Input, &schema) != nil {
		return nil // there is no schema, or its required is not a list of strings
	}
	return schema.Required
}

// Tool is a definition with the code to invoke it. It is a small value; copy it freely. Make a tool by hand
// with [New]. A typed tool is in the field Tool of a [TypedTool] or a [TypedAction].
type Tool struct {
	definition *Definition // nil if there is no such tool
	invoke     func(context.Context, *Invocation)
	traits     *traits // nil for most tools
}

// traits holds properties that most tools do not have.
type traits struct {
	check     func(*Definition) error // returns what is wrong with the definition; nil if the generator has checked it
	ownRepair bool                    // repair replaces that of the registry, even if it is nil
	repair    Repair
	demand    scopeDemand // what the tool needs from a scope
}

// withTraits returns a copy of the tool with changed traits.
func (t Tool) withTraits(change func(*traits)) Tool {
	changed := t.traitsOrZero()
	change(&changed)
	t.traits = &changed
	return t
}

// traitsOrZero returns the traits, or zero traits if the tool has none.
func (t Tool) traitsOrZero() traits {
	if t.traits == nil {
		return traits{}
	}
	return *t.traits
}

// Definition returns the definition of the tool.
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
	return strings.TrimSuffix(showName(d.Name)+": "+showLine(d.Description), ": ")
}
