package words

import (
	"strings"
	"unicode"
)

// Folded returns what is the same of a name in all spellings: userId, user_id,
// "User ID", $user.id. A name of nothing but punctuation has one spelling.
func Folded(name string) string {
	folded := strings.Map(func(c rune) rune {
		if unicode.IsLetter(c) || unicode.IsNumber(c) || unicode.IsMark(c) {
			return unicode.ToLower(c)
		}
		return -1
	}, name)
	if folded == "" {
		return name
	}
	return folded
}
