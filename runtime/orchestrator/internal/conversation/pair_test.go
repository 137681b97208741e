package conversation

import (
	"fmt"
	"slices"
	"testing"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/tool"
)

// spelledOut returns messages, one for each letter: u and s are messages of the user and the system, a
// to d are answers with 0 to 3 calls, and 0 to 9 are results of the calls with these IDs.
func spelledOut(text string) (messages []llm.Message) {
	for _, b := range []byte(text) {
		switch {
		case b >= '0' && b <= '9':
			messages = append(messages, llm.Message{Role: llm.RoleTool, Result: &tool.Call{ID: string(b)}})
		case b >= 'a' && b <= 'd':
			m := llm.Message{Role: llm.RoleAssistant, Provider: []byte(`1`)}
			if b == 'a' {
				m.Text = "I say."
			}
			for n := range int(b - 'a') {
				m.Calls = append(m.Calls, tool.Request{ID: fmt.Sprint(n)})
			}
			messages = append(messages, m)
		case b == 's':
			messages = append(messages, llm.Message{Role: llm.RoleSystem, Text: "s"})
		default:
			messages = append(messages, llm.Message{Role: llm.RoleUser, Text: "u"})
		}
	}
	return messages
}

// checkPaired checks that calls have results and results have calls, as endpoints require.
func checkPaired(t *testing.T, text string, messages []llm.Message) {
	t.Helper()
	for len(messages) > 0 {
		m := messages[0]
		results := leadingResults(messages)
		messages = messages[1+len(results):]
		if len(results) != len(m.Calls) || m.Role == llm.RoleTool {
			t.Errorf("%q: there are %d results of %d calls", text, len(results), len(m.Calls))
		}
		for _, call := range m.Calls {
			if findResult(call, results).Result == nil {
				t.Errorf("%q: a call has no result", text)
			}
		}
	}
}

func TestPaired(t *testing.T) {
	for text, want := range map[string]int{
		"": 0, "u": 1, "ua": 2, "ub0u": 4, "uc10": 4, "uc0u": 4, "ub": 1, "0u": 1, "u0a": 2, "ub1": 1, "ubu0": 2, "uc01c10": 7, "sd021a": 6, "ub00": 3,
	} {
		messages := spelledOut(text)
		kept := pairCalls(messages)
		checkPaired(t, text, kept)
		if len(kept) != want {
			t.Errorf("%q: there are %d messages, want %d", text, len(kept), want)
		}
		for _, m := range kept {
			if m.Provider != nil && !slices.ContainsFunc(messages, func(x llm.Message) bool { return len(x.Calls) == len(m.Calls) }) {
				t.Errorf("%q: what the provider wants back is of other calls", text)
			}
		}
	}
}

func FuzzPaired(f *testing.F) {
	for _, text := range []string{"ub0uc01", "d210", "dd21a", "0123"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		messages := spelledOut(text[:min(len(text), 100)])
		checkPaired(t, text, pairCalls(messages))
		there, open := splitOpenCalls(messages)
		for _, call := range open { // the calls are made then
			there = append(there, llm.Message{Role: llm.RoleTool, Result: &tool.Call{ID: call.ID}})
		}
		checkPaired(t, text, there)
	})
}
