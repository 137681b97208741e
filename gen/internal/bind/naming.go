package bind

import (
	"fmt"
	"maps"
	"path"
	"slices"

	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/gen/internal/gotype"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/schema"
	"github.com/aiongen/aiongen/gen/internal/supply"
)

// A namer names what is generated, once all is bound: what is not used takes no
// name from what is.
type namer struct {
	write gotype.Writer
	free  goname.Names // of the target package
	tools goname.Names // Go names of tools
	defs  goname.Names // of $defs

	named     map[*model.Def]bool
	met       map[*model.Type]bool
	tables    map[*model.Const]string // of values, by the first
	mentioned goname.Names            // names of the target package that generated code refers to
	imports   map[string]string       // path of each package that generated code names, and its name
}

func newNamer(w gotype.Writer, free goname.Names) *namer {
	return &namer{
		write: w, free: free, tools: goname.Names{}, defs: goname.Names{},
		named: map[*model.Def]bool{}, met: map[*model.Type]bool{}, tables: map[*model.Const]string{},
		mentioned: goname.Names{},
		imports:   map[string]string{model.ToolPath: "tool", model.WirePath: "wire", "context": "context"},
	}
}

// name gives a package its names, the elements of its files being bound.
func (n *namer) name(m *model.Package, elements [][]*element, deps []supply.Dep) {
	for i, bound := range elements {
		for _, el := range bound {
			n.element(&m.Files[i], el)
			m.Files[i].Tools = append(m.Files[i].Tools, el.tool)
		}
	}
	n.deps(m, deps)
	if m.Prompts != nil {
		n.imports["strings"] = "strings"
	}
	n.nameImports(m, literals(elements))
	m.Local = map[string]string{}
	for _, name := range model.Locals {
		if n.mentioned[name] {
			m.Local[name] = n.mentioned.Take(name)
		}
	}
}

func literals(elements [][]*element) (found []*literal) {
	for _, el := range slices.Concat(elements...) {
		if el.literal != nil {
			found = append(found, el.literal)
		}
	}
	return found
}

// element names what is generated for a tool. What names depend on follows them:
// the schemas, which have those of types.
func (n *namer) element(f *model.File, el *element) {
	t := el.tool
	t.GoName = n.tools.Take(goname.Exported(t.Name, "Tool"))
	lower := goname.Unexported(t.GoName)
	t.InputName = n.free.Take(lower + "Input")
	if !t.Untold {
		t.OutputName = n.free.Take(lower + "Output")
	}
	t.Definition = n.free.Take(lower + "Definition")
	t.Constructor = n.free.Take(t.GoName + "Tool")
	t.Run = n.free.Take("run" + t.GoName)
	t.Invoke = n.free.Take("invoke" + t.GoName)
	if t.Func != nil {
		n.function(el)
		n.args(use{file: f}, t)
		n.result(use{file: f, output: true}, t)
	}
	t.Input = schema.Input(el.args)
	if !t.Untold {
		t.Output = schema.Output(t.Result, el.returns)
	}
}

func (n *namer) function(el *element) {
	f := el.tool.Func
	if el.literal != nil {
		f.Name = n.free.Take(goname.Unexported(el.tool.GoName) + "Func")
		f.Literal.Decl.Name.Name = f.Name
		if f.Literal.Lambda != nil {
			for _, called := range f.Literal.Lambda.Calls {
				n.goTypes(called.Type)
			}
		}
	}
	n.goTypes(f.Type)
	n.goTypes(f.TypeArgs...)
	if len(f.Walk) > 0 {
		n.imports["errors"] = "errors"
	}
	for _, obj := range el.mentions {
		n.mention(obj.Pkg().Path(), obj.Pkg().Name(), obj.Name())
	}
	for _, arg := range f.Args {
		if arg.Source == model.FromZero {
			n.goTypes(arg.Type)
		}
		if arg.Source == model.FromLogger {
			n.imports[model.LogPath] = path.Base(model.LogPath)
		}
	}
}

func (n *namer) args(u use, t *model.Tool) {
	switch {
	case declares(t, t.Args):
		t.Args.Reader = n.free.Take("decode" + n.declare(t, t.Args, "Args", "arguments"))
		n.parts(u, t.Args, t.GoName)
	case t.Args.Narrowed: // the notes of this tool are not those of the type
		n.met[t.Args] = true
		n.def(t.Args)
		n.goTypes(t.Args.Go)
		n.coder(u, t.Args, t.GoName+"Args")
		n.parts(u, t.Args, t.GoName)
	default:
		n.shape(u, t.Args, t.GoName+"Args")
	}
}

func (n *namer) result(u use, t *model.Tool) {
	if t.Result == nil || !declares(t, t.Result) {
		n.shape(u, t.Result, t.GoName+"Result")
		return
	}
	for _, f := range t.Result.Fields {
		n.shape(u, f.Type, t.GoName+"Result")
	}
	t.Result.Writer = n.free.Take("encode" + n.declare(t, t.Result, "Result", "results"))
}

// declares reports whether a type is declared for the tool.
func declares(t *model.Tool, typ *model.Type) bool {
	return slices.ContainsFunc(t.Declare, func(s model.Struct) bool { return s.Type == typ })
}

// declare names a type that is declared for a tool.
func (n *namer) declare(t *model.Tool, typ *model.Type, suffix, holds string) string {
	name := n.free.Take(t.GoName + suffix)
	typ.Go.Name = name
	i := slices.IndexFunc(t.Declare, func(s model.Struct) bool { return s.Type == typ })
	t.Declare[i].Doc = fmt.Sprintf("%s holds the %s of the %s tool.", name, holds, t.Name)
	return name
}

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
	u.way = append(slices.Clip(u.way), t)
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
	d := t.Def
	if d == nil || n.named[d] {
		return
	}
	n.named[d] = true
	if d.Package != "" && n.defs[d.Name] {
		d.Name = d.Package + "_" + d.Name
	}
	d.Name = n.defs.Take(d.Name)
}

// deps names the fields of Deps after the types of receivers.
func (n *namer) deps(m *model.Package, deps []supply.Dep) {
	fields := goname.Names{}
	for _, d := range deps {
		fields.Reserve(d.Field) // those that are said come first
	}
	for _, d := range deps {
		if d.Field == "" {
			isFree := func(name string) bool { return !fields[name] }
			at := slices.IndexFunc(d.Names, isFree)
			if at < 0 {
				at = len(d.Names) - 1
			}
			d.Field = fields.Take(d.Names[at])
		}
		n.goTypes(d.Type)
		m.Deps = append(m.Deps, d.Dep)
	}
	if slices.ContainsFunc(deps, func(d supply.Dep) bool { return d.Nilable }) {
		n.imports["errors"] = "errors"
	}
}

// goTypes notes what types refer to.
func (n *namer) goTypes(list ...model.GoType) {
	for _, t := range list {
		if t.Kind == model.GoNamed && t.Path != "" && t.Path != "unsafe" {
			own := t.Pkg
			if own == "" {
				own = n.write.Package.Name
			}
			n.mention(t.Path, own, t.Name)
		}
		n.goTypes(t.Elems...)
		n.goTypes(t.Result...)
		for _, f := range t.Fields {
			n.goTypes(f.Type)
		}
	}
}

// mention notes the package of what generated code refers to, and keeps a name
// of the target package from being hidden by a variable.
func (n *namer) mention(path, own, name string) {
	if path == n.write.Target.Path {
		n.mentioned.Reserve(name)
	} else {
		n.imports[path] = own
	}
}

// nameImports settles the names of imports, which must differ from what the
// package declares, and those of variables, which must not hide what generated
// code refers to.
func (n *namer) nameImports(m *model.Package, literals []*literal) {
	taken := maps.Clone(n.free)
	for _, name := range n.write.Target.Imported {
		delete(taken, name) // another file's imports are its own affair
	}
	taken.Reserve(n.write.Target.Declared...)
	named := map[string]string{}
	for _, path := range slices.Sorted(maps.Keys(n.imports)) {
		own := n.imports[path]
		name := importName(path, own, taken, literals)
		taken.Reserve(name)
		n.mentioned.Reserve(name)
		named[path] = name
		m.Imports = append(m.Imports, model.Import{Path: path, Name: name, Renamed: name != own})
	}
	for _, l := range literals {
		l.qualify(named, n.write.Target.Path)
	}
}

// importName is the name of an import: none that is taken, nor one that a
// literal hides where it needs the package.
func importName(path, own string, taken goname.Names, literals []*literal) string {
	taken = maps.Clone(taken)
	for _, l := range literals {
		if slices.Contains(l.made.Imports, path) {
			taken.Reserve(l.declared()...)
		}
	}
	return taken.Take(own)
}
