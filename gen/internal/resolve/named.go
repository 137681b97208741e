package resolve

import (
	"strings"

	"github.com/aiongen/aiongen/internal/lazyregexp"
)

var beforeDot = lazyregexp.Regexp{Text: `(?:^|[^\w.])([a-z][a-z0-9]*)\.`}

// Named returns import paths that the text of a function property may name, whether or
// not they mean something, so that packages can be looked for all at once.
func Named(source string) (paths []string) {
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
