package middleware

// matchesPattern reports whether a name matches a pattern. In a pattern, * matches any text, including none,
// and ? matches one character. Other characters match themselves.
//
// It first lets each star match no characters. If the rest of the pattern does not match, it lets the last star
// match one more character and tries again.
func matchesPattern(text, tool string) bool {
	pattern, name := []rune(text), []rune(tool)
	p, star, matched := 0, -1, 0 // pattern[star:] follows the last star, which matches name up to index matched
	for n := 0; n < len(name); {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			p++
			star, matched = p, n
		case p < len(pattern) && (pattern[p] == '?' || pattern[p] == name[n]):
			p++
			n++
		case star >= 0:
			matched++
			p, n = star, matched
		default:
			return false
		}
	}
	for p < len(pattern) && pattern[p] == '*' {
		p++
	}
	return p == len(pattern)
}
