package lsp

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/gen"
)

// A cursor describes the context of an offset in a text. It depends only on the text before the offset,
// because the text after it may be incomplete.
type cursor struct {
	offset int
	frames []frame // the brackets that are open, from the outermost to the innermost
	key    string  // the name of the property whose value the cursor is in; "" before an arrow

	inText bool   // in a string or text block
	text   string // the content of the string or text block up to the cursor
	word   string // the word before the cursor
}

// A frame is an open bracket.
type frame struct {
	bracket byte
	key     string   // the property whose value the bracket opens
	names   []string // the names of the properties in the bracket
}

// tokens matches comments, strings, arrows, brackets, commas and words.
var tokens = regexp.MustCompile(`//[^\n]*|"""(?s:.*?)(?:"""|$)|"[^"]*(?:"|$)|-->|[\[\]{},]|[^\s\[\]{},"]+`)

var lastWord = regexp.MustCompile(`[\pL\pN_.*()/-]*$`)

// newCursor returns the cursor at an offset of a text.
func newCursor(src []byte, offset int) *cursor {
	c := &cursor{offset: offset}
	before := src[:offset]
	last := ""
	for _, at := range tokens.FindAllIndex(before, -1) {
		token := string(before[at[0]:at[1]])
		if strings.HasPrefix(token, "//") {
			if at[1] == offset {
				return &cursor{offset: offset} // nothing can be completed in a comment
			}
			continue
		}
		c.readToken(token, last, at)
		last = token
	}
	switch {
	case c.inText:
		c.word = lastWord.FindString(c.text)
	case last != "" && bytes.HasSuffix(before, []byte(last)) && !strings.ContainsAny(last, "[]{},\"") && last != "-->":
		c.word = last
	}
	return c
}

// readToken reads a token at the given offsets. last is the token before it.
func (c *cursor) readToken(token, last string, at []int) {
	c.inText = false
	switch token {
	case "-->":
		c.addName(last)
	case "[", "{":
		c.frames = append(c.frames, frame{bracket: token[0], key: c.key})
		c.key = ""
	case "]", "}":
		c.frames = c.frames[:max(len(c.frames)-1, 0)]
		c.key = ""
	case ",":
		c.key = ""
	default:
		if token[0] == '"' {
			c.readText(token, at)
		}
	}
}

// readText reads a string or text block. If it is not closed, the cursor is in it.
func (c *cursor) readText(token string, at []int) {
	quotes := `"`
	if strings.HasPrefix(token, `"""`) {
		quotes = `"""`
	}
	c.inText = at[1] == c.offset && (len(token) < 2*len(quotes) || !strings.HasSuffix(token, quotes))
	c.text = strings.TrimPrefix(token, quotes)
}

// addName records the name before an arrow. An arrow after a text does not begin another property.
func (c *cursor) addName(word string) {
	if strings.HasPrefix(word, `"`) && c.key != "" || len(c.frames) == 0 {
		return
	}
	c.key = strings.Trim(word, `"`)
	last := &c.frames[len(c.frames)-1]
	last.names = append(last.names, c.key)
}

// A region is the part of the notation that a cursor is in.
type region int

const (
	nowhere region = iota
	inArray
	inElement
	inBlock  // in an interface block
	inSchema // in the fields of args_schema
)

func (c *cursor) region() region {
	n := len(c.frames)
	switch {
	case n == 1 && c.frames[0].bracket == '[':
		return inArray
	case n == 2 && c.frames[1].bracket == '{':
		return inElement
	case n == 3 && c.frames[2].bracket == '{' && c.frames[2].key == "function":
		return inBlock
	case n == 3 && c.frames[2].bracket == '{' && c.frames[2].key == "args_schema":
		return inSchema
	}
	return nowhere
}

// hasName reports whether a name precedes the cursor in the same brackets.
func (c *cursor) hasName(name string) bool {
	return slices.Contains(c.frames[len(c.frames)-1].names, name)
}

// functionBinding returns the binding of the function of the element at an offset.
func (v *view) functionBinding(offset int) (found gen.Binding, ok bool) {
	el := v.elementAt(offset)
	if el == nil || v.module == nil {
		return found, false
	}
	for _, b := range v.bindings() {
		at := b.Span.Start.Offset
		if b.IsFunction() && at >= el.Span.Start.Offset && at < el.Span.End.Offset {
			return b, true
		}
	}
	return found, false
}
