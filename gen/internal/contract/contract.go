// Package contract compares what tools and prompts promised to callers with what they
// promise now, and reports breaking changes. Call Compare.
//
// Tools are described as clients see them, by their schemas and texts. Definitions and Lint
// show how providers receive them, ReadSnapshot reads saved promises, and Checkout copies
// the files of a git revision to a temporary directory.
package contract

import (
	"encoding/json"

	"github.com/aiongen/aiongen/aion/diag"
)

// Promises are the tools and prompts on which callers of some packages rely.
type Promises struct {
	Tools   []Tool
	Prompts []Prompt
	Costs   []string // messages of notes about limits of Go types, such as fields that encoding/json drops
}

// Prompt is a text that an .aion file declares. Callers request it by its name.
type Prompt struct {
	Package string // import path
	Name    string
	Text    string
	Place   diag.Span
}

// Tool describes a tool as its callers see it, with positions in the source. Its JSON names
// are stable.
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
	Source      Source          `json:"source,omitzero"`
	ResultPlace diag.Span       `json:"-"` // of the description of the result
	Partial     bool            `json:"-"` // link and variables are unknown
}

// Variables lists the arguments and results that JSON cannot carry, such as channels. Calls
// refer to variables of a scope instead. The maps contain the Go types of these variables.
type Variables struct {
	Scope       bool              `json:"scope,omitempty"`     // the function takes the scope that holds the variables
	Arguments   map[string]string `json:"arguments,omitempty"` // by JSON Pointer, with * for any element or member
	Required    []string          `json:"required,omitempty"`  // arguments that every call has
	Result      map[string]string `json:"result,omitempty"`    // by JSON Pointer, like Arguments
	LostResults []string          `json:"lost,omitempty"`      // results that a call without a scope would lose
}

// Source says where a tool is declared and where its function is, each as a file and a line,
// such as "shop/orders.aion:12". Files are relative to the module of the tool; those of other
// modules begin with their import path.
type Source struct {
	Note     string `json:"note,omitempty"`
	Function string `json:"function,omitempty"` // empty if the tool calls no declared function
}

// Argument is an argument of a tool. Arguments have the order of the schema.
type Argument struct {
	Name     string    `json:"name"`
	Required bool      `json:"required"`
	Place    diag.Span `json:"place,omitzero"` // of its note, or of the function
}

// Annotations describe the effects of calls, as in package tool. ReadOnly implies Additive
// and Idempotent, which are set too.
type Annotations struct {
	ReadOnly    bool `json:"read_only"`
	Additive    bool `json:"additive"`
	Idempotent  bool `json:"idempotent"`
	ClosedWorld bool `json:"closed_world"`
}

// argumentPlace returns the position of an argument, or that of the tool if it has no such argument.
func (t Tool) argumentPlace(name string) diag.Span {
	for _, a := range t.Arguments {
		if a.Name == name {
			return a.Place
		}
	}
	return t.Place
}
