package repair

// class tells what a byte may be outside of strings.
type class uint16

const (
	classBlank     class = 1 << iota
	classCloser          // } ] )
	classOpener          // { [ (
	classSeparator       // , ;
	classLetter          // of a name without quotes
	classDigit
	classQuote // a quote, or its first byte
	classStop  // the first byte of what can only come after a value
)

var classes = func() (table [256]class) {
	for class, bytes := range map[class]string{
		classBlank: blanks, classCloser: closers, classOpener: openers, classSeparator: ",;", classLetter: "_$",
		classDigit: "0123456789", classQuote: "\"'`\xc2\xe2\xef", classStop: "`~<[",
	} {
		for _, c := range []byte(bytes) {
			table[c] |= class
		}
	}
	for c := range table {
		if c |= ' '; c >= 0x80 || 'a' <= c && c <= 'z' {
			table[c&^' '] |= classLetter
			table[c] |= classLetter
		}
	}
	return table
}()

const (
	blanks  = " \t\r\n"
	openers = "{[("
	closers = "}])"
)

func isBlank(c byte) bool     { return classes[c]&classBlank != 0 }
func isCloser(c byte) bool    { return classes[c]&classCloser != 0 }
func isOpener(c byte) bool    { return classes[c]&classOpener != 0 }
func isSeparator(c byte) bool { return classes[c]&classSeparator != 0 }
func isLetter(c byte) bool    { return classes[c]&classLetter != 0 }
func isDigit(c byte) bool     { return classes[c]&classDigit != 0 }

// isWord tells whether c is part of a name without quotes.
func isWord(c byte) bool { return classes[c]&(classLetter|classDigit) != 0 }

// endsValue tells whether c is a closing bracket or a separator, or is not there.
func endsValue(c byte) bool { return c == 0 || classes[c]&(classCloser|classSeparator) != 0 }

// kindOf returns the kind of a bracket.
func kindOf(c byte) bracketKind {
	switch c {
	case '{', '}':
		return brace
	case '[', ']':
		return bracket
	}
	return parenthesis
}
