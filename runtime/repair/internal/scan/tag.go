package scan

import (
	"slices"
	"strings"
)

// Tag is a tag of XML, or what models write like one: <invoke name="f">,
// <function=f>, <parameter=a>.
type Tag struct {
	Written string // the name with its namespace
	Name    string // without
	Value   string // behind the equals sign, or of the attribute "name"
	Named   bool   // the value is that of the attribute "name"
	Text    bool   // an attribute says that the content is text
	Extra   string // the first unknown attribute; empty if there is none
	Closing bool
	End     int // behind it
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

// knownAttributes are the attributes of calls and arguments that TagAt reads or that have no
// effect on a value.
var knownAttributes = []string{"name", "string", "type", "id"}

// unknownAttribute returns the name of the first attribute that is not known; empty if there
// is none.
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

// longestTag bounds how far the end of a tag is looked for.
const longestTag = 128

// TagEnd returns the place behind the tag at i; 0 if there is none.
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

// A Thought is a pair of marks around what a model thinks.
type Thought struct{ Open, Close string }

// Thoughts are the marks around what a model thinks before it answers.
var Thoughts = []Thought{
	{"<think>", "</think>"}, {"<thinking>", "</thinking>"}, {"<thought>", "</thought>"}, {"<reasoning>", "</reasoning>"},
}

// EndsInTag tells whether the text is cut off at i, or in a tag or token there.
func (s *Source) EndsInTag(i int) bool {
	return i == s.End || s.Text[i] == '<' && s.End-i < longestTag && strings.IndexByte(s.Text[i:s.End], '>') < 0
}
