package remote

import (
	"crypto/sha256"
	"fmt"
	"strings"

	"github.com/aiongen/aiongen/internal/words"
)

// renameTools renames tools whose names [schema.Dynamic] does not accept. "my tool" becomes "my_tool",
// or "my_tool_1a2b3c4d" with a hash if that name is taken. The map serverNames has all names that the
// server uses. The new name of a tool does not depend on its position in the list.
func (s *Server) renameTools(offers []*serverTool, serverNames map[string]bool) {
	wanted := map[string]int{}
	for _, o := range offers {
		if name := acceptableName(o.name); name != o.name {
			wanted[name]++
		}
	}
	for _, o := range offers {
		name := acceptableName(o.name)
		if name == o.name {
			continue
		}
		if wanted[name] > 1 || serverNames[name] || len(name) > maxNameBytes || strings.Trim(name, "_") == "" {
			hash := fmt.Sprintf("_%x", sha256.Sum256([]byte(o.name)))[:len("_01234567")]
			name = name[:min(len(name), maxNameBytes-len(hash))] + hash
		}
		s.log.Info("mcp: renamed a tool of a server", "tool", o.name, "name", name)
		o.definition.Name = name
	}
}

// acceptableName spells a name in ASCII, and replaces the characters that names of tools cannot have
// with underscores.
func acceptableName(name string) string {
	spelled, _ := words.SpellInASCII(name)
	return strings.Map(func(r rune) rune {
		if words.IsToolNameChar(r) || r == '.' || r == '/' {
			return r
		}
		return '_'
	}, spelled)
}
