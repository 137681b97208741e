package budget_test

import (
	"errors"
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/gen/internal/budget"
)

// nest nests inner in pairs of before and after.
func nest(before, inner, after string, depth int) string {
	return strings.Repeat(before, depth) + inner + strings.Repeat(after, depth)
}

var types = map[string][2]string{
	"struct":    {"struct{ A ", "}"},
	"slice":     {"[]", ""},
	"array":     {"[1]", ""},
	"pointer":   {"*", ""},
	"map":       {"map[string]", ""},
	"key":       {"map[", "]int"},
	"channel":   {"chan ", ""},
	"function":  {"func(", ")"},
	"result":    {"func() ", ""},
	"interface": {"interface{ M() ", "}"},
	"instance":  {"G[", "]"},
	"instances": {"G[int, ", "]"},
}

// TestCutDeepTypes checks that declarations with types at the limit stay, and that others become
// invalid, whatever they declare.
func TestCutDeepTypes(t *testing.T) {
	for name, around := range types {
		for _, declaration := range []string{"type T T_", "type T[P T_] int", "func F(a T_) {}", "func F() T_ { return nil }", "func (T_) M() {}", "var V T_", "var V = new(T_)", "type T = T_"} {
			for depth, want := range map[int]int{budget.MaxDepth / 2: 0, budget.MaxDepth + 1: 1, 2_000: 1} {
				text := "package p\n" + strings.ReplaceAll(declaration, "T_", nest(around[0], "int", around[1], depth))
				file, err := parser.ParseFile(token.NewFileSet(), "p.go", text, parser.SkipObjectResolution)
				if err != nil {
					continue // such as a receiver that is not a type
				}
				if found := budget.CutDeepTypes(file); len(found) != want {
					t.Errorf("%s, depth %d: %d errors in %s", name, depth, len(found), declaration)
				}
				if found := budget.CutDeepTypes(file); len(found) > 0 {
					t.Errorf("%s, depth %d: %v is still there in %s", name, depth, found[0], declaration)
				}
			}
		}
	}
}

// TestParseExpr checks the limits of function literals, for types and for anything else.
func TestParseExpr(t *testing.T) {
	for name, text := range map[string]string{
		"parameters":   "func(a " + nest("[]", "int", "", budget.MaxDepth+1) + ") {}",
		"functions":    "func(a " + nest("func(", "int", ")", 100_000) + ") {}",
		"variables":    "func() { var x " + nest("struct{ A ", "int", "}", budget.MaxDepth+1) + " }",
		"operands":     "func() int { return 1 " + nest("+ 1", "", "", 2000) + " }",
		"blocks":       "func() { " + nest("{", "", "}", 2000) + " }",
		"alternatives": "func(i int) { " + nest("if i == 1 {} else ", "{}", "", 2000) + " }",
		"negations":    "func() bool { return " + nest("!", "true", "", 2000) + " }",
		"selectors":    "func() { x" + nest(".y", "", "", 2000) + "() }",
	} {
		_, err := budget.ParseExpr(text)
		deep, ok := errors.AsType[*budget.NestingError](err)
		if !ok || deep.Pos < 1 || int(deep.Pos) > len(text) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, text := range []string{
		"func(a int) int { return a }",
		"func(a " + nest("[]", "int", "", budget.MaxDepth/2) + ") {}",
		"func() string { return `a`" + nest(" + `a`", "", "", 150) + " }",
		"func(i int) { " + nest("if i == 1 {} else ", "{}", "", 200) + " }",
		"func() string { return `" + nest("(", "", "", 5000) + "` }",
	} {
		if _, err := budget.ParseExpr(text); err != nil {
			t.Errorf("%v: %.40s", err, text)
		}
	}
	if _, err := budget.ParseExpr("func("); err == nil {
		t.Error("a syntax error is not reported")
	}
}
