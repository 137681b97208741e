package words

import (
	"fmt"
	"strings"
)

// MaxToolName is the maximum length of a tool name that every model provider accepts.
const MaxToolName = 64

// IsToolNameChar reports whether every model provider accepts a character in a tool name.
func IsToolNameChar(c rune) bool {
	return c == '_' || c == '-' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// ToolName returns the closest tool name that every model provider accepts: letters,
// digits, _ and -, without a digit or - at the start. It returns "" if the given name has
// none of these characters.
func ToolName(name string) string {
	accepted := strings.Map(func(c rune) rune {
		if !IsToolNameChar(c) {
			return '_'
		}
		return c
	}, name)
	accepted = strings.Trim(accepted, "_")
	if accepted != "" && ('0' <= accepted[0] && accepted[0] <= '9' || accepted[0] == '-') {
		accepted = "_" + accepted
	}
	return accepted[:min(len(accepted), MaxToolName)]
}

// FreeToolName returns a name that is short enough and not taken: the given name, or that
// name with a number. It then marks the name as taken.
func FreeToolName(name string, taken map[string]bool) string {
	free := name
	if taken[name] || len(name) > MaxToolName {
		numbered := func(n int) string {
			suffix := fmt.Sprintf("_%d", n)
			return name[:min(len(name), MaxToolName-len(suffix))] + suffix
		}
		free = numbered(FreeNumber(func(n int) bool { return taken[numbered(n)] }))
	}
	taken[free] = true
	return free
}
