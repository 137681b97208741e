package rules

import (
	"fmt"
	"hash/fnv"
	"strings"
)

// Names are the names that a target takes: of ASCII letters, digits and some more
// characters. The zero value takes all.
type Names struct {
	extra       string
	letterFirst bool // or an underscore
	longest     int
}

// fit returns the name, changed where it is not taken.
func (n Names) fit(name string) string {
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

// withHash returns a fitted name with a hash of the original at its end.
func (n Names) withHash(fitted, name string) string {
	h := fnv.New32a()
	h.Write([]byte(name))
	return n.withSuffix(fitted, fmt.Sprintf("_%08x", h.Sum32()))
}

func (n Names) withSuffix(name, suffix string) string {
	return name[:min(len(name), n.longest-len(suffix))] + suffix
}

// FitAll returns the names of an object's members as they are taken, each of them
// another one. Those that are taken as they are come first.
func (n Names) FitAll(all []string) []string {
	taken := map[string]bool{}
	for _, name := range all {
		taken[name] = n.fit(name) == name
	}
	fitted := make([]string, len(all))
	last := map[string]int{} // number of those that begin alike
	for i, name := range all {
		changed := n.fit(name)
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
