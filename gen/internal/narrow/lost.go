package narrow

import (
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/internal/words"
)

// lost says how far a path leads, and what is there.
func (c *cut) lost(t *model.Type, p aion.Path) {
	if p.Anywhere {
		names := namesWithin(t, &model.Met{})
		d := c.faults.Errorf("unknown-path", p.Span, "%s: nothing has such a field at any depth", p)
		if near := words.Nearest(p.Names[0], names); near != "" {
			meant := aion.Path{Anywhere: true, Names: append([]string{near}, p.Names[1:]...)}.String()
			d.WithHelp("did you mean %s?", meant).WithGuess(diag.Edit{Span: p.Span, Text: meant})
		}
		return
	}
	way := aion.Path{}
	for _, name := range p.Names {
		for met := (&model.Met{}); within(t) != nil && met.First(t); {
			t = within(t)
		}
		what := "the value"
		if len(way.Names) > 0 {
			what = way.String()
		}
		fields := t.Shown()
		if t.Kind != model.StructKind {
			c.faults.Errorf("unknown-path", p.Span, "%s: %s is %s in Go, which has no fields for a model", p, what, describe(t))
			return
		}
		i := slices.IndexFunc(fields, func(f *model.Field) bool { return f.Name == name })
		if i >= 0 {
			t, way.Names = fields[i].Type, append(way.Names, name)
			continue
		}
		if u := slices.IndexFunc(t.Unseen, func(u model.Unseen) bool { return u.Name == name }); u >= 0 {
			c.faults.Errorf("unknown-path", p.Span, "%s: %s (%s) is left out, since JSON cannot carry it", p, name, t.Unseen[u].Type).
				WithHelp("keep it by reference: %q", "ref="+aion.Path{Names: append(way.Names, name)}.String())
			return
		}
		d := c.faults.Errorf("unknown-path", p.Span, "%s: %s, %s in Go, has no field %s", p, what, describe(t), name)
		if k := slices.IndexFunc(t.Clashes, func(k model.Clash) bool { return k.Name == name }); k >= 0 {
			d.WithHelp("encoding/json drops it, since several have the name: %s", strings.Join(t.Clashes[k].Ways, ", "))
		} else if near := nearestField(name, fields); near != "" {
			meant := aion.Path{Names: slices.Concat(way.Names, []string{near}, p.Names[len(way.Names)+1:])}.String()
			d.WithHelp("did you mean %s?", meant).WithGuess(diag.Edit{Span: p.Span, Text: meant})
		} else {
			d.WithHelp("it has %s", words.Sample(namesOf(fields)))
		}
		return
	}
}

// describe is the Go type, or what stands for one without a name.
func describe(t *model.Type) string {
	if t.Kind == model.Opaque {
		return "of a type that generated code cannot name"
	}
	if t.Go.Name == "" && t.Kind == model.StructKind {
		return "an object"
	}
	return t.Go.String()
}

// nearestField is the JSON name of the field that a name was likely meant for: it may
// be that of Go.
func nearestField(name string, fields []*model.Field) string {
	for _, f := range fields {
		if words.Folded(f.Name) == words.Folded(name) || len(f.Path) > 0 && f.Path[len(f.Path)-1] == name {
			return f.Name
		}
	}
	return words.Nearest(name, namesOf(fields))
}

func namesOf(fields []*model.Field) (names []string) {
	for _, f := range fields {
		names = append(names, f.Name)
	}
	return names
}

// namesWithin are the names of all fields that a path can lead to.
func namesWithin(t *model.Type, met *model.Met) (names []string) {
	if t == nil || !met.First(t) {
		return nil
	}
	names = namesWithin(within(t), met)
	for _, f := range t.Shown() {
		names = append(append(names, f.Name), namesWithin(f.Type, met)...)
	}
	return names
}
