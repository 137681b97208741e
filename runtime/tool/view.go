package tool

import (
	"maps"
	"slices"

	"github.com/aiongen/aiongen/internal/words"
)

// Select returns a view of the registry that offers and calls only the named tools. If a tool is replaced later, the
// view shows the new one. Registering a tool with the view registers it with the registry. Select returns an
// [*UnknownToolError] for an unknown name.
func (r *Registry) Select(names ...string) (*Registry, error) {
	selected := make(map[string]bool, len(names))
	for _, name := range names {
		if r.findTool(name) == nil {
			return nil, r.unknownTool(name)
		}
		selected[name] = true
	}
	view := *r
	view.selected = selected
	return &view, nil
}

// Naming gives tools other names; see [Registry.With].
type Naming struct {
	prefix string
	names  map[string]string
}

// Prefix prepends text to the names of all tools.
func Prefix(text string) Naming { return Naming{prefix: text} }

// Rename renames the tools that are keys of names to the values.
func Rename(names map[string]string) Naming { return Naming{names: maps.Clone(names)} }

// With returns a view of the registry that renames tools when they are registered with the view, for example by
// github.Register(r.With(tool.Prefix("github_"))). Each naming applies to the names that the previous one has
// produced. If [Rename] names a tool that is not among the registered ones, [Registry.Register] returns an
// [*UnknownToolError].
func (r *Registry) With(namings ...Naming) *Registry {
	view := *r
	view.namings = slices.Concat(namings, r.namings)
	return &view
}

// applyNamings returns a copy of the tools with the names that the view gives them. If the view renames a
// tool that is not among them, it also returns an [*UnknownToolError].
func (r *Registry) applyNamings(tools []Tool) (renamed []Tool, err error) {
	renamed = slices.Clone(tools)
	for _, n := range r.namings {
		if err == nil {
			err = n.checkNames(renamed)
		}
		for i, t := range renamed {
			renamed[i] = t.withName(n.newName(t.Definition().Name))
		}
	}
	return renamed, err
}

// checkNames returns an error if the naming renames a tool that is not among tools.
func (n Naming) checkNames(tools []Tool) error {
	names := make([]string, len(tools))
	for i, t := range tools {
		names[i] = t.Definition().Name
	}
	for _, name := range slices.Sorted(maps.Keys(n.names)) {
		if !slices.Contains(names, name) {
			return &UnknownToolError{name, words.Near(name, names)}
		}
	}
	return nil
}

// newName returns the name that the naming gives to a tool.
func (n Naming) newName(name string) string {
	if other, ok := n.names[name]; ok {
		name = other
	}
	return n.prefix + name
}

// withName returns the tool with another name. The registry then checks this name even for a generated tool.
func (t Tool) withName(name string) Tool {
	if t.definition == nil || name == t.definition.Name {
		return t
	}
	d := *t.definition
	d.Name, t.definition = name, &d
	if t.traitsOrZero().check == nil {
		t = t.withTraits(func(x *traits) { x.check = checkRenamed })
	}
	return t
}

// checkRenamed checks the name of a generated tool that a view has renamed.
func checkRenamed(d *Definition) error { return checkName(d.Name) }
