package contract

import (
	"fmt"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/internal/jsontext"
)

// A Need is a reason why a tool is only offered where there is a scope.
type Need struct {
	Path  string // of what is a reference: "in", "job/out", "result/body"; "" if the function takes the scope itself
	Type  string // of the variable, in Go
	Place diag.Span
}

// String is the need in a few words.
func (n Need) String() string {
	if n.Path == "" {
		return "the scope"
	}
	return fmt.Sprintf("%s: %s", n.Path, n.Type)
}

// Needs are the reasons why a tool is only offered where there is a scope: required
// arguments and parts of them that are references, and results that are nothing else.
// What only may be a reference, or holds some, needs none.
func (t Tool) Needs() (needs []Need) {
	if t.Variables.Scope {
		needs = append(needs, Need{Place: t.Place})
	}
	for _, at := range t.Variables.Required {
		path := strings.TrimPrefix(at, "/")
		name, _, _ := strings.Cut(path, "/")
		needs = append(needs, Need{path, t.Variables.Arguments[at], t.placeOf(jsontext.Name(name))})
	}
	for _, at := range t.Variables.Lost {
		needs = append(needs, Need{"result" + at, t.Variables.Result[at], t.Result})
	}
	return needs
}
