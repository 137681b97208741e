package emit_test

import (
	"slices"
	"testing"

	"github.com/aiongen/aiongen/testdata/golden/prompts"
	"github.com/aiongen/aiongen/testdata/golden/rules"
)

func TestSystemPrompt(t *testing.T) {
	const want = "You are the \"desk\".\n  Use `back quotes` and {braces} freely.\n\n" +
		"Important rules:\n- Never close a ticket [id], ever\n- Say \"yes\" or \"no\"."
	if prompts.SystemPrompt != want {
		t.Errorf("the system prompt is %q", prompts.SystemPrompt)
	}
	if want := "Important rules:\n- Only one."; rules.SystemPrompt != want {
		t.Errorf("the rules alone are %q", rules.SystemPrompt)
	}
	for got, want := range map[string]string{
		prompts.SystemPromptWithoutRules: "You are the \"desk\".\n  Use `back quotes` and {braces} freely.",
		rules.SystemPromptWithoutRules:   "",
	} {
		if got != want {
			t.Errorf("without its rules the system prompt is %q, not %q", got, want)
		}
	}
	first := prompts.Rules()
	first[0] = "changed"
	if want := []string{"Never close a ticket [id], ever", `Say "yes" or "no".`}; !slices.Equal(prompts.Rules(), want) {
		t.Errorf("the rules are %q", prompts.Rules())
	}
}

func TestWrapQuery(t *testing.T) {
	for _, tt := range []struct {
		wrap    func(string, any) (string, error)
		query   string
		payload any
		want    string
	}{
		{prompts.WrapQuery, "help", nil, `Desk.\nQ: help (help)\nData:`},
		{prompts.WrapQuery, "{payload} {query}", "{query}", `Desk.\nQ: {payload} {query} ({payload} {query})\nData: {query}`},
		{prompts.WrapQuery, "x", []int{1}, `Desk.\nQ: x (x)\nData: ` + "[\n  1\n]"},
		{rules.WrapQuery, "help", nil, "User request: help\n\nAnalyze the request thoroughly using your available tools."},
		{rules.WrapQuery, "help", 7, "User request: help\n\nAnalyze the request thoroughly using your available tools.\n\nAdditional Context/Payload:\n7"},
	} {
		if got, err := tt.wrap(tt.query, tt.payload); err != nil || got != tt.want {
			t.Errorf("WrapQuery(%q, %v) = %q, %v; want %q", tt.query, tt.payload, got, err, tt.want)
		}
	}
	if _, err := prompts.WrapQuery("x", []any{func() {}}); err == nil {
		t.Error("a payload that has no JSON is no error")
	}
}
