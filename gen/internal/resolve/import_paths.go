package resolve

import (
	"strings"

	"github.com/aiongen/aiongen/internal/lazyregexp"
)

// beforeDot matches a lower-case name before a dot, which may be the name of a package.
var beforeDot = lazyregexp.Regexp{Text: `(?:^|[^\w.])([a-z][a-z0-9]*)\.`}

// ImportPathsIn returns the import paths that the text of a function property may contain, so
// that all of their packages can be loaded at once. The packages need not exist.
func ImportPathsIn(source string) (paths []string) {
	source = strings.TrimSpace(source)
	slash := strings.LastIndexByte(source, '/')
	if !isLambda(source) && slash >= 0 && !strings.ContainsAny(source[:slash], "[ (") {
		if dot := strings.IndexByte(source[slash:], '.'); dot >= 0 {
			paths = append(paths, source[:slash+dot])
		}
		return paths
	}
	for _, match := range beforeDot.Get().FindAllStringSubmatch(source, -1) {
		paths = append(paths, match[1])
	}
	return paths
}
