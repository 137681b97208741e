package redact

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Prompt returns a redacted copy of a request to the model in a run with these tools. It redacts messages
// in the same way as events. The system prompt and the prompt mix text of the program with JSON values.
// In them, Prompt replaces hidden values, and each line that may reveal a hidden value. If a hidden value
// is spread over several lines, it replaces the whole text. The copy has no examples of tools, and no
// fields that only one provider supports.
func (r *Redactor) Prompt(run string, tools []tool.Definition, request llm.Request) llm.Request {
	if r == nil {
		return request
	}
	x := r.newPass(run, tools)
	x.collectHidden(func() { x.redactPrompt(request) })
	return x.redactPrompt(request)
}

func (x *pass) redactPrompt(r llm.Request) llm.Request {
	redacted := llm.Request{
		System: x.redactComposed(r.System), Prompt: x.redactComposed(r.Prompt), Schema: x.redactSchema(r.Schema), MaxTokens: r.MaxTokens, Temperature: r.Temperature,
		ToolChoice: llm.ToolChoice(x.redactLabel(string(r.ToolChoice))), OneCall: r.OneCall, Effort: x.redactLabel(r.Effort), TopP: r.TopP, Seed: r.Seed,
	}
	for _, m := range r.Messages {
		shown := x.redactMessage(m)
		if m.Role == llm.RoleAssistant {
			shown.Text = x.redactProse("", "/text", m.Text)
		}
		redacted.Messages = append(redacted.Messages, shown)
	}
	for _, d := range r.Tools {
		redacted.Tools = append(redacted.Tools, tool.Definition{
			Name: x.redactName(d.Name), Title: x.redactLabel(d.Title), Description: x.redactLabel(d.Description),
			Input: x.redactSchema(d.Input), Output: x.redactSchema(d.Output), Annotations: d.Annotations,
		})
	}
	for _, s := range r.Stop {
		redacted.Stop = append(redacted.Stop, x.redactLabel(s))
	}
	return redacted
}

// redactSchema replaces a schema that contains a hidden value.
func (x *pass) redactSchema(schema json.RawMessage) json.RawMessage {
	if x.revealsHidden(string(schema)) {
		return json.RawMessage(jsontext.Quote(replacement))
	}
	return schema
}

// redactComposed redacts a text that a program composed for the model. The rule may mask parts of it.
func (x *pass) redactComposed(text string) string {
	if !x.collecting {
		text = x.maskText(text)
	}
	c := composedText{pass: x, text: text}
	c.redactValues()
	lines, plain := strings.Split(c.shown.String(), "\n"), strings.Split(c.plain.String(), "\n")
	for i := range lines {
		lines[i] = x.redactLine(lines[i], plain[i])
	}
	redacted := strings.Join(lines, "\n")
	if x.revealsHidden(redacted) {
		return replacement
	}
	return redacted
}

// maskText applies the rule to a text of a message. It does not remember a hidden text: most of the text
// was written by the program, and may occur in texts that need not be hidden.
func (x *pass) maskText(text string) string {
	if text == "" {
		return ""
	}
	raw := json.RawMessage(jsontext.Quote(text))
	if shown := x.applyRule("", "/message", raw); !bytes.Equal(shown, raw) {
		if !json.Valid(shown) {
			return replacement
		}
		return plainText(shown)
	}
	return text
}

// redactLine redacts a line whose JSON values are already redacted. Plain is the line without these values.
// It does not remember the text of a line that it replaces: the line may be the description of a tool, such
// as "phone: string", and "string" is not a hidden value.
func (x *pass) redactLine(line, plain string) string {
	switch {
	case strings.ContainsAny(plain, `"{[`): // a JSON value begins here, but is malformed
		return x.redactProse("", "/message", line)
	case x.collecting:
		return line
	case x.seemsCall(plain) || x.seemsArgument(plain) || x.memory.occursIn(line):
		return replacement
	}
	return x.maskText(line)
}

// composedText redacts the JSON values in a text that a program composed. It assumes that programs quote
// foreign text as JSON on one line, and write the name of a tool before its arguments and its result:
//
//	"search" {"query":"x"} → ["a","b"]
type composedText struct {
	*pass
	text     string
	shown    strings.Builder
	plain    strings.Builder // like shown, with the same line breaks, but without values
	failures int             // number of malformed objects and arrays

	brokenEnd int // position of the fault in the last malformed string

	callee       string // the last tool that the current line names
	hasArguments bool   // the next value is the arguments of the callee
	isUnread     bool   // a value after the name of the callee was replaced without being parsed
}

// maxFailures limits the number of malformed objects and arrays in a text. The parser may read to the end
// of the text for each.
const maxFailures = 100

func (c *composedText) redactValues() {
	for at := 0; at < len(c.text); {
		end := c.valueEnd(at)
		if end == at {
			if c.text[at] == '\n' {
				c.callee, c.isUnread = "", false
			}
			c.shown.WriteByte(c.text[at])
			c.plain.WriteByte(c.text[at])
			at++
			continue
		}
		if c.failures > maxFailures {
			c.shown.Reset()
			c.plain.Reset()
			c.shown.WriteString(plainText(c.withholdText(c.text)))
			return
		}
		c.addValue(c.text[at:end], strings.TrimLeft(c.text[end:], " "))
		at = end
	}
}

// valueEnd returns the end of the value that begins at start, or start if no value begins there. A number
// counts as a value only after the name of a tool.
func (c *composedText) valueEnd(start int) int {
	switch b := c.text[start]; {
	case b == '"':
		if start < c.brokenEnd {
			return start // a string that begins here would have the same fault
		}
		end, expected := jsontext.StringEnd(c.text, start)
		if expected == "" {
			return end
		}
		c.brokenEnd = end
	case b == '{' || b == '[':
		if c.failures > maxFailures {
			return len(c.text)
		}
		var raw json.RawMessage
		d := json.NewDecoder(strings.NewReader(c.text[start:]))
		if d.Decode(&raw) == nil {
			return start + int(d.InputOffset())
		}
		c.failures++
	case c.callee != "" && (b == '-' || '0' <= b && b <= '9'):
		if end, ok := jsontext.NumberEnd(c.text, start); ok {
			return end
		}
	}
	return start
}

// addValue appends a redacted value. After is the text that follows the value.
func (c *composedText) addValue(raw, after string) {
	redacted, name := raw, ""
	if raw[0] == '"' {
		name = plainText(json.RawMessage(raw))
	}
	_, isTool := c.catalog.findTool(name)
	isMember := name != "" && strings.HasPrefix(after, ":")
	if isTool && !isMember {
		c.callee, c.hasArguments, c.isUnread = name, after != "" && strings.ContainsAny(after[:1], `{["`), false
	} else {
		isError := name != "" && !isMember // or another quoted text
		if redacted = string(c.redactQuoted(json.RawMessage(raw))); isError && c.mayQuoteHidden(name) {
			redacted = jsontext.Quote(replacement)
		}
		c.hasArguments = false
	}
	c.shown.WriteString(redacted)
	c.plain.WriteByte(' ')
	if isMember { // keep the name, so that redactLine recognizes "name: value"
		c.plain.WriteString(strings.NewReplacer("\n", " ", `"`, " ", "{", " ", "[", " ").Replace(name))
	}
	c.plain.WriteString(strings.Repeat("\n", strings.Count(redacted, "\n")))
}

// mayQuoteHidden reports whether a text, such as an error, may contain a hidden value. After a call, it
// also returns true if a value of the call was not parsed, or if not all hidden values were remembered.
func (c *composedText) mayQuoteHidden(text string) bool {
	return c.callee != "" && (c.isUnread || len(c.hidden) >= maxHidden) || c.quotesHidden(text)
}

// redactQuoted redacts a value, and records in isUnread whether it was replaced without being parsed.
func (c *composedText) redactQuoted(raw json.RawMessage) json.RawMessage {
	before := c.withheld
	c.withheld = false
	redacted := c.redactReadable(raw)
	c.isUnread, c.withheld = c.isUnread || c.withheld, c.withheld || before
	return redacted
}

// redactReadable redacts a value. It withholds a truncated text, because the text may end within a hidden
// value.
func (c *composedText) redactReadable(raw json.RawMessage) json.RawMessage {
	switch {
	case bytes.HasSuffix(raw, []byte(`…"`)):
		return c.withholdText(plainText(raw))
	case c.hasArguments:
		return c.redactArguments(c.callee, raw)
	case c.callee != "":
		if redacted := c.redactOutput(c.callee, raw); !bytes.Equal(redacted, raw) {
			return redacted
		}
	}
	return c.redactModelText("/message", raw)
}
