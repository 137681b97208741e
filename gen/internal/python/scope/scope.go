// Package scope is what a lambda is checked against: what its names stand for, and
// how its faults are said.
//
// Its layers, from top to bottom:
//
//	names  what names stand for
//	deps   what the application supplies
//	scope  what a package tells of its names; faults
package scope

import (
	"fmt"
	"go/types"
	"path"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/gen/internal/python/code"
	"github.com/aiongen/aiongen/gen/internal/python/kind"
	"github.com/aiongen/aiongen/gen/internal/python/syntax"
)

// A Scope says what the names of a lambda stand for.
type Scope interface {
	// Package is the one whose functions, variables and constants are named.
	Package() *types.Package
	// Find returns the object of a package that a name stands for, exactly or
	// in another spelling, or several that it may stand for.
	Find(pkg *types.Package, name string) []types.Object
	// Import returns the package that goes by a name in the package's files.
	Import(name string) *types.Package
	// Member returns the selectors that lead to a field of a type, or its
	// method, by its Go name, its JSON name, or another spelling.
	Member(t types.Type, name string) ([]string, types.Object)
	// Members lists the names of fields and methods of a type.
	Members(t types.Type) []string
	// LeftOut adds why a package does not have a function that is declared beside
	// it, and reports whether that is so.
	LeftOut(d *diag.Diagnostic, pkg *types.Package, name string) bool
	// Supplied reports whether the runtime or the application supplies the parameters
	// of a type.
	Supplied(t types.Type) bool
	// Injected lists what the application supplies, the fields of Deps.
	Injected() []*Injected
	// Usable returns why generated code cannot name an object.
	Usable(obj types.Object) error
	// TypeName returns the name of a type in messages.
	TypeName(t types.Type) string
	// Declared returns where an object is declared.
	Declared(obj types.Object) []diag.Related
	// At returns where a place of the lambda is.
	At(place syntax.Place) diag.Span
}

// Local returns the name of a variable of a lambda as Go spells it.
func Local(name string) string { return goname.Unexported(goname.Exported(name, "Arg")) }

// A Report collects the faults of a lambda.
type Report struct {
	Scope
	Faults diag.List
}

// Position returns a place as messages at run time give it.
func (r *Report) Position(place syntax.Place) string {
	span := r.At(place)
	span.File = path.Base(span.File)
	return span.String()
}

// Fault reports an error at a place of the lambda.
func (r *Report) Fault(code diag.Code, at syntax.Place, format string, args ...any) *diag.Diagnostic {
	return r.Faults.Errorf(code, r.At(at), format, args...)
}

// Around are the edits that write a call of a function around an expression.
func (r *Report) Around(function string, at syntax.Place) []diag.Edit {
	span := r.At(at)
	start := span
	start.End = start.Start
	return []diag.Edit{start.Insert(function + "("), span.Insert(")")}
}

// Mismatch reports types that do not fit.
func (r *Report) Mismatch(at syntax.Place, format string, args ...any) *diag.Diagnostic {
	return r.Fault("lambda-type", at, format, args...)
}

// Unsupported reports what Python has and lambdas here do not.
func (r *Report) Unsupported(at syntax.Place, construct string) *diag.Diagnostic {
	return r.Fault(syntax.Unsupported, at, "a lambda here cannot hold %s", construct)
}

// Because adds where the types of values come from.
func Because(d *diag.Diagnostic, values ...*code.Value) *diag.Diagnostic {
	for _, v := range values {
		if help := v.Origin.Help; help != "" && !slices.Contains(d.Help, help) {
			d.Help = append(d.Help, help)
		}
		for _, r := range v.Origin.Related {
			if !slices.Contains(d.Related, r) {
				d.Related = append(d.Related, r)
			}
		}
	}
	return d
}

// Wrong reports a value that does not fit, at whose place the words say `this`.
func (r *Report) Wrong(v *code.Value, at syntax.Place, format string, args ...any) *diag.Diagnostic {
	return Because(r.Mismatch(at, format+", but %s", append(args, r.DescribeThis(v))...), v)
}

// Unfit reports values that do not fit together: what each of them is, and why.
func (r *Report) Unfit(at syntax.Place, values []*code.Value, format string, args ...any) *diag.Diagnostic {
	d := r.Mismatch(at, format, args...)
	var sides []string
	for _, v := range values {
		if side := r.Describe(v); v.Origin.What != "" && !slices.Contains(sides, side) {
			sides = append(sides, side)
		}
	}
	if len(sides) > 0 {
		d.Message += ": " + strings.Join(sides, "; ")
	}
	return Because(d, values...)
}

// Describe is a value as messages mention it.
func (r *Report) Describe(v *code.Value) string {
	text := r.Name(v.Type)
	if v.Origin.What != "" {
		text = v.Origin.What + " is " + text
		if v.Origin.Why != "" {
			text += ", " + v.Origin.Why
		}
	}
	return text
}

// DescribeThis is a value at the place of a message.
func (r *Report) DescribeThis(v *code.Value) string {
	if v.Origin.What == "" {
		return "this is " + r.Name(v.Type)
	}
	return r.Describe(v)
}

// Name is a type as messages show it: Python's names where there are some, with
// Go's behind them where that says more.
func (r *Report) Name(t types.Type) string {
	goes := func(k kind.Kind) string { return fmt.Sprintf("%s (Go's %s)", kind.Names[k], r.TypeName(t)) }
	switch k := kind.Of(t); k {
	case kind.None, kind.Bool, kind.Int, kind.Float, kind.Str:
		if _, named := types.Unalias(t).(*types.Named); named {
			return goes(k)
		}
		return kind.Names[k]
	case kind.List, kind.Dict:
		if kind.IsEmpty(t) || !strings.ContainsAny(r.TypeName(t), "[") {
			return kind.Names[k]
		}
		return goes(k)
	case kind.Any:
		return "any"
	case kind.Optional:
		return r.Name(kind.Elem(t)) + " or None"
	case kind.Tuple:
		return "several values"
	}
	return r.TypeName(t)
}

// ambiguous reports a name that may be one of several objects.
func (r *Report) ambiguous(name string, at syntax.Place, found []types.Object) {
	var names []string
	for _, obj := range found {
		names = append(names, obj.Name())
	}
	d := r.Ambiguous(name, at, names)
	for _, obj := range found {
		d.Related = append(d.Related, r.Declared(obj)...)
	}
}

// Ambiguous reports a name that may be one of several in Go.
func (r *Report) Ambiguous(name string, at syntax.Place, found []string) *diag.Diagnostic {
	d := r.Fault("ambiguous-function", at, "%q may be %s or %s", name, found[0], found[1])
	d.WithHelp("write the Go name exactly")
	for _, goName := range found {
		d.WithGuess(diag.Edit{Span: d.Span, Text: goName})
	}
	return d
}
