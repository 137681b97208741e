package jsontext

// Nesting tracks the brackets of a JSON text that is read byte by byte.
type Nesting struct {
	Depth    int  // number of open brackets
	InString bool // the last byte belongs to a string that has not ended
	escaped  bool // the next byte belongs to an escape
}

// Add processes the next byte.
func (n *Nesting) Add(c byte) {
	switch {
	case n.escaped:
		n.escaped = false
	case n.InString:
		n.escaped, n.InString = c == '\\', c != '"'
	case c == '"':
		n.InString = true
	case c == '{' || c == '[':
		n.Depth++
	case c == '}' || c == ']':
		n.Depth--
	}
}
