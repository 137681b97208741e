package rules

import "strings"

// IsGoOnly reports whether a regular expression has what Go knows and ECMA-262,
// by which others read patterns, does not: flags, groups (?P<name>…), \A, \z,
// \Q…\E, \C, \a, \x{…}, \pN and classes such as [[:alpha:]].
func IsGoOnly(pattern string) bool {
	class := false
	for i := 0; i < len(pattern); i++ {
		rest := pattern[i:]
		switch {
		case rest[0] == '\\' && len(rest) > 1:
			if strings.IndexByte("AzQECa", rest[1]) >= 0 || strings.HasPrefix(rest[1:], "x{") {
				return true
			}
			if (rest[1] == 'p' || rest[1] == 'P') && (len(rest) == 2 || rest[2] != '{') {
				return true
			}
			i++
		case class && strings.HasPrefix(rest, "[:"):
			return true
		case class:
			class = rest[0] != ']'
		case rest[0] == '[':
			class = true
			for _, open := range []string{"[^]", "[]"} { // where ] is the first character of the class
				if strings.HasPrefix(rest, open) {
					return true // which is all, or nothing, for others
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

// isGroup reports whether what stands behind (? begins a group that ECMA-262 has.
func isGroup(rest string) bool {
	return rest != "" && strings.IndexByte(":=!<", rest[0]) >= 0
}

// isSimple reports whether a pattern has nothing that providers' grammars are
// known to lack: groups of other kinds than plain ones, back references,
// boundaries of words, classes by property.
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
