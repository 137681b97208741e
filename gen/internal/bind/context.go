package bind

import (
	"go/types"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/resolve"
	"github.com/aiongen/aiongen/gen/internal/source"
)

// noteNoContext adds a Note if a function of another module gets no context, so that nothing can
// interrupt a call. It ignores functions without an error result, which are rarely slow, and
// functions of the standard library unless they have a variant with a context.
func (b *binder) noteNoContext(el *element) {
	f, ok := el.fn.Obj.(*types.Func)
	if !ok || el.tool.Args == nil || f.Pkg() == nil || b.pkg.IsInModule(f.Pkg().Path()) || getsContext(el.tool.Func) {
		return
	}
	variant, results := resolve.ContextVariant(f), f.Signature().Results()
	returnsError := results.Len() > 0 && source.IsError(results.At(results.Len()-1).Type())
	if variant == nil && (!returnsError || isStandard(f.Pkg().Path())) {
		return
	}
	d := el.addNote("no-context", diag.Group{Many: "tools call functions that get no context, so deadlines and cancellation do not reach them"},
		"%s gets no context, so deadlines and cancellation do not reach it", f.Name())
	if variant != nil {
		d.WithHelp("name %s instead, which takes one", variant.Name()).
			WithGuess(el.Function.Text.Replace(f.Name(), variant.Name())...)
		return
	}
	if sig := f.Signature(); sig.Variadic() {
		elem := sig.Params().At(sig.Params().Len() - 1).Type().(*types.Slice).Elem()
		if option := resolve.FindContextOption(elem); option != nil {
			d.WithHelp("declare in a Go file of the package: var _ = tool.PassContext(%s.%s)", option.Pkg().Name(), option.Name())
			return
		}
	}
	d.WithHelp("if calls may take long, write a Go function that takes a context and ends when it is canceled")
}

// getsContext reports whether the context of the call reaches a function, or the sequence that it
// returns.
func getsContext(f *model.Func) bool {
	return f.Sequence != nil && f.Sequence.Context || slices.ContainsFunc(f.Args, func(a model.Arg) bool { return a.Source.IsInContext() || a.Option != nil }) ||
		slices.ContainsFunc(f.Fill, func(f model.Fill) bool { return f.Source.IsInContext() })
}

// isStandard reports whether path is an import path of the standard library.
func isStandard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".")
}
