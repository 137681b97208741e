package calls

import (
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/repair/internal/scan"
)

// An envelope is the pair of marks that a family of models puts around calls. readPayload reads the text
// between them: JSON, a name and JSON, elements of XML, or Python.
type envelope struct {
	open     string
	close    string // "" if there is none; models often forget it
	keepOpen bool   // open is itself part of the call, as in <function=name>
	line     bool   // open counts only at the beginning of a line
	list     bool   // open counts only if a list follows
	quote    string // mark at both ends of a string
	result   bool   // open begins a result that the model made up; the rest of the text is ignored
}

// envelopes are the known envelopes. Models mix up the payloads, so each envelope accepts all of them.
var envelopes = []envelope{
	{open: "<tool_call>", close: "</tool_call>"},         // Hermes, Qwen, GLM, ERNIE, EXAONE
	{open: "<tool_calls>", close: "</tool_calls>"},       // Jamba, Hunyuan, MiniMax M1
	{open: "<function_call>", close: "</function_call>"}, // Granite
	{open: "<function_calls>", close: "</function_calls>"},
	{open: "<tool_use>", close: "</tool_use>"},
	{open: "<TOOLCALL>", close: "</TOOLCALL>"}, // Nemotron
	{open: "<longcat_tool_call>", close: "</longcat_tool_call>"},
	{open: "<minimax:tool_call>", close: "</minimax:tool_call>"},
	{open: "<seed:tool_call>", close: "</seed:tool_call>"},
	{open: "<｜DSML｜function_calls>", close: "</｜DSML｜function_calls>"}, // DeepSeek V3.2
	{open: "<function=", close: "</function>", keepOpen: true},         // Llama, Qwen coder
	{open: "<function(", close: "</function>", keepOpen: true},         // the same, malformed
	{open: "<tool_call name=", close: "</tool_call>", keepOpen: true},
	{open: "<xai:function_call name=", close: "</xai:function_call>", keepOpen: true}, // Grok
	{open: "<function name=", close: "</function>", keepOpen: true},
	{open: "<invoke", close: "</invoke>", keepOpen: true}, // Anthropic
	{open: "<antml:invoke", close: "</antml:invoke>", keepOpen: true},
	{open: "<steptml:invoke", close: "</steptml:invoke>", keepOpen: true},
	{open: "<｜DSML｜invoke", close: "</｜DSML｜invoke>", keepOpen: true},
	{open: "<start_function_call>", close: "<end_function_call>", quote: "<escape>"}, // FunctionGemma
	{open: "<|tool_call>", close: "<tool_call|>", quote: `<|"|>`},                    // Gemma 4
	{open: "<|tool_call|>", close: "<|/tool_call|>"},                                 // Granite, Phi
	{open: "<|tool_call_start|>", close: "<|tool_call_end|>"},                        // LFM
	{open: "<|tool_call_begin|>", close: "<|tool_call_end|>"},                        // Kimi
	{open: "<｜tool▁call▁begin｜>", close: "<｜tool▁call▁end｜>"},                        // DeepSeek
	{open: "<｜tool_call_begin｜>", close: "<｜tool_call_end｜>"},                        // Step
	{open: "<|START_ACTION|>", close: "<|END_ACTION|>"},                              // Cohere
	{open: "<|plugin|>", close: "<|action_end|>"},                                    // InternLM
	{open: "<|tools_prefix|>", close: "<|tools_suffix|>"},                            // Apertus
	{open: "<|python_start|>", close: "<|python_end|>"},                              // Llama 4
	{open: "<|python_tag|>", close: "<|eom_id|>"},                                    // Llama 3
	{open: "to=functions.", close: "<|call|>"},                                       // gpt-oss
	{open: "[TOOL_CALLS]", close: "</s>"},                                            // Mistral
	{open: "functools", close: "<|end|>", list: true},                                // Phi
	{open: "-> tool/function_call", close: "<|im_end|>"},                             // HyperCLOVA
	{open: "✿FUNCTION✿:", close: "✿RESULT✿", line: true},                             // Qwen-Agent
	{open: "Action:", close: "Observation:", line: true},                             // ReAct
	{open: "**Action:", close: "Observation:", line: true},                           // the same in Markdown
}

// A separator is a mark between the name of a tool and its arguments.
type separator struct {
	mark string
	text bool // the arguments may be text that is not JSON
}

var separators = []separator{
	{mark: "[ARGS]"}, {mark: "<|tool_call_argument_begin|>"}, {mark: "<｜tool▁sep｜>"}, {mark: "<｜tool_sep｜>"}, {mark: "<|message|>"}, {mark: " json"},
	{mark: "Action Input:", text: true}, {mark: "✿ARGS✿:", text: true},
}

// opensSeparator is true for each byte that begins a separator.
var opensSeparator = firstBytes(separators, func(s separator) string { return s.mark })

// resultEnvelopes enclose results of tools that the model made up.
var resultEnvelopes = []envelope{
	{open: "<tool_response>", result: true},
	{open: "<function_results>", result: true},
	{open: "[TOOL_RESULTS]", result: true},
	{open: "```tool_output", result: true},
	{open: "✿RESULT✿", result: true},
	{open: "Observation:", result: true, line: true},
	{open: "**Observation:", result: true, line: true},
}

// thoughtMarks enclose text that is ignored: thoughts of the model, and comments.
var thoughtMarks = append(slices.Clone(scan.AllThoughtMarks), []scan.ThoughtMarks{
	{Open: "<!--", Close: "-->"},
	{Open: "<|channel|>analysis<|message|>", Close: "<|end|>"}, // gpt-oss
	{Open: "<|START_THINKING|>", Close: "<|END_THINKING|>"},    // Cohere
	{Open: "[THINK]", Close: "[/THINK]"},                       // Mistral
	{Open: "<seed:think>", Close: "</seed:think>"},             // Seed
	{Open: "◁think▷", Close: "◁/think▷"},                       // Kimi
	{Open: "<|channel>thought", Close: "<channel|>"},           // Gemma 4
	{Open: "<|begin_of_thought|>", Close: "<|end_of_thought|>"},
}...)

// opensThought is true for each byte that begins the opening mark of a thought.
var opensThought = firstBytes(thoughtMarks, func(e scan.ThoughtMarks) string { return e.Open })

// endsOpenThought reports whether the closing mark of e alone shows that the text before it is a thought. The
// opening mark may be missing because it was part of the prompt. The closing marks --> and <|end|> do not
// suffice: they also end other things.
func endsOpenThought(e scan.ThoughtMarks) bool { return e.Close != "-->" && e.Close != "<|end|>" }

// isThoughtToken reports whether a special token that is not in thoughtMarks probably begins or ends
// a thought.
func isThoughtToken(token string) bool {
	name := strings.ToLower(token)
	return strings.Contains(name, "think") || strings.Contains(name, "thought") || strings.Contains(name, "reason")
}

// allEnvelopes are the envelopes of calls and results.
var allEnvelopes = slices.Concat(envelopes, resultEnvelopes)

// envelopesByHead maps the first headSize bytes of a mark to the envelopes that begin with them.
var envelopesByHead = func() map[string][]envelope {
	m := map[string][]envelope{}
	for _, e := range allEnvelopes {
		m[e.open[:headSize]] = append(m[e.open[:headSize]], e)
	}
	return m
}()

// headSize is the length of the keys of envelopesByHead. Many marks share their first two bytes,
// and every mark has more than four.
const headSize = 4

// markAt returns the envelope that opens at i.
func markAt(text string, i int) (envelope, bool) {
	if i+headSize <= len(text) {
		for _, e := range envelopesByHead[text[i:i+headSize]] {
			if strings.HasPrefix(text[i:], e.open) && (!e.line || i == 0 || text[i-1] == '\n') {
				return e, true
			}
		}
	}
	return envelope{}, false
}

// endsInMark reports whether text ends in the middle of the mark of an envelope.
func endsInMark(text string) bool {
	at := strings.LastIndexByte(text, '<')
	if at < 0 || at+1 == len(text) {
		return false
	}
	return slices.ContainsFunc(envelopes, func(e envelope) bool {
		return strings.HasPrefix(e.open, text[at:]) && e.open != text[at:] || strings.HasPrefix(e.close, text[at:]) && e.close != text[at:]
	})
}

// callAt returns the envelope of a call that opens at i.
func callAt(text string, i int) (envelope, bool) {
	e, ok := markAt(text, i)
	return e, ok && !e.result
}

// openingEnvelope returns the envelope at c.Pos. It reports true only if a call may begin there.
func (c *callReader) openingEnvelope() (e envelope, ok bool) {
	if !opensMark[c.Text[c.Pos]] {
		return envelope{}, false
	}
	if e, ok = markAt(c.Text, c.Pos); !ok {
		if e, ok = c.toolMark(c.Pos); !ok {
			return envelope{}, false
		}
	}
	return e, !e.result && (!e.line || !c.inLine) && (!e.list || c.ByteAt(c.Pos+len(e.open)) == '[')
}

// toolMark returns the envelope that opens at i if it is an XML element with the name of a tool, such as
// <get_weather><city>…
func (c *cursor) toolMark(i int) (envelope, bool) {
	if len(c.byName) == 0 {
		return envelope{}, false
	}
	t, ok := c.TagAt(i)
	if !ok || t.Closing || t.Value != "" || c.byName[t.Written] == nil {
		return envelope{}, false
	}
	b, closing := c.ByteAt(c.SkipBlanks(t.End)), "</"+t.Written+">"
	if b != '<' && b != '{' || c.Index(closing, t.End) == c.End {
		return envelope{}, false // the tag is only mentioned
	}
	return envelope{open: c.Text[i:t.End], close: closing, keepOpen: true}, true
}

// wrapperTags are the folded names of tags that models put around calls.
var wrapperTags = []string{
	"toolcall", "toolcalls", "functioncall", "functioncalls", "toolcode", "tooluse", "tooluses", "tools",
	"function", "functions", "invoke", "invokes", "longcattoolcall", "s",
}

// isWrapper reports whether models put tags with this name around calls.
func isWrapper(name string) bool { return slices.Contains(wrapperTags, words.FoldName(name)) }

// skipHeader skips the header of a gpt-oss message at c.Pos, up to the recipient. In "<|channel|>commentary
// to=functions.f", it skips "<|channel|>commentary ". It returns false if there is no header.
func (c *cursor) skipHeader() bool {
	for i := c.Pos; i < c.End && i < c.Pos+longestLabel; {
		rest := c.Text[i:c.End]
		if strings.HasPrefix(rest, "to=functions.") {
			ok := i > c.Pos
			c.Pos = i
			return ok
		}
		if end := c.tokenEnd(i); strings.HasPrefix(rest, "<|") && end > 0 {
			i = end
			continue
		}
		size := 0
		for _, word := range []string{" ", "assistant", "commentary", "analysis"} {
			if strings.HasPrefix(rest, word) {
				size = len(word)
			}
		}
		if size == 0 {
			return false
		}
		i += size
	}
	return false
}

// opensToken reports whether text begins like a special token of a model, such as <|end|>.
func opensToken(text string) bool {
	return strings.HasPrefix(text, "<|") || strings.HasPrefix(text, "<｜")
}

// tokenEnd returns the position after the special token at i; 0 if there is none.
func (c *cursor) tokenEnd(i int) int {
	for j := i + 2; j < c.End && j < i+longestLabel; j++ {
		switch c.Text[j] {
		case '>':
			return j + 1
		case '<', '\n', ' ':
			return 0
		}
	}
	return 0
}

// opensMark is true for each byte that begins the opening mark of an envelope.
var opensMark = firstBytes(allEnvelopes, func(e envelope) string { return e.open })

// firstBytes returns a table that is true for each byte that begins the mark of one of all.
func firstBytes[T any](all []T, mark func(T) string) (table [256]bool) {
	for _, x := range all {
		table[mark(x)[0]] = true
	}
	return table
}
