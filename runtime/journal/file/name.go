package file

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// suffix is what the names of journal files end with.
const suffix = ".journal"

// longestHint bounds how much of an ID is to be seen in the name of its file.
const longestHint = 40

// name returns the name of the file of a run. An ID is any text, of any length and
// in any case, so that the name is its hash; what follows that is for people.
func name(run string) string {
	hash := sha256.Sum256([]byte(run))
	hint := strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', '0' <= r && r <= '9', r == '-':
			return r
		case 'A' <= r && r <= 'Z':
			return r + 'a' - 'A'
		}
		return '_'
	}, run)
	return hex.EncodeToString(hash[:16]) + "-" + hint[:min(len(hint), longestHint)] + suffix
}
