package openai_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/run"
)

// strictEndpoint is an endpoint with the strictest rules for dialogues: those of Mistral for IDs, and those of
// OpenAI for everything else. Its model makes invalid calls, and then reports their outcome.
func strictEndpoint(t *testing.T, oddCalls string) http.HandlerFunc {
	id := regexp.MustCompile(`^[a-zA-Z0-9]{9}$`)
	return func(w http.ResponseWriter, r *http.Request) {
		var asked struct{ Messages []sentMessage }
		if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
			t.Error(err)
		}
		open, seen := map[string]bool{}, map[string]bool{}
		var results []string
		for i, m := range asked.Messages {
			for _, c := range m.Calls {
				var arguments map[string]any
				err := json.Unmarshal([]byte(c.Function.Arguments), &arguments)
				if err != nil || seen[c.ID] || !id.MatchString(c.ID) || !validName.MatchString(c.Function.Name) || c.Type != "function" {
					fail(400, fmt.Sprintf(`{"error":{"message":"invalid call in message %d: %+v, %v"}}`, i, c, err))(w, r)
					return
				}
				open[c.ID], seen[c.ID] = true, true
			}
			if m.Role == "tool" {
				if results = append(results, *m.Content); !open[m.CallID] {
					fail(400, fmt.Sprintf(`{"error":{"message":"no call for message %d"}}`, i))(w, r)
					return
				}
				delete(open, m.CallID)
			}
		}
		switch turns := strings.Count(fmt.Sprint(asked.Messages), "assistant"); {
		case len(open) > 0:
			fail(400, fmt.Sprintf(`{"error":{"message":"no results for %v"}}`, open))(w, r)
		case turns < 2:
			respond(`{"choices":[{"message":{"tool_calls":`+oddCalls+`},"finish_reason":"tool_calls"}]}`)(w, r)
		default:
			respond(`{"choices":[{"message":{"content":`+inJSON(strings.Join(results, " | "))+`},"finish_reason":"stop"}]}`)(w, r)
		}
	}
}

// TestOddCallsInConversation checks that a conversation continues after calls that no endpoint accepts
// back, and that the model learns what it wrote.
func TestOddCallsInConversation(t *testing.T) {
	for calls, want := range map[string]string{
		`[{"id":"","function":{"name":"","arguments":"{}"}}]`:                            `There is no tool "".`,
		`[{"function":{"arguments":"{}"}}]`:                                              `There is no tool "".`,
		`[{"function":{"name":"get weather!","arguments":"{}"}}]`:                        `There is no tool "get weather!".`,
		`[{"function":{"name":"echo","arguments":"{\"text\":"}}]`:                        `The arguments of echo were wrong`,
		`[{"function":{"name":"echo","arguments":"[1]"}}]`:                               `The arguments of echo were wrong`,
		`[{"function":{"name":"echo","arguments":{"text":"a"}}}]`:                        `{"text":"a"}`,
		`[{"id":"123456789","function":{"name":"echo","arguments":"{\"text\":\"b\"}"}}]`: `{"text":"b"}`,
		`[{"id":"123456789","function":{"name":"echo","arguments":"{\"text\":\"c\"}"}},{"id":"123456789","function":{"name":"echo","arguments":"{\"text\":\"d\"}"}}]`: `{"text":"c"} | {"text":"d"}`,
	} {
		agent, err := orchestrator.New(serve(t, strictEndpoint(t, calls)), echoes(t), orchestrator.Conversation{})
		if err != nil {
			t.Fatal(err)
		}
		r, err := agent.Start(t.Context(), orchestrator.Input{Request: "Go on."})
		if err != nil {
			t.Fatal(err)
		}
		result, err := r.Execute(t.Context())
		var answer string
		if err != nil || result.Status != run.Waiting || result.Error != nil || json.Unmarshal(result.Answer, &answer) != nil || strings.Count(answer, want) != 2 {
			t.Errorf("%s: %+v, %v, %s", calls, result, err, result.Answer)
		}
	}
}
