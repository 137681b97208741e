package contract

import (
	"fmt"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/internal/jsontext"
)

// A Need is a reason why a tool is only offered with a scope.
type Need struct {
	Path  string // of a reference: "in", "job/out", "result/body"; "" if the function takes the scope
	Type  string // of the variable, in Go
	Place diag.Span
}

// String describes the need in a few words.
func (n Need) String() string {
	if n.Path == "" {
		return "the scope"
	}
	return fmt.Sprintf("%s: %s", n.Path, n.Type)
}

// Needs returns the reasons why a tool is only offered with a scope: its function takes the scope, a
// required argument is a reference or contains a required one, or a result consists of references only.
func (t Tool) Needs() (needs []Need) {
	if t.Variables.Scope {
		needs = append(needs, Need{Place: t.Place})
	}
	for _, at := range t.Variables.Required {
		path := strings.TrimPrefix(at, "/")
		name, _, _ := strings.Cut(path, "/")
		needs = append(needs, Need{path, t.Variables.Arguments[at], t.argumentPlace(jsontext.Name(name))})
	}
	for _, at := range t.Variables.LostResults {
		needs = append(needs, Need{"result" + at, t.Variables.Result[at], t.ResultPlace})
	}
	return needs
}
