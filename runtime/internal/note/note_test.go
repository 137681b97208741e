package note_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/aiongen/aiongen/runtime/internal/note"

	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/run/record"
	"github.com/aiongen/aiongen/runtime/tool"
)

// A signal is an entry of the journal, and nothing else.
func ExampleSend() {
	ctx := context.Background()
	var j journal.Map
	begin := journal.Entry{Format: note.Format, Kind: note.KindBegin, By: "w", Status: record.Running, Data: json.RawMessage(`{"messages":true}`)}
	if err := j.Append(ctx, "42", 0, begin); err != nil {
		fmt.Println(err)
	}
	fmt.Println(note.Send(ctx, &j, "42", time.Now(), record.Say(llm.Message{Role: llm.RoleUser, Text: "hello <you>"}), nil))
	fmt.Println(note.Send(ctx, &j, "42", time.Now(), record.Redo("42/1/1"), nil))
	fmt.Println(note.Send(ctx, &j, "42", time.Now(), record.Signal{Kind: note.KindClaim}, nil))
	fmt.Println(note.Send(ctx, &j, "42", time.Now(), record.Signal{Kind: note.KindSay}, nil))
	fmt.Println(note.Send(ctx, &j, "42", time.Now(), record.Cancel("enough"), nil))
	fmt.Println(note.Send(ctx, &j, "42", time.Now(), record.Say(llm.Message{}), nil))
	for e := range j.Read(ctx, "42", 1) {
		fmt.Println(e.N, e.Kind, e.Status, string(e.Data))
	}
	// Output:
	// <nil>
	// the run does not wait for a signal "redo" about a call "42/1/1"
	// there is no such signal: "claim"
	// the signal "say" is not valid: there is no message
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
		data, err := note.EncodeOutcome(2, c)
		if err != nil || strings.Contains(string(data), `\u003c`) {
			t.Fatalf("%s, %v", data, err)
		}
		n, err := note.Parse(journal.Entry{Kind: note.KindOutcome, Data: data})
		if err != nil || n.Came.Attempt != 2 || n.Tool() != "t" || n.Came.Call.Status != c.Status || string(n.Came.Call.Output) != string(c.Output) || tool.Code(n.Came.Call.Err) != tool.Code(c.Err) {
			t.Errorf("%+v, %v", n, err)
		}
	}
}

func TestParseFaults(t *testing.T) {
	for want, e := range map[string]journal.Entry{
		`entry 3: kind "new" is not known`:               {N: 3, Kind: "new"},
		"entry 3 has format 9, of which only 1 is known": {N: 3, Format: 9, Kind: note.KindClaim},
		"entry 3: there is no call":                      {N: 3, Kind: note.KindOutcome, Data: json.RawMessage(`{}`)},
		"entry 3: unexpected end of JSON input":          {N: 3, Kind: note.KindModel},
		"entry 3: there are no limits":                   {N: 3, Kind: note.KindExtend, Data: json.RawMessage(`{}`)},
		"entry 3: there is no message":                   {N: 3, Kind: note.KindSay, Data: json.RawMessage(`{}`)},
	} {
		if _, err := note.Parse(e); err == nil || err.Error() != want {
			t.Errorf("%+v: %v, want %s", e, err, want)
		}
	}
}

func TestKey(t *testing.T) {
	long := strings.Repeat("long", 1000)
	a, b := note.Key("r", long, "1"), note.Key("r", long, "2")
	if !strings.HasPrefix(a, "r/") || len(a) > 100 || a == b || note.Key("r", "a\xff", "1") != "r/a\uFFFD/1" {
		t.Errorf("the keys are %q and %q", a, b)
	}
}
