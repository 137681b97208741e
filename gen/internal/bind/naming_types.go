package bind

import (
	"reflect"
	"slices"

	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/gen/internal/model"
)

// A typeUse says where a type is used.
type typeUse struct {
	file   *model.File
	output bool          // the type is written, not read
	opaque bool          // encoding/json reads or writes it
	path   []*model.Type // the types that contain it, outermost first
}

// nameType names the functions and tables for a type and its parts, such as decodeOrder for type Order. For a
// type that has no name, or that notes have changed, place is used instead of its name.
func (n *namer) nameType(u typeUse, t *model.Type, place string) {
	switch {
	case t == nil:
		return
	case slices.Contains(u.path, t):
		n.nameCycle(u, u.path[slices.Index(u.path, t):])
		return
	case n.visited[t]:
		return
	}
	n.visited[t] = true
	u.path = append(u.path, t) // recursive calls may share the array, because each finishes before the next one overwrites it
	n.nameDefOf(t)
	stem := place
	if t.Def != nil && !t.Narrowed {
		stem = t.Def.Stem
	}
	if t.Form == model.GeneratedCodec {
		n.addTypes(t.Go)
		n.pinFacts(u, t)
	}
	switch t.Kind {
	case model.StructKind, model.Null:
		n.nameCodec(u, t, stem)
	case model.Union:
		n.nameCodec(u, t, stem)
		n.nameVariants(u, t, stem)
	case model.Custom:
		if t.Codec != model.GeneratedCodec {
			n.nameCodec(u, t, stem)
		}
	case model.Array:
		n.nameCodec(u, t, goname.Exported(stem, "T")+"Array")
	case model.Represented:
		t.Converter = n.nameConverter(u, t, stem)
	case model.Opaque:
		u.opaque = true
	}
	n.nameLimits(u, t, stem)
	n.nameParts(u, t, stem)
}

// nameCycle names the reader or writer of the first named type in a cycle of types. A recursive
// type needs such a function, because code for it cannot be inlined.
func (n *namer) nameCycle(u typeUse, types []*model.Type) {
	if i := slices.IndexFunc(types, func(t *model.Type) bool { return t.Def != nil && !t.Narrowed }); i >= 0 {
		n.nameCodec(u, types[i], types[i].Def.Stem)
	}
}

// nameParts names the functions and tables for the parts of a type.
func (n *namer) nameParts(u typeUse, t *model.Type, stem string) {
	n.nameType(u, t.Key, stem)
	n.nameType(u, t.Elem, stem)
	for _, f := range t.Fields {
		for _, p := range f.Within {
			n.addTypes(p.Elem)
		}
		n.nameType(u, f.Type, stem+goname.Capitalize(f.Path[len(f.Path)-1]))
	}
}

// nameVariants names the writers of the variants of a union, including those for which code could be inlined.
// The code for a union writes each variant in two places: for the value and for a pointer to it.
func (n *namer) nameVariants(u typeUse, t *model.Type, stem string) {
	if !u.output {
		return
	}
	for _, f := range t.Fields {
		elem := f.Type
		if elem.Kind == model.Pointer {
			elem = elem.Elem
		}
		place := stem + f.Path[0]
		if elem.Def != nil && !elem.Narrowed {
			place = elem.Def.Stem
		}
		n.nameCodec(u, elem, place)
	}
}

// nameCodec names the function that reads or writes values of a type, unless the code is inlined. If
// generated code does not read the value that contains them, it names the function that checks them
// instead.
func (n *namer) nameCodec(u typeUse, t *model.Type, stem string) {
	name := goname.Exported(stem, "T")
	switch {
	case u.opaque || t.Reader != "" || t.Writer != "" || t.Check != "" || t.Form != model.GeneratedCodec && (u.output || t.Kind != model.StructKind):
		return
	case t.Form != model.GeneratedCodec:
		t.Check = n.packageNames.Take("check" + name)
		u.file.Types = append(u.file.Types, t)
		return
	}
	n.nameSpecialCodec(u, t, name)
	switch {
	case u.output:
		t.Writer = n.packageNames.Take("encode" + name)
	default:
		t.Reader = n.packageNames.Take("decode" + name)
	}
	u.file.Types = append(u.file.Types, t)
}

// nameConverter returns the name of the variable that holds the functions of a represented type. All uses
// of the type share one variable. If the type has no name, the name of the variable begins with place.
func (n *namer) nameConverter(u typeUse, t *model.Type, place string) string {
	stem := place
	if t.Go.Kind == model.GoPointer {
		stem = t.Go.Elems[0].Name
	} else if t.Def != nil {
		stem = t.Def.Stem
	}
	for _, existing := range n.converters {
		if reflect.DeepEqual(existing.Type, t.Go) {
			return existing.Name
		}
	}
	c := model.Converter{Name: n.packageNames.Take(goname.Unexported(stem) + "Converter"), Type: t.Go, Form: t.Elem.Go, Package: n.write.Package.Path}
	n.converters = append(n.converters, c)
	u.file.Converters = append(u.file.Converters, c)
	return c.Name
}

// nameSpecialCodec names the function that checks arguments, or that selects members of results, for a
// type whose values generated code does not read and write itself.
func (n *namer) nameSpecialCodec(u typeUse, t *model.Type, name string) {
	if t.Codec == model.GeneratedCodec {
		return
	}
	if t.Codec == model.ProtoJSON {
		n.addReference(model.ProtoJSONPath, "protojson", "Marshal")
	}
	switch {
	case u.output && t.Narrowed && t.Kind == model.StructKind:
		t.Select = n.packageNames.Take("select" + name)
	case !u.output && t.Kind == model.StructKind:
		t.Check = n.packageNames.Take("check" + name)
	}
}

// nameLimits names the pattern and the table of allowed values with which arguments of a type are
// checked. Types that allow the same values share a table.
func (n *namer) nameLimits(u typeUse, t *model.Type, stem string) {
	if u.opaque || u.output {
		return
	}
	if t.Checked {
		t.Match = n.packageNames.Take(goname.Unexported(stem) + "Pattern")
		u.file.Matches = append(u.file.Matches, t)
	}
	if len(t.Enum) == 0 {
		return
	}
	if t.Values = n.tables[&t.Enum[0]]; t.Values == "" {
		t.Values = n.packageNames.Take(goname.Unexported(stem) + "Values")
		n.tables[&t.Enum[0]] = t.Values
		u.file.Enums = append(u.file.Enums, t)
	}
}

// nameDefOf names the definition of a type. A narrowed type that is not recursive is not in $defs.
// It is named last, so that it does not take a short name from an entry of $defs.
func (n *namer) nameDefOf(t *model.Type) {
	switch {
	case t.Def == nil:
	case t.Narrowed && !n.recursiveTypes()[t]:
		n.inlineDefs = append(n.inlineDefs, t.Def)
	default:
		n.nameDef(t.Def)
	}
}

// nameDef chooses the name of a definition. If another definition has the short name, it prefixes
// the name of the package: shop_Order.
func (n *namer) nameDef(d *model.Def) {
	if n.namedDefs[d] {
		return
	}
	n.namedDefs[d] = true
	if d.Package != "" && n.defs[d.Name] {
		d.Name = d.Package + "_" + d.Name
	}
	d.Name = n.defs.Take(d.Name)
}

// pinFacts records the structs and constants that the schema of a type repeats, so that the
// generated file no longer compiles if they change. It leaves out those of other modules, because
// an update of a module must not break code that was generated before.
func (n *namer) pinFacts(u typeUse, t *model.Type) {
	if u.output {
		return
	}
	for _, s := range t.Structs {
		if n.pin(s.Go) {
			n.addTypes(s.Go, s.Definition)
			u.file.Structs = append(u.file.Structs, s)
		}
	}
	if t.Go.Path == "" || !n.write.OwnsPackage(t.Go.Path) {
		return
	}
	for _, c := range slices.Concat(t.Enum, t.Known) {
		if c.Name != "" && n.pin(model.GoType{Path: t.Go.Path, Name: c.Name}) {
			n.addTypes(model.GoType{Path: t.Go.Path, Pkg: t.Go.Pkg, Name: c.Name})
			u.file.Constants = append(u.file.Constants, model.PinnedConst{Path: t.Go.Path, Name: c.Name, Value: c.Value})
		}
	}
}

// pin marks a struct or constant as pinned, and reports whether it was not pinned before.
func (n *namer) pin(t model.GoType) bool {
	key := t.Path + " " + t.String()
	first := !n.pinned[key]
	n.pinned[key] = true
	return first
}
