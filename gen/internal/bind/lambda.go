package bind

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/gen/internal/model"
	translate "github.com/aiongen/aiongen/gen/internal/python"
	lambda "github.com/aiongen/aiongen/gen/internal/python/syntax"
)

// isLambda reports whether the text of a function is a lambda.
func isLambda(source string) bool {
	rest, ok := strings.CutPrefix(source, "lambda")
	return ok && (rest == "" || strings.ContainsAny(rest[:1], " \t\r\n:*\\"))
}

// resolveLambda turns a lambda into a function literal, which then is bound as one
// that was written in Go.
func (b *binder) resolveLambda(el *aion.Element) (target, bool) {
	text := el.Function.Text
	source := strings.TrimSpace(text.Value)
	lead := strings.Index(text.Value, source)
	at := func(p lambda.Place) diag.Span {
		return diag.Span{File: text.Span.File, Start: text.Pos(lead + p.From), End: text.Pos(lead + p.To)}
	}
	l, faults := lambda.Parse(source, at)
	params, ok := b.lambdaParams(el, l, faults.Err() == nil)
	var fn *translate.Func
	if faults.Err() == nil && ok {
		fn, faults = translate.Compile(l, params, b.wantedResult(el), b.lambdaScope(at))
	}
	for _, d := range faults {
		if d.Code == lambda.Unsupported {
			or := ""
			if len(d.Help) > 0 {
				or = "or "
			}
			d.WithHelp(or+"write a Go function literal: %s", b.literalFor(l, params, b.wantedResult(el)))
		}
	}
	b.faults = append(b.faults, faults...)
	if faults.Err() != nil || !ok || b.refuseShadowed(fn) {
		return target{}, false
	}
	return b.lambdaTarget(l, source, fn), true
}

// refuseShadowed reports what the function of a lambda needs of Go, such as append, and
// the target package declares as something else.
func (b *binder) refuseShadowed(fn *translate.Func) (found bool) {
	selected := map[*ast.Ident]bool{}
	ast.Inspect(fn.Lit, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			selected[n.Sel] = true
		case *ast.Ident:
			if types.Universe.Lookup(n.Name) != nil && fn.Uses[n] == nil && !selected[n] && slices.Contains(b.target.Declared, n.Name) {
				b.refuseShadow(n.Name)
				found = true
			}
		}
		return !found
	})
	return found
}

// lambdaTarget is the function that a lambda became. One that is nothing but a call
// of a function stands for that function: what is said of one is said of the other.
func (b *binder) lambdaTarget(l *lambda.Lambda, source string, fn *translate.Func) target {
	text := &lambdaText{source: source, calls: fn.Calls}
	for _, p := range l.Params {
		text.params = append(text.params, p.Name)
	}
	info := &types.Info{Uses: fn.Uses, Defs: map[*ast.Ident]types.Object{}}
	for _, id := range fn.Locals {
		info.Defs[id] = nil
	}
	t := target{sig: fn.Signature, literal: &literal{FuncLit: fn.Lit, info: info, lambda: text}}
	if call, ok := l.Body.(*lambda.Call); ok && len(fn.Calls) == 1 {
		if _, plain := call.Func.(*lambda.Name); plain {
			t.obj, t.docKey = fn.Calls[0], fn.Calls[0].Name()
		}
	}
	return t
}

// A lambdaText is what a literal keeps of the lambda that it was.
type lambdaText struct {
	source string
	params []string // as the lambda names them, which are their JSON names
	calls  []types.Object
}

// lambdaParams says what notes and schema tell of the parameters of a lambda. How
// many there are counts only if it is sound.
func (b *binder) lambdaParams(el *aion.Element, l *lambda.Lambda, sound bool) ([]translate.Param, bool) {
	params := make([]translate.Param, len(l.Params))
	before := len(b.faults)
	entries := el.Function.Args
	if len(entries) > 0 && len(entries) != len(params) {
		if !sound {
			return nil, false
		}
		b.faults.Errorf("wrong-count", entries[0].Name.Span, "the interface block lists %s, but the lambda has %s",
			plural(len(entries), "argument"), plural(len(params), "parameter")).
			WithHelp("list all of them, or no arg-N at all")
		return nil, false
	}
	for i, e := range entries {
		params[i] = b.lambdaParam(e, e.Name.Value)
	}
	if el.Schema != nil && el.Schema.Name == nil {
		for _, e := range el.Schema.Fields {
			i := slices.IndexFunc(l.Params, func(p lambda.Param) bool { return goname.Loose(p.Name) == goname.Loose(e.Name.Value) })
			if i < 0 {
				continue // reported where schema and parameters are matched
			}
			if p := b.lambdaParam(e, "args_schema"); p.Type != nil || params[i].Type == nil {
				params[i] = p
			}
		}
	} else if el.Schema != nil {
		b.schemaParams(el, l, params)
	}
	return params, b.faults[before:].Err() == nil
}

// lambdaParam is what the note of an argument says, which stands in a property.
func (b *binder) lambdaParam(e aion.Entry, property string) translate.Param {
	p := translate.Param{Origin: "by " + property, Property: e.Name.Value, Span: e.Note.Span}
	p.Optional = e.Note.Optional && (e.Note.Default == nil || e.Note.Default.Kind == aion.NoneLiteral)
	if e.Note.Type == "" {
		return p
	}
	t, err := b.noteType(e.Note.Type)
	if err != nil {
		d := b.faults.Errorf("unknown-type", e.Note.Span, "%s: %q is neither a type word nor a Go type of package %s", e.Name.Value, e.Note.Type, b.pkg.Name)
		b.helpType(d, e.Note.Type)
	}
	p.Type = t
	return p
}

// schemaParams takes the types of parameters from the struct that args_schema names:
// from its fields or, for a single parameter that is none of them, the struct.
func (b *binder) schemaParams(el *aion.Element, l *lambda.Lambda, params []translate.Param) {
	expr, err := parser.ParseExpr(el.Schema.Name.Value)
	var t types.Type
	if err == nil {
		t, err = b.checkType(expr)
	}
	if err != nil {
		b.missingSchema(*el.Schema.Name)
		return
	}
	fields := map[string]types.Type{}
	if _, ok := t.Underlying().(*types.Struct); ok {
		for _, f := range jsonFields(t) {
			fields[goname.Loose(f.name)] = f.v().Type()
		}
	}
	for i, p := range l.Params {
		said := translate.Param{Type: fields[goname.Loose(p.Name)], Origin: "by args_schema", Span: el.Schema.Name.Span}
		if said.Type == nil && len(params) == 1 {
			said.Type = t
		}
		if said.Type != nil {
			params[i] = said
		}
	}
}

// noteType is the type that a note stands for: a word in lower case, else a Go type,
// else a word in any case.
func (b *binder) noteType(text string) (types.Type, error) {
	if t := b.wordType(text); t != nil {
		return t, nil
	}
	expr, err := parser.ParseExpr(text)
	if err == nil {
		var t types.Type
		if t, err = b.checkType(expr); err == nil {
			return t, nil
		}
	}
	if t := b.wordType(strings.ToLower(text)); t != nil {
		return t, nil
	}
	return nil, err
}

// wordType is the type that a type word stands for in a lambda; nil if it is none.
func (b *binder) wordType(word string) types.Type {
	w := aion.WordOf(word)
	elem := types.Universe.Lookup("any").Type()
	if w.Elem != "" {
		var err error
		if elem, err = b.noteType(w.Elem); err != nil {
			return nil
		}
	}
	switch w.Kind {
	case aion.StringKind:
		return types.Typ[types.String]
	case aion.IntKind:
		return types.Typ[types.Int]
	case aion.FloatKind:
		return types.Typ[types.Float64]
	case aion.BoolKind:
		return types.Typ[types.Bool]
	case aion.AnyKind:
		return elem
	case aion.ListKind:
		return types.NewSlice(elem)
	case aion.DictKind:
		return types.NewMap(types.Typ[types.String], elem)
	}
	return nil
}

// wantedResult is the type that return-1 gives; nil if it gives none.
func (b *binder) wantedResult(el *aion.Element) types.Type {
	returns := el.Function.Returns
	if len(returns) != 1 || returns[0].Note.Type == "" {
		return nil
	}
	t, err := b.noteType(returns[0].Note.Type)
	if err != nil {
		return nil // reported where the contract is checked
	}
	return t
}

// literalFor is a function literal of Go in the place of a lambda.
func (b *binder) literalFor(l *lambda.Lambda, params []translate.Param, want types.Type) string {
	var list []string
	for i, p := range l.Params {
		t := "string"
		if i < len(params) && params[i].Type != nil {
			t = b.typeName(params[i].Type)
		}
		if i < len(params) && params[i].Optional && !strings.HasPrefix(t, "*") {
			t = "*" + t
		}
		list = append(list, goname.Unexported(goname.Exported(p.Name, "Arg"))+" "+t)
	}
	result := "any"
	if want != nil {
		result = b.typeName(want)
	}
	return fmt.Sprintf("func(%s) (%s, error) { … }", strings.Join(list, ", "), result)
}

// lambdaScope is what the names in a lambda stand for.
func (b *binder) lambdaScope(at func(lambda.Place) diag.Span) *translate.Scope {
	return &translate.Scope{
		Package: b.pkg.Types,
		Find:    b.findObjects,
		Import:  b.imported,
		Member:  b.findMember,
		Members: b.memberNames,
		LeftOut: func(d *diag.Diagnostic, pkg *types.Package, name string) bool { return b.leftOut(d, pkg, "", name) },
		Supplied: func(t types.Type) bool {
			_, ok := suppliers[types.TypeString(types.Unalias(t), nil)]
			return ok
		},
		Usable:   b.unusable,
		Snake:    goname.Snake,
		Local:    func(name string) string { return goname.Unexported(goname.Exported(name, "Arg")) },
		TypeName: b.typeName,
		Declared: func(obj types.Object) []diag.Related { return b.related(obj, obj.Name()+" is declared here") },
		At:       at,
		Position: func(p lambda.Place) string {
			span := at(p)
			span.File = path.Base(span.File)
			return span.String()
		},
	}
}

// findObjects finds what a name stands for in a package.
func (b *binder) findObjects(pkg *types.Package, name string) []types.Object {
	scope := pkg.Scope()
	known := scope.Names()
	if pkg != b.pkg.Types {
		known = slices.DeleteFunc(known, func(n string) bool { return !token.IsExported(n) })
	}
	obj, rivals := lookup(name, known, scope.Lookup)
	if len(rivals) > 0 || obj == nil {
		return rivals
	}
	return []types.Object{obj}
}

// unusable reports why generated code cannot refer to an object.
func (b *binder) unusable(obj types.Object) error {
	if b.foreign() && !obj.Exported() {
		return fmt.Errorf("%s is not exported, so package %s, where the generated code goes, cannot use it", obj.Name(), b.target.Name)
	}
	if sig, ok := obj.Type().Underlying().(*types.Signature); ok && invalid(sig) || hasInvalid(obj.Type()) {
		return fmt.Errorf("the type of %s does not type-check", obj.Name())
	}
	return nil
}

// findMember finds a field or method of a type by its Go name, its JSON name, or
// another spelling of the Go name.
func (b *binder) findMember(t types.Type, name string) ([]string, types.Object) {
	if obj := b.memberOf(t, name); obj != nil {
		return []string{obj.Name()}, obj
	}
	if s := structOf(t); s != nil {
		for _, f := range jsonFields(s) {
			if f.name == name {
				if obj := b.memberOf(t, f.v().Name()); obj == f.v() {
					return []string{obj.Name()}, obj
				}
			}
		}
	}
	for _, known := range b.memberNames(t) {
		if goname.Spells(name, known) {
			return []string{known}, b.memberOf(t, known)
		}
	}
	return nil, nil
}

// memberOf is the field or method of a type that generated code can name so, unless
// a pointer on the way to it may be nil.
func (b *binder) memberOf(t types.Type, name string) types.Object {
	obj, index, _ := types.LookupFieldOrMethod(t, true, b.pkg.Types, name)
	if obj == nil || b.foreign() && !obj.Exported() {
		return nil
	}
	for s := structOf(t); s != nil && len(index) > 1; index = index[1:] {
		embedded := s.Underlying().(*types.Struct).Field(index[0])
		if isPointer(embedded.Type()) {
			return nil
		}
		s = structOf(embedded.Type())
	}
	return obj
}

// structOf is a struct type, or the one that a pointer points to; nil for others.
func structOf(t types.Type) types.Type {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	if _, ok := t.Underlying().(*types.Struct); ok {
		return t
	}
	return nil
}

// memberNames lists the fields and methods of a type, in order, also those that it has
// by embedding.
func (b *binder) memberNames(t types.Type) []string {
	var list []string
	for name := range methodsOf(t, !b.foreign()) {
		list = append(list, name)
	}
	list = slices.DeleteFunc(append(list, selectable(structOf(t))...), func(name string) bool { return b.memberOf(t, name) == nil })
	return slices.Compact(slices.Sorted(slices.Values(list)))
}

// selectable lists the fields of a struct, and of those that are embedded in it.
func selectable(s types.Type) (list []string) {
	if s == nil {
		return nil
	}
	for field := range s.Underlying().(*types.Struct).Fields() {
		list = append(list, field.Name())
		if field.Embedded() && !isPointer(field.Type()) {
			list = append(list, selectable(structOf(field.Type()))...)
		}
	}
	return list
}

func isPointer(t types.Type) bool {
	_, ok := types.Unalias(t).(*types.Pointer)
	return ok
}

// mentionAll notes the packages that the function of a lambda mentions, or reports
// why it cannot.
func (b *binder) mentionAll(l *literal) error {
	for _, obj := range l.info.Uses {
		if obj.Pkg().Path() != b.target.Path && !obj.Exported() {
			return fmt.Errorf("%s is not exported, so package %s cannot use it", obj.Name(), b.target.Name)
		}
		if err := b.mention(obj); err != nil {
			return err
		}
	}
	return nil
}

// modelLambda is a lambda with the functions that it calls at their types.
func (b *binder) modelLambda(l *lambdaText) *model.Lambda {
	m := &model.Lambda{Text: l.source}
	for _, obj := range l.calls {
		if exact, err := b.goType(obj.Type()); err == nil { // else it cannot be written, but called
			m.Calls = append(m.Calls, &model.Func{Path: obj.Pkg().Path(), Name: obj.Name(), Type: exact})
		}
	}
	return m
}
