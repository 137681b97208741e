package resolve

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"
	"sync"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/gen/internal/jsonfield"
	"github.com/aiongen/aiongen/gen/internal/python"
	"github.com/aiongen/aiongen/gen/internal/python/syntax"
	"github.com/aiongen/aiongen/internal/values"
	"github.com/aiongen/aiongen/internal/words"
)

// isLambda reports whether the text of a function is a lambda.
func isLambda(source string) bool {
	rest, ok := strings.CutPrefix(source, "lambda")
	return ok && (rest == "" || strings.ContainsAny(rest[:1], " \t\r\n:*\\"))
}

// resolveLambda turns a lambda into a function literal, which then is bound as one
// that was written in Go.
func (r *resolving) resolveLambda(el *aion.Element) (Function, bool) {
	text := el.Function.Text
	source := strings.TrimSpace(text.Value)
	lead := strings.Index(text.Value, source)
	index := sync.OnceValue(text.Index)
	at := func(p syntax.Place) diag.Span { return index().Between(lead+p.From, lead+p.To) }
	l, faults := syntax.Parse(source, at)
	params, ok := r.lambdaParams(el, l, faults.Err() == nil)
	var fn *python.Func
	if faults.Err() == nil && ok {
		fn, faults = python.Compile(l, params, r.wantedResult(el), lambdaNames{r.Scope, at})
	}
	for _, d := range faults {
		if d.Code == syntax.Unsupported {
			or := ""
			if len(d.Help) > 0 {
				or = "or "
			}
			d.WithHelp(or+"write a Go function literal: %s", r.literalFor(l, params, r.wantedResult(el)))
		}
	}
	r.faults = append(r.faults, faults...)
	if faults.Err() != nil || !ok || r.refuseShadowed(fn) {
		return Function{}, false
	}
	return r.lambdaTarget(l, source, fn), true
}

// refuseShadowed reports what the function of a lambda needs of Go, such as append, and
// the target package declares as something else.
func (r *resolving) refuseShadowed(fn *python.Func) (found bool) {
	selected := map[*ast.Ident]bool{}
	ast.Inspect(fn.Lit, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			selected[n.Sel] = true
		case *ast.Ident:
			if types.Universe.Lookup(n.Name) != nil && fn.Uses[n] == nil && !selected[n] && slices.Contains(r.write.Target.Declared, n.Name) {
				r.Shadow(&r.faults, n.Name)
				found = true
			}
		}
		return !found
	})
	return found
}

// lambdaTarget is the function that a lambda became. One that is nothing but a call
// of a function or method stands for that: what is said of one is said of the other.
func (r *resolving) lambdaTarget(l *syntax.Lambda, source string, fn *python.Func) Function {
	text := &Lambda{Source: source, Calls: fn.Called.Functions}
	for _, p := range l.Params {
		text.Params = append(text.Params, p.Name)
	}
	info := &types.Info{Uses: fn.Uses, Defs: map[*ast.Ident]types.Object{}}
	for _, id := range fn.Locals {
		info.Defs[id] = nil
	}
	t := Function{Sig: fn.Signature, Literal: &Literal{FuncLit: fn.Lit, Info: info, Lambda: text}}
	switch whole := fn.Called.Whole.(type) {
	case *types.Func:
		t.Obj, t.DocKey = whole, docKey(whole)
	case *types.Var:
		if !whole.IsField() {
			t.Obj, t.DocKey = whole, whole.Name()
		}
	}
	return t
}

// A Lambda is what a literal keeps of the lambda that it was.
type Lambda struct {
	Source string
	Params []string // as the lambda names them, which are their JSON names
	Calls  []types.Object
}

// lambdaParams says what notes and schema tell of the parameters of a lambda. How
// many there are counts only if it is sound.
func (r *resolving) lambdaParams(el *aion.Element, l *syntax.Lambda, sound bool) ([]python.Param, bool) {
	params := make([]python.Param, len(l.Params))
	before := len(r.faults)
	entries := el.Function.Args
	if len(entries) > 0 && len(entries) != len(params) {
		if !sound {
			return nil, false
		}
		r.faults.Errorf("wrong-count", entries[0].Name.Span, "the interface block lists %s, but the lambda has %s",
			words.Count(len(entries), "argument"), words.Count(len(params), "parameter")).
			WithHelp("list all of them, or no arg-N at all")
		return nil, false
	}
	for i, e := range entries {
		params[i] = r.lambdaParam(e, e.Name.Value)
	}
	if el.Schema != nil && el.Schema.Name == nil {
		for _, e := range el.Schema.Fields {
			i := slices.IndexFunc(l.Params, func(p syntax.Param) bool { return words.Folded(p.Name) == words.Folded(e.Name.Value) })
			if i < 0 {
				continue // reported where schema and parameters are matched
			}
			if p := r.lambdaParam(e, "args_schema"); p.Type != nil || params[i].Type == nil {
				params[i] = p
			}
		}
	} else if el.Schema != nil {
		r.schemaParams(el, l, params)
	}
	return params, r.faults[before:].Err() == nil
}

// lambdaParam is what the note of an argument says, which stands in a property.
func (r *resolving) lambdaParam(e aion.Entry, property string) python.Param {
	p := python.Param{Origin: "by " + property, Property: e.Name.Value, Span: e.Note.Span}
	p.Optional = e.Note.Optional && (e.Note.Default == nil || values.FormOf(*e.Note.Default) == values.NoneForm)
	if e.Note.Type == "" {
		return p
	}
	t, err := r.NoteType(e.Note.Type)
	if err != nil {
		d := r.faults.Errorf("unknown-type", e.Note.Span, "%s: %q is neither a type word nor a Go type of package %s", e.Name.Value, e.Note.Type, r.pkg.Name)
		r.HelpType(d, &e.Note)
	}
	p.Type = t
	return p
}

// schemaParams takes the types of parameters from the struct that args_schema names:
// from its fields or, for a single parameter that is none of them, the struct.
func (r *resolving) schemaParams(el *aion.Element, l *syntax.Lambda, params []python.Param) {
	t, err := r.TypeOf(el.Schema.Name.Value)
	if err != nil {
		r.MissingSchema(&r.faults, *el.Schema.Name)
		return
	}
	fields := map[string]types.Type{}
	if _, ok := t.Underlying().(*types.Struct); ok {
		declared, clashes := jsonfield.Of(r.write.Budget, t, nil)
		for _, clash := range clashes { // their embedded structs are objects of their own
			for _, v := range jsonfield.Parting(clash) {
				fields[words.Folded(v.Name())] = v.Type()
			}
		}
		for _, f := range declared {
			fields[words.Folded(f.Name)] = f.Var().Type()
		}
	}
	for i, p := range l.Params {
		said := python.Param{Type: fields[words.Folded(p.Name)], Origin: "by args_schema", Span: el.Schema.Name.Span}
		if said.Type == nil && len(params) == 1 {
			said.Type = t
		}
		if said.Type != nil {
			params[i] = said
		}
	}
}

// literalFor is a function literal of Go in the place of a lambda.
func (s *Scope) literalFor(l *syntax.Lambda, params []python.Param, want types.Type) string {
	var list []string
	for i, p := range l.Params {
		t := "string"
		if i < len(params) && params[i].Type != nil {
			t = s.pkg.TypeName(params[i].Type)
		}
		if i < len(params) && params[i].Optional && !strings.HasPrefix(t, "*") {
			t = "*" + t
		}
		list = append(list, goname.Unexported(goname.Exported(p.Name, "Arg"))+" "+t)
	}
	result := "any"
	if want != nil {
		result = s.pkg.TypeName(want)
	}
	return fmt.Sprintf("func(%s) (%s, error) { … }", strings.Join(list, ", "), result)
}

// lambdaNames is what the names in a lambda stand for.
type lambdaNames struct {
	scope *Scope
	at    func(syntax.Place) diag.Span
}

var _ python.Scope = lambdaNames{}

func (n lambdaNames) Package() *types.Package { return n.scope.pkg.Types }

func (n lambdaNames) Find(pkg *types.Package, name string) []types.Object {
	return n.scope.findObjects(pkg, name)
}

func (n lambdaNames) Import(name string) *types.Package { return n.scope.imported(name) }

func (n lambdaNames) Member(t types.Type, name string) ([]string, types.Object) {
	return n.scope.findMember(t, name)
}

func (n lambdaNames) Members(t types.Type) []string { return n.scope.memberNames(t) }

func (n lambdaNames) LeftOut(d *diag.Diagnostic, pkg *types.Package, name string) bool {
	return n.scope.LeftOut(d, pkg, "", name)
}

func (n lambdaNames) Supplied(t types.Type) bool { return n.scope.supply.Has(t) }

func (n lambdaNames) Usable(obj types.Object) error { return n.scope.unusable(obj) }

func (n lambdaNames) TypeName(t types.Type) string { return n.scope.pkg.TypeName(t) }

func (n lambdaNames) Injected() []*python.Injected { return n.scope.injected }

func (n lambdaNames) Declared(obj types.Object) []diag.Related {
	if in, ok := obj.(*python.Injected); ok {
		return []diag.Related{{Span: in.Span, Message: in.Name() + " is injected here"}}
	}
	return n.scope.pkg.Declared(obj)
}

func (n lambdaNames) At(place syntax.Place) diag.Span { return n.at(place) }
