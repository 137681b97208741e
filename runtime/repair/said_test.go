package repair_test

import (
	"fmt"
	"testing"

	"github.com/aiongen/aiongen/runtime/repair"
)

func ExampleSaid() {
	fmt.Println(repair.Said("<think>Her password is hunter2.</think>\nAda has two orders."))
	// Output: Ada has two orders.
}

// TestSaid has thoughts as models write them between what they say.
func TestSaid(t *testing.T) {
	for text, want := range map[string]string{
		"":                                   "",
		"Two.":                               "Two.",
		"<think>":                            "",
		"<think>one":                         "",
		"<think>one</think>":                 "",
		"one</think>Two.":                    "Two.",
		" <thinking>one</thinking>\n\nTwo. ": "Two.",
		"<think>a</think><reasoning>b</reasoning>Two.":      "Two.",
		"<think>a <think>b</think> c</think>Two.":           "Two.",
		"Well.\n<think>one</think>\nTwo.":                   "Well.\n\nTwo.",
		"Well.\n<think>one":                                 "Well.",
		"Write <think> before what you think.":              "Write <think> before what you think.",
		"So:\n```xml\n<think>one</think>\n```\nThat is it.": "So:\n```xml\n<think>one</think>\n```\nThat is it.",
		"```\n<think>\n```\n<think>one</think>Two.":         "```\n<think>\n```\nTwo.",
	} {
		if said := repair.Said(text); said != want {
			t.Errorf("of %q it says %q, want %q", text, said, want)
		}
	}
}
