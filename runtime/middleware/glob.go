package middleware

// matchesPattern reports whether a name matches a pattern. In a pattern, * matches any text, including none,
// and ? matches one character. Other characters match themselves.
func matchesPattern(pattern, name string) bool { return matchRunes([]rune(pattern), []rune(name)) }

// matchRunes lets each star match as few characters as possible. If the rest does not match, it lets the last
// star match one character more.
func matchRunes(pattern, name []rune) bool {
	p, star, taken := 0, -1, 0 // pattern[star:] follows the last star, which matches name up to taken
	for n := 0; n < len(name); {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			p++
			star, taken = p, n
		case p < len(pattern) && (pattern[p] == '?' || pattern[p] == name[n]):
			p++
			n++
		case star >= 0:
			taken++
			p, n = star, taken
		default:
			return false
		}
	}
	for p < len(pattern) && pattern[p] == '*' {
		p++
	}
	return p == len(pattern)
}
