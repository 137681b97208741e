package enginetest

import (
	"strings"
	"testing"
)

// TestCompare checks that compareEffects finds every kind of fault.
func TestCompare(t *testing.T) {
	pay, tag, find := effect{"r/1/1", "pay", "{}"}, effect{"r/2/1", "tag", "{}"}, effect{"r/3/1", "find", "{}"}
	message := effect{"r/0/0", shown, "{}"}
	again := effect{"r/7/1", "find", "{}"} // was killed before its outcome was written, then a message replaced the step
	all := map[string]bool{"r/1/1": true, "r/2/1": true, "r/3/1": true}
	for want, happened := range map[string][]effect{
		"":                           {pay, tag, tag, find, find, again, message},
		"pay r/1/1 ran 2 times":      {pay, tag, find, pay, message},
		"r/2/1 ran with {} and 1":    {pay, tag, find, {"r/2/1", "tag", "1"}, message},
		"effect of r/1/1 is missing": {tag, find, message},
		"no outcome of r/4/1":        {pay, tag, find, {"r/4/1", "pay", "{}"}, message},
		"shown it: false":            {pay, tag, find},
	} {
		if err := compareEffects(happened, all, 3, true); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	if err := compareEffects([]effect{pay}, map[string]bool{"r/1/1": true}, 2, false); err == nil || !strings.Contains(err.Error(), "1 calls completed, want at least 2") {
		t.Error(err)
	}
}
