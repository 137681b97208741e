package tape

import "strings"

// A reference to a variable is its name between these, as a whole string.
const (
	RefOpen  = "<<var:"
	RefClose = ">>"
)

// reference returns the name that a string refers to, if it is a reference.
func reference(text string) (name string, ok bool) {
	name, opens := strings.CutPrefix(text, RefOpen)
	name, closes := strings.CutSuffix(name, RefClose)
	return name, opens && closes && IsVariable(name)
}

// unescapeReference returns what stands for a text in the form of a reference,
// without the < that tells it from one.
func unescapeReference(text string) (literal string, ok bool) {
	end := strings.TrimLeft(text, "<")
	_, ok = reference("<<" + end)
	if !ok || len(text) < len("<<<")+len(end) {
		return "", false
	}
	return text[1:], true
}

const longestVariable = 64 // bytes

// IsVariable reports whether a name is one that a variable can have: 1 to 64
// letters, digits, hyphens, dots and underscores.
func IsVariable(name string) bool {
	other := func(c rune) bool {
		return !(c == '_' || c == '-' || c == '.' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9')
	}
	return name != "" && len(name) <= longestVariable && !strings.ContainsFunc(name, other)
}
