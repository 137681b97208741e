package scaffold

import (
	"context"
	"fmt"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/bind"
	"github.com/aiongen/aiongen/gen/internal/folder"
	"github.com/aiongen/aiongen/gen/internal/godoc"
	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/gen/internal/gotype"
	"github.com/aiongen/aiongen/gen/internal/load"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/shape"
	"github.com/aiongen/aiongen/gen/internal/supply"
	"github.com/aiongen/aiongen/internal/toolname"
	"github.com/aiongen/aiongen/internal/words"
)

// A method of a value, such as a date or a decimal number, is of little use on the
// one value that Deps would hold: its tool is a lambda that takes the value.

// takeValues makes lambdas of the elements whose functions are methods of values,
// where the package of the file imports their types and they compile there.
func (s *scaffold) takeValues(ctx context.Context, pkg *load.Package, t target, doc *aion.Document, tools []*model.Tool) {
	shapes := shape.New(gotype.NewWriter(s.budget, pkg, t.Target), godoc.NewReader(pkg), func(types.Type) bool { return false })
	lambdas, fixed := &aion.Document{Name: doc.Name}, map[string]string{}
	for i, el := range doc.Elements {
		if method := valueMethod(pkg, shapes, s.chosen[i].name); method != nil {
			lambdas.Elements = append(lambdas.Elements, lambdaOf(el, tools[i], method, pkg.Path == t.Path))
			holder, _, _ := strings.Cut(plain(s.chosen[i].name), ".")
			fixed[el.Name.Value] = pkg.Name + "." + holder
		}
	}
	if len(lambdas.Elements) == 0 {
		return
	}
	if home := s.home(ctx, pkg, t); home != nil {
		for name, el := range s.bound(home, lambdas, t.Target) {
			i := slices.IndexFunc(doc.Elements, func(el *aion.Element) bool { return el.Name.Value == name })
			doc.Elements[i] = el
			delete(fixed, name)
		}
	}
	s.noteFixed(pkg, t, fixed)
}

// home is the package that the file is for; nil if there is none yet.
func (s *scaffold) home(ctx context.Context, pkg *load.Package, t target) *load.Package {
	if pkg.Path == t.Path {
		return pkg
	}
	cfg := load.Config{Dir: t.dir, Tags: s.cfg.Tags, Generated: folder.IsGenerated}
	found, err := load.Find(ctx, cfg, ".")
	if err != nil || len(found) != 1 || found[0].Empty() || load.Check(ctx, cfg, found[0]) != nil {
		return nil
	}
	return found[0]
}

// bound describes those of the elements, by name, that are lambdas which compile.
func (s *scaffold) bound(home *load.Package, doc *aion.Document, t gotype.Target) map[string]*aion.Element {
	says := godoc.NewReader(home)
	_, _, faults := bind.Bind(s.budget, home, says, []*aion.Document{doc}, t)
	doc.Elements = slices.DeleteFunc(doc.Elements, func(el *aion.Element) bool {
		return slices.ContainsFunc(faults, func(d *diag.Diagnostic) bool {
			return d.Severity == diag.Error && (d.Span.File != doc.Name || d.Span.Start.Line == el.Span.Start.Line)
		})
	})
	m, _, faults := bind.Bind(s.budget, home, says, []*aion.Document{doc}, t)
	if faults.Err() != nil {
		return nil
	}
	described := map[string]*aion.Element{}
	for i, t := range m.Tools() {
		describe(doc.Elements[i], t)
		described[doc.Elements[i].Name.Value] = doc.Elements[i]
	}
	return described
}

// noteFixed says of which types one value is bound for all calls.
func (s *scaffold) noteFixed(pkg *load.Package, t target, fixed map[string]string) {
	if len(fixed) == 0 {
		return
	}
	holders := slices.Compact(slices.Sorted(maps.Values(fixed)))
	note := s.faults.Notef("fixed-receiver", diag.Span{}, "tools of %s are called on one value, which Deps holds", words.List(holders, " and "))
	if pkg.Path != t.Path {
		note.WithHelp("for tools that take the value, let a Go file beside the .aion file import %q, and run aiongen new again", pkg.Path)
	}
}

// valueMethod returns the method that a name means, if what it is called on is a
// value that a model can write.
func valueMethod(pkg *load.Package, shapes *shape.Shapes, name string) *types.Func {
	holder, name, ok := strings.Cut(plain(name), ".")
	obj, isType := pkg.Types.Scope().Lookup(holder).(*types.TypeName)
	if !ok || !isType || types.IsInterface(obj.Type()) {
		return nil
	}
	found, _, _ := types.LookupFieldOrMethod(obj.Type(), true, pkg.Types, name)
	method, ok := found.(*types.Func)
	if !ok {
		return nil
	}
	written, _, err := shapes.Argument(obj.Type(), diag.Span{})
	if err != nil {
		return nil
	}
	_, pointer := receiverOf(method)
	switch written.Kind {
	case model.Text, model.URL, model.BigInt:
		return method
	case model.Bool, model.Int, model.Uint, model.Float, model.String, model.Bytes, model.Number, model.Time, model.Duration,
		model.Slice, model.Array, model.Map:
		if !pointer {
			return method
		}
	}
	return nil
}

// lambdaOf is the element as one whose lambda takes what the method is called on.
func lambdaOf(el *aion.Element, t *model.Tool, method *types.Func, own bool) *aion.Element {
	sig := method.Signature()
	qualifier := func(p *types.Package) string {
		if own && p == method.Pkg() {
			return ""
		}
		return p.Name()
	}
	names, given := []string{}, []string{}
	var args []aion.Entry
	add := func(v *types.Var, typ types.Type) string {
		name := parameterName(v.Name(), len(names), names)
		names = append(names, name)
		args = append(args, note("arg", len(args), types.TypeString(typ, qualifier), descriptionOf(t, v.Name())))
		return name
	}
	on := add(sig.Recv(), sig.Recv().Type())
	for i := range sig.Params().Len() {
		param := sig.Params().At(i)
		if supply.ByRuntime(param.Type()) {
			continue // which comes by itself
		}
		name := add(param, param.Type())
		if sig.Variadic() && i == sig.Params().Len()-1 {
			name = "*" + name
		}
		given = append(given, name)
	}
	lambda := *el
	text := fmt.Sprintf("lambda %s: %s.%s(%s)", strings.Join(names, ", "), on, method.Name(), strings.Join(given, ", "))
	lambda.Function = &aion.Function{Text: aion.Text{Value: text, Span: el.Function.Text.Span}, Block: el.Function.Block, Args: args}
	for i := range lambda.Function.Args {
		lambda.Function.Args[i].Name.Span = el.Span
	}
	return &lambda
}

// pythonWords cannot be names of parameters.
var pythonWords = strings.Fields("and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield deps")

// parameterName is the name of a parameter of a lambda, by which a model gives it.
func parameterName(goName string, i int, taken []string) string {
	name := toolname.Sound(goname.Snake(goName))
	if strings.Trim(name, "_") == "" || slices.Contains(taken, name) || slices.Contains(pythonWords, name) {
		return fmt.Sprintf("arg_%d", i+1)
	}
	return name
}

// descriptionOf is what the comment of a method says of a parameter.
func descriptionOf(t *model.Tool, parameter string) string {
	for _, f := range t.Args.Fields {
		if f.Name == goname.Snake(parameter) && parameter != "" {
			return f.Description
		}
	}
	return ""
}
