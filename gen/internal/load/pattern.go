package load

import (
	"go/build"
	"path/filepath"
	"regexp"
	"strings"
)

// Matches reports whether a pattern of the go command, relative to a directory, matches the
// package.
func (p *Package) Matches(pattern, from string) bool {
	if !build.IsLocalImport(pattern) && !filepath.IsAbs(pattern) {
		return matchesName(pattern, p.Path)
	}
	if !filepath.IsAbs(pattern) {
		pattern = filepath.Join(from, pattern)
	}
	dir, rest := pattern, ""
	if i := strings.Index(pattern, "..."); i >= 0 {
		dir, rest = filepath.Split(pattern[:i])
		rest += pattern[i:]
	}
	// Either path may contain links.
	for _, normalize := range []func(string) string{filepath.Clean, ResolveLinks} {
		if matchesName(filepath.ToSlash(filepath.Join(normalize(dir), rest)), filepath.ToSlash(normalize(p.Dir))) {
			return true
		}
	}
	return false
}

func matchesName(pattern, name string) bool {
	text := strings.ReplaceAll(regexp.QuoteMeta(pattern), `\.\.\.`, `.*`)
	if parent, below := strings.CutSuffix(text, `/.*`); below {
		text = parent + `(/.*)?` // dir/... includes dir
	}
	ok, err := regexp.MatchString("^"+text+"$", name)
	return ok && err == nil
}
