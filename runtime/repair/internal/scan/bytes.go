package scan

// class is a set of roles that a byte may have outside of strings, such as opening a container.
type class uint16

const (
	classBlank     class = 1 << iota
	classCloser          // } ] )
	classOpener          // { [ (
	classSeparator       // , ;
	classLetter          // a letter of an unquoted name
	classDigit
	classQuote // a quote, or its first byte
	classStop  // the first byte of a mark that can only follow a value; see Source.StopsAt
)

var classes = func() (table [256]class) {
	for class, bytes := range map[class]string{
		classBlank: Blanks, classCloser: Closers, classOpener: Openers, classSeparator: ",;", classLetter: "_$",
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

// These are the blanks and the brackets of JSON and Python.
const (
	Blanks  = " \t\r\n"
	Openers = "{[("
	Closers = "}])"
)

// IsBlank reports whether c is a space, a tab or part of a line break.
func IsBlank(c byte) bool { return classes[c]&classBlank != 0 }

// IsCloser reports whether c is a closing bracket.
func IsCloser(c byte) bool { return classes[c]&classCloser != 0 }

// IsOpener reports whether c is an opening bracket.
func IsOpener(c byte) bool { return classes[c]&classOpener != 0 }

// IsSeparator reports whether c is a comma or a semicolon.
func IsSeparator(c byte) bool { return classes[c]&classSeparator != 0 }

// IsLetter reports whether c may begin an unquoted name.
func IsLetter(c byte) bool { return classes[c]&classLetter != 0 }

// IsDigit reports whether c is a decimal digit.
func IsDigit(c byte) bool { return classes[c]&classDigit != 0 }

// IsStop reports whether c may begin a mark that can only follow a value; see [Source.StopsAt].
func IsStop(c byte) bool { return classes[c]&classStop != 0 }

// IsWord reports whether c is part of an unquoted name.
func IsWord(c byte) bool { return classes[c]&(classLetter|classDigit) != 0 }

// EndsValue reports whether c is a closing bracket, a separator, or 0, which means the end of the input.
func EndsValue(c byte) bool { return c == 0 || classes[c]&(classCloser|classSeparator) != 0 }

// BracketKind is a kind of bracket.
type BracketKind uint8

// These are the kinds of brackets, and their number.
const (
	Brace BracketKind = iota
	Bracket
	Parenthesis
	BracketKinds
)

// KindOf returns the kind of a bracket.
func KindOf(c byte) BracketKind {
	switch c {
	case '{', '}':
		return Brace
	case '[', ']':
		return Bracket
	}
	return Parenthesis
}
