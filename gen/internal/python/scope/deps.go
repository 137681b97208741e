package scope

import (
	"go/types"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/gen/internal/python/syntax"
	"github.com/aiongen/aiongen/internal/words"
)

// An Injected is what the application supplies: a field of Deps.
type Injected struct {
	*types.Var
	Span diag.Span // where the package says that it is injected
}

// deps is what lambdas call all that the application supplies.
const deps = "deps"

// IsDeps reports whether an expression is all that the application supplies: what the
// lambda or Go calls deps comes first.
func (n *Names) IsDeps(e syntax.Expr) bool {
	name, ok := e.(*syntax.Name)
	return ok && name.Name == deps && n.Env[deps] == nil && n.isFree()
}

// isFree reports whether nothing of Go is called deps that could have been meant.
func (n *Names) isFree() bool {
	isType := func(obj types.Object) bool { _, is := obj.(*types.TypeName); return is }
	return !slices.ContainsFunc(n.Find(n.Package(), deps), func(obj types.Object) bool { return !isType(obj) }) && n.Import(deps) == nil
}

// Dep finds what the application supplies under a name; nil, and a fault, if it
// supplies nothing of that name, or more than one may be meant.
func (n *Names) Dep(name syntax.Param) *Injected {
	switch found := n.injected(name.Name); len(found) {
	case 1:
		return found[0]
	case 0:
		d := n.Fault("lambda-name", name.Place, "deps has no %s: package %s injects no type of that name", name.Name, n.Package().Name())
		n.helpDeps(d, name.Name)
	default:
		n.ambiguous(name.Name, name.Place, []types.Object{found[0], found[1]})
	}
	return nil
}

// NoValue reports that deps is used without a name behind it.
func (n *Names) NoValue(at syntax.Place) {
	n.helpDeps(n.Fault("lambda-name", at, "deps is no value: it leads to what package %s injects", n.Package().Name()), "")
}

// injected is what has a name, else all that has another spelling of it.
func (n *Names) injected(name string) (spelled []*Injected) {
	for _, in := range n.Injected() {
		switch {
		case in.Name() == name:
			return []*Injected{in}
		case goname.Spells(name, in.Name()):
			spelled = append(spelled, in)
		}
	}
	return spelled
}

// HelpForgotten helps where deps is missing before a name, or spelled in another way,
// and reports whether it is.
func (n *Names) HelpForgotten(d *diag.Diagnostic, name string) bool {
	switch {
	case len(n.injected(name)) == 1:
		d.WithHelp("the application supplies it: write deps.%s", name).WithFix(diag.Edit{Span: d.Span, Text: "deps." + name})
	case strings.EqualFold(name, deps) && len(n.Injected()) > 0:
		d.WithHelp("write deps").WithFix(diag.Edit{Span: d.Span, Text: deps})
	default:
		return false
	}
	return true
}

// helpDeps tells what is behind deps: what is like a name that is not, or all of it.
func (n *Names) helpDeps(d *diag.Diagnostic, name string) {
	var known []string
	for _, in := range n.Injected() {
		known = append(known, goname.Snake(in.Name()))
	}
	near := words.Nearest(name, known)
	switch {
	case len(known) == 0:
		d.WithHelp("it injects nothing yet: declare in Go what the application supplies: var _ = tool.Inject[*Client]()")
	case near != "":
		d.WithHelp("did you mean deps.%s?", near)
	default:
		d.WithHelp("there is deps.%s", strings.Join(known, ", deps."))
	}
}
