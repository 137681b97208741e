// Package bind puts notation and Go together: it finds the function behind
// each element of the .aion documents, reads its types, and checks that both
// sides say the same. The result is a model that needs no further decisions.
package bind

import (
	"fmt"
	"go/token"
	"go/types"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/gen/internal/load"
	"github.com/aiongen/aiongen/gen/internal/model"
)

// Target is the package that the generated files belong to.
type Target struct {
	Path, Name string
	Declared   []string // names that its other files declare
	Imported   []string // names that its other files import packages by
	Source     string   // from its directory to the .aion files: "", or "../tools/"
}

// Bind binds the documents of one package, in their order. The model is sound
// only where the list holds no error.
func Bind(pkg *load.Package, documents []*aion.Document, target Target) (*model.Package, diag.List) {
	b := &binder{
		pkg:        pkg,
		target:     target,
		names:      goname.Reserved(slices.Concat(target.Declared, target.Imported)...),
		toolNames:  goname.Names{},
		fields:     goname.Names{},
		mentioned:  goname.Names{},
		imports:    map[string]string{},
		sources:    map[string]*docs{},
		spellings:  map[*types.Package]map[string][]string{},
		constants:  map[*types.Package]map[*types.TypeName][]string{},
		enums:      map[string]enum{},
		shortNames: goname.Names{},
	}
	b.args, b.results = newShaper(b, false), newShaper(b, true)
	m := &model.Package{Path: target.Path, Name: target.Name, Source: target.Source}
	for _, path := range b.dotImports(b.pkg.Types) {
		if imported, err := pkg.Import(path); err == nil && !b.foreign() {
			b.names.Reserve(exportedNames(imported)...)
		}
	}
	b.reserveFixed()
	b.refuseShadows()
	b.annotations = b.findAnnotations(documents)
	m.Prompts = b.bindPrompts(documents)
	for _, doc := range documents {
		name := path.Base(doc.Name)
		m.Files = append(m.Files, model.File{Name: name + ".go", Source: target.Source + name})
		b.file = &m.Files[len(m.Files)-1]
		b.bindDocument(doc)
	}
	b.reserveDeps()
	m.Deps = b.deps
	dropUnused(m)
	b.nameLast(m)
	return m, b.faults
}

type binder struct {
	pkg    *load.Package
	target Target
	faults diag.List

	names       goname.Names      // free names of the target package
	toolNames   goname.Names      // Go names of tools
	mentioned   goname.Names      // names of the target package that generated code refers to
	imports     map[string]string // path of each package that generated code names, and its name
	args        *shaper
	results     *shaper
	shorts      typeutil.Map // types.Type to its name in $defs
	shortNames  goname.Names
	sources     map[string]*docs                                // by package path
	spellings   map[*types.Package]map[string][]string          // names by any spelling of them
	constants   map[*types.Package]map[*types.TypeName][]string // names by type, in source order
	enums       map[string]enum                                 // by enumKey
	receivers   typeutil.Map                                    // types.Type to *model.Dep
	fields      goname.Names                                    // of Deps
	deps        []*model.Dep
	annotations []annotation
	literals    []*literal
	file        *model.File // the file being bound
	tool        *model.Tool // the tool being bound
	at          diag.Span   // its function's text
}

// foreign reports whether the generated code goes to another package.
func (b *binder) foreign() bool { return b.target.Path != b.pkg.Path }

func (b *binder) take(name string) string { return b.names.Take(name) }

// use notes that generated code names a package.
func (b *binder) use(p *types.Package) { b.imports[p.Path()] = p.Name() }

// docsOf returns what the source of a package says beyond its types. A package
// whose source cannot be read has nothing to say, nor has what is in none.
func (b *binder) docsOf(p *types.Package) *docs {
	if p == nil {
		return &docs{}
	}
	if known, ok := b.sources[p.Path()]; ok {
		return known
	}
	d := readDocs(b.pkg.Syntax(p.Path()))
	b.sources[p.Path()] = d
	return d
}

func (b *binder) docOf(obj types.Object, key string) string {
	return b.docsOf(obj.Pkg()).text[key]
}

// reserveFixed keeps the names that generated code never changes. The
// application calls them, so a clash is the user's to solve.
func (b *binder) reserveFixed() {
	for _, name := range []string{"Register", "Tools"} {
		b.reserveName(name)
	}
}

// refuseShadows reports declarations that leave generated code no way to say
// what it has to: string, nil, len.
func (b *binder) refuseShadows() {
	for _, name := range b.target.Declared {
		_, isType := types.Universe.Lookup(name).(*types.TypeName)
		if !isType && name != "nil" && name != "true" && name != "len" {
			continue
		}
		b.refuseShadow(name)
	}
}

func (b *binder) refuseShadow(name string) {
	d := b.faults.Errorf("reserved-name", b.declared(name), "package %s declares %s, so that generated code in it cannot mean Go's own", b.target.Name, name)
	d.Help = []string{"rename it, or generate into another package with -o"}
}

// declared is where the target package declares a name, if that is known.
func (b *binder) declared(name string) diag.Span {
	if obj := b.pkg.Types.Scope().Lookup(name); obj != nil && !b.foreign() {
		return b.objSpan(obj)
	}
	return diag.Span{File: b.firstFile()}
}

func (b *binder) reserveDeps() {
	if len(b.deps) > 0 {
		b.reserveName("Deps")
	}
}

func (b *binder) reserveName(name string) {
	if !b.names[name] {
		b.names.Reserve(name)
		return
	}
	b.faults.Errorf("reserved-name", b.declared(name), "package %s declares %s, which aiongen generates", b.target.Name, name).
		Help = []string{"rename it: the application calls the generated " + name}
}

func (b *binder) firstFile() string {
	if len(b.pkg.Files) == 0 {
		return ""
	}
	return b.pkg.Span(b.pkg.Files[0].Pos(), b.pkg.Files[0].Pos()).File
}

func (b *binder) bindDocument(doc *aion.Document) {
	for _, el := range doc.Elements {
		if el.Faulty {
			b.checkReference(el)
			continue
		}
		before := len(b.faults)
		tool := b.bindElement(el)
		if b.faults[before:].Err() == nil {
			b.file.Tools = append(b.file.Tools, tool)
		}
	}
}

// plainName is a function text that is nothing but a name, also of a method or an
// instance. What a string that is not closed has swallowed is none.
var plainName = regexp.MustCompile(`^\s*[\w./*()\[\],-]+\s*$`)

// checkReference reports what is wrong with the function that a faulty element
// names. What depends on its notes has to wait until these are right.
func (b *binder) checkReference(el *aion.Element) {
	if el.Function != nil && plainName.MatchString(el.Function.Text.Value) {
		b.resolve(el)
	}
}

func (b *binder) bindElement(el *aion.Element) *model.Tool {
	name := b.toolNames.Take(goname.Exported(el.Name.Value, "Tool"))
	lower := goname.Unexported(name)
	tool := &model.Tool{
		Name:        el.Name.Value,
		GoName:      name,
		InputName:   b.take(lower + "Input"),
		OutputName:  b.take(lower + "Output"),
		Definition:  b.take(lower + "Definition"),
		Constructor: b.take(name + "Tool"),
		Run:         b.take("run" + name),
		Invoke:      b.take("invoke" + name),
	}
	b.tool = tool
	if el.Description != nil {
		tool.Description = el.Description.Value
	}
	if el.Link != nil {
		tool.Link = el.Link.Value
	}
	if el.Function == nil {
		b.bindLink(tool)
		return tool
	}
	b.at = el.Function.Text.Span
	t, ok := b.resolve(el)
	if !ok {
		return nil
	}
	b.describe(el, tool, t)
	b.warnOfStrays(t)
	example := b.annotate(tool, t.obj)
	b.bindFunction(el, tool, t)
	b.checkExample(tool, example)
	return tool
}

// describe settles the description: the notation's, else the doc comment of
// the function, with the link at its end.
func (b *binder) describe(el *aion.Element, tool *model.Tool, t target) {
	if tool.Description == "" {
		tool.Description = b.docsOf(t.pkg()).text[t.docKey]
		b.toWrite(tool.Description, brace(el), fmt.Sprintf("tool %q", tool.Name))
	}
	if tool.Description == "" {
		d := b.faults.Errorf("no-description", brace(el), "tool %q has no description, and %s has no doc comment to take it from", tool.Name, t.describe())
		d.Related = b.declaration(t)
		d.Help = []string{`add a property description --> "what the tool does, for the model"`}
		return
	}
	if tool.Link != "" {
		tool.Description += "\nDocumentation: " + tool.Link
	}
}

// brace is where an element begins, which is where what is wrong with it as a
// whole is reported.
func brace(el *aion.Element) diag.Span {
	at := el.Span
	at.End = at.Start
	at.End.Offset++
	at.End.Column++
	return at
}

// dep returns the field of Deps for a receiver.
func (b *binder) dep(t target, tool *model.Tool) (*model.Dep, error) {
	if known, ok := b.receivers.At(t.receiver).(*model.Dep); ok {
		return known, nil
	}
	goType, err := b.goType(t.receiver)
	if err != nil {
		return nil, err
	}
	d := &model.Dep{Field: b.depField(t.receiver), Type: goType, Tool: tool.Name}
	b.receivers.Set(t.receiver, d)
	b.deps = append(b.deps, d)
	return d, nil
}

// depField names a field of Deps after a receiver type, with the package in
// front where another one has that name.
func (b *binder) depField(receiver types.Type) string {
	if p, ok := receiver.(*types.Pointer); ok {
		receiver = p.Elem()
	}
	named, ok := types.Unalias(receiver).(*types.Named)
	if !ok { // an alias of an interface without a name
		return b.fields.Take("Receiver")
	}
	name := b.localName(named)
	if p := named.Obj().Pkg(); p != b.pkg.Types {
		// The package stands in front only where that tells two types apart.
		if short := strings.TrimPrefix(name, goname.Capitalised(p.Name())); !b.fields[short] {
			name = short
		}
	}
	return b.fields.Take(name)
}

// dropUnused takes out the readers, writers and tables that nobody calls: those
// of types that were only looked at.
func dropUnused(m *model.Package) {
	used := map[*model.Type]bool{}
	for _, tool := range m.Tools() {
		walk(tool.Args, used, func(*model.Type) {})
		walk(tool.Result, used, func(*model.Type) {})
	}
	unused := func(t *model.Type) bool { return !used[t] }
	for i := range m.Files {
		f := &m.Files[i]
		f.Types = slices.DeleteFunc(f.Types, unused)
		f.Enums = slices.DeleteFunc(f.Enums, unused)
		f.Matches = slices.DeleteFunc(f.Matches, unused)
	}
}

// walk visits all types that a type is made of. What encoding/json reads and
// writes, generated code does not look into.
func walk(t *model.Type, seen map[*model.Type]bool, visit func(*model.Type)) {
	if t == nil || seen[t] {
		return
	}
	seen[t] = true
	visit(t)
	if t.Kind == model.Opaque {
		return
	}
	walk(t.Elem, seen, visit)
	walk(t.Key, seen, visit)
	for _, f := range t.Fields {
		walk(f.Type, seen, visit)
	}
}

// nameLast settles the names that depend on all others: those of imports, which
// must differ from what the package declares, and those of variables, which
// must not hide what generated code refers to.
func (b *binder) nameLast(m *model.Package) {
	b.imports[model.ToolPath] = "tool"
	b.imports[model.WirePath] = "wire"
	b.imports["context"] = "context"
	if len(m.Deps) > 0 {
		b.imports["errors"] = "errors"
	}
	taken := maps.Clone(b.names)
	for _, name := range b.target.Imported {
		delete(taken, name) // another file's imports are its own affair
	}
	taken.Reserve(b.target.Declared...)
	named := map[string]string{}
	for _, path := range slices.Sorted(maps.Keys(b.imports)) {
		own := b.imports[path]
		name := b.importName(path, own, taken)
		taken.Reserve(name)
		b.mentioned.Reserve(name)
		named[path] = name
		m.Imports = append(m.Imports, model.Import{Path: path, Name: name, Renamed: name != own})
	}
	for _, l := range b.literals {
		b.qualify(l, named)
	}
	m.Local = map[string]string{}
	for _, name := range model.Locals {
		if b.mentioned[name] {
			m.Local[name] = b.mentioned.Take(name)
		}
	}
}

// importName is the name of an import: none that is taken, nor one that a
// literal hides where it needs the package.
func (b *binder) importName(path, own string, taken goname.Names) string {
	taken = maps.Clone(taken)
	for _, l := range b.literals {
		if slices.Contains(l.made.Imports, path) {
			taken.Reserve(l.declared()...)
		}
	}
	return taken.Take(own)
}

func tokenLength(name string) token.Pos { return token.Pos(len(name)) }

// plural is a count with its noun: "1 argument", "2 arguments".
func plural(n int, noun string) string {
	if n == 1 {
		return fmt.Sprintf("1 %s", noun)
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
