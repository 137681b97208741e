package llm_test

import (
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/tool"
)

func TestGenerate(t *testing.T) {
	taken := map[string]bool{"": true, "c00000003": true, "call": true}
	for range 50_000 {
		before := len(taken)
		id := llm.NewCallID(taken)
		if !regexp.MustCompile(`^[a-zA-Z0-9]{9}$`).MatchString(id) || len(taken) != before+1 {
			t.Fatal(id)
		}
	}
	if a, b := llm.NewCallID(map[string]bool{"x": true}), llm.NewCallID(map[string]bool{"x": true}); a != b || a != "c00000002" {
		t.Error(a, b)
	}
}

// TestUniqueCallIDs checks that IDs are unique, and that later messages do not change those of earlier
// ones.
func TestUniqueCallIDs(t *testing.T) {
	var messages []llm.Message
	for range 5 {
		calls := []tool.Request{{ID: "a"}, {ID: "a"}, {ID: ""}, {ID: "b c"}, {ID: strings.Repeat("x", 99)}, {ID: "c00000004"}}
		messages = append(messages, llm.Message{Role: llm.RoleAssistant, Calls: calls})
		for _, c := range calls {
			messages = append(messages, llm.Message{Role: llm.RoleTool, Result: &tool.Call{ID: c.ID}})
		}
	}
	accepts := func(id string) bool { return len(id) <= 64 }
	all := llm.UniqueCallIDs(messages, accepts)
	for end := range messages {
		if got := llm.UniqueCallIDs(messages[:end], accepts); !reflect.DeepEqual(got, all[:end]) {
			t.Errorf("the first %d messages are %+v, want %+v", end, got, all[:end])
		}
	}
	for i := 0; i < len(all); i += 7 {
		seen := map[string]bool{}
		for j, c := range all[i].Calls {
			if c.ID == "" || seen[c.ID] || strings.Contains(c.ID, " ") || len(c.ID) > 64 || all[i+j+1].Result.ID != c.ID {
				t.Errorf("call %d of message %d has the ID %q, its result %q", j, i, c.ID, all[i+j+1].Result.ID)
			}
			seen[c.ID] = true
		}
	}
}
