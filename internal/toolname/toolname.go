// Package toolname makes names of tools that every model provider accepts: letters,
// digits, _ and -, at most [Max] of them, with no digit or - in front.
package toolname

import (
	"fmt"
	"strings"

	"github.com/aiongen/aiongen/internal/words"
)

// Max is how long a name may be.
const Max = 64

// Has reports whether a name may have a character in it.
func Has(c rune) bool {
	return c == '_' || c == '-' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// Sound is a name that is allowed and as close to a given one as can be; empty if there
// is nothing to keep.
func Sound(name string) string {
	sound := strings.Map(func(c rune) rune {
		if !Has(c) {
			return '_'
		}
		return c
	}, name)
	sound = strings.Trim(sound, "_")
	if sound != "" && ('0' <= sound[0] && sound[0] <= '9' || sound[0] == '-') {
		sound = "_" + sound
	}
	return sound[:min(len(sound), Max)]
}

// Free is a name that is not taken, and short enough: the given one, or that with a
// number. It is taken from then on.
func Free(name string, taken map[string]bool) string {
	free := name
	if taken[name] || len(name) > Max {
		numbered := func(n int) string {
			suffix := fmt.Sprintf("_%d", n)
			return name[:min(len(name), Max-len(suffix))] + suffix
		}
		free = numbered(words.FreeNumber(func(n int) bool { return taken[numbered(n)] }))
	}
	taken[free] = true
	return free
}
