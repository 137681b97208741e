package words

import (
	"strings"
	"unicode"
)

// FoldName returns a form of a name that all its spellings share: userId, user_id,
// "User ID" and $user.id. A name that has only punctuation stays unchanged.
func FoldName(name string) string {
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
