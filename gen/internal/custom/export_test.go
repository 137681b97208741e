package custom

import (
	"path"
	"strings"
)

// Names are those of the well-known types, without their packages.
func Names() (names []string) {
	for name := range table {
		base := path.Base(name)
		names = append(names, base[strings.Index(base, "."):]+"`")
	}
	return names
}
