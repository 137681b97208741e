package remote

import (
	"crypto/sha256"
	"fmt"
	"strings"

	"github.com/aiongen/aiongen/internal/toolname"
)

// rename gives the tools names that [schema.Dynamic] accepts. The names that the server uses are
// all in given; they stay if they can. Which name a tool gets does not depend on its place in the
// list.
func (s *Server) rename(offers []*offer, given map[string]bool) {
	wanted := map[string]int{}
	for _, o := range offers {
		if name := acceptable(o.name); name != o.name {
			wanted[name]++
		}
	}
	for _, o := range offers {
		name := acceptable(o.name)
		if name == o.name {
			continue
		}
		if wanted[name] > 1 || given[name] || len(name) > longestName || strings.Trim(name, "_") == "" {
			hash := fmt.Sprintf("_%x", sha256.Sum256([]byte(o.name)))[:len("_01234567")]
			name = name[:min(len(name), longestName-len(hash))] + hash
		}
		s.log().Info("mcp: a tool has another name here", "tool", o.name, "name", name)
		o.definition.Name = name
	}
}

// acceptable returns a name with underscores instead of characters that names do not have here.
// An empty name stays.
func acceptable(name string) string {
	spelled, _ := toolname.Latin(name)
	return strings.Map(func(r rune) rune {
		if toolname.Has(r) || r == '.' || r == '/' {
			return r
		}
		return '_'
	}, spelled)
}
