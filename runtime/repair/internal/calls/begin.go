package calls

import (
	"strings"

	"github.com/aiongen/aiongen/runtime/repair/internal/scan"
	"github.com/aiongen/aiongen/runtime/tool"
)

// lineOpenings are texts with which a line that contains a call may begin. Such a line may also begin with the
// mark of an envelope, such as <tool_call>, the name of a tool, or a bracket.
var lineOpenings = []string{"```", "~~~", "print(", "assistant", "commentary", "functions.", "default_api."}

// MayBegin reports whether line, which may still be incomplete, may be the beginning of a call.
func MayBegin(line string, definitions []tool.Definition) bool {
	line = strings.TrimLeft(line, scan.Blanks)
	if line == "" || line[0] == '<' || line[0] == '{' {
		return true
	}
	shares := func(begin string) bool { return strings.HasPrefix(line, begin) || strings.HasPrefix(begin, line) }
	for _, begin := range lineOpenings {
		if shares(begin) {
			return true
		}
	}
	for _, e := range allEnvelopes {
		if shares(e.open) {
			return true
		}
	}
	for _, d := range definitions {
		if shares(d.Name) {
			return true
		}
	}
	return line[0] == '[' && mayBeginList(line[1:])
}

// mayBeginList reports whether the text after an opening bracket may begin a list of calls.
func mayBeginList(inside string) bool {
	inside = strings.TrimLeft(inside, scan.Blanks)
	for i := range min(len(inside), longestLabel) {
		switch b := inside[i]; {
		case b == '(' || strings.IndexByte("{[\"'", b) >= 0:
			return i == 0 || b == '('
		case !scan.IsLetter(b) && (i == 0 || !scan.IsDigit(b) && b != '.'):
			return false
		}
	}
	return true
}
