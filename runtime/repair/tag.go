package repair

import (
	"strings"
)

// tag is a tag of XML, or what models write like one: <invoke name="f">,
// <function=f>, <parameter=a>.
type tag struct {
	written string // the name with its namespace
	name    string // without
	value   string // behind the equals sign, or of the attribute "name"
	text    bool   // an attribute says that the content is text
	closing bool
	end     int // behind it
}

// tagAt returns the tag at i.
func (s *source) tagAt(i int) (t tag, ok bool) {
	if s.byteAt(i) == '<' {
		t.end = s.tagEnd(i)
	}
	if t.end == 0 {
		return tag{}, false
	}
	inner := strings.TrimSuffix(s.text[i+1:t.end-1], "/")
	inner, t.closing = strings.CutPrefix(inner, "/")
	size := strings.IndexAny(inner, "= \t")
	if size < 0 {
		size = len(inner)
	}
	t.written, inner = inner[:size], inner[size:]
	t.name = t.written[strings.LastIndexByte(t.written, ':')+1:]
	if j := strings.LastIndex(t.name, "｜"); j >= 0 {
		t.name = t.name[j+len("｜"):]
	}
	if value, ok := strings.CutPrefix(inner, "="); ok {
		t.value = strings.Trim(value, blanks+`"'`)
	} else if _, value, ok := strings.Cut(inner, "name="); ok && value != "" {
		value, _, _ = strings.Cut(value[1:], value[:1])
		t.value = value
	}
	t.text = strings.Contains(inner, `string="true"`)
	return t, t.name != "" && isLetter(t.name[0])
}

// longestTag bounds how far the end of a tag is looked for.
const longestTag = 128

// tagEnd returns the place behind the tag at i; 0 if there is none.
func (t *source) tagEnd(i int) int {
	if first := t.byteAt(i + 1); !isLetter(first) && first != '/' && first != '|' {
		return 0
	}
	for j := i + 1; j < t.end && j < i+longestTag; j++ {
		switch t.text[j] {
		case '>':
			return j + 1
		case '<', '\n':
			return 0
		}
	}
	return 0
}
