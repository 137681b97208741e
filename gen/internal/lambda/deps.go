package lambda

import (
	"go/types"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/gen/internal/lambda/pysyntax"
	"github.com/aiongen/aiongen/internal/words"
)

// Injected is a value that the application supplies: a field of Deps.
type Injected struct {
	*types.Var
	Span diag.Span // of the declaration in the package
}

// depsName is the name through which lambdas use injected values, as in deps.store.
const depsName = "deps"

// isDeps reports whether an expression is the name deps and refers to the injected values. Parameters and Go
// objects named deps take precedence.
func (n *nameResolver) isDeps(e pysyntax.Expr) bool {
	name, ok := e.(*pysyntax.Name)
	if !ok || name.Name != depsName || n.Env[depsName] != nil {
		return false
	}
	isType := func(obj types.Object) bool { _, is := obj.(*types.TypeName); return is }
	return !slices.ContainsFunc(n.Find(n.Package(), depsName), func(obj types.Object) bool { return !isType(obj) }) && n.Import(depsName) == nil
}

// findDep returns the injected value that a name refers to. It reports a fault and returns nil if there is none or
// more than one.
func (n *nameResolver) findDep(name pysyntax.Param) *Injected {
	switch found := n.findInjected(name.Name); len(found) {
	case 1:
		return found[0]
	case 0:
		d := n.addFault("lambda-name", name.Place, "deps has no %s: package %s injects no type of that name", name.Name, n.Package().Name())
		n.helpDeps(d, name.Name)
	default:
		n.addAmbiguousObjects(name.Name, name.Place, []types.Object{found[0], found[1]})
	}
	return nil
}

// reportBareDeps reports deps without a name after it.
func (n *nameResolver) reportBareDeps(at pysyntax.Place) {
	n.helpDeps(n.addFault("lambda-name", at, "deps is not a value: select one of the values that package %s injects", n.Package().Name()), "")
}

// findInjected returns the injected value with exactly the given name or, if there is none, all whose names differ
// only in spelling.
func (n *nameResolver) findInjected(name string) (spelled []*Injected) {
	for _, in := range n.Injected() {
		switch {
		case in.Name() == name:
			return []*Injected{in}
		case goname.IsSpelling(name, in.Name()):
			spelled = append(spelled, in)
		}
	}
	return spelled
}

// helpMissingDeps adds help to d, a fault about an unknown name, if the name needs deps before it or is a misspelled
// deps. It reports whether it did.
func (n *nameResolver) helpMissingDeps(d *diag.Diagnostic, name string) bool {
	switch {
	case len(n.findInjected(name)) == 1:
		d.WithHelp("the application supplies it: write deps.%s", name).WithFix(diag.Edit{Span: d.Span, Text: "deps." + name})
	case strings.EqualFold(name, depsName) && len(n.Injected()) > 0:
		d.WithHelp("write deps").WithFix(diag.Edit{Span: d.Span, Text: depsName})
	default:
		return false
	}
	return true
}

// helpDeps suggests the injected value with a similar name, or lists all of them.
func (n *nameResolver) helpDeps(d *diag.Diagnostic, name string) {
	var names []string
	for _, in := range n.Injected() {
		names = append(names, goname.SnakeCase(in.Name()))
	}
	near := words.Nearest(name, names)
	switch {
	case len(names) == 0:
		d.WithHelp("it injects nothing yet: declare in Go each value that the application supplies: var _ = tool.Inject[*Client]()")
	case near != "":
		d.WithHelp("did you mean deps.%s?", near)
	default:
		d.WithHelp("available: deps.%s", strings.Join(names, ", deps."))
	}
}
