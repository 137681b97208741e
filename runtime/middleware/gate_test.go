package middleware_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/middleware"
	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/runtime/wire"
)

// callGated calls a tool with a numeric argument, guarded by rules, and returns the outcome in a word.
func callGated(t *testing.T, d tool.Definition, request tool.Request, rules ...middleware.Rule) string {
	t.Helper()
	runs := 0
	r := tool.NewRegistry(tool.Use(middleware.Gate(rules...)))
	r.Replace(tool.NewTypedAction(&d, wire.Value.Int, func(context.Context, int) error { runs++; return nil }).Tool)
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
	always := middleware.Condition(func(tool.Definition) bool { return true })
	never := middleware.Condition(func(tool.Definition) bool { return false })
	for _, tt := range []struct {
		rules []middleware.Rule
		want  string
	}{
		{nil, "denied"},
		{[]middleware.Rule{middleware.Allow(never)}, "denied"},
		{[]middleware.Rule{middleware.Allow()}, "runs"},
		{[]middleware.Rule{middleware.RequireApproval()}, "needs_approval"},
		{[]middleware.Rule{middleware.Deny()}, "denied"},
		{[]middleware.Rule{{}}, "denied"},
		{[]middleware.Rule{middleware.Deny(), middleware.Allow()}, "denied"},
		{[]middleware.Rule{middleware.Allow(), middleware.Deny()}, "runs"},
		{[]middleware.Rule{middleware.RequireApproval(), middleware.Allow()}, "needs_approval"},
		{[]middleware.Rule{middleware.Deny(never), middleware.RequireApproval(never), middleware.Allow(always)}, "runs"},
		{[]middleware.Rule{middleware.Deny(always, never), middleware.Allow(always, always)}, "runs"},
	} {
		if got := callGated(t, tool.Definition{Name: "t"}, tool.Request{}, tt.rules...); got != tt.want {
			t.Errorf("%v: got %s, want %s", tt.rules, got, tt.want)
		}
	}
}

// TestGateCombined checks all kinds of annotations and names against rules for both.
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
			if got := callGated(t, tool.Definition{Name: name, Annotations: a}, tool.Request{},
				middleware.Deny(middleware.NameMatches("root", "admin*")),
				middleware.Allow(middleware.HasAnnotation(tool.ReadOnly)),
				middleware.Allow(middleware.NameMatches("find*"), middleware.HasAnnotation(tool.Additive), middleware.HasAnnotation(tool.ClosedWorld)),
				middleware.RequireApproval(middleware.HasAnnotation(tool.Idempotent), middleware.NameMatches("*find*")),
				middleware.RequireApproval(middleware.NameMatches("find_?????")),
			); got != want {
				t.Errorf("%s, %+v: got %s, want %s", name, a, got, want)
			}
		}
	}
}

// TestGateAsk checks that a person is asked once, and only about calls that could run.
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
		if got := callGated(t, tool.Definition{Name: "t"}, tt.request, middleware.RequireApproval()); got != tt.want {
			t.Errorf("%+v: got %s, want %s", tt.request, got, tt.want)
		}
	}
	if got := callGated(t, tool.Definition{Name: "t"}, tool.Request{Approval: "by ada"}, middleware.Deny()); got != "denied" {
		t.Errorf("approval of what is denied: got %s", got)
	}
	if got := callGated(t, tool.Definition{Name: "t"}, tool.Request{Name: "u"}); got != "unknown_tool" {
		t.Errorf("unknown tool: got %s", got)
	}
}

// TestGateScope checks that the call to be approved is validated in its scope, and as tolerantly as
// the call itself.
func TestGateScope(t *testing.T) {
	s := tool.NewScope()
	if err := s.Set("x", "text"); err != nil {
		t.Fatal(err)
	}
	half := func(text string, _ json.RawMessage) (tool.RepairedArguments, error) {
		return tool.RepairedArguments{Value: []byte(strings.Trim(text, "'")), Edits: []tool.Edit{{Kind: "quotes"}}}, nil
	}
	r := tool.NewRegistry(tool.Use(middleware.Gate(middleware.RequireApproval())), tool.Tolerant(half))
	r.Replace(tool.NewTypedAction(&tool.Definition{Name: "t"}, wire.Ref[string], func(context.Context, string) error { return nil }).Tool)
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
		{"admin*", "admin/x", true}, // a name is not a path
		{"admin?x", "admin/x", true},
		{"*", "a\nb", true},
		{"[ab]*", "[ab]c", true}, // no other character is special either
		{"[ab]*", "a", false},
		{`\*`, `\x`, true},
		{"a*", "*", false},
		{strings.Repeat("*a", 5000), strings.Repeat("a", 10_000), true},
		{strings.Repeat("*a", 50) + "b", strings.Repeat("a", 10_000), false},
	} {
		if got := middleware.NameMatches("no", tt.pattern)(tool.Definition{Name: tt.name}); got != tt.want {
			t.Errorf("%.20s of %.20s: got %v", tt.pattern, tt.name, got)
		}
	}
	if middleware.NameMatches()(tool.Definition{Name: "find"}) {
		t.Error("no pattern matches")
	}
}

func TestIs(t *testing.T) {
	all := []tool.Annotation{tool.ReadOnly, tool.Additive, tool.Idempotent, tool.ClosedWorld, tool.Title("x"), tool.Example("{}")}
	for _, tt := range []struct {
		annotations tool.Annotations
		want        string
	}{
		{tool.Annotations{}, "false false false false false false"}, // missing annotations mean the worst
		{tool.Annotations{ReadOnly: true}, "true true true false false false"},
		{tool.Annotations{Additive: true}, "false true false false false false"},
		{tool.Annotations{Idempotent: true}, "false false true false false false"},
		{tool.Annotations{ClosedWorld: true}, "false false false true false false"},
	} {
		var got []string
		for _, a := range all {
			got = append(got, fmt.Sprint(middleware.HasAnnotation(a)(tool.Definition{Title: "x", Example: []byte("{}"), Annotations: tt.annotations})))
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%+v: got %v", tt.annotations, got)
		}
	}
}
