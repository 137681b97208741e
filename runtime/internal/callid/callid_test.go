package callid_test

import (
	"regexp"
	"testing"

	"github.com/aiongen/aiongen/runtime/internal/callid"
)

func TestGenerate(t *testing.T) {
	taken := map[string]bool{"": true, "c00000003": true, "call": true}
	for range 50_000 {
		before := len(taken)
		id := callid.Generate(taken)
		if !regexp.MustCompile(`^[a-zA-Z0-9]{9}$`).MatchString(id) || len(taken) != before+1 {
			t.Fatal(id)
		}
	}
	if a, b := callid.Generate(map[string]bool{"x": true}), callid.Generate(map[string]bool{"x": true}); a != b || a != "c00000002" {
		t.Error(a, b)
	}
}
