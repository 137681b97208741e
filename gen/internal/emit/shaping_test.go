package emit_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/testdata/golden/shaping"
)

// TestNarrowedTypes calls tools with narrowed arguments and results.
func TestNarrowedTypes(t *testing.T) {
	r := tool.NewRegistry()
	if err := shaping.Register(r); err != nil {
		t.Fatal(err)
	}
	const tree = `{"name":"a","leaves":[{"name":"b","leaves":[],"named":{}}],"named":{"x":{"name":"c","leaves":[],"named":{}}}}`
	for _, tt := range []struct{ name, arguments, want string }{
		{"get_issue", `{"number":7}`,
			`{"number":7,"title":"t","author":{"login":"ada"},"labels":[{"name":"bug"}],"votes":{"none":null,"up":{"plan":{"name":"free"}}},"a.b":"e"}`},
		{"get_safe", `{"number":7}`,
			`{"number":7,"title":"t","body":"b","author":{"login":"ada","plan":{"name":"free","owner":{"login":"boss","email":""}}},"labels":[{"name":"bug","color":"red"}],"node_id":"n","a.b":"e"}`},
		{"get_none", `{"number":7}`, `null`},
		{"get_none", `{"number":0}`, `error: get_none: there is no issue 0`},
		{"grow", tree, tree},
		{"grow", `{"name":"a"}`, `{"name":"a","leaves":[],"named":{}}`},
		{"grow", `{"name":"a","secret":"s","leaves":[{"name":"b","secret":"s","leaves":[],"named":{}}]}`, "fault: /secret /leaves/0/secret"},
		{"list_issues", `{"page":1,"labels":[{"name":"l"}]}`, `" l page"`},
		{"list_issues", `{"page":null,"debug":true,"labels":[{"name":"l","color":"c"}]}`, "fault: /page /debug /labels/0/color"},
		{"list_of", `{"owner":"o","f":{"state":"s"}}`, `"os"`},
		{"list_of", `{"owner":"o","f":null}`, "fault: /f"},
		{"list_of", `{"owner":"o"}`, "fault: /f"},
		{"list_by_name", `{"owner":"o"}`, `"o"`},
		{"list_by_name", `{"owner":"o","f":{}}`, "fault: /f"},
		{"list_states", `{"state":"s","labels":[],"page":2}`, `{"state":"s","page":2,"since":null}`},
		{"list_states", `{"state":"s","since":"x","debug":true}`, "fault: /since /debug /labels /page"},
		{"put", `{"content":"ä\u0000","tags":["b","c"]}`, `"Ä\u0000bc"`},
		{"put", `{"content":1,"to":{},"tags":[2]}`, "fault: /content /to /tags/0"},
		{"open", `{"name":"x"}`, `"handle of x"`},
		{"open", `{"name":""}`, `null`},
		{"opened", `{}`, `{"handles":["handle of a",null],"at":"1.2.3.4","nothing":null}`},
		{"delete", `{"number":1}`, `null`},
		{"delete", `{"number":0}`, `error: delete: there is no issue 0`},
		{"literal", `{"name":"n"}`, `{"return_1":{"name":"n"},"return_2":0}`},
		{"lambda", tree, tree},
		{"look", `{"b":1,"f":{"state":"","page":1,"since":"","debug":true}}`, `"{false <nil> name} false false false 1 true"`},
		{"look", `{}`, "fault: /b /f"},
		{"look", `{"o":null,"p":null,"n":null,"at":null,"b":null,"f":null}`, "fault: /b /f"},
		{"look_closely", `{"o":{},"p":{"limit":1},"n":1,"f":{}}`, `"{false <nil> name} true true false <nil> true"`},
		{"look_closely", `{"p":{},"at":null}`, "fault: /p/limit /at /o /n"},
		{"page", `{"state":"s","page":1}`, `"true 0"`},
		{"page", `{"from":1}`, "fault: /page"},
		{"page", `{}`, "fault: /page"},
		{"page_from_zero", `{}`, `"false 0"`},
		{"page_from_zero", `{"from":3,"sort":"x"}`, `"false 3x"`},
	} {
		if got := outcome(r.Call(t.Context(), tool.Request{Name: tt.name, Arguments: []byte(tt.arguments)})); got != tt.want {
			t.Errorf("%s(%s)\n got %s\nwant %s", tt.name, tt.arguments, got, tt.want)
		}
	}
}

// outcome returns the outcome of a call in one line.
func outcome(c *tool.Call) string {
	if bad, ok := errors.AsType[*tool.ArgumentError](c.Err); ok {
		var pointers []string
		for _, f := range bad.Faults {
			pointers = append(pointers, f.Pointer)
		}
		return "fault: " + strings.Join(pointers, " ")
	}
	if c.Err != nil {
		return "error: " + c.Err.Error()
	}
	return string(c.Output)
}

// TestNarrowedReferences passes a value by reference that JSON could carry.
func TestNarrowedReferences(t *testing.T) {
	r := tool.NewRegistry()
	var came []*shaping.Filter
	keep := shaping.KeepTool().Before(func(_ context.Context, a *shaping.KeepArgs) error {
		came = append(came, a.F)
		return nil
	})
	if err := r.Register(keep.Tool); err != nil {
		t.Fatal(err)
	}
	scope := tool.NewScope()
	filter := &shaping.Filter{State: "open"}
	if err := scope.Set("filter", filter); err != nil {
		t.Fatal(err)
	}
	kept := struct{ Ref string }{"<<var:filter>>"}
	for range 2 {
		arguments := fmt.Appendf(nil, `{"f":%q}`, kept.Ref)
		call := r.Call(tool.WithScope(t.Context(), scope), tool.Request{Name: "keep", Arguments: arguments})
		if err := errors.Join(call.Err, json.Unmarshal(call.Output, &kept)); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(came, []*shaping.Filter{filter, filter}) {
		t.Errorf("the filter came as %v", came)
	}
}

// TestLeftOutFields checks that fields which no model sees are filled, and that the record of the call
// does not show them.
func TestLeftOutFields(t *testing.T) {
	r := tool.NewRegistry()
	byName := shaping.ListByNameTool().Before(func(_ context.Context, a *shaping.ListByNameArgs) error {
		a.F = &shaping.Filter{State: "secret"}
		return nil
	})
	listOf := shaping.ListOfTool().Before(func(_ context.Context, a *shaping.ListOfArgs) error {
		a.Owner, a.F.Debug, a.F.Labels = "new", true, []shaping.Label{{Name: "secret"}}
		return nil
	})
	if err := r.Register(byName.Tool, listOf.Tool); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, arguments, output, shown string }{
		{"list_by_name", `{"owner":"o"}`, `"osecret"`, `{"owner":"o"}`},
		{"list_of", `{"owner":"o","f":{"state":"s"}}`, `"news secret debug"`, `{"owner":"new","f":{"state":"s"}}`},
	} {
		call := r.Call(t.Context(), tool.Request{Name: tt.name, Arguments: []byte(tt.arguments)})
		if got := outcome(call); got != tt.output || string(call.Arguments) != tt.shown {
			t.Errorf("%s: %s of %s, want %s of %s", tt.name, got, call.Arguments, tt.output, tt.shown)
		}
	}
}
