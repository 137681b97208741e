package naming

import (
	"slices"

	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/gen/internal/model"
)

// A use is where a type is used.
type use struct {
	file   *model.File
	output bool          // it is written
	opaque bool          // by encoding/json
	way    []*model.Type // the types that lead to it, from outside
}

// shape names the functions and tables that a type needs, and all that it is made
// of. What has no name is called after its place.
func (n *namer) shape(u use, t *model.Type, place string) {
	switch {
	case t == nil:
		return
	case slices.Contains(u.way, t):
		n.cycle(u, u.way[slices.Index(u.way, t):])
		return
	case n.met[t]:
		return
	}
	n.met[t] = true
	u.way = append(u.way, t) // what others put there was looked through
	n.def(t)
	stem := place
	if t.Def != nil && !t.Narrowed {
		stem = t.Def.Stem
	}
	n.goTypes(t.Go)
	switch t.Kind {
	case model.StructKind, model.Null:
		n.coder(u, t, stem)
	case model.Array:
		n.coder(u, t, goname.Exported(stem, "T")+"Array")
	case model.Opaque:
		u.opaque = true
	}
	n.limits(u, t, stem)
	n.parts(u, t, stem)
}

// cycle gives a function to a type that holds itself, since it cannot be read in
// place: to the first of those on the way back that has a name.
func (n *namer) cycle(u use, types []*model.Type) {
	if i := slices.IndexFunc(types, func(t *model.Type) bool { return t.Def != nil && !t.Narrowed }); i >= 0 {
		n.coder(u, types[i], types[i].Def.Stem)
	}
}

// parts names what a type is made of.
func (n *namer) parts(u use, t *model.Type, stem string) {
	n.shape(u, t.Key, stem)
	n.shape(u, t.Elem, stem)
	for _, f := range t.Fields {
		for _, p := range f.Within {
			n.goTypes(p.Elem)
		}
		n.shape(u, f.Type, stem+goname.Capitalised(f.Path[len(f.Path)-1]))
	}
}

// coder gives a type that is not read or written in place its function.
func (n *namer) coder(u use, t *model.Type, stem string) {
	name := goname.Exported(stem, "T")
	switch {
	case u.opaque || t.Reader != "" || t.Writer != "":
		return
	case u.output:
		t.Writer = n.free.Take("encode" + name)
	default:
		t.Reader = n.free.Take("decode" + name)
	}
	u.file.Types = append(u.file.Types, t)
}

// limits names what arguments are checked with. Types that allow the same values
// share the table.
func (n *namer) limits(u use, t *model.Type, stem string) {
	if u.opaque || u.output {
		return
	}
	if t.Checked {
		t.Match = n.free.Take(goname.Unexported(stem) + "Pattern")
		u.file.Matches = append(u.file.Matches, t)
	}
	if len(t.Enum) == 0 {
		return
	}
	if t.Values = n.tables[&t.Enum[0]]; t.Values == "" {
		t.Values = n.free.Take(goname.Unexported(stem) + "Values")
		n.tables[&t.Enum[0]] = t.Values
		u.file.Enums = append(u.file.Enums, t)
	}
}

// def settles what $defs call a type: with its package in front where another has
// the name already.
func (n *namer) def(t *model.Type) {
	switch {
	case t.Def == nil:
	case t.Narrowed && !n.cyclic()[t]:
		n.inline = append(n.inline, t.Def)
	default:
		n.define(t.Def)
	}
}

func (n *namer) define(d *model.Def) {
	if n.named[d] {
		return
	}
	n.named[d] = true
	if d.Package != "" && n.defs[d.Name] {
		d.Name = d.Package + "_" + d.Name
	}
	d.Name = n.defs.Take(d.Name)
}
