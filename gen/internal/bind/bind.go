// Package bind puts notation and Go together: it holds the notes of the .aion
// documents against the functions behind them and the shapes of their types. The
// result is a model that needs no further decisions.
//
// Its layers, from top to bottom:
//
//	bind                    documents, and their elements
//	function                the signature of a function, as a call has it
//	args, results, callee   what it takes, returns and is called by
//	contract, schema, omit  what notes and schemas say, held against the signature
//	notes                   one note, held against what it describes
//	element, ending         an element, and what is told of it
//	faults                  what was found wrong
package bind

import (
	"cmp"
	"fmt"
	"go/types"
	"path"
	"regexp"
	"slices"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/annotate"
	"github.com/aiongen/aiongen/gen/internal/failure"
	"github.com/aiongen/aiongen/gen/internal/godoc"
	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/gen/internal/gotype"
	"github.com/aiongen/aiongen/gen/internal/load"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/naming"
	"github.com/aiongen/aiongen/gen/internal/note"
	"github.com/aiongen/aiongen/gen/internal/prompts"
	"github.com/aiongen/aiongen/gen/internal/resolve"
	"github.com/aiongen/aiongen/gen/internal/shape"
	"github.com/aiongen/aiongen/gen/internal/supply"
	"github.com/aiongen/aiongen/internal/budget"
	"github.com/aiongen/aiongen/internal/words"
)

// Bind binds the documents of one package, in their order, with what its source says. The
// model is sound only where the list holds no error; what could be bound is bound all the
// same.
func Bind(limit *budget.Budget, pkg *load.Package, docs *godoc.Reader, documents []*aion.Document, target gotype.Target) (*model.Package, []Bound, diag.List) {
	w := gotype.NewWriter(limit, pkg, target)
	b := &binder{pkg: pkg, write: w, docs: docs, endings: endingFinder{pkg: pkg}}
	var faults diag.List
	b.supply, faults = supply.New(w)
	b.faults.Add(faults)
	b.shapes = shape.New(w, docs, b.supply.Fills)
	b.scope = resolve.New(w, docs, b.supply)
	b.notes = note.Reader{Scope: b.scope, Shapes: b.shapes}
	free := b.freeNames()
	b.refuseShadows()
	b.annotations, faults = annotate.Find(pkg, documents)
	b.faults.Add(faults)
	m := &model.Package{Path: target.Path, Name: target.Name, Source: target.Source}
	m.Prompts, faults = prompts.Of(documents)
	b.faults.Add(faults)
	if m.Prompts != nil {
		b.reserve(free, "SystemPrompt", "SystemPromptWithoutRules", "Rules", "WrapQuery")
	}
	var all []*element
	var tools [][]naming.Tool
	for _, doc := range documents {
		bound := b.bindDocument(doc)
		if b.write.Budget.Err() != nil {
			return m, b.bound, b.faults.Finish()
		}
		all = append(all, bound...)
		file, named := fileOf(doc, target, bound)
		m.Files, tools = append(m.Files, file), append(tools, named)
	}
	if b.faults.Err() == nil && !slices.ContainsFunc(documents, func(d *aion.Document) bool { return d.Faulty }) {
		b.warnOfUnused() // else who takes something may be among what is not bound
	}
	deps := b.supply.Deps()
	if len(deps) > 0 {
		b.reserve(free, "Deps")
	}
	for _, el := range all {
		el.args.SettleRefs()
		el.tool.Args.SettleRefs()
		el.tool.Result.SettleRefs()
	}
	schemas := schemaWriter{unnamed: all, own: pkg.Name, budget: limit}
	defer schemas.end() // also if naming panics: nothing may run on
	naming.Name(m, w, free, tools, deps, schemas.named)
	if el, err := schemas.end(); err != nil {
		b.reportFailure(el.Element, err)
		return m, b.bound, b.faults.Finish()
	}
	for _, el := range all {
		b.checkDepth(el)
		b.noteSizes(el)
	}
	return m, b.bound, b.faults.Finish()
}

type binder struct {
	pkg         *load.Package
	write       gotype.Writer
	docs        *godoc.Reader
	scope       *resolve.Scope
	shapes      *shape.Shapes
	notes       note.Reader
	annotations annotate.Annotations
	supply      *supply.Supply
	faults      diag.Collector
	bound       []Bound
	exceeded    error // what used up the budget, if that is known
	endings     endingFinder
}

// Bound is a piece of notation, and what it stands for in Go.
type Bound struct {
	Tool string
	Span diag.Span
	To   types.Object     // a function, a variable that holds one, or a parameter; nil for a function literal
	Sig  *types.Signature // of a function
}

// fileOf is the generated counterpart of a document, and what its tools need names for.
func fileOf(doc *aion.Document, target gotype.Target, bound []*element) (file model.File, named []naming.Tool) {
	name := path.Base(doc.Name)
	file = model.File{Name: name + ".go", Source: target.Source + name}
	for _, el := range bound {
		file.Tools = append(file.Tools, el.tool)
		named = append(named, naming.Tool{Tool: el.tool, Mentions: el.mentions, Literal: el.literal})
	}
	return file, named
}

// freeNames are all names but those that the target package cannot declare, and
// those that generated code never changes: the application calls them, so a
// clash is the user's to solve.
func (b *binder) freeNames() goname.Names {
	target := b.write.Target
	free := goname.Reserved(slices.Concat(target.Declared, target.Imported)...)
	for _, path := range b.scope.DotImports() {
		if imported, err := b.pkg.Import(path); err == nil && !b.write.Foreign() {
			free.Reserve(resolve.ExportedNames(imported)...)
		}
	}
	b.reserve(free, "Register", "Tools")
	return free
}

// reserve takes names for what the application calls.
func (b *binder) reserve(free goname.Names, names ...string) {
	for _, name := range names {
		if !free[name] {
			free.Reserve(name)
			continue
		}
		b.faults.Errorf("reserved-name", b.scope.Declared(name), "package %s declares %s, which aiongen generates", b.write.Target.Name, name).
			Help = []string{"rename it: the application calls the generated " + name}
	}
}

// refuseShadows reports declarations that leave generated code no way to say
// what it has to: string, nil, len.
func (b *binder) refuseShadows() {
	for _, name := range b.write.Target.Declared {
		_, isType := types.Universe.Lookup(name).(*types.TypeName)
		if isType || name == "nil" || name == "true" || name == "len" {
			b.scope.Shadow(&b.faults.List, name) // a few names of the package
		}
	}
}

// warnOfUnused warns of injected types that no tool takes.
func (b *binder) warnOfUnused() {
	for _, in := range b.supply.Unused() {
		b.faults.Warnf("unused-injection", in.Span, "no tool takes %s, so that Deps has no field for it", b.pkg.TypeName(in.Type)).
			WithHelp("delete the declaration")
	}
}

func (b *binder) bindDocument(doc *aion.Document) (bound []*element) {
	for _, parsed := range doc.Elements {
		if b.faults.Full() {
			return nil
		}
		if parsed.Faulty {
			b.checkReference(parsed)
			continue
		}
		before := len(b.faults.List)
		var el *element
		err := failure.Catch(func() { el = b.bindElement(parsed) })
		if limit := b.write.Budget.Err(); limit != nil {
			b.faults.List = b.faults.List[:before] // what is wrong may follow from that
			b.reportFailure(parsed, cmp.Or(err, b.exceeded, limit))
			return bound
		}
		b.reportFailure(parsed, err)
		if b.soundSince(before) {
			bound = append(bound, el)
			continue
		}
		isNote := func(d *diag.Diagnostic) bool { return d.Severity == diag.Note } // of what is yet to be mended
		b.faults.List = append(b.faults.List[:before], slices.DeleteFunc(b.faults.List[before:], isNote)...)
	}
	return bound
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

func (b *binder) resolve(el *aion.Element) (resolve.Function, bool) {
	fn, faults, ok := b.scope.Resolve(el)
	b.faults.Add(faults)
	if ok {
		b.bound = append(b.bound, Bound{el.Name.Value, el.Function.Text.Span, fn.Obj, fn.Sig})
	}
	return fn, ok
}

func (b *binder) bindElement(parsed *aion.Element) *element {
	el := &element{Element: parsed, tool: &model.Tool{Name: parsed.Name.Value}}
	if el.Description != nil {
		el.tool.Description = el.Description.Value
	}
	if el.Link != nil {
		el.tool.Link = el.Link.Value
	}
	if el.Function == nil {
		b.bindLink(el)
		return el
	}
	var ok bool
	if el.fn, ok = b.resolve(parsed); !ok {
		return nil
	}
	b.describe(el)
	b.checkEnding(el)
	b.warnOfStrays(el.fn)
	b.bindFunction(el)
	b.faults.Add(b.annotations.Apply(el.tool, el.fn.Obj))
	return el
}

// bindLink makes the tool of an element that is a link only: no arguments, and
// the URL as its result.
func (b *binder) bindLink(el *element) {
	el.args = &model.Type{Kind: model.StructKind}
	el.tool.Annotations = model.Annotations{ReadOnly: true, Additive: true, Idempotent: true, ClosedWorld: true}
	el.tool.Args = el.args
	el.tool.Result = &model.Type{Kind: model.String, Go: model.Basic("string")}
	b.faults.Add(b.annotations.Apply(el.tool, nil))
}

// describe settles the description: the notation's, else the doc comment of
// the function, with the link at its end.
func (b *binder) describe(el *element) {
	tool, fn := el.tool, el.fn
	if tool.Description == "" {
		tool.Description = b.docs.Of(fn.Pkg()).Text[fn.DocKey]
		b.toWrite(tool.Description, brace(el.Element), fmt.Sprintf("tool %q", tool.Name))
	}
	if tool.Description == "" {
		d := b.faults.Errorf("no-description", brace(el.Element), "tool %q has no description, and %s has no doc comment to take it from", tool.Name, fn.Describe())
		d.Related = b.scope.Declaration(fn)
		d.Help = []string{`add a property description --> "what the tool does, for the model"`}
		return
	}
	if tool.Link != "" {
		tool.Description += "\nDocumentation: " + tool.Link
	}
}

// warnOfStrays warns of lines in the comment of a function on what it does not
// have, such as a parameter that was renamed.
func (b *binder) warnOfStrays(fn resolve.Function) {
	if fn.Pkg() != b.pkg.Types || fn.Literal != nil {
		return // the comment is not the user's to change, or not one of the tool
	}
	about := b.docs.Of(b.pkg.Types).About[fn.DocKey]
	for _, s := range about.Strays {
		var names []string
		for _, tuple := range []*types.Tuple{fn.Sig.Params(), fn.Sig.Results()} {
			for v := range tuple.Variables() {
				if name := nameOf(v); name != "" && about.Items[name] == "" {
					names = append(names, name)
				}
			}
		}
		d := b.faults.Warnf("suspicious-comment", b.pkg.Span(s.At.From, s.At.To), "the comment of %s describes %s, which it does not have: the model is not told", fn.Describe(), s.Name)
		if near := words.Nearest(s.Name, names); near != "" {
			d.WithHelp("did you mean %s?", near)
		} else {
			d.WithHelp("name a parameter, or delete the line")
		}
	}
}
