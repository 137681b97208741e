package redact

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Prompt returns a redacted copy of a request to the model in a run with these tools. Messages are redacted as
// events are. In the system prompt and the prompt, which programs compose of their own text and of values in JSON,
// hidden values and the lines that may reveal them are replaced. If a value could be put together from several
// lines, the whole text is replaced. Examples of tools and members for a provider are left out.
func (r *Redactor) Prompt(run string, tools []tool.Definition, request llm.Request) llm.Request {
	if r == nil {
		return request
	}
	x := r.newPass(run, tools)
	x.collectHidden(func() { x.redactPrompt(request) })
	return x.redactPrompt(request)
}

func (x *pass) redactPrompt(r llm.Request) llm.Request {
	told := llm.Request{
		System: x.redactComposed(r.System), Prompt: x.redactComposed(r.Prompt), Schema: x.redactSchema(r.Schema), MaxTokens: r.MaxTokens, Temperature: r.Temperature,
		ToolChoice: llm.ToolChoice(x.redactLabel(string(r.ToolChoice))), OneCall: r.OneCall, Effort: x.redactLabel(r.Effort), TopP: r.TopP, Seed: r.Seed,
	}
	for _, m := range r.Messages {
		shown := x.redactMessage(m)
		if m.Role == llm.RoleAssistant {
			shown.Text = x.redactProse("", "/text", m.Text)
		}
		told.Messages = append(told.Messages, shown)
	}
	for _, d := range r.Tools {
		told.Tools = append(told.Tools, tool.Definition{
			Name: x.redactName(d.Name), Title: x.redactLabel(d.Title), Description: x.redactLabel(d.Description),
			Input: x.redactSchema(d.Input), Output: x.redactSchema(d.Output), Annotations: d.Annotations,
		})
	}
	for _, s := range r.Stop {
		told.Stop = append(told.Stop, x.redactLabel(s))
	}
	return told
}

// redactSchema withholds a schema that contains a hidden value.
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
	told := strings.Join(lines, "\n")
	if x.revealsHidden(told) {
		return replacement
	}
	return told
}

// maskText returns what the rule shows of a text of a message. The text is not remembered if the rule hides it:
// most of it is the program's own, which other texts may contain.
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

// redactLine redacts a line in which values are redacted already. Plain is the line without the values. Nothing is
// remembered of a line that is withheld: that which describes a tool names its arguments, followed by their types.
func (x *pass) redactLine(line, plain string) string {
	switch {
	case strings.ContainsAny(plain, `"{[`): // the beginning of a value that cannot be read
		return x.redactProse("", "/message", line)
	case x.collecting:
		return line
	case x.seemsCall(plain) || x.seemsArgument(plain) || x.memory.occursIn(line):
		return replacement
	}
	return x.maskText(line)
}

// composedText redacts the JSON values in a text that a program composed. Programs quote foreign text as JSON on
// one line, and name the tool of a call before its arguments and its result.
type composedText struct {
	*pass
	text     string
	shown    strings.Builder
	plain    strings.Builder // what is shown, without values, but with the same line breaks
	failures int             // objects and lists that cannot be read

	brokenEnd int // where the latest string that cannot be read has its fault

	callee       string // the tool that the line has named
	hasArguments bool   // the next value is the arguments of a call
	isUnread     bool   // a value after the name of the tool was withheld without being read
}

// maxFailures limits the objects and lists of a text that cannot be read, because each may extend to its end.
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

// valueEnd returns the end of the value that begins at a place, or the place itself. A number is a value after
// the name of a tool.
func (c *composedText) valueEnd(at int) int {
	switch b := c.text[at]; {
	case b == '"':
		if at < c.brokenEnd {
			return at // an escaped quote: a string from here on would end at the same fault
		}
		end, expected := jsontext.StringEnd(c.text, at)
		if expected == "" {
			return end
		}
		c.brokenEnd = end
	case b == '{' || b == '[':
		if c.failures > maxFailures {
			return len(c.text)
		}
		var raw json.RawMessage
		d := json.NewDecoder(strings.NewReader(c.text[at:]))
		if d.Decode(&raw) == nil {
			return at + int(d.InputOffset())
		}
		c.failures++
	case c.callee != "" && (b == '-' || '0' <= b && b <= '9'):
		if end, ok := jsontext.NumberEnd(c.text, at); ok {
			return end
		}
	}
	return at
}

// addValue adds a value without what is hidden. After is the text that follows.
func (c *composedText) addValue(raw, after string) {
	told, name := raw, ""
	if raw[0] == '"' {
		name = plainText(json.RawMessage(raw))
	}
	_, isTool := c.catalog.findTool(name)
	isMember := name != "" && strings.HasPrefix(after, ":")
	if isTool && !isMember {
		c.callee, c.hasArguments, c.isUnread = name, after != "" && strings.ContainsAny(after[:1], `{["`), false
	} else {
		isError := name != "" && !isMember // or another text
		if told = string(c.redactQuoted(json.RawMessage(raw))); isError && c.mayQuoteHidden(name) {
			told = jsontext.Quote(replacement)
		}
		c.hasArguments = false
	}
	c.shown.WriteString(told)
	c.plain.WriteByte(' ')
	if isMember { // the value after it is that of the member
		c.plain.WriteString(strings.NewReplacer("\n", " ", `"`, " ", "{", " ", "[", " ").Replace(name))
	}
	c.plain.WriteString(strings.Repeat("\n", strings.Count(told, "\n")))
}

// mayQuoteHidden reports whether a text, such as an error, contains a hidden value. After a call, that is unknown if a
// value was not read, or if there were too many hidden values to remember them all.
func (c *composedText) mayQuoteHidden(text string) bool {
	return c.callee != "" && (c.isUnread || len(c.hidden) >= maxHidden) || c.quotesHidden(text)
}

// redactQuoted redacts a value, and records whether it was withheld without being read.
func (c *composedText) redactQuoted(raw json.RawMessage) json.RawMessage {
	before := c.withheld
	c.withheld = false
	told := c.redactReadable(raw)
	c.isUnread, c.withheld = c.isUnread || c.withheld, c.withheld || before
	return told
}

// redactReadable redacts a value. The beginning of a longer value is withheld, because it may end within a hidden
// one.
func (c *composedText) redactReadable(raw json.RawMessage) json.RawMessage {
	switch {
	case bytes.HasSuffix(raw, []byte(`…"`)):
		return c.withholdText(plainText(raw))
	case c.hasArguments:
		return c.redactArguments(c.callee, raw)
	case c.callee != "":
		if told := c.redactOutput(c.callee, raw); !bytes.Equal(told, raw) {
			return told
		}
	}
	return c.redactModelText("/message", raw)
}
