package calls

import (
	"strings"

	"github.com/aiongen/aiongen/runtime/repair/internal/scan"
	"github.com/aiongen/aiongen/runtime/tool"
)

// openings are what a line with a call may begin with, in addition to marks and brackets.
var openings = []string{"```", "~~~", "print(", "assistant", "commentary", "functions.", "default_api."}

// MayBegin reports whether a line with this beginning may begin a call, once more text
// follows.
func MayBegin(line string, definitions []tool.Definition) bool {
	line = strings.TrimLeft(line, scan.Blanks)
	if line == "" || line[0] == '<' || line[0] == '{' {
		return true
	}
	shares := func(begin string) bool { return strings.HasPrefix(line, begin) || strings.HasPrefix(begin, line) }
	for _, begin := range openings {
		if shares(begin) {
			return true
		}
	}
	for _, e := range all {
		if shares(e.open) {
			return true
		}
	}
	for _, d := range definitions {
		if shares(d.Name) {
			return true
		}
	}
	if line[0] != '[' {
		return false
	}
	inside := strings.TrimLeft(line[1:], scan.Blanks)
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
