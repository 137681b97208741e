package toolpage

import (
	"bytes"
	"encoding/json"
	"html/template"
	"strings"
)

// Tool is the content of the page of a tool. Only Name is required.
type Tool struct {
	Name        string
	Title       string
	Description string
	Link        string // URL of a page with more information; shown as text unless it is an HTTP URL
	Package     string // import path
	Note        string // file and line of the note that declares the tool, such as "shop/orders.aion:12"
	Function    string // file and line of the function that the tool calls
	Tokens      int    // estimated size in a request
	Input       json.RawMessage
	Output      json.RawMessage
	Example     json.RawMessage // arguments of an example call
	Variables   []Variable
	Annotations Annotations
	Forms       []Form
	Findings    []Finding
	Linted      bool          // whether the tool was checked for Findings
	Actions     template.HTML // shown after the description, such as a form that calls the tool
}

// Annotations are the claims about the effects of a tool, as in package tool.
type Annotations struct{ ReadOnly, Additive, Idempotent, ClosedWorld bool }

// Variable is a value that JSON cannot carry. Calls pass it by the name of a variable.
type Variable struct {
	Path   string // JSON Pointer in the arguments or in the result
	Type   string // Go type
	Result bool   // part of the result, not of the arguments
}

// Form is the definition that a provider receives.
type Form struct {
	Target     string // name of the provider, such as "openai-strict"
	Definition json.RawMessage
	Tokens     int    // estimated size
	Failure    string // why the provider receives nothing
}

// Finding is something that a provider or a reader should know about a tool.
type Finding struct {
	Severity string // "error", "warning" or "note"
	Code     string
	Message  string
	Help     string // what to do
	Place    string // file and line
}

// ToolBody renders the page of a tool. Its heading is the name of the tool.
func ToolBody(t Tool) (template.HTML, error) { return render("tool.html", t) }

// Arguments returns the table of the arguments.
func (t Tool) Arguments() Table { return newTable("Arguments", "required", t.Input) }

// Result returns the table of the result.
func (t Tool) Result() Table { return newTable("Result", "always", t.Output) }

// Claims returns each possible claim about effects, and whether the author of the tool makes it.
func (t Tool) Claims() []Claim {
	a := t.Annotations
	return []Claim{
		{"read-only", "changes nothing", "may change something", a.ReadOnly},
		{"additive", "does not overwrite or delete existing data", "may overwrite or delete existing data", a.Additive || a.ReadOnly},
		{"idempotent", "repeating a call changes nothing more", "repeating a call may change something again", a.Idempotent || a.ReadOnly},
		{"closed world", "interacts with nothing outside the program", "may interact with the outside world", a.ClosedWorld},
	}
}

// Claim is one annotation of a tool.
type Claim struct {
	Name  string
	yes   string
	no    string
	Holds bool
}

// Text returns what the claim means, or what its absence means.
func (c Claim) Text() string {
	if c.Holds {
		return c.yes
	}
	return c.no
}

// FormGroup is a definition with all targets that receive it.
type FormGroup struct {
	Targets string // names, separated by commas
	Form
}

// FormGroups returns the forms, with one entry for those that are equal.
func (t Tool) FormGroups() []FormGroup {
	var groups []FormGroup
next:
	for _, f := range t.Forms {
		for i, g := range groups {
			if f.Failure == g.Failure && bytes.Equal(f.Definition, g.Definition) {
				groups[i].Targets = g.Targets + ", " + f.Target
				continue next
			}
		}
		groups = append(groups, FormGroup{f.Target, f})
	}
	return groups
}

// HasWebLink reports whether Link may be a link on the page.
func (t Tool) HasWebLink() bool {
	return strings.HasPrefix(t.Link, "https://") || strings.HasPrefix(t.Link, "http://")
}
