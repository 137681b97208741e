package emit

import (
	"cmp"
	"path"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/gen/internal/model"
)

// Names resolves the names that generated code refers to, and collects the imports that they
// need.
type Names struct {
	local    map[string]string
	path     string                  // of the package of the generated code
	imports  map[string]model.Import // by path
	prefixes map[string]string       // qualifiers before names, by path
}

// NewNames returns the names of a package.
func NewNames(p *model.Package) Names {
	imports := map[string]model.Import{}
	for _, im := range p.Imports {
		imports[im.Path] = im
	}
	return Names{local: p.Local, path: p.Path, imports: imports}
}

// WithOwnImports returns the names for a part of the code, without imports yet.
func (n Names) WithOwnImports() Names {
	n.prefixes = map[string]string{}
	return n
}

// Imports returns the lines of the collected imports, in no order.
func (n Names) Imports() (lines []string) {
	for path := range n.prefixes {
		line := strconv.Quote(path)
		if im := n.imports[path]; im.Renamed {
			line = im.Name + " " + line
		}
		lines = append(lines, line)
	}
	return lines
}

// Local returns the name of a variable: the usual name, or another one if that would hide
// something.
func (n Names) Local(name string) string {
	if other, ok := n.local[name]; ok {
		return other
	}
	return name
}

// Member returns a selector expression from a variable.
func (n Names) Member(variable string, names ...string) string {
	return n.Local(variable) + "." + strings.Join(names, ".")
}

// declared returns the name of a declaration of a package and records the import.
func (n Names) declared(in, name string) string {
	if in == n.path {
		return name
	}
	before, ok := n.prefixes[in]
	if !ok {
		before = cmp.Or(n.imports[in].Name, path.Base(in)) + "."
		n.prefixes[in] = before
	}
	return before + name
}

// tool returns a name of package tool.
func (n Names) tool(name string) string { return n.declared(model.ToolPath, name) }

// wire returns a name of package wire.
func (n Names) wire(name string) string { return n.declared(model.WirePath, name) }
