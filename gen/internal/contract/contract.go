// Package contract compares what callers of tools were promised with what they
// are promised now, and says which changes break them. It knows tools as a
// client does, by their schemas and words, and shows them as providers and
// protocols receive them; where they come from is the affair of package promise.
//
// Its layers, from top to bottom:
//
//	compare                   what changed from some promises to others
//	argument, result, prompt  how changes of each are judged
//	report                    what was found
//	target, snapshot          tools as providers and protocols have them
//	scope                     what tools need that JSON cannot carry
//	contract                  the promises
package contract

import (
	"encoding/json"

	"github.com/aiongen/aiongen/aion/diag"
)

// Promises are what callers of some packages go by.
type Promises struct {
	Tools   []Tool
	Prompts []Prompt
	Costs   []string // notes on what types cost
}

// Prompt is a text that callers can ask for, under the name by which .aion files
// know it.
type Prompt struct {
	Package string // import path
	Name    string
	Text    string
	Place   diag.Span
}

// Tool is what callers of a tool go by, and where the source says so. Its JSON
// names are stable.
type Tool struct {
	Name        string          `json:"name"`
	Title       string          `json:"title,omitempty"`
	Description string          `json:"description"`
	Link        string          `json:"link,omitempty"`
	Arguments   []Argument      `json:"arguments"`
	Input       json.RawMessage `json:"input"`             // JSON Schema of the arguments
	Output      json.RawMessage `json:"output,omitempty"`  // JSON Schema of the result
	Example     json.RawMessage `json:"example,omitempty"` // arguments of an example call
	Variables   Variables       `json:"variables,omitzero"`
	Annotations Annotations     `json:"annotations"`
	Package     string          `json:"package,omitempty"` // import path
	Place       diag.Span       `json:"place,omitzero"`    // of its name
	Result      diag.Span       `json:"-"`                 // of what says what it returns
	Partial     bool            `json:"-"`                 // link and variables are not known
}

// Variables are what a tool takes and returns that JSON cannot carry, by the Go
// types of the variables that stand for it.
type Variables struct {
	Scope     bool              `json:"scope,omitempty"`     // it takes the scope that holds them
	Arguments map[string]string `json:"arguments,omitempty"` // by JSON Pointer, with * for any element or member
	Required  []string          `json:"required,omitempty"`  // those of the arguments that every call has
	Result    map[string]string `json:"result,omitempty"`    // as Arguments
	Lost      []string          `json:"lost,omitempty"`      // those of the result that a call without a scope would lose
}

// Argument is an argument of a tool, in the order of the schema.
type Argument struct {
	Name     string    `json:"name"`
	Required bool      `json:"required"`
	Place    diag.Span `json:"place,omitzero"` // of its note, else of the function
}

// Annotations say what calls of a tool do to the world; see package tool. What
// follows from ReadOnly is set, too.
type Annotations struct {
	ReadOnly    bool `json:"read_only"`
	Additive    bool `json:"additive"`
	Idempotent  bool `json:"idempotent"`
	ClosedWorld bool `json:"closed_world"`
}

// placeOf is where a tool speaks of an argument.
func (t Tool) placeOf(name string) diag.Span {
	for _, a := range t.Arguments {
		if a.Name == name {
			return a.Place
		}
	}
	return t.Place
}
