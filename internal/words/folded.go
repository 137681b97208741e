package words

import (
	"strings"
	"unicode"
)

// Folded returns what is the same of a name in all spellings: userId, user_id,
// "User ID".
func Folded(name string) string {
	return strings.Map(func(c rune) rune {
		if c == '_' || c == '-' || c == ' ' || c == '.' {
			return -1
		}
		return unicode.ToLower(c)
	}, name)
}
