package prompt_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/aiongen/aiongen/runtime/orchestrator/internal/prompt"
	"github.com/aiongen/aiongen/runtime/plan"
)

// TestLongResults has what is told of earlier steps cut where it would leave no room
// for others.
func TestLongResults(t *testing.T) {
	const long = "… (cut here, it has 5242880 bytes)"
	text := prompt.Render("reason.txt", prompt.Data{Goal: "g", Results: []prompt.Result{
		{ID: "1", Description: "read", Result: strings.Repeat("ä€", 1<<20)},
		{ID: "2", Description: strings.Repeat("ä€", 1<<20), Error: strings.Repeat("ä€", 1<<20)},
		{ID: "3", Description: "count", Result: "7"},
	}})
	if len(text) > 60_000 || !utf8.ValidString(text) || strings.Count(text, long) != 3 || !strings.Contains(text, long+"\n- step 3, count: 7") {
		t.Errorf("%d bytes, which end in %s", len(text), text[len(text)-200:])
	}
}

// TestData holds that what prompts show is data: it is no template.
func TestData(t *testing.T) {
	const hostile = `{{.Goal}} {{template "plan.txt"}} <b>"&`
	text := prompt.Render("reason.txt", prompt.Data{Goal: hostile, Step: plan.Step{Description: hostile}, Results: []prompt.Result{{ID: hostile, Error: hostile}}})
	if strings.Count(text, hostile) != 4 {
		t.Error(text)
	}
}

func Example() {
	fmt.Println(prompt.Render("reason.txt", prompt.Data{
		Goal:    "Greet Ada",
		Step:    plan.Step{ID: "2", Description: "Think of a greeting"},
		Results: []prompt.Result{{ID: "1", Description: "Tell the time", Result: `"morning"`}},
	}))
	// Output:
	// Goal: Greet Ada
	//
	// Results of earlier steps:
	// - step 1, Tell the time: "morning"
	//
	// Do this step: Think of a greeting
}
