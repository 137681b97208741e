package talk

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/tool"
)

// TestBeginning has results that lose their end in the middle of all that there is in
// strings: those that are very long, and those that cannot be made shorter otherwise.
func TestBeginning(t *testing.T) {
	texts := `"` + strings.Repeat(`ä\n\ud83d\ude00\u0041`, longestFitted/20) + `"`
	list := `["ä",` + strings.Repeat(`"ä",`, longestFitted/4) + `1]`
	number := strings.Repeat("9", 1000)
	for output, want := range map[string]string{texts: strings.Repeat("ä\n\U0001F600A", 9), list: list, number: number} {
		call := &tool.Call{Output: json.RawMessage(output)}
		for limit := 1; limit < 60; limit++ {
			r := results{limit: limit}
			part, lost := r.part(call, nil)
			var shown string
			err := json.Unmarshal(part, &shown)
			if err != nil || lost != ", its beginning" || !strings.HasPrefix(want, strings.TrimSuffix(shown, "…")) || len(part) > limit+len(`"…"`) || limit > 20 && len(part) < limit-12 {
				t.Errorf("with %d: %v, %s%s", limit, err, part, lost)
			}
		}
	}
}
