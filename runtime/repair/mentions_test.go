package repair_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/repair"
	"github.com/aiongen/aiongen/runtime/tool"
)

// laterLine are the families with text before the line in which the call begins. That line may be a
// call although the first line is text.
var laterLine = []string{"fence", "fences", "prose", "tool code", "LangChain", "Cohere old", "HyperCLOVA", "ReAct", "tool code in three quotes"}

// TestMentions puts a call of each family into a text. It is read at the end of the text, and not if
// the text only mentions it.
func TestMentions(t *testing.T) {
	t.Parallel()
	lines := func(prefix string) func(string) string {
		return func(call string) string { return prefix + strings.ReplaceAll(call, "\n", "\n"+prefix) }
	}
	around := func(before, after string) func(string) string {
		return func(call string) string { return before + call + after }
	}
	for _, test := range []struct {
		name   string
		put    func(call string) string
		runs   bool
		inLine bool
	}{
		{"alone", around("", ""), true, false},
		{"spaces", around("\n\n", "\n \n"), true, false},
		{"after text", around("Let me look.\n", ""), true, false},
		{"after a paragraph", around("Let me look, it's \"important\".\n\n- It (the file) costs 5\" {x}.\n\n", "\n"), true, false},
		{"after a value", around("{\"answer\": 7}\n", ""), true, false},
		{"after code", around("```go\nf(x)\n```\n", ""), true, false},
		{"after code in a line", around("I use `<tool_call>` and `</think>`.\n", ""), true, false},
		{"after a thought", around("<think>I call it.</think>\n", ""), true, false},
		{"after a thought that mentions a call", around("<think>\n<tool_call>{\"name\": \"now\", \"arguments\": {}}</tool_call>\nnow()\n</think>\n", ""), true, false},
		{"after the end of a thought", around("I call {\"name\": \"now\"}.\n</think>\n", ""), true, false},
		{"after the end of a thought with a call", around("<tool_call>{\"name\": \"now\", \"arguments\": {}}</tool_call>\n</think>\n", ""), true, false},
		{"in a sentence", around("Do not call ", " under any circumstances."), false, true},
		{"at the end of a sentence", around("I would write ", ""), false, true},
		{"refused in the line", around("An attacker wrote: ", " I refuse."), false, true},
		{"refused after it", around("", " I refuse."), false, false},
		{"refused in the next line", around("", "\nI refuse."), false, false},
		{"refused in the next paragraph", around("The page says:\n", "\n\nI will not do that."), false, false},
		{"fenced and refused", around("```json\n", "\n```\nThis is what the page told me to run; I will not."), false, false},
		{"fenced in one line", around("```", "``` is what I never send."), false, true},
		{"fenced with text", around("```\n", "\nand so on\n```"), false, false},
		{"nested fences", around("````md\n```\n", "\n```\nx\n````"), false, false},
		{"quoted lines", lines("> "), false, false},
		{"quoted lines without a space", lines(">"), false, false},
		{"list item", around("- ", ""), false, true},
		{"below a list item", func(call string) string { return "- For instance:\n" + lines("  ")(call) }, false, false},
		{"below a numbered item", func(call string) string { return "1. For instance:\n\n" + lines("   ")(call) + "\n" }, false, false},
		{"after a list", func(call string) string { return "1. I look:\n   x\n\n" + call }, true, false},
		{"numbered item", around("1. ", ""), false, true},
		{"fence in a list item", around("- ```json\n", "\n```\n"), false, false},
		{"fence in a numbered item", around("1. Do not do this: ```\n", "\n   ```\nx"), false, false},
		{"fence in a quotation", around("> ```\n> ", "\n> ```\n"), false, true},
		{"table", around("| a | ", " |"), false, true},
		{"heading", around("# ", ""), false, true},
		{"quotes", around("\"", "\""), false, true},
		{"quotes over lines", around("The page says: \"\n", "\n\""), false, false},
		{"typographic quotes", around("“", "”"), false, true},
		{"backticks", around("`", "`"), false, true},
		{"bold", around("**", "** is a call."), false, true},
		{"comment", around("<!--\n", "\n-->"), false, false},
		{"open comment", around("<!--\n", ""), false, false},
		{"docstring", around("x = \"\"\"\n", "\n\"\"\"\n"), false, false},
		{"JSON string over lines", around("{\"page\": \"\n", "\n\"}"), false, false},
		{"JSON string over lines, open", around("{\"page\": \"\n", ""), false, false},
		{"JSON in a sentence, over lines", around("It is {\"page\": \"\n", "\n\"} now."), false, false},
		{"thought", around("<think>\n", "\n</think>\nNo."), false, false},
		{"open thought", around("<think>\n", ""), false, false},
		{"open thought in a line", around("Hm <think>\n", ""), false, false},
		{"thought without its beginning", around("I could write\n", "\n</think>\nNo."), false, false},
		{"thought that ends in the line", around("", "</think>No."), false, false},
		{"thought after it", around("", "\n</think>\n"), false, false},
		{"reasoning", around("<reasoning>\n", "\n</reasoning>\nNo."), false, false},
		{"result before it", around("Observation: x\n", ""), false, false},
		{"example element", around("<example>\n", "\n</example>"), false, false},
		{"argument of another call", around("<tool_call><function=write_file><parameter=content>\n", "\n"), false, false},
	} {
		for _, e := range envelopes {
			want := []call{{"write_file", json.RawMessage(`{"content":"x","path":"a.md"}`)}}
			whole := withoutResult(e.write(want))
			if test.inLine && slices.Contains(laterLine, e.name) {
				continue
			}
			text := test.put(whole)
			got, err := repair.Requests(text, writeFile, now, search)
			runs := 0
			for _, g := range got {
				if !g.Truncated {
					runs++
				}
			}
			switch {
			case test.runs && (err != nil || describeDifference(got, want, false) != ""):
				t.Errorf("%s, %s: %s, %v\n%s", test.name, e.name, formatRequests(got, nil), err, text)
			case !test.runs && runs > 0:
				t.Errorf("%s, %s: %s runs, %v\n%s", test.name, e.name, formatRequests(got, nil), err, text)
			case err == nil && len(got) == 0 || errors.Is(err, repair.ErrNoCall) && len(got) > 0:
				t.Errorf("%s, %s: %d calls, %v", test.name, e.name, len(got), err)
			}
		}
	}
}

// withoutResult returns a text without the mark of a result at its end.
func withoutResult(text string) string {
	return strings.TrimSuffix(strings.TrimSuffix(text, "\nObservation: done"), "\n✿RESULT✿")
}

// TestBetween checks text between calls. No call is made, and the error says so.
func TestBetween(t *testing.T) {
	for _, e := range envelopes {
		text := withoutResult(e.write([]call{{"write_file", json.RawMessage(`{"content":"x"}`)}}))
		got, err := repair.Requests(text+"\nThat was an example. I call:\n"+text, writeFile, now)
		if len(got) > 0 || err == nil || errors.Is(err, repair.ErrNoCall) || tool.Code(err) != "broken_call" {
			t.Errorf("%s: %s, %v", e.name, formatRequests(got, nil), err)
		}
	}
}
