package openai_test

import (
	"runtime"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/llm"
)

// TestLinear checks that eight times as many pieces of an answer take about eight times the memory.
// Copying the text for each piece would take 64 times.
func TestLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long with the race detector; the full suite runs it")
	}
	list := func(n int, item string) string { return "[" + strings.Repeat(item+",", n-1) + item + "]" }
	pieces := func(delta string) func(int) string {
		return func(n int) string { return strings.Repeat(event(delta, ""), n) + event(`{}`, "stop") }
	}
	some := strings.Repeat("x", 50)
	for name, body := range map[string]func(n int) string{
		"refusal": pieces(`{"refusal":"` + some + `"}`),
		"space":   pieces(`{"content":"` + strings.Repeat(" ", 50) + `"}`),
		"space behind a thought": func(n int) string {
			return event(`{"content":"<think>x</think>"}`, "") + pieces(`{"content":"`+strings.Repeat(" ", 50)+`"}`)(n)
		},
		"thought": pieces(`{"content":[{"type":"thinking","thinking":"` + some + `"}]}`),
		"parts": func(n int) string {
			return event(`{"content":`+list(n, `{"type":"text","text":"`+some+`"}`)+`}`, "stop")
		},
		"parts thought": func(n int) string {
			return event(`{"content":`+list(n, `{"type":"thinking","thinking":"`+some+`"}`)+`}`, "stop")
		},
		"arguments":      pieces(`{"tool_calls":[{"index":0,"function":{"arguments":"` + some + `"}}]}`),
		"repeated call":  pieces(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}]}`),
		"repeated value": pieces(`{"tool_calls":[{"index":0,"function":{"arguments":"{\"a\":[1,2,3]}"}}]}`),
		"cumulative":     pieces(`{"tool_calls":[{"index":0,"function":{"arguments":"{\"a\""}}]}`),
		"snapshots": func(n int) string {
			return event(`{"content":"x","tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"`+strings.Repeat("x", 50*n)+`"}}]}`, "") +
				strings.Repeat(`data: {"choices":[{"delta":{},"message":{"content":"x","tool_calls":[{"id":"a","function":{"name":"f","arguments":"{}"}}]}}]}`+"\n\n", n) + event(`{}`, "stop")
		},
		"thought beside": func(n int) string { return event(`{"reasoning_details":`+list(n, `{"text":"`+some+`"}`)+`}`, "stop") },
	} {
		take := func(n int) float64 {
			m := serve(t, respond(body(n)+done))
			before, after := new(runtime.MemStats), new(runtime.MemStats)
			runtime.ReadMemStats(before)
			if _, _, err := stream(t.Context(), m, llm.Request{}); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			runtime.ReadMemStats(after)
			return float64(after.TotalAlloc - before.TotalAlloc)
		}
		take(10)
		if few, many := take(1000), take(8000); many > 12*few {
			t.Errorf("%s: 1000 pieces take %.0f bytes, 8000 take %.1f times as many", name, few, many/few)
		}
	}
}
