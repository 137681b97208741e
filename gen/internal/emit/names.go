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
	path     string                  // of the generated package
	imports  map[string]model.Import // by path
	prefixes map[string]string       // qualifiers such as "tool.", by path
}

// NewNames returns the Names for code in the package p. To qualify names, use a copy from WithOwnImports.
func NewNames(p *model.Package) Names {
	imports := map[string]model.Import{}
	for _, im := range p.Imports {
		imports[im.Path] = im
	}
	return Names{local: p.Local, path: p.Path, imports: imports}
}

// WithOwnImports returns a copy of n that collects imports separately, beginning with none.
func (n Names) WithOwnImports() Names {
	n.prefixes = map[string]string{}
	return n
}

// Imports returns the lines of the collected imports, in no particular order.
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

// Local returns the name of a variable: the usual name, or another one if the usual name would shadow a
// declaration.
func (n Names) Local(name string) string {
	if other, ok := n.local[name]; ok {
		return other
	}
	return name
}

// Member returns an expression that selects a field or method of a variable, such as t.Tool.
func (n Names) Member(variable string, names ...string) string {
	return n.Local(variable) + "." + strings.Join(names, ".")
}

// qualify returns the qualified name of a declaration of a package, such as tool.Registry, and records the
// import. In the generated package itself, the name is not qualified.
func (n Names) qualify(pkgPath, name string) string {
	if pkgPath == n.path {
		return name
	}
	prefix, ok := n.prefixes[pkgPath]
	if !ok {
		prefix = cmp.Or(n.imports[pkgPath].Name, path.Base(pkgPath)) + "."
		n.prefixes[pkgPath] = prefix
	}
	return prefix + name
}

// tool returns the qualified name of a declaration in package tool, such as tool.Registry.
func (n Names) tool(name string) string { return n.qualify(model.ToolPath, name) }

// wire returns the qualified name of a declaration in package wire, such as wire.Value.
func (n Names) wire(name string) string { return n.qualify(model.WirePath, name) }
