package reasoning_test

import (
	"fmt"
	"testing"

	"github.com/aiongen/aiongen/runtime/llm/internal/reasoning"
)

func ExampleSplit() {
	var s reasoning.Splitter
	for _, piece := range []string{"<thi", "nk>Hm", ".</think>\n", "Yes."} {
		text, thought := s.Add(piece)
		fmt.Printf("%q %q\n", text, thought)
	}
	// Output:
	// "" ""
	// "" ""
	// "" "Hm."
	// "Yes." ""
}

func TestSplit(t *testing.T) {
	for text, want := range map[string][2]string{
		"Yes.":                                 {"Yes.", ""},
		"<think>Hm.</think>\n\nYes.":           {"Yes.", "Hm."},
		"<reasoning>Hm.</reasoning>Yes":        {"Yes", "Hm."},
		"Hm.\n</think>\n\nYes.":                {"Yes.", "Hm.\n"},
		"Hm.\n</think>Yes.":                    {"Yes.", "Hm.\n"},
		"Hm.</think> \nYes.":                   {"Yes.", "Hm."},
		"<think></think>\nYes.":                {"Yes.", ""},
		"Models end with </think>, as a rule.": {"Models end with </think>, as a rule.", ""},
		"Write\n<think>\nHm.\n</think>\nYes.":  {"Write\n<think>\nHm.\n</think>\nYes.", ""},
		"<think>Hm.":                           {"", "Hm."},
	} {
		if answer, thought := reasoning.Split(text); answer != want[0] || thought != want[1] {
			t.Errorf("%q: %q, thought %q", text, answer, thought)
		}
	}
}
