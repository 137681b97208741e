package tool

import (
	"maps"
	"slices"

	"github.com/aiongen/aiongen/internal/words"
)

// Naming gives tools other names; see [Registry.With].
type Naming struct {
	prefix string
	names  map[string]string
}

// Prefix puts text in front of the names of all tools.
func Prefix(text string) Naming { return Naming{prefix: text} }

// Rename gives each tool that is named by a key of the map its value as name.
func Rename(names map[string]string) Naming { return Naming{names: maps.Clone(names)} }

// With returns a view that gives the tools which it registers other names, first naming
// first: github.Register(r.With(tool.Prefix("github_"))). All else goes by these. To
// rename what is not registered with it is an [*UnknownToolError].
func (r *Registry) With(namings ...Naming) *Registry {
	return &Registry{shared: r.shared, only: r.only, namings: slices.Concat(namings, r.namings)}
}

// renamed returns the tools under the names that the view gives them, and the error
// that one is to be renamed that is not there.
func (r *Registry) renamed(tools []Tool) ([]Tool, error) {
	if len(r.namings) == 0 {
		return tools, nil
	}
	var unknown error
	tools = slices.Clone(tools)
	for _, n := range r.namings {
		names := make([]string, 0, len(tools))
		for i, t := range tools {
			if t.definition != nil {
				names = append(names, t.definition.Name)
				tools[i] = n.rename(t)
			}
		}
		for _, name := range slices.Sorted(maps.Keys(n.names)) {
			if unknown == nil && !slices.Contains(names, name) {
				unknown = &UnknownToolError{Name: name, Nearest: words.Near(name, names)}
			}
		}
	}
	return tools, unknown
}

// rename returns the tool under another name, which a registry is to check.
func (n Naming) rename(t Tool) Tool {
	name := t.definition.Name
	if other, ok := n.names[name]; ok {
		name = other
	}
	if name = n.prefix + name; name == t.definition.Name {
		return t
	}
	d := *t.definition
	d.Name, t.definition = name, &d
	if t.peculiar().check == nil {
		t = t.with(func(x *traits) { x.check = checkName })
	}
	return t
}
