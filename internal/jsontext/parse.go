package jsontext

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A SyntaxError says why a text is no JSON.
type SyntaxError struct {
	Offset   int
	Expected string
	Found    string
}

// Error says what was expected, where, and what is there.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("expected %s at byte %d, found %s", e.Expected, e.Offset, e.Found)
}

// MaxDepth is how deeply values nest that encoding/json reads: where nothing else
// bounds them, more cannot have come from it or go to it.
const MaxDepth = 10_000

// Depth is how deeply schemas, arguments and results may nest. It is far below MaxDepth,
// so that others can be put around them; only values that hold themselves come near it.
const Depth = 1000

// Parse reads a text that is a JSON value, in which at most depth arrays and
// objects are in each other. An error is a [*SyntaxError]. Names that an object
// has twice are none: see [Node.Repeated].
func Parse(text string, depth int) (*Node, error) {
	if len(text) > math.MaxInt32 {
		return nil, &SyntaxError{math.MaxInt32, "the end of the text", "more"}
	}
	p := parser{text: text, depth: depth}
	n, i := p.value(0, depth)
	if p.err == nil {
		if i = p.blank(i); i < len(text) {
			p.broken(i, "nothing after the JSON value")
		}
	}
	if p.err != nil {
		return nil, p.err
	}
	return n, nil
}

// parser reads a text. Once it found an error, what it returns means nothing.
type parser struct {
	text  string
	depth int
	err   *SyntaxError
	free  []Node  // a block of them at a time
	size  int     // of the last block
	open  []*Node // items of the containers that are open
}

func (p *parser) node(k Kind, start, end int) *Node {
	if len(p.free) == 0 {
		p.size = min(max(8, 2*p.size), 512)
		p.free = make([]Node, p.size)
	}
	n := &p.free[0]
	p.free = p.free[1:]
	n.Kind, n.Start, n.End = k, int32(start), int32(end)
	if k < Array {
		n.Text = p.text[start:end]
	}
	return n
}

// broken records what is wrong, and returns the end of the text, where everything
// ends.
func (p *parser) broken(i int, expected string) (*Node, int) {
	if p.err == nil {
		p.err = &SyntaxError{i, expected, Found(p.text, i)}
	}
	return nil, len(p.text)
}

// Found says in words what is at a byte of a text.
func Found(text string, at int) string {
	if at >= len(text) {
		return "the end of the text"
	}
	r, size := utf8.DecodeRuneInString(text[at:])
	if r == utf8.RuneError && size == 1 {
		return fmt.Sprintf("the byte 0x%02x", text[at])
	}
	return strconv.QuoteRune(r)
}

func (p *parser) blank(i int) int {
	for i < len(p.text) && (p.text[i] == ' ' || p.text[i] == '\n' || p.text[i] == '\t' || p.text[i] == '\r') {
		i++
	}
	return i
}

func (p *parser) byteAt(i int) byte {
	if i < len(p.text) {
		return p.text[i]
	}
	return 0
}

// value reads the value behind the blanks at i, and returns its end. At most depth
// containers may be in it.
func (p *parser) value(i, depth int) (n *Node, end int) {
	i = p.blank(i)
	switch c := p.byteAt(i); {
	case c == '"':
		return p.string(i)
	case c == '{' || c == '[':
		if depth == 0 {
			return p.broken(i, fmt.Sprintf("at most %d levels of nesting", p.depth))
		}
		return p.container(i, c, depth-1)
	case c == '-' || isDigit(c):
		end, ok := NumberEnd(p.text, i)
		if !ok {
			return p.broken(end, "a digit")
		}
		return p.node(Number, i, end), end
	}
	for _, word := range [...]string{"null", "true", "false"} {
		if strings.HasPrefix(p.text[i:], word) {
			k := Bool
			if word == "null" {
				k = Null
			}
			return p.node(k, i, i+len(word)), i + len(word)
		}
	}
	return p.broken(i, "a value")
}

func (p *parser) string(i int) (n *Node, end int) {
	end, expected := StringEnd(p.text, i)
	if expected != "" {
		return p.broken(end, expected)
	}
	return p.node(String, i, end), end
}

// container reads the array or object that begins at i.
func (p *parser) container(i int, opener byte, depth int) (n *Node, end int) {
	k, closer, what := Array, byte(']'), "a comma or a closing bracket"
	if opener == '{' {
		k, closer, what = Object, '}', "a comma or a closing brace"
	}
	n = p.node(k, i, 0)
	first := len(p.open)
	for i = p.blank(i + 1); p.err == nil && (p.byteAt(i) != closer || len(p.open) > first); {
		var item *Node
		if item, i = p.item(i, k, depth); p.err != nil {
			break
		}
		p.open = append(p.open, item)
		i = p.blank(i)
		if p.byteAt(i) == closer {
			break
		}
		if p.byteAt(i) != ',' {
			return p.broken(i, what)
		}
		i = p.blank(i + 1)
	}
	if len(p.open) > first {
		n.Items = append(make([]*Node, 0, len(p.open)-first), p.open[first:]...)
		p.open = p.open[:first]
	}
	n.End = int32(i + 1)
	return n, i + 1
}

// item reads a member or an element.
func (p *parser) item(i int, k Kind, depth int) (n *Node, end int) {
	if k == Array {
		return p.value(i, depth)
	}
	if p.byteAt(i) != '"' {
		return p.broken(i, "a key in double quotes")
	}
	keyEnd, expected := StringEnd(p.text, i)
	if expected != "" {
		return p.broken(keyEnd, expected)
	}
	colon := p.blank(keyEnd)
	if p.byteAt(colon) != ':' {
		return p.broken(colon, "a colon")
	}
	if n, end = p.value(colon+1, depth); p.err == nil {
		n.Key, n.KeySpan = p.text[i:keyEnd], Span{int32(i), int32(keyEnd)}
	}
	return n, end
}
