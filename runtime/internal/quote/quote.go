// Package quote writes what tools said into prompts: as JSON on one line, results and
// errors alike, so that nothing in it can look like a line of the program's own. Plans,
// conversations and the supervisor show what is not theirs by it, and by nothing else.
package quote

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Call quotes what came of a call: its output and what stands beside it, or in words for
// a model what went wrong. Each is cut as [Value] does.
func Call(c *tool.Call, most int) string {
	if c.Err != nil {
		return Text(tool.ModelText(c.Err), most)
	}
	text := Value(c.Output, most)
	if beside := Beside(c, most); beside != "" {
		text += " (note: " + Text(beside, most) + ")"
	}
	return text
}

// Beside returns what a model reads beside the output of a call, in lines: the note, and
// in words what was attached, of which media are only named. For that there are so many
// bytes; a text is cut as [Text] does, and what has no room is counted.
func Beside(c *tool.Call, most int) string {
	var lines []string
	if c.Note != "" {
		lines = append(lines, c.Note)
	}
	for i, p := range c.Content {
		if most <= 0 {
			lines = append(lines, fmt.Sprintf("Attached: %d more", len(c.Content)-i))
			break
		}
		lines = append(lines, "Attached: "+Text(p.String(), most))
		most -= len(lines[len(lines)-1])
	}
	return strings.Join(lines, "\n")
}

// Value quotes JSON. What is longer than so many bytes is shown as a string with its
// beginning, and a mark behind it says how long it is; what is no JSON as a string.
func Value(value json.RawMessage, most int) string {
	if room := longestEscape * (max(most, 0) + 2); len(value) > room && json.Valid(value) {
		return cut(head(value, room), most, len(value)) // without a copy of the whole
	}
	var b bytes.Buffer
	if json.Compact(&b, value) != nil {
		return Text(string(value), most)
	}
	line := lines.Replace(b.String())
	switch {
	case len(line) <= most:
		return line
	case line[0] != '"':
		return cut(jsontext.Quote(line), most, len(value))
	}
	return cut(line, most, len(value))
}

// longestEscape is the most that stands for a character in a string of JSON, in bytes.
const longestEscape = len(`\ud83d\ude00`)

// head quotes the first so many bytes of a value that has more.
func head(value json.RawMessage, room int) string {
	text := string(value[:room])
	if value[0] != '"' {
		return jsontext.Quote(lines.Replace(text))
	}
	return lines.Replace(jsontext.CutLiteral(text+`"`, room-1-longestEscape)) // it may end in the midst of an escape
}

// lines are the breaks of lines that may stand in JSON as they are: in strings alone.
var lines = strings.NewReplacer("\u0085", `\u0085`, "\u2028", `\u2028`, "\u2029", `\u2029`)

// Text quotes a text, as a string of JSON; else it is as [Value].
func Text(text string, most int) string {
	return cut(lines.Replace(jsontext.Quote(text)), most, len(text))
}

// cut shortens a string of JSON, and says so of what has so many bytes.
func cut(literal string, most, size int) string {
	if shown := jsontext.CutLiteral(literal, max(most, 0)); shown != literal {
		return fmt.Sprintf("%s (cut here, it has %d bytes)", shown, size)
	}
	return literal
}
