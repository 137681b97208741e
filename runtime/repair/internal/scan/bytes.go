package scan

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

const (
	Blanks  = " \t\r\n"
	Openers = "{[("
	Closers = "}])"
)

func IsBlank(c byte) bool     { return classes[c]&classBlank != 0 }
func IsCloser(c byte) bool    { return classes[c]&classCloser != 0 }
func IsOpener(c byte) bool    { return classes[c]&classOpener != 0 }
func IsSeparator(c byte) bool { return classes[c]&classSeparator != 0 }
func IsLetter(c byte) bool    { return classes[c]&classLetter != 0 }
func IsDigit(c byte) bool     { return classes[c]&classDigit != 0 }

// IsStop tells whether c may begin what can only come after a value.
func IsStop(c byte) bool { return classes[c]&classStop != 0 }

// IsWord tells whether c is part of a name without quotes.
func IsWord(c byte) bool { return classes[c]&(classLetter|classDigit) != 0 }

// EndsValue tells whether c is a closing bracket or a separator, or is not there.
func EndsValue(c byte) bool { return c == 0 || classes[c]&(classCloser|classSeparator) != 0 }

// BracketKind is a kind of brackets.
type BracketKind uint8

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
