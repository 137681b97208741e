package resolve

import (
	"errors"
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"
	"sync"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/gen/internal/lambda"
	"github.com/aiongen/aiongen/gen/internal/lambda/pysyntax"
	"github.com/aiongen/aiongen/gen/internal/shape"
	"github.com/aiongen/aiongen/gen/internal/source"
	"github.com/aiongen/aiongen/internal/values"
	"github.com/aiongen/aiongen/internal/words"
)

// isLambda reports whether the text of a function is a lambda.
func isLambda(source string) bool {
	rest, ok := strings.CutPrefix(source, "lambda")
	return ok && (rest == "" || strings.ContainsAny(rest[:1], " \t\r\n:*\\"))
}

// resolveLambda compiles a lambda to a function literal, which is bound like a literal written in
// Go.
func (r *resolver) resolveLambda(el *aion.Element) (Function, bool) {
	text := el.Function.Text
	source := strings.TrimSpace(text.Value)
	lead := strings.Index(text.Value, source)
	index := sync.OnceValue(text.Index)
	at := func(p pysyntax.Place) diag.Span { return index().Between(lead+p.From, lead+p.To) }
	l, faults := pysyntax.Parse(source, at)
	params, ok := r.lambdaParams(el, l, faults.Err() == nil)
	var fn *lambda.Func
	if faults.Err() == nil && ok {
		fn, faults = lambda.Compile(l, params, r.wantedResult(el), lambdaNames{r.Scope, at})
	}
	for _, d := range faults {
		if d.Code == pysyntax.Unsupported && !errors.Is(d, pysyntax.ErrNotInGo) && !errors.Is(d, pysyntax.ErrLiteralShown) {
			prefix := ""
			if len(d.Help) > 0 {
				prefix = "or "
			}
			d.WithHelp(prefix+"write a Go function literal: %s", r.suggestLiteral(l, params, r.wantedResult(el)))
		}
	}
	r.faults = append(r.faults, faults...)
	if faults.Err() != nil || !ok || r.reportShadowed(fn) {
		return Function{}, false
	}
	f := r.newLambdaFunction(l, source, fn)
	return f, !r.reportDuplicate(text, f)
}

// reportShadowed reports a predeclared Go name, such as append, that the function of a lambda needs
// but that the target package declares. It returns true if there is one.
func (r *resolver) reportShadowed(fn *lambda.Func) (found bool) {
	selected := map[*ast.Ident]bool{}
	ast.Inspect(fn.Lit, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			selected[n.Sel] = true
		case *ast.Ident:
			if types.Universe.Lookup(n.Name) != nil && fn.Uses[n] == nil && !selected[n] && slices.Contains(r.write.Target.Declared, n.Name) {
				r.ReportShadow(&r.faults, n.Name)
				found = true
			}
		}
		return !found
	})
	return found
}

// newLambdaFunction returns the function that a lambda was compiled to. A lambda that only calls a
// function or method has the documentation of that function or method.
func (r *resolver) newLambdaFunction(l *pysyntax.Lambda, written string, fn *lambda.Func) Function {
	text := &Lambda{Source: written, Calls: fn.Called.Functions}
	for _, p := range l.Params {
		text.Params = append(text.Params, p.Name)
	}
	info := &types.Info{Uses: fn.Uses, Defs: map[*ast.Ident]types.Object{}}
	for _, id := range fn.Locals {
		info.Defs[id] = nil
	}
	t := Function{Sig: fn.Signature, Literal: &Literal{FuncLit: fn.Lit, Info: info, Lambda: text}}
	switch called := fn.Called.OnlyCall.(type) {
	case *types.Func:
		t.Obj, t.DocKey = called, source.DocKey(called)
	case *types.Var:
		if !called.IsField() {
			t.Obj, t.DocKey = called, called.Name()
		}
	}
	return t
}

// A Lambda is the source of a literal that was compiled from a lambda.
type Lambda struct {
	Source string
	Params []string // names of the parameters, which are their JSON names
	Calls  []types.Object
}

// lambdaParams returns the types that notes and args_schema give to the parameters of a lambda. It reports a
// wrong number of notes only if parsed is true, so that the lambda has no syntax errors.
func (r *resolver) lambdaParams(el *aion.Element, l *pysyntax.Lambda, parsed bool) ([]lambda.Param, bool) {
	params := make([]lambda.Param, len(l.Params))
	before := len(r.faults)
	entries := el.Function.Args
	if len(entries) > 0 && len(entries) != len(params) {
		if !parsed {
			return nil, false
		}
		r.faults.Errorf("wrong-count", entries[0].Name.Span, "the interface block lists %s, but the lambda has %s",
			words.Count(len(entries), "argument"), words.Count(len(params), "parameter")).
			WithHelp("list all of them, or list none")
		return nil, false
	}
	for i, e := range entries {
		params[i] = r.lambdaParam(e, e.Name.Value)
	}
	if el.Schema != nil && el.Schema.Name == nil {
		for _, e := range el.Schema.Fields {
			i := slices.IndexFunc(l.Params, func(p pysyntax.Param) bool { return words.FoldName(p.Name) == words.FoldName(e.Name.Value) })
			if i < 0 {
				continue // reported where schema and parameters are matched
			}
			if p := r.lambdaParam(e, "args_schema"); p.Type != nil || params[i].Type == nil {
				params[i] = p
			}
		}
	} else if el.Schema != nil {
		r.addSchemaParams(el, l, params)
	}
	return params, r.faults[before:].Err() == nil
}

// lambdaParam returns the type that a note gives to a parameter. The string property says where the note is,
// such as arg-1 or args_schema.
func (r *resolver) lambdaParam(e aion.Entry, property string) lambda.Param {
	p := lambda.Param{Origin: "by " + property, Entry: e.Name.Value, Span: e.Note.Span}
	p.Optional = e.Note.Optional && (e.Note.Default == nil || values.FormOf(*e.Note.Default) == values.NoneForm)
	if e.Note.Type == "" {
		return p
	}
	t, err := r.NoteType(e.Note.Type)
	if err != nil {
		d := r.faults.Errorf("unknown-type", e.Note.Span, "%s: %q is neither a type word nor a Go type of package %s", e.Name.Value, e.Note.Type, r.pkg.Name)
		r.HelpType(d, &e.Note, "")
	}
	p.Type, p.Word = t, e.Note.Type
	return p
}

// addSchemaParams takes the types of parameters from the struct that args_schema names: from
// its fields, or, for a single parameter that matches none of them, the struct itself.
func (r *resolver) addSchemaParams(el *aion.Element, l *pysyntax.Lambda, params []lambda.Param) {
	t, err := r.TypeOf(el.Schema.Name.Value)
	if err != nil {
		r.ReportMissingSchema(&r.faults, *el.Schema.Name)
		return
	}
	fields := map[string]types.Type{}
	if _, ok := t.Underlying().(*types.Struct); ok {
		declared, clashes := shape.JSONFields(r.write.Budget, t, nil, nil)
		for _, clash := range clashes { // the embedded structs with the clashing fields are separate objects
			for _, v := range shape.DivergingEmbedded(clash) {
				fields[words.FoldName(v.Name())] = v.Type()
			}
		}
		for _, f := range declared {
			fields[words.FoldName(f.Name)] = f.Variable().Type()
		}
	}
	for i, p := range l.Params {
		param := lambda.Param{Type: fields[words.FoldName(p.Name)], Origin: "by args_schema", Span: el.Schema.Name.Span}
		if param.Type == nil && len(params) == 1 {
			param.Type = t
		}
		if param.Type != nil {
			params[i] = param
		}
	}
}

// suggestLiteral returns a Go function literal to write instead of a lambda.
func (s *Scope) suggestLiteral(l *pysyntax.Lambda, params []lambda.Param, want types.Type) string {
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

// lambdaNames implements lambda.Scope.
type lambdaNames struct {
	scope *Scope
	at    func(pysyntax.Place) diag.Span
}

var _ lambda.Scope = lambdaNames{}

func (n lambdaNames) Package() *types.Package { return n.scope.pkg.Types }

func (n lambdaNames) Find(pkg *types.Package, name string) []types.Object {
	obj, rivals := n.scope.lookupIn(pkg, name)
	if len(rivals) > 0 || obj == nil {
		return rivals
	}
	return []types.Object{obj}
}

func (n lambdaNames) Import(name string) *types.Package { return n.scope.findImport(name) }

func (n lambdaNames) Member(t types.Type, name string) ([]string, types.Object) {
	return n.scope.findMember(t, name)
}

func (n lambdaNames) Members(t types.Type) []string { return n.scope.memberNames(t) }

func (n lambdaNames) Fields(t types.Type) (list []string) {
	if t = derefStruct(t); t == nil {
		return nil
	}
	fields, _ := shape.JSONFields(n.scope.write.Budget, t, nil, nil)
	for _, f := range fields {
		list = append(list, f.Name)
	}
	return list
}

func (n lambdaNames) LeftOut(d *diag.Diagnostic, pkg *types.Package, name string) bool {
	return n.scope.helpWithLeftOut(d, pkg, "", name)
}

func (n lambdaNames) Supplied(t types.Type) bool { return n.scope.supply.HasType(t) }

func (n lambdaNames) ContextOption(t types.Type) (types.Object, types.Type) {
	if o := n.scope.supply.ContextOption(t); o != nil {
		return o.Func, o.Context
	}
	return nil, nil
}

func (n lambdaNames) Usable(obj types.Object) error {
	write := n.scope.write
	if write.IsForeign() && !obj.Exported() {
		return fmt.Errorf("%s is not exported, so package %s, where the generated code goes, cannot use it", obj.Name(), write.Target.Name)
	}
	if sig, ok := obj.Type().Underlying().(*types.Signature); ok && isBrokenSignature(sig) || isBrokenType(obj.Type()) {
		return fmt.Errorf("the type of %s does not type-check", obj.Name())
	}
	return nil
}

func (n lambdaNames) HasGeneratedForm(t types.Type) bool { return n.scope.shapes.HasGeneratedForm(t) }

func (n lambdaNames) IsText(t types.Type) bool { return n.scope.shapes.IsText(t) }

func (n lambdaNames) TypeName(t types.Type) string { return n.scope.pkg.TypeName(t) }

func (n lambdaNames) Injected() []*lambda.Injected { return n.scope.injected }

func (n lambdaNames) Declared(obj types.Object) []diag.Related {
	if in, ok := obj.(*lambda.Injected); ok {
		return []diag.Related{{Span: in.Span, Message: in.Name() + " is injected here"}}
	}
	return n.scope.pkg.RelatedDeclaration(obj)
}

func (n lambdaNames) At(place pysyntax.Place) diag.Span { return n.at(place) }
