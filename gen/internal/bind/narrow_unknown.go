package bind

import (
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/internal/words"
)

// reportUnknownPath reports the first name in a path that does not exist in t, and suggests other
// names.
func (c *narrower) reportUnknownPath(t *model.Type, p aion.Path) {
	if p.Anywhere {
		names := reachableNames(t, &model.TypeSet{})
		d := c.faults.Errorf("unknown-path", p.Span, "%s: no object has such a field at any depth", p)
		if near := words.Nearest(p.Names[0], names); near != "" {
			meant := aion.Path{Anywhere: true, Names: append([]string{near}, p.Names[1:]...)}.String()
			d.WithHelp("did you mean %s?", meant).WithGuess(diag.Edit{Span: p.Span, Text: meant})
		}
		return
	}
	prefix := aion.Path{}
	for _, name := range p.Names {
		for visited := (&model.TypeSet{}); innerType(t) != nil && visited.Add(t); {
			t = innerType(t)
		}
		what := "the value"
		if len(prefix.Names) > 0 {
			what = prefix.String()
		}
		fields := t.ShownFields()
		if t.Kind != model.StructKind && t.Kind != model.Union {
			c.faults.Errorf("unknown-path", p.Span, "%s: %s is %s in Go, which has no fields that a model sees", p, what, describeType(t))
			return
		}
		i := slices.IndexFunc(fields, func(f *model.Field) bool { return f.Name == name })
		if i >= 0 {
			t, prefix.Names = fields[i].Type, append(prefix.Names, name)
			continue
		}
		if u := slices.IndexFunc(t.Unseen, func(u model.Unseen) bool { return u.Name == name }); u >= 0 {
			c.faults.Errorf("unknown-path", p.Span, "%s: %s (%s) is left out because JSON cannot carry it", p, name, t.Unseen[u].Type).
				WithHelp("pass it by reference: %q", "ref="+aion.Path{Names: append(prefix.Names, name)}.String())
			return
		}
		part := "field"
		if t.Kind == model.Union {
			part = "variant"
		}
		d := c.faults.Errorf("unknown-path", p.Span, "%s: %s, %s in Go, has no %s %s", p, what, describeType(t), part, name)
		if k := slices.IndexFunc(t.Clashes, func(k model.Clash) bool { return k.Name == name }); k >= 0 {
			d.WithHelp("encoding/json drops it because several fields have the name: %s", strings.Join(t.Clashes[k].Ways, ", "))
		} else if near := nearestField(name, fields); near != "" {
			meant := aion.Path{Names: slices.Concat(prefix.Names, []string{near}, p.Names[len(prefix.Names)+1:])}.String()
			d.WithHelp("did you mean %s?", meant).WithGuess(diag.Edit{Span: p.Span, Text: meant})
		} else {
			d.WithHelp("it has %s", words.Sample(listFieldNames(fields)))
		}
		return
	}
}

// describeType returns the name of the Go type for messages.
func describeType(t *model.Type) string {
	if t.Kind == model.Opaque {
		return "a type that generated code cannot name"
	}
	if t.Go.Name == "" && t.Kind == model.StructKind {
		return "an object"
	}
	return t.Go.String()
}

// nearestField returns the JSON name of the field that was probably meant. The path may have its Go
// name.
func nearestField(name string, fields []*model.Field) string {
	for _, f := range fields {
		if words.FoldName(f.Name) == words.FoldName(name) || len(f.Path) > 0 && f.Path[len(f.Path)-1] == name {
			return f.Name
		}
	}
	return words.Nearest(name, listFieldNames(fields))
}

// listFieldNames returns the JSON names of fields.
func listFieldNames(fields []*model.Field) (names []string) {
	for _, f := range fields {
		names = append(names, f.Name)
	}
	return names
}

// reachableNames returns the names of all fields in t, at any depth.
func reachableNames(t *model.Type, visited *model.TypeSet) (names []string) {
	if t == nil || !visited.Add(t) {
		return nil
	}
	names = reachableNames(innerType(t), visited)
	for _, f := range t.ShownFields() {
		names = append(append(names, f.Name), reachableNames(f.Type, visited)...)
	}
	return names
}
