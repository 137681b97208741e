package guard_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/guard"
	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/runtime/wire"
)

// gated calls a tool, which takes a number, behind rules, and returns what came of
// it in a word.
func gated(t *testing.T, d tool.Definition, request tool.Request, rules ...guard.Rule) string {
	t.Helper()
	runs := 0
	r := tool.NewRegistry(tool.Use(guard.Gate(rules...)))
	r.Replace(tool.NewDo(&d, wire.Value.Int, func(context.Context, int) error { runs++; return nil }).Tool)
	if request.Name == "" {
		request.Name = d.Name
	}
	if request.Arguments == nil {
		request.Arguments = []byte("1")
	}
	c := r.Call(t.Context(), request)
	if (runs > 0) != (c.Err == nil) {
		t.Errorf("%d runs, %v", runs, c.Err)
	}
	if c.Err == nil {
		return "runs"
	}
	return tool.Code(c.Err)
}

func TestGate(t *testing.T) {
	always := guard.Condition(func(tool.Definition) bool { return true })
	never := guard.Condition(func(tool.Definition) bool { return false })
	for _, tt := range []struct {
		rules []guard.Rule
		want  string
	}{
		{nil, "denied"},
		{[]guard.Rule{guard.Allow(never)}, "denied"},
		{[]guard.Rule{guard.Allow()}, "runs"},
		{[]guard.Rule{guard.Ask()}, "needs_approval"},
		{[]guard.Rule{guard.Deny()}, "denied"},
		{[]guard.Rule{{}}, "denied"},
		{[]guard.Rule{guard.Deny(), guard.Allow()}, "denied"},
		{[]guard.Rule{guard.Allow(), guard.Deny()}, "runs"},
		{[]guard.Rule{guard.Ask(), guard.Allow()}, "needs_approval"},
		{[]guard.Rule{guard.Deny(never), guard.Ask(never), guard.Allow(always)}, "runs"},
		{[]guard.Rule{guard.Deny(always, never), guard.Allow(always, always)}, "runs"},
	} {
		if got := gated(t, tool.Definition{Name: "t"}, tool.Request{}, tt.rules...); got != tt.want {
			t.Errorf("%v: got %s, want %s", tt.rules, got, tt.want)
		}
	}
}

// TestGateCombined sets all kinds of annotations and names against rules of both.
func TestGateCombined(t *testing.T) {
	for bits := range 16 {
		a := tool.Annotations{ReadOnly: bits&1 > 0, Additive: bits&2 > 0, Idempotent: bits&4 > 0, ClosedWorld: bits&8 > 0}
		for _, name := range []string{"find", "admin_find", "admin/find", "find_admin"} {
			want := "denied"
			switch {
			case strings.HasPrefix(name, "admin"):
			case a.ReadOnly:
				want = "runs"
			case a.Additive && a.ClosedWorld:
				want = "runs"
			case a.Idempotent || name == "find_admin":
				want = "needs_approval"
			}
			if got := gated(t, tool.Definition{Name: name, Annotations: a}, tool.Request{},
				guard.Deny(guard.Named("root", "admin*")),
				guard.Allow(guard.Is(tool.ReadOnly)),
				guard.Allow(guard.Named("find*"), guard.Is(tool.Additive), guard.Is(tool.ClosedWorld)),
				guard.Ask(guard.Is(tool.Idempotent), guard.Named("*find*")),
				guard.Ask(guard.Named("find_?????")),
			); got != want {
				t.Errorf("%s, %+v: got %s, want %s", name, a, got, want)
			}
		}
	}
}

// TestGateAsk: a person is asked only about what could run, and once.
func TestGateAsk(t *testing.T) {
	for _, tt := range []struct {
		request tool.Request
		want    string
	}{
		{tool.Request{}, "needs_approval"},
		{tool.Request{Approval: "by ada"}, "runs"},
		{tool.Request{Arguments: []byte("x")}, "invalid_arguments"},
		{tool.Request{Arguments: []byte("x"), Approval: "by ada"}, "invalid_arguments"},
		{tool.Request{Truncated: true}, "truncated"},
		{tool.Request{Name: "u"}, "unknown_tool"},
	} {
		if got := gated(t, tool.Definition{Name: "t"}, tt.request, guard.Ask()); got != tt.want {
			t.Errorf("%+v: got %s, want %s", tt.request, got, tt.want)
		}
	}
	if got := gated(t, tool.Definition{Name: "t"}, tool.Request{Approval: "by ada"}, guard.Deny()); got != "denied" {
		t.Errorf("approval of what is denied: got %s", got)
	}
	if got := gated(t, tool.Definition{Name: "t"}, tool.Request{Name: "u"}); got != "unknown_tool" {
		t.Errorf("unknown tool: got %s", got)
	}
}

// TestGateScope: what is asked about is checked in the scope of the call, and as
// tolerantly as the call is.
func TestGateScope(t *testing.T) {
	s := tool.NewScope()
	if err := s.Set("x", "text"); err != nil {
		t.Fatal(err)
	}
	half := func(text string, _ json.RawMessage) (tool.Reading, error) {
		return tool.Reading{Value: []byte(strings.Trim(text, "'")), Edits: []tool.Edit{{Kind: "quotes"}}}, nil
	}
	r := tool.NewRegistry(tool.Use(guard.Gate(guard.Ask())), tool.Tolerant(half))
	r.Replace(tool.NewDo(&tool.Definition{Name: "t"}, wire.Ref[string], func(context.Context, string) error { return nil }).Tool)
	request := tool.Request{Name: "t", Arguments: []byte(`'"<<var:x>>"'`)}
	c := r.Call(tool.WithScope(t.Context(), s), request)
	if tool.Code(c.Err) != "needs_approval" || string(c.Arguments) != `"<<var:x>>"` || len(c.Repairs) != 1 {
		t.Errorf("%v %s %v", c.Err, c.Arguments, c.Repairs)
	}
	request.Approval = "by ada"
	if c := r.Call(tool.WithScope(t.Context(), s), request); c.Err != nil {
		t.Error(c.Err)
	}
}

func TestNamed(t *testing.T) {
	for _, tt := range []struct {
		pattern, name string
		want          bool
	}{
		{"find", "find", true},
		{"find", "find_user", false},
		{"find_*", "find_user", true},
		{"find_*", "find_", true},
		{"find_*", "find", false},
		{"*_user", "find_user", true},
		{"*_user", "find_users", false},
		{"*", "anything", true},
		{"*", "", true},
		{"", "", true},
		{"", "find", false},
		{"?", "", false},
		{"get_?", "get_a", true},
		{"get_?", "get_é", true},
		{"get_?", "get_ab", false},
		{"Find", "find", false},
		{"*a*b", "xaybzab", true},
		{"*a*b", "xaybza", false},
		{"**?*", "x", true},
		{"admin*", "admin/x", true}, // a name is no path
		{"admin?x", "admin/x", true},
		{"*", "a\nb", true},
		{"[ab]*", "[ab]c", true}, // nor is anything else special
		{"[ab]*", "a", false},
		{`\*`, `\x`, true},
		{"a*", "*", false},
		{strings.Repeat("*a", 5000), strings.Repeat("a", 10_000), true},
		{strings.Repeat("*a", 50) + "b", strings.Repeat("a", 10_000), false},
	} {
		if got := guard.Named("no", tt.pattern)(tool.Definition{Name: tt.name}); got != tt.want {
			t.Errorf("%.20s of %.20s: got %v", tt.pattern, tt.name, got)
		}
	}
	if guard.Named()(tool.Definition{Name: "find"}) {
		t.Error("no pattern matches")
	}
}

func TestIs(t *testing.T) {
	all := []tool.Annotation{tool.ReadOnly, tool.Additive, tool.Idempotent, tool.ClosedWorld, tool.Title("x"), tool.Example("{}")}
	for _, tt := range []struct {
		annotations tool.Annotations
		want        string
	}{
		{tool.Annotations{}, "false false false false false false"}, // nothing said is the worst
		{tool.Annotations{ReadOnly: true}, "true true true false false false"},
		{tool.Annotations{Additive: true}, "false true false false false false"},
		{tool.Annotations{Idempotent: true}, "false false true false false false"},
		{tool.Annotations{ClosedWorld: true}, "false false false true false false"},
	} {
		var got []string
		for _, a := range all {
			got = append(got, fmt.Sprint(guard.Is(a)(tool.Definition{Title: "x", Example: []byte("{}"), Annotations: tt.annotations})))
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%+v: got %v", tt.annotations, got)
		}
	}
}
