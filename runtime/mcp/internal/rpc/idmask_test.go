package rpc

import (
	"runtime"
	"strings"
	"testing"
)

// Eight times as many IDs in a batch, or nested lists, take about eight times the memory, not 64
// times.
func TestLinear(t *testing.T) {
	m := NewIDMask()
	for name, text := range map[string]func(n int) string{
		"ids":   func(n int) string { return "[" + strings.Repeat(`{"id":9007199254740993},`, n) + "{}]" },
		"lists": func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) },
	} {
		take := func(n int) float64 {
			text := []byte(text(n))
			before, after := new(runtime.MemStats), new(runtime.MemStats)
			runtime.ReadMemStats(before)
			if bare := m.RestoreIDs(m.HideIDs(text)); string(bare) != string(text) {
				t.Errorf("%s: %.100s becomes %.100s", name, text, bare)
			}
			runtime.ReadMemStats(after)
			return float64(after.TotalAlloc - before.TotalAlloc)
		}
		if few, many := take(500), take(4000); many > 16*few {
			t.Errorf("%s: 500 take %.0f bytes, 4000 take %.1f times as many", name, few, many/few)
		}
	}
}

func TestHideIDs(t *testing.T) {
	m := NewIDMask()
	for id, stable := range map[string]bool{
		"0": true, "-7": true, "9007199254740992": true, `"a b"`: true, `""`: true, "null": true, "true": true, "{}": true,
		"-0": false, "1.0": false, "1e3": false, "9007199254740993": false, "12345678901234567890": false, "1e400": false,
		`"\u0061"`: false, `"\ud800"`: false, `"é"`: false, `"a\"b"`: false, "\"\xff\"": false, "\"\u2028\"": false,
	} {
		for _, message := range []string{
			`{"id":` + id + `,"jsonrpc":"2.0","method":"ping"}`,
			`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + id + `}}`,
			`{"jsonrpc":"2.0","method":"notifications\/cancelled","params":{"requestId":` + id + `}}`,
		} {
			hidden := m.HideIDs([]byte(message))
			if got := string(hidden) == message; got != stable {
				t.Errorf("%s: unchanged is %v", message, got)
			}
			if got := m.RestoreIDs(hidden); string(got) != message {
				t.Errorf("%s becomes %s", message, got)
			}
		}
	}
	if got := m.RestoreIDs([]byte(`"the ID ` + string(m) + `22612222.is in use"`)); string(got) != `"the ID \"a\"\"is in use"` {
		t.Errorf("within a text: %s", got)
	}
}
