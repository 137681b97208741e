package scan

import (
	"slices"
	"strings"
)

// Tag is an XML tag, or a similar mark that models write: <invoke name="f">, <function=f>, <parameter=a>.
type Tag struct {
	Written string // the name with its namespace
	Name    string // the name without its namespace
	Value   string // the text after the equals sign, or the attribute "name"
	Named   bool   // Value is the attribute "name"
	Text    bool   // an attribute states that the content is text
	Extra   string // the first unknown attribute; empty if there is none
	Closing bool
	End     int // position after the tag
}

// TagAt returns the tag at i.
func (s *Source) TagAt(i int) (t Tag, ok bool) {
	if s.ByteAt(i) == '<' {
		t.End = s.TagEnd(i)
	}
	if t.End == 0 {
		return Tag{}, false
	}
	inner := strings.TrimSuffix(s.Text[i+1:t.End-1], "/")
	inner, t.Closing = strings.CutPrefix(inner, "/")
	size := strings.IndexAny(inner, "= \t")
	if size < 0 {
		size = len(inner)
	}
	t.Written, inner = inner[:size], inner[size:]
	t.Name = t.Written[strings.LastIndexByte(t.Written, ':')+1:]
	if j := strings.LastIndex(t.Name, "｜"); j >= 0 {
		t.Name = t.Name[j+len("｜"):]
	}
	if value, ok := strings.CutPrefix(inner, "="); ok {
		t.Value = strings.Trim(value, Blanks+`"'`)
	} else if _, value, ok := strings.Cut(inner, "name="); ok && value != "" {
		value, _, _ = strings.Cut(value[1:], value[:1])
		t.Value, t.Named = value, true
	}
	t.Text = strings.Contains(inner, `string="true"`)
	t.Extra = unknownAttribute(inner)
	return t, t.Name != "" && IsLetter(t.Name[0])
}

// knownAttributes are the attributes that TagAt reads or can ignore.
var knownAttributes = []string{"name", "string", "type", "id"}

// unknownAttribute returns the name of the first unknown attribute; "" if there is none.
func unknownAttribute(attributes string) string {
	if strings.HasPrefix(attributes, "=") { // <function=f>
		return ""
	}
	for {
		name, rest, ok := strings.Cut(attributes, "=")
		name = strings.Trim(name, Blanks)
		if !ok {
			return ""
		}
		if !slices.Contains(knownAttributes, name) {
			return name
		}
		rest = strings.TrimLeft(rest, Blanks)
		if rest == "" || rest[0] != '"' && rest[0] != '\'' {
			return ""
		}
		_, attributes, _ = strings.Cut(rest[1:], rest[:1])
	}
}

// longestTag is the maximum length of a tag, in bytes.
const longestTag = 128

// TagEnd returns the position after the tag at i; 0 if there is none.
func (s *Source) TagEnd(i int) int {
	if first := s.ByteAt(i + 1); !IsLetter(first) && first != '/' && first != '|' {
		return 0
	}
	for j := i + 1; j < s.End && j < i+longestTag; j++ {
		switch s.Text[j] {
		case '>':
			return j + 1
		case '<', '\n':
			return 0
		}
	}
	return 0
}

// ThoughtMarks is a pair of marks around a thought of a model.
type ThoughtMarks struct{ Open, Close string }

// AllThoughtMarks are the marks that models put around their thoughts, which precede the answer.
var AllThoughtMarks = []ThoughtMarks{
	{"<think>", "</think>"}, {"<thinking>", "</thinking>"}, {"<thought>", "</thought>"}, {"<reasoning>", "</reasoning>"},
}

// EndsInTag reports whether the text ends at i, or inside a tag or token that begins at i.
func (s *Source) EndsInTag(i int) bool {
	return i == s.End || s.Text[i] == '<' && s.End-i < longestTag && strings.IndexByte(s.Text[i:s.End], '>') < 0
}
