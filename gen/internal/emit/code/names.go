package code

import (
	"cmp"
	"path"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/gen/internal/model"
)

// Names are those that generated code refers to: of variables, and of what packages
// declare. What it refers to, it imports.
type Names struct {
	local    map[string]string
	path     string                  // of the package of the code
	imports  map[string]model.Import // by path
	imported map[string]string       // what stands before names, by path
}

// NamesOf returns those of a package.
func NamesOf(p *model.Package) Names {
	imports := map[string]model.Import{}
	for _, im := range p.Imports {
		imports[im.Path] = im
	}
	return Names{local: p.Local, path: p.Path, imports: imports}
}

// Apart returns the names for a part of the code, which imports nothing yet.
func (n Names) Apart() Names {
	n.imported = map[string]string{}
	return n
}

// Imports are what the code imports, each as a line, in no order.
func (n Names) Imports() (lines []string) {
	for path := range n.imported {
		line := strconv.Quote(path)
		if im := n.imports[path]; im.Renamed {
			line = im.Name + " " + line
		}
		lines = append(lines, line)
	}
	return lines
}

// Local is a variable by its usual name, or by another where that would hide something.
func (n Names) Local(name string) string {
	if other, ok := n.local[name]; ok {
		return other
	}
	return name
}

// Member is a field or a method of a variable, or one behind others.
func (n Names) Member(variable string, names ...string) string {
	return n.Local(variable) + "." + strings.Join(names, ".")
}

// Declared is what a package declares.
func (n Names) Declared(in, name string) string {
	if in == n.path {
		return name
	}
	before, ok := n.imported[in]
	if !ok {
		before = cmp.Or(n.imports[in].Name, path.Base(in)) + "."
		n.imported[in] = before
	}
	return before + name
}

// Tool is a name of the package that tools are made with.
func (n Names) Tool(name string) string { return n.Declared(model.ToolPath, name) }

// Wire is a name of the package that values are read and written with.
func (n Names) Wire(name string) string { return n.Declared(model.WirePath, name) }
