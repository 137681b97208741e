package openai_test

import (
	"encoding/json"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/openai"
	"github.com/aiongen/aiongen/runtime/tool"
)

// sentMessage is a message as an endpoint receives it.
type sentMessage struct {
	Role    string
	Content *string
	Calls   []struct {
		ID, Type string
		Function struct{ Name, Arguments string }
	} `json:"tool_calls"`
	CallID string `json:"tool_call_id"`
}

// send returns messages as an endpoint receives them.
func send(t *testing.T, base string, req llm.Request) (sent []sentMessage) {
	t.Helper()
	transport := roundTrip(func(r *http.Request) (*http.Response, error) {
		var body struct{ Messages []sentMessage }
		text, _ := io.ReadAll(r.Body)
		if err := json.Unmarshal(text, &body); err != nil || !utf8.Valid(text) {
			t.Errorf("%s: %v", text, err)
		}
		sent = body.Messages
		return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader(plain))}, nil
	})
	if _, err := openai.New("m", openai.BaseURL(base), openai.NoRetry(), openai.HTTPClient(&http.Client{Transport: transport})).Generate(t.Context(), req); err != nil {
		t.Error(err)
	}
	return sent
}

var validName = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

// TestOddCallsSentBack checks that calls as models write them are valid when an endpoint receives them
// back.
func TestOddCallsSentBack(t *testing.T) {
	tools := []tool.Definition{{Name: "get.user"}, {Name: "unknown"}}
	for name, want := range map[string]string{
		"now": "now", "get_usr-2": "get_usr-2", "": "unknown_", " ": "unknown_", "get user": "unknown_", "functions.get": "unknown_", "a:0": "unknown_", "get_ü": "unknown_",
		"a\x00b": "unknown_", "\xff": "unknown_", "x\n": "unknown_", strings.Repeat("x", 64): strings.Repeat("x", 64), strings.Repeat("x", 65): "unknown_",
		"[write_file(path=": "unknown_", `{"name":"now"}`: "unknown_", "unknown": "unknown",
	} {
		sent := send(t, "http://x/v1", llm.Request{Tools: tools, Messages: []llm.Message{{Role: llm.RoleAssistant, Calls: calls(request("a", name, "{}"))}}})
		if got := sent[0].Calls[0].Function.Name; got != want || !validName.MatchString(got) {
			t.Errorf("%q is sent as %q, want %q", name, got, want)
		}
	}
	sent := send(t, "http://x/v1", llm.Request{Tools: tools, Messages: []llm.Message{{Role: llm.RoleAssistant, Calls: calls(request("a", "get.user", "{}"))}}})
	if got := sent[0].Calls[0].Function.Name; !validName.MatchString(got) || strings.HasPrefix(got, "unknown") {
		t.Errorf("get.user is sent as %q", got)
	}
	if sent := send(t, "http://x/v1", llm.Request{Messages: []llm.Message{{Role: llm.RoleAssistant, Calls: calls(request("a", "", ""))}}}); sent[0].Calls[0].Function.Name != "unknown" {
		t.Errorf("%+v", sent)
	}

	for arguments, want := range map[string]string{
		`{"a": 1}`: `{"a": 1}`, ``: `{}`, `null`: `{}`, `[1]`: `{}`, `"x"`: `{}`, `7`: `{}`, `{"a":`: `{}`, "{\"a\":\"\xff": `{}`, `{} {}`: `{}`, ` {"a":1} `: ` {"a":1} `, `{"a":NaN}`: `{}`,
		`{"a":"\ud83d"}`: `{"a":"\ufffd"}`, `{"a":"\uDE00\ud83d\ude00\\ud83d"}`: `{"a":"\ufffd\ud83d\ude00\\ud83d"}`, `{"\ud83dx":"\ud83d\u0041"}`: `{"\ufffdx":"\ufffd\u0041"}`,
	} {
		sent := send(t, "http://x/v1", llm.Request{Messages: []llm.Message{{Role: llm.RoleAssistant, Calls: calls(request("a", "now", arguments))}}})
		if got := sent[0].Calls[0].Function.Arguments; got != want {
			t.Errorf("%q are sent as %q, want %q", arguments, got, want)
		}
	}
}

// TestOddIDsSentBack checks calls with missing and repeated IDs, and their results.
func TestOddIDsSentBack(t *testing.T) {
	result := func(id, output string) llm.Message {
		return llm.Message{Role: llm.RoleTool, Result: &tool.Call{ID: id, Output: json.RawMessage(output)}}
	}
	long := strings.Repeat("x", 41)
	messages := []llm.Message{
		{Role: llm.RoleAssistant, Calls: calls(request("", "f", ""), request("a", "f", ""), request("a", "f", ""), request("", "f", ""), request(long, "f", ""))},
		result("", "1"), result("a", "2"), result("a", "3"), result("", "4"), result(long, "5"),
		{Role: llm.RoleUser, Text: "Again."},
		{Role: llm.RoleAssistant, Calls: calls(request("a", "f", ""), request("c00000003", "f", ""))},
		result("c00000003", "7"), result("a", "6"), result("zz", "8"),
	}
	for base, keepsLong := range map[string]bool{"http://x/v1": true, "https://api.openai.com/v1": false} {
		sent := send(t, base, llm.Request{Messages: messages})
		for at, answers := range map[int][]int{0: {1, 2, 3, 4, 5}, 7: {9, 8}} {
			seen := map[string]bool{"": true}
			for i, c := range sent[at].Calls {
				if seen[c.ID] || sent[answers[i]].CallID != c.ID || c.Type != "function" {
					t.Errorf("%s: call %d of message %d has the ID %q, its result %q", base, i, at, c.ID, sent[answers[i]].CallID)
				}
				seen[c.ID] = true
			}
			if at == 0 && seen[long] != keepsLong || !seen["a"] || sent[10].CallID != "zz" {
				t.Errorf("%s: %v", base, seen)
			}
		}
	}
	if messages[0].Calls[0].ID != "" || messages[1].Result.ID != "" {
		t.Error("the request changed")
	}
}

// TestUnprintableIDs checks IDs that a model may write in a text and that endpoints refuse.
func TestUnprintableIDs(t *testing.T) {
	for id, stays := range map[string]bool{"functions.f:0": true, "toolu_01": true, "a-b": true, " ": false, "a b": false, "a\nb": false, "日本": false, "a\x00": false} {
		sent := send(t, "http://x/v1", llm.Request{Messages: []llm.Message{
			{Role: llm.RoleAssistant, Calls: calls(request(id, "f", ""))}, {Role: llm.RoleTool, Result: &tool.Call{ID: id, Output: json.RawMessage("1")}},
		}})
		if got := sent[0].Calls[0].ID; (got == id) != stays || got != sent[1].CallID {
			t.Errorf("%q is sent as %q and %q", id, got, sent[1].CallID)
		}
	}
}

// TestEmptyMessages checks messages without content.
func TestEmptyMessages(t *testing.T) {
	sent := send(t, "http://x/v1", llm.Request{Messages: []llm.Message{
		{Role: llm.RoleUser}, {Role: llm.RoleAssistant}, {Role: llm.RoleAssistant, Calls: calls(request("a", "f", ""))}, {Role: llm.RoleUser, Text: "a\xffb"},
	}})
	for i, want := range []string{"", "", "none", "a\uFFFDb"} {
		if got := sent[i].Content; (got == nil) != (want == "none") || got != nil && *got != want {
			t.Errorf("message %d has the content %v, want %q", i, got, want)
		}
	}
}
