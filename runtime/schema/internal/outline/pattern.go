package outline

import "strings"

// IsGoOnly reports whether a regular expression contains syntax of Go that ECMA-262 does not support:
// flags, groups (?P<name>…), \A, \z, \Q…\E, \C, \a, \x{…}, \pN and classes such as [[:alpha:]]. Most
// other software expects the syntax of ECMA-262 in patterns.
func IsGoOnly(pattern string) bool {
	class := false
	for i := 0; i < len(pattern); i++ {
		rest := pattern[i:]
		switch {
		case rest[0] == '\\' && len(rest) > 1:
			if isGoEscape(rest[1:]) {
				return true
			}
			i++
		case class && strings.HasPrefix(rest, "[:"):
			return true
		case class:
			class = rest[0] != ']'
		case rest[0] == '[':
			class = true
			for _, open := range []string{"[^]", "[]"} { // in Go, a class that contains ] begins here
				if strings.HasPrefix(rest, open) {
					return true // in ECMA-262, it is a complete class that matches everything or nothing
				}
			}
		case strings.HasPrefix(rest, "(?"):
			if !isGroup(rest[len("(?"):]) {
				return true
			}
		}
	}
	return false
}

// isGoEscape reports whether ECMA-262 does not support an escape; rest is the text after its backslash.
func isGoEscape(rest string) bool {
	switch rest[0] {
	case 'A', 'z', 'Q', 'E', 'C', 'a':
		return true
	case 'x':
		return strings.HasPrefix(rest, "x{")
	case 'p', 'P':
		return len(rest) == 1 || rest[1] != '{'
	}
	return false
}

// isGroup reports whether rest, the text after "(?", begins a group that ECMA-262 supports.
func isGroup(rest string) bool {
	return rest != "" && strings.IndexByte(":=!<", rest[0]) >= 0
}

// isSimple reports whether a pattern contains none of the syntax that providers do not support: groups
// that begin with (?, back references, word boundaries and Unicode classes such as \p{L}.
func isSimple(pattern string) bool {
	for i := 0; i+1 < len(pattern); i++ {
		switch {
		case pattern[i] == '(' && pattern[i+1] == '?':
			return false
		case pattern[i] == '\\':
			if i++; strings.IndexByte("bBkpP123456789", pattern[i]) >= 0 {
				return false
			}
		}
	}
	return true
}
