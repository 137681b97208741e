package load

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
)

// parseWithoutBodies parses a file with most function bodies emptied. It keeps
//   - bodies that begin with one of the keptFirstWords,
//   - bodies that may call one of the declaringFunctions,
//   - bodies of methods UnmarshalJSON, which may show the form of the JSON, and
//   - all bodies of a file that does not parse without them.
func parseWithoutBodies(fset *token.FileSet, name string, src []byte, mode parser.Mode) (*ast.File, error) {
	file, err := parser.ParseFile(fset, name, cutBodies(src), mode)
	if err == nil {
		return file, nil
	}
	if file != nil && file.FileStart.IsValid() {
		fset.RemoveFile(fset.File(file.FileStart))
	}
	return parser.ParseFile(fset, name, src, mode)
}

// cutBodies returns the source with spaces instead of function bodies, except for those that
// parseWithoutBodies keeps. Lines and offsets do not change. If the source does not parse, the
// result may have other errors.
func cutBodies(src []byte) []byte {
	c := bodyCutter{src: src, out: src}
	for c.nextToken() {
		if start := c.from; c.starts && c.depth == 0 && c.currentWord() == "func" && c.skipSignature() {
			c.cutBody(bytes.Contains(c.src[start:c.from], unmarshalJSON))
		}
	}
	return c.out
}

// A bodyCutter splits source into words, literals and single bytes, which suffices to find function
// bodies.
type bodyCutter struct {
	src, out []byte // out is src until something is cut
	from, to int    // the current token
	depth    int    // number of open brackets before the token
	starts   bool   // the token starts a statement
	inType   bool   // the previous token is struct or interface
}

func (c *bodyCutter) currentWord() string { return string(c.src[c.from:c.to]) }

// leaveToken updates the state after the current token, and reports whether a newline after the
// token ends a statement.
func (c *bodyCutter) leaveToken() (ends bool) {
	if c.to == 0 {
		return true
	}
	c.inType = c.to-c.from >= len("struct") && (c.currentWord() == "struct" || c.currentWord() == "interface")
	switch last := c.src[c.to-1]; last {
	case '(', '[', '{':
		c.depth++
		return false
	case ')', ']', '}':
		c.depth--
		return true
	case '"', '`', '\'':
		return true
	default:
		return isWord(last)
	}
}

// nextToken moves to the next token and reports whether there is one.
func (c *bodyCutter) nextToken() bool {
	ends := c.leaveToken()
	c.starts = c.to == 0 || c.src[c.to-1] == ';'
	for c.from = c.to; c.from < len(c.src); c.from = c.to {
		c.to = findTokenEnd(c.src, c.from)
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

// skipSignature moves from the token func to the opening brace of the body, and reports
// whether there is one.
func (c *bodyCutter) skipSignature() bool {
	for c.nextToken() {
		switch {
		case c.depth > 0:
		case c.starts:
			c.to = c.from // read the token again, which may be func
			return false
		case c.src[c.from] == '{' && !c.inType:
			return true
		}
	}
	return false
}

// keptFirstWords are the first words of bodies that are kept, because the whole function may be a
// single call or return statement. Each MarshalJSON of the Azure SDK starts with objectMap.
var keptFirstWords = map[string]bool{"objectMap": true, "return": true, "panic": true, "os": true, "log": true, "runtime": true, "syscall": true}

// unmarshalJSON occurs in the declaration of each method UnmarshalJSON.
var unmarshalJSON = []byte(" UnmarshalJSON(")

// cutBody moves to the closing brace of the body, and blanks out the body unless keep is set or parseWithoutBodies
// keeps it because of its content.
func (c *bodyCutter) cutBody(keep bool) {
	from, open, first, keptWord := c.to, 1, true, false
	for at := from; at < len(c.src); {
		to := findTokenEnd(c.src, at)
		switch b := c.src[at]; {
		case b == '{':
			open++
		case b == '}':
			open--
		case first && isWord(b):
			keptWord = keptFirstWords[string(c.src[at:to])]
		}
		first = first && isSpace(c.src[at:to])
		if open == 0 {
			if !keptWord && !keep && !mayDeclare(c.src[from:at]) {
				c.blankOut(from, at)
			}
			c.from, c.to, c.depth = at, to, 1
			return
		}
		at = to
	}
	c.from, c.to = len(c.src), len(c.src)
}

// declaringFunctions are the functions of package tool whose calls are read instead of executed.
var declaringFunctions = []string{"Annotate", "Inject", "PassContext", "Represent", "Union"}

// mayDeclare reports whether a body may call one of the declaringFunctions. A call in a body has no effect,
// which is reported later.
func mayDeclare(body []byte) bool {
	return slices.ContainsFunc(declaringFunctions, func(name string) bool { return bytes.Contains(body, []byte(name)) })
}

func (c *bodyCutter) blankOut(from, to int) {
	if &c.out[0] == &c.src[0] {
		c.out = bytes.Clone(c.src)
	}
	for i, b := range c.out[from:to] {
		if b != '\n' {
			c.out[from+i] = ' '
		}
	}
}

// findTokenEnd returns the end of the token at an offset: a word, a literal, a comment or a
// single byte.
func findTokenEnd(src []byte, at int) int {
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
		return findMark(src, at, at+1, "`")
	case '/':
		switch {
		case bytes.HasPrefix(src[at:], []byte("//")):
			if n := bytes.IndexByte(src[at:], '\n'); n >= 0 {
				return at + n // the newline is a token of its own
			}
			return len(src)
		case bytes.HasPrefix(src[at:], []byte("/*")):
			return findMark(src, at, at+2, "*/")
		}
		return at + 1
	}
	to := at
	for to < len(src) && isWord(src[to]) {
		to++
	}
	return max(to, at+1)
}

// findMark returns the end of the token that begins at start and ends with mark. It searches for mark from
// the offset inside. If it does not find mark, it returns start+1.
func findMark(src []byte, start, inside int, mark string) int {
	if n := bytes.Index(src[inside:], []byte(mark)); n >= 0 {
		return inside + n + len(mark)
	}
	return start + 1
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
