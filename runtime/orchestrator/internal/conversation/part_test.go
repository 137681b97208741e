package conversation

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/tool"
)

// TestBeginning cuts results in the middle of every kind of string content, including very long
// strings and results that can only be shortened there.
func TestBeginning(t *testing.T) {
	texts := `"` + strings.Repeat(`ä\n\ud83d\ude00\u0041`, maxParsedResult/20) + `"`
	list := `["ä",` + strings.Repeat(`"ä",`, maxParsedResult/4) + `1]`
	number := strings.Repeat("9", 1000)
	for output, want := range map[string]string{texts: strings.Repeat("ä\n\U0001F600A", 9), list: list, number: number} {
		call := &tool.Call{Output: json.RawMessage(output)}
		for limit := 1; limit < 60; limit++ {
			r := resultStore{limit: limit}
			part, lost := r.shortenResult(call, nil)
			var shown string
			err := json.Unmarshal(part, &shown)
			if err != nil || lost != ", its beginning" || !strings.HasPrefix(want, strings.TrimSuffix(shown, "…")) || len(part) > limit+len(`"…"`) || limit > 20 && len(part) < limit-12 {
				t.Errorf("with %d: %v, %s%s", limit, err, part, lost)
			}
		}
	}
}
