package pipe

import (
	"runtime"
	"strings"
	"testing"
)

// TestDisguiseIsLinear: eight times as many ids in a batch, or lists in lists, take some
// eight times the memory, not 64 times.
func TestDisguiseIsLinear(t *testing.T) {
	d := newDisguise()
	for name, text := range map[string]func(n int) string{
		"ids":   func(n int) string { return "[" + strings.Repeat(`{"id":9007199254740993},`, n) + "{}]" },
		"lists": func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) },
	} {
		take := func(n int) float64 {
			text := []byte(text(n))
			before, after := new(runtime.MemStats), new(runtime.MemStats)
			runtime.ReadMemStats(before)
			if bare := d.takeOff(d.put(text)); string(bare) != string(text) {
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
