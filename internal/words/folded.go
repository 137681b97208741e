package words

import (
	"strings"
	"unicode"
)

// FoldName returns a name in lower case without punctuation, which is the same for all its spellings: userId, user_id,
// "User ID" and $user.id become "userid". It returns a name that has only punctuation unchanged.
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
