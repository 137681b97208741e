// Package bind puts notation and Go together: it holds the notes of the .aion
// documents against the functions behind them and the shapes of their types. The
// result is a model that needs no further decisions.
//
// Its layers, from top to bottom:
//
//	bind, element       documents, their elements, and what stands beside these
//	args, results       the signature of a function as a call has it
//	notes, argschema    what the notation says, held against Go
//	annotate, callee    what Go says beside types, and how a function is referred to
//	naming, literal     the names of what is used, last of all
package bind

import (
	"go/types"
	"path"
	"regexp"
	"slices"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/godoc"
	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/gen/internal/gotype"
	"github.com/aiongen/aiongen/gen/internal/load"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/resolve"
	"github.com/aiongen/aiongen/gen/internal/shape"
)

// Bind binds the documents of one package, in their order. The model is sound
// only where the list holds no error.
func Bind(pkg *load.Package, documents []*aion.Document, target gotype.Target) (*model.Package, diag.List) {
	w := gotype.Writer{Package: pkg, Target: target}
	docs := godoc.NewReader(pkg)
	b := &binder{
		pkg:    pkg,
		types:  w,
		docs:   docs,
		scope:  resolve.New(w, docs, supplied),
		shapes: shape.New(w, docs),
	}
	free := b.freeNames()
	b.refuseShadows()
	b.annotations = b.findAnnotations(documents)
	m := &model.Package{Path: target.Path, Name: target.Name, Source: target.Source}
	if m.Prompts = prompts(documents); m.Prompts != nil {
		b.reserve(free, "SystemPrompt", "SystemPromptWithoutRules", "Rules", "WrapQuery")
	}
	elements := make([][]*element, len(documents))
	for i, doc := range documents {
		elements[i] = b.bindDocument(doc)
		name := path.Base(doc.Name)
		m.Files = append(m.Files, model.File{Name: name + ".go", Source: target.Source + name})
	}
	if len(b.deps) > 0 {
		b.reserve(free, "Deps")
	}
	newNamer(w, free).name(m, elements, b.deps)
	return m, b.faults
}

type binder struct {
	pkg         *load.Package
	types       gotype.Writer
	docs        *godoc.Reader
	scope       *resolve.Scope
	shapes      *shape.Shapes
	annotations []annotation
	deps        []dep        // in the order of first use
	receivers   typeutil.Map // types.Type to *model.Dep
	faults      diag.List
}

// freeNames are all names but those that the target package cannot declare, and
// those that generated code never changes: the application calls them, so a
// clash is the user's to solve.
func (b *binder) freeNames() goname.Names {
	target := b.types.Target
	free := goname.Reserved(slices.Concat(target.Declared, target.Imported)...)
	for _, path := range b.scope.DotImports() {
		if imported, err := b.pkg.Import(path); err == nil && !b.types.Foreign() {
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
		b.faults.Errorf("reserved-name", b.scope.Declared(name), "package %s declares %s, which aiongen generates", b.types.Target.Name, name).
			Help = []string{"rename it: the application calls the generated " + name}
	}
}

// refuseShadows reports declarations that leave generated code no way to say
// what it has to: string, nil, len.
func (b *binder) refuseShadows() {
	for _, name := range b.types.Target.Declared {
		_, isType := types.Universe.Lookup(name).(*types.TypeName)
		if isType || name == "nil" || name == "true" || name == "len" {
			b.scope.Shadow(&b.faults, name)
		}
	}
}

func (b *binder) bindDocument(doc *aion.Document) (bound []*element) {
	for _, parsed := range doc.Elements {
		if parsed.Faulty {
			b.checkReference(parsed)
			continue
		}
		before := len(b.faults)
		el := b.bindElement(parsed)
		if b.faults[before:].Err() == nil {
			bound = append(bound, el)
		}
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
	b.faults = append(b.faults, faults...)
	return fn, ok
}
