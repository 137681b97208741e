package outline

import (
	"fmt"
	"hash/fnv"
	"strings"
)

// NameRules describes the names that a target accepts. They consist of ASCII letters, digits and some
// other characters. The zero value accepts all names.
type NameRules struct {
	extra       string // the other characters
	letterFirst bool   // the first character is a letter or an underscore
	longest     int    // maximum number of characters
}

// fitName replaces invalid characters of a name with underscores, and cuts the name to the maximum length.
func (n NameRules) fitName(name string) string {
	if n.longest == 0 {
		return name
	}
	fitted := strings.Map(func(r rune) rune {
		if isLetter(r) || '0' <= r && r <= '9' || strings.ContainsRune(n.extra, r) {
			return r
		}
		return '_'
	}, name)
	if fitted == "" || n.letterFirst && !isLetter(rune(fitted[0])) && fitted[0] != '_' {
		fitted = "_" + fitted
	}
	return fitted[:min(len(fitted), n.longest)]
}

func isLetter(r rune) bool { return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' }

// FitTool returns the name of a tool, changed if the target does not accept it. A changed name ends with a hash of
// the original name, so that it differs from the names of other tools.
func (n NameRules) FitTool(name string) string {
	fitted := n.fitName(name)
	if fitted == name {
		return name
	}
	h := fnv.New32a()
	h.Write([]byte(name))
	return n.withSuffix(fitted, fmt.Sprintf("_%08x", h.Sum32()))
}

// withSuffix appends a suffix to a name, which it shortens if necessary.
func (n NameRules) withSuffix(name, suffix string) string {
	return name[:min(len(name), n.longest-len(suffix))] + suffix
}

// FitAll returns distinct acceptable names for the members of an object, in the same order. It does
// not change names that are already acceptable.
func (n NameRules) FitAll(all []string) []string {
	taken := map[string]bool{}
	for _, name := range all {
		taken[name] = n.fitName(name) == name
	}
	fitted := make([]string, len(all))
	last := map[string]int{} // the number that was last appended to each stem
	for i, name := range all {
		changed := n.fitName(name)
		fitted[i] = changed
		for fitted[i] != name && taken[fitted[i]] {
			stem := n.withSuffix(changed, "_0000000")
			last[stem] = max(2, last[stem]+1)
			fitted[i] = n.withSuffix(changed, fmt.Sprintf("_%d", last[stem]))
		}
		taken[fitted[i]] = true
	}
	return fitted
}
