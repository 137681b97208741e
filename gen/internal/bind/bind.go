// Package bind checks the notes of .aion documents against the functions that they describe and the shapes of
// their types. Bind returns a model from which code is generated without further decisions. To bind an
// element of a document is to find its function, check its notes, and add its tool to the model.
//
// ProposeNotes proposes notes for tools whose schemas are too large.
package bind

import (
	"go/types"
	"path"
	"slices"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/budget"
	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/gen/internal/load"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/resolve"
	"github.com/aiongen/aiongen/gen/internal/shape"
	"github.com/aiongen/aiongen/gen/internal/source"
)

// Bind finds the functions that the documents of one package describe, and returns the model of their tools.
// Generate code from the model only if the list has no errors. Otherwise the model is incomplete.
//
// Each stage returns its result and its diagnostics. Stages use the results of earlier
// ones, so their order matters.
func Bind(limit *budget.Budget, pkg *load.Package, docs *source.DocReader, documents []*aion.Document, target shape.Target) (*model.Package, []Reference, diag.List) {
	m := &model.Package{Path: target.Path, Name: target.Name, Source: target.Source}
	var all diag.Collector
	b, faults := newBinder(limit, pkg, docs, target)
	all.Add(faults)
	all.Add(b.annotations.CheckTools(documents))
	m.Prompts, faults = collectPrompts(documents)
	all.Add(faults)
	packageNames, faults := b.reserveNames(m.Prompts != nil)
	all.Add(faults)
	bound, faults := b.bindDocuments(documents)
	all.Add(faults)
	if limit.Err() != nil {
		return m, bound.references, all.Finish()
	}
	if bound.complete && all.Err() == nil { // otherwise a tool that was not bound may use the declarations
		all.Add(b.warnOfUnusedDeclarations())
	}
	all.Add(b.completeModel(m, packageNames, bound.files))
	return m, bound.references, all.Finish()
}

// ReadShapes returns Shapes that follow the declarations in a package, such as calls of tool.Represent.
func ReadShapes(limit *budget.Budget, pkg *load.Package, docs *source.DocReader, target shape.Target) *shape.Shapes {
	b, _ := newBinder(limit, pkg, docs, target) // Bind returns the diagnostics
	return b.shapes
}

// A binder holds what the stages of Bind share: the package and the results of newBinder.
type binder struct {
	pkg         *load.Package
	write       shape.TypeWriter
	docs        *source.DocReader
	scope       *resolve.Scope
	shapes      *shape.Shapes
	notes       noteReader
	annotations source.Annotations
	supply      *resolve.Supply
}

// newBinder reads the declarations that a package makes with functions such as tool.Inject and
// tool.Annotate.
func newBinder(limit *budget.Budget, pkg *load.Package, docs *source.DocReader, target shape.Target) (*binder, diag.List) {
	w := shape.NewTypeWriter(limit, pkg, target)
	supply, faults := resolve.NewSupply(w)
	annotations, annotationFaults := source.ReadAnnotations(pkg)
	shapes := shape.New(w, docs, supply.FillsType)
	b := &binder{
		pkg: pkg, write: w, docs: docs, supply: supply, annotations: annotations,
		shapes: shapes, scope: resolve.New(w, docs, shapes, supply),
	}
	b.notes = noteReader{Scope: b.scope, Shapes: b.shapes}
	faults = append(faults, annotationFaults...)
	represented, representationFaults := source.ReadRepresentations(pkg, supply.HasType)
	b.shapes.Represent(represented)
	unions, unionFaults := source.ReadUnions(pkg, supply.HasType, represented)
	b.shapes.DeclareUnions(unions)
	return b, slices.Concat(faults, representationFaults, unionFaults, b.checkRepresentations(represented), b.checkUnions(unions), source.CheckPlaces(pkg))
}

// reserveNames returns the names that generated code must not choose for its declarations: names that are in
// use in the target package, and names such as Register, which the application calls. If the package itself
// declares Register, the user has to rename that declaration, so it is an error.
func (b *binder) reserveNames(prompts bool) (goname.Names, diag.List) {
	target := b.write.Target
	packageNames := goname.NewNames(slices.Concat(target.Declared, target.Imported)...)
	for _, path := range b.scope.DotImports() {
		if imported, err := b.pkg.Import(path); err == nil && !b.write.IsForeign() {
			packageNames.Reserve(resolve.ExportedNames(imported)...)
		}
	}
	faults := b.reserveCalledNames(packageNames, "Register", "Tools")
	if prompts {
		faults = append(faults, b.reserveCalledNames(packageNames, "SystemPrompt", "SystemPromptWithoutRules", "Rules", "WrapQuery")...)
	}
	for _, name := range target.Declared {
		_, isType := types.Universe.Lookup(name).(*types.TypeName)
		if isType || name == "nil" || name == "true" || name == "len" { // generated code needs them
			b.scope.ReportShadow(&faults, name)
		}
	}
	return packageNames, faults
}

// reserveCalledNames reserves names that the application calls, and reports those that the target
// package declares.
func (b *binder) reserveCalledNames(packageNames goname.Names, names ...string) (faults diag.List) {
	for _, name := range names {
		if !packageNames[name] {
			packageNames.Reserve(name)
			continue
		}
		faults.Errorf("reserved-name", b.scope.DeclarationSpan(name), "package %s declares %s, which aiongen generates", b.write.Target.Name, name).
			Help = []string{"rename it: the application calls the generated " + name}
	}
	return faults
}

// boundDocuments is the result of bindDocuments.
type boundDocuments struct {
	files      []boundFile
	references []Reference
	complete   bool // no element has an error
}

// A boundFile holds the elements of one document that have no errors.
type boundFile struct {
	name     string
	elements []*element
}

// Reference connects a span of a document with the object that it refers to.
type Reference struct {
	Tool string
	Span diag.Span
	To   types.Object     // a function, a variable that holds one, or a parameter; nil for a function literal
	Sig  *types.Signature // signature of that function
}

// maxErrors limits the errors of one package. If there are more, a diag.Collector reports that the
// rest was not checked.
const maxErrors = 10_000

// bindDocuments binds the elements of documents. It stops when there are more than maxErrors
// errors or the budget is used up.
func (b *binder) bindDocuments(documents []*aion.Document) (bound boundDocuments, faults diag.List) {
	bound.complete = true
	errors := 0
	for _, doc := range documents {
		bound.complete = bound.complete && !doc.Faulty
		file := boundFile{name: path.Base(doc.Name)}
		for _, parsed := range doc.Elements {
			if errors > maxErrors {
				return bound, faults
			}
			el, list := b.bindElement(parsed)
			faults = append(faults, list...)
			bound.references = append(bound.references, el.references...)
			if b.write.Budget.Err() != nil {
				return bound, faults
			}
			for _, d := range list {
				if d.Severity == diag.Error {
					errors++
				}
			}
			if list.Err() == nil && !parsed.Faulty {
				file.elements = append(file.elements, el)
			}
		}
		bound.files = append(bound.files, file)
	}
	return bound, faults
}

// warnOfUnusedDeclarations warns of declarations of injected types and of context options that no
// tool uses.
func (b *binder) warnOfUnusedDeclarations() (faults diag.List) {
	for _, in := range b.supply.UnusedInjections() {
		faults.Warnf("unused-injection", in.Span, "no tool takes %s, so Deps has no field for it", b.pkg.TypeName(in.Type)).
			WithHelp("delete the declaration")
	}
	for _, o := range b.supply.UnusedContextOptions() {
		faults.Warnf("unused-pass-context", o.Span, "no tool has a variadic parameter of type %s, which gets the context from %s", b.pkg.TypeName(o.Type), o.Func.Name()).
			WithHelp("delete the declaration")
	}
	return faults
}

// completeModel adds the bound elements to the model, names the generated declarations, and writes
// and checks the schemas of arguments and results.
func (b *binder) completeModel(m *model.Package, packageNames goname.Names, files []boundFile) (faults diag.List) {
	deps := b.supply.Deps()
	if len(deps) > 0 {
		faults = b.reserveCalledNames(packageNames, "Deps")
	}
	var elements []*element
	for _, file := range files {
		generated := model.File{Name: file.name + ".go", Source: m.Source + file.name}
		for _, el := range file.elements {
			el.args.SettleRefs()
			el.tool.Args.SettleRefs()
			el.tool.Result.SettleRefs()
			generated.Tools = append(generated.Tools, el.tool)
		}
		m.Files = append(m.Files, generated)
		elements = append(elements, file.elements...)
	}
	schemas := schemaWriter{ownPackage: b.pkg.Name, budget: b.write.Budget}
	defer schemas.group.Wait() // leave no goroutine behind, even if naming panics
	assignNames(m, b.write, packageNames, files, deps, schemas.addNamed)
	if el, err := schemas.waitForAll(); err != nil {
		budget.ReportFailure(&faults, b.pkg.Path, startSpan(el.Element), err)
		return faults
	}
	for _, el := range elements {
		checkSchemaDepth(&faults, el)
		noteSchemaSize(&faults, el)
	}
	return faults
}
