package file

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// suffix is the suffix of journal files.
const suffix = ".journal"

// longestHint limits the readable part of a file name.
const longestHint = 40

// fileName returns the name of the file of a run. IDs may have any length and case, so the name
// begins with a hash. The readable part after it helps people.
func fileName(run string) string {
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
