package run

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/tool"
)

// A signal is nothing more than an entry of the journal.
func ExampleSendSignal() {
	ctx := context.Background()
	var j journal.Map
	begin := journal.Entry{Format: entryFormat, Kind: kindBegin, By: "w", Status: Running, Data: json.RawMessage(`{"messages":true}`)}
	if err := j.Append(ctx, "42", 0, begin); err != nil {
		fmt.Println(err)
	}
	fmt.Println(SendSignal(ctx, &j, "42", time.Now(), Say(llm.Message{Role: llm.RoleUser, Text: "hello <you>"}), nil))
	fmt.Println(SendSignal(ctx, &j, "42", time.Now(), Redo("42/1/1"), nil))
	fmt.Println(SendSignal(ctx, &j, "42", time.Now(), Signal{Kind: kindClaim}, nil))
	fmt.Println(SendSignal(ctx, &j, "42", time.Now(), Signal{Kind: kindSay}, nil))
	fmt.Println(SendSignal(ctx, &j, "42", time.Now(), Cancel("enough"), nil))
	fmt.Println(SendSignal(ctx, &j, "42", time.Now(), Say(llm.Message{}), nil))
	for e := range j.Read(ctx, "42", 1) {
		fmt.Println(e.N, e.Kind, e.Status, string(e.Data))
	}
	// Output:
	// <nil>
	// the run does not wait for a signal "redo" for call "42/1/1"
	// unknown signal "claim"
	// invalid signal "say": the message is missing
	// <nil>
	// the run is cancelled
	// 1 say running {"message":{"role":"user","text":"hello <you>"}}
	// 2 cancel cancelled {"reason":"enough"}
}

func TestOutcome(t *testing.T) {
	for _, c := range []*tool.Call{
		{ID: "r/1/1", Request: tool.Request{Name: "t", Arguments: json.RawMessage(`{"a":"<b>"}`)}, Status: tool.StatusCompleted, Output: json.RawMessage("null"), Started: time.Unix(1, 0).UTC(), Duration: 3},
		{ID: "r/1/1", Request: tool.Request{Name: "t", Arguments: json.RawMessage(`no JSON`)}, Status: tool.StatusFailed, Err: &tool.DeniedError{Tool: "t"}},
	} {
		data, err := encodeOutcome(2, c)
		if err != nil || strings.Contains(string(data), `\u003c`) {
			t.Fatalf("%s, %v", data, err)
		}
		n, err := parseEntry(journal.Entry{Kind: kindOutcome, Data: data})
		if err != nil || n.Outcome.Attempt != 2 || n.toolName() != "t" || n.Outcome.Call.Status != c.Status || string(n.Outcome.Call.Output) != string(c.Output) || tool.Code(n.Outcome.Call.Err) != tool.Code(c.Err) {
			t.Errorf("%+v, %v", n, err)
		}
	}
}

func TestParseFaults(t *testing.T) {
	for want, e := range map[string]journal.Entry{
		`entry 3: unknown kind "new"`:                              {N: 3, Kind: "new"},
		"entry 3 has format 9, only formats up to 1 are supported": {N: 3, Format: 9, Kind: kindClaim},
		"entry 3: the call is missing":                             {N: 3, Kind: kindOutcome, Data: json.RawMessage(`{}`)},
		"entry 3: unexpected end of JSON input":                    {N: 3, Kind: kindModel},
		"entry 3: the limits are missing":                          {N: 3, Kind: kindExtend, Data: json.RawMessage(`{}`)},
		"entry 3: the message is missing":                          {N: 3, Kind: kindSay, Data: json.RawMessage(`{}`)},
	} {
		if _, err := parseEntry(e); err == nil || err.Error() != want {
			t.Errorf("%+v: %v, want %s", e, err, want)
		}
	}
}

func TestKey(t *testing.T) {
	long := strings.Repeat("long", 1000)
	a, b := effectKey("r", long, "1"), effectKey("r", long, "2")
	if !strings.HasPrefix(a, "r/") || len(a) > 100 || a == b || effectKey("r", "a\xff", "1") != "r/a\uFFFD/1" {
		t.Errorf("the keys are %q and %q", a, b)
	}
}
