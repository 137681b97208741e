package jsontext

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A SyntaxError describes why a text is not JSON.
type SyntaxError struct {
	Offset   int
	Expected string
	Found    string
}

// Error returns what was expected, where, and what was found.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("expected %s at byte %d, found %s", e.Expected, e.Offset, e.Found)
}

// MaxDepth is the depth of nesting that encoding/json accepts. It is the limit for values
// that encoding/json also reads or writes.
const MaxDepth = 10_000

// Depth is the maximum depth of schemas, arguments and results. It is far below MaxDepth,
// so that they can be embedded in other values.
const Depth = 1000

// Parse parses a text that is a JSON value with at most depth levels of arrays and objects.
// The error is a [*SyntaxError]. Repeated names in an object are not an error; see
// [Node.FirstRepeated].
func Parse(text string, depth int) (*Node, error) {
	n, i, err := ParseAt(text, 0, depth)
	if err != nil {
		return nil, err
	}
	p := parser{text: text}
	if i = p.skipBlanks(i); i < len(text) {
		p.fail(i, "nothing after the JSON value")
		return nil, p.err
	}
	return n, nil
}

// ParseAt is like Parse for the value at i. It also returns the end of the value, which any text may follow, or the
// offset of the error.
func ParseAt(text string, i, depth int) (n *Node, end int, err error) {
	if len(text) > math.MaxInt32 {
		return nil, math.MaxInt32, &SyntaxError{math.MaxInt32, "the end of the text", "more"}
	}
	p := parser{text: text, depth: depth}
	if n, end = p.parseValue(i, depth); p.err != nil {
		return nil, p.err.Offset, p.err
	}
	return n, end, nil
}

// A parser parses a text. After an error, the results of its methods are meaningless.
type parser struct {
	text  string
	depth int
	err   *SyntaxError
	arena Arena
	open  []*Node // items of the unfinished containers
}

func (p *parser) newNode(k Kind, start, end int) *Node {
	n := p.arena.NewNode(k, start)
	n.End = int32(end)
	if k < Array {
		n.Text = p.text[start:end]
	}
	return n
}

// fail records an error and returns the end of the text, so that all loops end.
func (p *parser) fail(i int, expected string) (*Node, int) {
	if p.err == nil {
		p.err = &SyntaxError{i, expected, DescribeAt(p.text, i)}
	}
	return nil, len(p.text)
}

// DescribeAt describes the character at an offset of a text.
func DescribeAt(text string, at int) string {
	if at >= len(text) {
		return "the end of the text"
	}
	r, size := utf8.DecodeRuneInString(text[at:])
	if r == utf8.RuneError && size == 1 {
		return fmt.Sprintf("the byte 0x%02x", text[at])
	}
	return strconv.QuoteRune(r)
}

func (p *parser) skipBlanks(i int) int {
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

// parseValue parses the value after the blanks at i, and returns its end. The value may have at most depth levels of
// arrays and objects.
func (p *parser) parseValue(i, depth int) (n *Node, end int) {
	i = p.skipBlanks(i)
	switch c := p.byteAt(i); {
	case c == '"':
		return p.parseString(i)
	case c == '{' || c == '[':
		if depth == 0 {
			return p.fail(i, fmt.Sprintf("at most %d levels of nesting", p.depth))
		}
		return p.parseContainer(i, c, depth-1)
	case c == '-' || isDigit(c):
		end, ok := NumberEnd(p.text, i)
		if !ok {
			return p.fail(end, "a digit")
		}
		return p.newNode(Number, i, end), end
	}
	for _, word := range [...]string{"null", "true", "false"} {
		if strings.HasPrefix(p.text[i:], word) {
			k := Bool
			if word == "null" {
				k = Null
			}
			return p.newNode(k, i, i+len(word)), i + len(word)
		}
	}
	return p.fail(i, "a value")
}

func (p *parser) parseString(i int) (n *Node, end int) {
	end, expected := StringEnd(p.text, i)
	if expected != "" {
		return p.fail(end, expected)
	}
	return p.newNode(String, i, end), end
}

// parseContainer parses the array or object that starts at i.
func (p *parser) parseContainer(i int, opener byte, depth int) (n *Node, end int) {
	k, closer, what := Array, byte(']'), "a comma or a closing bracket"
	if opener == '{' {
		k, closer, what = Object, '}', "a comma or a closing brace"
	}
	n = p.newNode(k, i, 0)
	first := len(p.open)
	for i = p.skipBlanks(i + 1); p.err == nil && (p.byteAt(i) != closer || len(p.open) > first); {
		var item *Node
		if item, i = p.parseItem(i, k, depth); p.err != nil {
			break
		}
		p.open = append(p.open, item)
		i = p.skipBlanks(i)
		if p.byteAt(i) == closer {
			break
		}
		if p.byteAt(i) != ',' {
			return p.fail(i, what)
		}
		i = p.skipBlanks(i + 1)
	}
	if len(p.open) > first {
		n.Items = append(make([]*Node, 0, len(p.open)-first), p.open[first:]...)
		p.open = p.open[:first]
	}
	n.End = int32(i + 1)
	return n, i + 1
}

// parseItem parses an element of an array or a member of an object.
func (p *parser) parseItem(i int, k Kind, depth int) (n *Node, end int) {
	if k == Array {
		return p.parseValue(i, depth)
	}
	if p.byteAt(i) != '"' {
		return p.fail(i, "a key in double quotes")
	}
	keyEnd, expected := StringEnd(p.text, i)
	if expected != "" {
		return p.fail(keyEnd, expected)
	}
	colon := p.skipBlanks(keyEnd)
	if p.byteAt(colon) != ':' {
		return p.fail(colon, "a colon")
	}
	if n, end = p.parseValue(colon+1, depth); p.err == nil {
		n.Key, n.KeySpan = p.text[i:keyEnd], Span{int32(i), int32(keyEnd)}
	}
	return n, end
}
