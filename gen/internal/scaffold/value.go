package scaffold

import (
	"context"
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/bind"
	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/gen/internal/load"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/resolve"
	"github.com/aiongen/aiongen/gen/internal/shape"
	"github.com/aiongen/aiongen/gen/internal/source"
	"github.com/aiongen/aiongen/internal/words"
)

// By default, the receiver of a method is a fixed value in Deps. That is of little use if the receiver is
// a plain value, such as a date or a decimal number. The tool for such a method is a lambda that takes the
// receiver as an argument.

// useLambdas replaces methods of values by lambdas, if the package of the file imports
// their types and the lambdas compile there.
func (s *scaffold) useLambdas(pkg *load.Package, declared declaredTypes, t target, doc *aion.Document, tools []*model.Tool) {
	var all []replacement
	for i, el := range doc.Elements {
		if method := findValueMethod(declared, s.chosen[i].name); method != nil {
			lambda := newLambdaElement(el, tools[i], method, pkg.Path == t.Path)
			if slices.ContainsFunc(lambda.Function.Args, func(e aion.Entry) bool { return !isWritableNote(e.Note) }) {
				continue // a type that a note cannot contain
			}
			all = append(all, replacement{index: i, element: lambda})
		}
	}
	var fixed []string // types whose methods are still called on the value in Deps
	for _, r := range s.replaceElements(doc, all, func(lambdas *aion.Document) map[string]*aion.Element { return s.bindLambdas(lambdas, t) }) {
		holder, _, _ := strings.Cut(withoutPointer(s.chosen[r.index].name), ".")
		fixed = append(fixed, pkg.Name+"."+holder)
	}
	s.noteFixed(pkg, t, fixed)
}

// A replacement is an element with a lambda or a function literal that may replace an element of the document.
type replacement struct {
	index   int // of the element in the document
	element *aion.Element
	todo    string // description of the element in the document if the replacement does not compile; "" keeps its own
}

// replaceElements replaces elements of a document. compile returns those replacements that compile in the package of the
// file, by name. replaceElements returns the others.
func (s *scaffold) replaceElements(doc *aion.Document, all []replacement, compile func(*aion.Document) map[string]*aion.Element) (others []replacement) {
	candidates, compiled := &aion.Document{Name: doc.Name}, map[string]*aion.Element{}
	for _, r := range all {
		candidates.Elements = append(candidates.Elements, r.element)
	}
	if len(all) > 0 && s.home != nil {
		compiled = compile(candidates)
	}
	for _, r := range all {
		el := doc.Elements[r.index]
		if replaced := compiled[el.Name.Value]; replaced != nil {
			doc.Elements[r.index] = replaced
			continue
		}
		others = append(others, r)
		if todo := (aion.Text{Value: r.todo}); todo.Value != "" && isWritable(todo) {
			el.Description = &todo
		}
	}
	return others
}

// withFunction returns a copy of an element that has a lambda or a function literal with the given entries of arguments.
func withFunction(el *aion.Element, text string, args []aion.Entry) *aion.Element {
	changed := *el
	changed.Function = &aion.Function{Text: aion.Text{Value: text, Span: el.Function.Text.Span}, Block: el.Function.Block, Args: args}
	for i := range args {
		args[i].Name.Span = el.Span
	}
	return &changed
}

// declaredTypes holds the package of the functions and the shapes of its types. The shapes depend on
// declarations in the package of the file, such as tool.Represent.
type declaredTypes struct {
	pkg    *types.Package
	shapes *shape.Shapes
}

// readDeclaredTypes returns the types of the package of the functions. If possible, it imports them as the
// package of the file does.
func (s *scaffold) readDeclaredTypes(pkg *load.Package, t target) declaredTypes {
	home, declared := pkg, pkg.Types
	if s.home != nil && s.home != pkg {
		if imported, err := s.home.Import(pkg.Path); err == nil {
			home, declared = s.home, imported
		}
	}
	return declaredTypes{declared, bind.ReadShapes(s.budget, home, source.NewDocReader(home), t.Target)}
}

// loadTarget returns the package that the file belongs to, or nil if it does not exist yet.
func (s *scaffold) loadTarget(ctx context.Context, pkg *load.Package, t target) *load.Package {
	if pkg.Path == t.Path {
		return pkg
	}
	cfg := load.Config{Dir: t.dir, Tags: s.cfg.Tags, Generated: load.IsGenerated}
	found, err := load.Find(ctx, cfg, ".")
	if err != nil || len(found) != 1 || found[0].IsEmpty() || load.Check(ctx, cfg, found[0]) != nil {
		return nil
	}
	return found[0]
}

// bindLambdas returns the elements whose lambdas compile, by name, with descriptions.
func (s *scaffold) bindLambdas(doc *aion.Document, t target) map[string]*aion.Element {
	docs := source.NewDocReader(s.home)
	bindAll := func() (*model.Package, diag.List) {
		m, _, faults := bind.Bind(s.budget, s.home, docs, []*aion.Document{doc}, t.Target)
		return m, slices.DeleteFunc(faults, func(d *diag.Diagnostic) bool { return d.Severity != diag.Error || isAboutGo(d, doc) })
	}
	_, faults := bindAll()
	doc.Elements = slices.DeleteFunc(doc.Elements, func(el *aion.Element) bool {
		return slices.ContainsFunc(faults, func(d *diag.Diagnostic) bool { return d.Span.File == "" || d.Span.Start.Line == el.Span.Start.Line })
	})
	described := map[string]*aion.Element{}
	m, faults := bindAll()
	if len(faults) > 0 {
		return described
	}
	for i, t := range m.Tools() {
		describeElement(doc.Elements[i], t, s.home.Path)
		described[doc.Elements[i].Name.Value] = doc.Elements[i]
	}
	return described
}

// isAboutGo reports whether a diagnostic is about a Go file, such as an annotation of a tool that the
// document does not contain. These diagnostics are reported when code is generated.
func isAboutGo(d *diag.Diagnostic, doc *aion.Document) bool {
	return d.Span.File != "" && d.Span.File != doc.Name
}

// noteFixed adds a note that lists the types whose methods the tools always call on the value in Deps.
func (s *scaffold) noteFixed(pkg *load.Package, t target, fixed []string) {
	if len(fixed) == 0 {
		return
	}
	holders := slices.Compact(slices.Sorted(slices.Values(fixed)))
	note := s.faults.Notef("fixed-receiver", diag.Span{}, "tools of %s are always called on the value in Deps", words.List(holders, " and "))
	if pkg.Path != t.Path {
		note.WithHelp("for tools that take the value, import %q in a Go file next to the .aion file, and run go tool aiongen new again", pkg.Path)
	}
}

// findValueMethod returns the method with a name, or nil. The method must belong to a type whose values a
// model can write.
func findValueMethod(declared declaredTypes, name string) *types.Func {
	holder, name, ok := strings.Cut(withoutPointer(name), ".")
	obj, isType := declared.pkg.Scope().Lookup(holder).(*types.TypeName)
	if !ok || !isType || types.IsInterface(obj.Type()) {
		return nil
	}
	found, _, _ := types.LookupFieldOrMethod(obj.Type(), true, declared.pkg, name)
	method, ok := found.(*types.Func)
	if !ok {
		return nil
	}
	argument, _, err := declared.shapes.ReadArgument(obj.Type(), diag.Span{})
	if err != nil {
		return nil
	}
	_, pointer := receiverOf(method)
	switch argument.Kind {
	case model.Text, model.URL, model.BigInt, model.Represented:
		return method
	case model.Bool, model.Int, model.Uint, model.Float, model.String, model.Bytes, model.Number, model.Time, model.Duration,
		model.Slice, model.Array, model.Map:
		if !pointer {
			return method
		}
	}
	return nil
}

// newLambdaElement returns the element with a lambda that takes the receiver of the method. If own is
// true, the method belongs to the package of the file.
func newLambdaElement(el *aion.Element, t *model.Tool, method *types.Func, own bool) *aion.Element {
	sig := method.Signature()
	qualifier := func(p *types.Package) string {
		if own && p == method.Pkg() {
			return ""
		}
		return p.Name()
	}
	names, callArgs := []string{}, []string{}
	var args []aion.Entry
	add := func(v *types.Var, typ types.Type) string {
		name := chooseParameterName(v.Name(), len(names), names)
		names = append(names, name)
		word := strings.ReplaceAll(types.TypeString(typ, qualifier), "interface{}", "any")
		args = append(args, newEntry("arg", len(args), word, findDescription(t, v.Name())))
		return name
	}
	receiver := add(sig.Recv(), sig.Recv().Type())
	for i := range sig.Params().Len() {
		param := sig.Params().At(i)
		if resolve.IsRuntimeSupplied(param.Type()) {
			continue
		}
		name := add(param, param.Type())
		if sig.Variadic() && i == sig.Params().Len()-1 {
			name = "*" + name
		}
		callArgs = append(callArgs, name)
	}
	text := fmt.Sprintf("lambda %s: %s.%s(%s)", strings.Join(names, ", "), receiver, method.Name(), strings.Join(callArgs, ", "))
	return withFunction(el, text, args)
}

// reservedNames cannot be names of the parameters of a lambda.
var reservedNames = strings.Fields("and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield deps")

// chooseParameterName returns a name for a parameter of a lambda. Models see this name.
func chooseParameterName(goName string, i int, inUse []string) string {
	name := words.ToolName(goname.SnakeCase(goName))
	if strings.Trim(name, "_") == "" || slices.Contains(inUse, name) || slices.Contains(reservedNames, name) {
		return fmt.Sprintf("arg_%d", i+1)
	}
	return name
}

// findDescription returns the description of a parameter in the comment of a method.
func findDescription(t *model.Tool, parameter string) string {
	for _, f := range t.Args.Fields {
		if f.Name == goname.SnakeCase(parameter) && parameter != "" {
			return f.Description
		}
	}
	return ""
}
