package guard

// matches reports whether a name matches a pattern, in which * stands for any text,
// also for none, and ? for any one character; everything else stands for itself.
func matches(pattern, name string) bool { return match([]rune(pattern), []rune(name)) }

// match takes as little for a star as it can: where the rest does not fit, the last
// one takes one character more.
func match(pattern, name []rune) bool {
	p, star, taken := 0, -1, 0 // the last star is before star, and reaches to taken
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
