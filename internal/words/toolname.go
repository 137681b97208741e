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

// ToolName changes a name to one that every model provider accepts as the name of a tool: it consists of letters,
// digits, _ and -, and does not start with a digit or -. ToolName returns "" if the given name contains
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

// FreeToolName returns a name that has at most MaxToolName bytes and is not taken: the given name, or that
// name with a number appended. It adds the result to taken.
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
