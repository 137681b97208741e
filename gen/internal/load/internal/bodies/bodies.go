// Package bodies takes the bodies of functions out of Go source before it is parsed:
// most of a file is in them, and nothing that its declarations mean.
package bodies

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
)

const mode = parser.ParseComments | parser.SkipObjectResolution

// Parse parses a file, with comments, but with empty blocks for the bodies of its
// functions. Those that begin with return, or may end the process, are kept, and so are all in a file that
// does not parse without.
func Parse(fset *token.FileSet, name string, src []byte) (*ast.File, error) {
	file, err := parser.ParseFile(fset, name, Cut(src), mode)
	if err == nil {
		return file, nil
	}
	if file != nil && file.FileStart.IsValid() {
		fset.RemoveFile(fset.File(file.FileStart))
	}
	return parser.ParseFile(fset, name, src, mode)
}

// Cut returns the source with spaces in the bodies of its functions, but for those
// that Parse keeps. Lines and offsets stay as they are. What it returns of a
// source that does not parse need not parse in the same way.
func Cut(src []byte) []byte {
	c := cutter{src: src, out: src}
	for c.next() {
		if c.starts && c.depth == 0 && c.word() == "func" && c.signature() {
			c.body()
		}
	}
	return c.out
}

// A cutter goes through source token by token, as far as tokens matter here: words,
// literals, and bytes that stand alone.
type cutter struct {
	src, out []byte // out is src until something is cut
	from, to int    // the token
	depth    int    // of brackets of any kind that are open before the token
	starts   bool   // the token is the first of a statement
	typed    bool   // the token before is struct or interface
}

func (c *cutter) word() string { return string(c.src[c.from:c.to]) }

// next goes to the next token, false at the end.
func (c *cutter) next() bool {
	ends := true // a newline behind the last token ends a statement
	c.typed = false
	if c.to > 0 {
		switch last := c.src[c.to-1]; {
		case last == '(' || last == '[' || last == '{':
			c.depth++
			ends = false
		case last == ')' || last == ']' || last == '}':
			c.depth--
		default:
			ends = isWord(last) || last == '"' || last == '`' || last == '\''
		}
		c.typed = c.to-c.from >= len("struct") && (c.word() == "struct" || c.word() == "interface")
	}
	c.starts = c.to == 0 || c.src[c.to-1] == ';'
	for c.from = c.to; c.from < len(c.src); c.from = c.to {
		c.to = end(c.src, c.from)
		switch b := c.src[c.from]; {
		case b == '\n':
			c.starts = c.starts || ends
		case b == '/' && c.to > c.from+1: // a comment
			c.starts = c.starts || ends && (c.src[c.from+1] == '/' || bytes.IndexByte(c.src[c.from:c.to], '\n') >= 0)
		case !isSpace(c.src[c.from:c.to]):
			return true
		}
	}
	return false
}

// signature goes to the brace that opens the body of a function, false if it has
// none. The token is func.
func (c *cutter) signature() bool {
	for c.next() {
		switch {
		case c.depth > 0:
		case c.starts:
			c.to = c.from // which may be func again
			return false
		case c.src[c.from] == '{' && !c.typed:
			return true
		}
	}
	return false
}

// keptFirst are the words at the beginning of bodies that are kept: those that may say all
// that a function does.
var keptFirst = map[string]bool{"return": true, "panic": true, "os": true, "log": true, "runtime": true, "syscall": true}

// body goes to the brace that closes the body, and cuts what is between.
func (c *cutter) body() {
	from, open, first, kept := c.to, 1, true, false
	for at := from; at < len(c.src); {
		to := end(c.src, at)
		switch b := c.src[at]; {
		case b == '{':
			open++
		case b == '}':
			open--
		case first && isWord(b):
			kept = keptFirst[string(c.src[at:to])]
		}
		first = first && isSpace(c.src[at:to])
		if open == 0 {
			if !kept {
				c.blank(from, at)
			}
			c.from, c.to, c.depth = at, to, 1
			return
		}
		at = to
	}
	c.from, c.to = len(c.src), len(c.src)
}

func (c *cutter) blank(from, to int) {
	if &c.out[0] == &c.src[0] {
		c.out = bytes.Clone(c.src)
	}
	for i, b := range c.out[from:to] {
		if b != '\n' {
			c.out[from+i] = ' '
		}
	}
}

// end is where the token ends that begins at an offset: a word, a literal, a comment
// or a single byte.
func end(src []byte, at int) int {
	switch b := src[at]; b {
	case '"', '\'':
		for i := at + 1; i < len(src) && src[i] != '\n'; i++ {
			switch src[i] {
			case '\\':
				i++
			case b:
				return i + 1
			}
		}
		return at + 1
	case '`':
		return until(src, at, at+1, "`")
	case '/':
		switch {
		case bytes.HasPrefix(src[at:], []byte("//")):
			if n := bytes.IndexByte(src[at:], '\n'); n >= 0 {
				return at + n // the newline is a token of its own
			}
			return len(src)
		case bytes.HasPrefix(src[at:], []byte("/*")):
			return until(src, at, at+2, "*/")
		}
		return at + 1
	}
	to := at
	for to < len(src) && isWord(src[to]) {
		to++
	}
	return max(to, at+1)
}

// until is where a token ends that goes up to a mark: a byte behind its beginning if
// there is none.
func until(src []byte, at, inside int, mark string) int {
	if n := bytes.Index(src[inside:], []byte(mark)); n >= 0 {
		return inside + n + len(mark)
	}
	return at + 1
}

// isSpace reports whether a token is white space or a comment.
func isSpace(token []byte) bool {
	switch token[0] {
	case ' ', '\t', '\r', '\n':
		return true
	}
	return len(token) > 1 && token[0] == '/'
}

func isWord(b byte) bool {
	return b == '_' || '0' <= b && b <= '9' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || b >= 0x80
}
