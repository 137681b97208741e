package lambda

import (
	"fmt"
	"go/types"
	"path"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/gen/internal/lambda/ir"
	"github.com/aiongen/aiongen/gen/internal/lambda/pysyntax"
)

// Scope resolves the names in a lambda.
type Scope interface {
	// Package returns the package whose functions, variables and constants a lambda can use.
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
	// Fields lists the JSON names of the fields of a struct in the order of their declaration.
	Fields(t types.Type) []string
	// LeftOut explains why a function that is declared in the directory is not part of the
	// package, and reports whether it could.
	LeftOut(d *diag.Diagnostic, pkg *types.Package, name string) bool
	// Supplied reports whether the runtime or the application supplies the parameters
	// of a type.
	Supplied(t types.Type) bool
	// ContextOption returns the function that makes an option of a type from a context, and the
	// type of the context, or nil.
	ContextOption(t types.Type) (option types.Object, context types.Type)
	// Injected lists what the application supplies, the fields of Deps.
	Injected() []*Injected
	// Usable returns why generated code cannot name an object.
	Usable(obj types.Object) error
	// HasGeneratedForm reports whether encoding/json, which writes values in an any, writes
	// those of a type differently from generated code.
	HasGeneratedForm(t types.Type) bool
	// IsText reports whether arguments of a type are strings in JSON.
	IsText(t types.Type) bool
	// TypeName returns the name of a type in messages.
	TypeName(t types.Type) string
	// Declared returns where an object is declared.
	Declared(obj types.Object) []diag.Related
	// At returns where a place of the lambda is.
	At(place pysyntax.Place) diag.Span
}

// localName returns the Go spelling of a lambda's variable name.
func localName(name string) string { return goname.Unexported(goname.Exported(name, "Arg")) }

// faultReport collects the faults of a lambda.
type faultReport struct {
	Scope
	Faults diag.List

	source   string                                    // text of the lambda
	compiles func(at pysyntax.Place, text string) bool // see newTrial; nil in a trial
}

// placeText returns a place for run-time messages.
func (r *faultReport) placeText(place pysyntax.Place) string {
	span := r.At(place)
	span.File = path.Base(span.File)
	return span.String()
}

// addFault reports an error at a place of the lambda.
func (r *faultReport) addFault(code diag.Code, at pysyntax.Place, format string, args ...any) *diag.Diagnostic {
	return r.Faults.Errorf(code, r.At(at), format, args...)
}

// wrapEdits returns the edits that wrap an expression in a function call.
func (r *faultReport) wrapEdits(function string, at pysyntax.Place) []diag.Edit {
	span := r.At(at)
	start := span
	start.End = start.Start
	return []diag.Edit{start.Insert(function + "("), span.Insert(")")}
}

// addMismatch reports types that do not match.
func (r *faultReport) addMismatch(at pysyntax.Place, format string, args ...any) *diag.Diagnostic {
	return r.addFault("lambda-type", at, format, args...)
}

// addValueMismatch reports a value of the wrong type, and where the type comes from.
func (r *faultReport) addValueMismatch(v *ir.Value, at pysyntax.Place, format string, args ...any) *diag.Diagnostic {
	return explainOrigins(r.addMismatch(at, format, args...), v)
}

// addUnsupported reports a Python construct that lambdas do not support.
func (r *faultReport) addUnsupported(at pysyntax.Place, construct string) *diag.Diagnostic {
	return r.addFault(pysyntax.Unsupported, at, "lambdas do not support %s", construct)
}

// explainOrigins adds where the types of values come from.
func explainOrigins(d *diag.Diagnostic, values ...*ir.Value) *diag.Diagnostic {
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

// addWrongType reports a value of the wrong type. The message describes the value, as "this" if it has
// no name.
func (r *faultReport) addWrongType(v *ir.Value, at pysyntax.Place, format string, args ...any) *diag.Diagnostic {
	return r.addValueMismatch(v, at, format+", but %s", append(args, r.describeThis(v))...)
}

// addIncompatible reports values whose types are incompatible, and where the types come from.
func (r *faultReport) addIncompatible(at pysyntax.Place, values []*ir.Value, format string, args ...any) *diag.Diagnostic {
	d := r.addMismatch(at, format, args...)
	var sides []string
	for _, v := range values {
		if side := r.describeValue(v); v.Origin.What != "" && !slices.Contains(sides, side) {
			sides = append(sides, side)
		}
	}
	if len(sides) > 0 {
		d.Message += ": " + strings.Join(sides, "; ")
	}
	return explainOrigins(d, values...)
}

// describeValue returns a value's name and type for messages.
func (r *faultReport) describeValue(v *ir.Value) string {
	text := r.describeType(v.Type)
	if v.Origin.What != "" {
		text = v.Origin.What + " is " + text
		if v.Origin.Why != "" {
			text += ", " + v.Origin.Why
		}
	}
	return text
}

// describeThis is describeValue for the value at the place of a message.
func (r *faultReport) describeThis(v *ir.Value) string {
	if v.Origin.What == "" {
		return "this is " + r.describeType(v.Type)
	}
	return r.describeValue(v)
}

// describeType returns a type for messages: Python's name if there is one, followed by Go's if that
// adds information.
func (r *faultReport) describeType(t types.Type) string {
	goes := func(k ir.Kind) string { return fmt.Sprintf("%s (Go's %s)", ir.KindNames[k], r.TypeName(t)) }
	switch k := ir.KindOf(t); k {
	case ir.None, ir.Bool, ir.Int, ir.Float, ir.Str:
		if _, named := types.Unalias(t).(*types.Named); named {
			return goes(k)
		}
		return ir.KindNames[k]
	case ir.List, ir.Dict:
		if ir.IsEmpty(t) || !strings.ContainsAny(r.TypeName(t), "[") {
			return ir.KindNames[k]
		}
		return goes(k)
	case ir.Any:
		return "any"
	case ir.Optional:
		return r.describeType(ir.ElemType(t)) + " or None"
	case ir.Tuple:
		return "several values"
	}
	return r.TypeName(t)
}

// addAmbiguousObjects reports a name that matches several objects.
func (r *faultReport) addAmbiguousObjects(name string, at pysyntax.Place, found []types.Object) {
	var names []string
	for _, obj := range found {
		names = append(names, obj.Name())
	}
	d := r.addAmbiguous(name, at, names)
	for _, obj := range found {
		d.Related = append(d.Related, r.Declared(obj)...)
	}
}

// addAmbiguous reports a name that matches several Go names.
func (r *faultReport) addAmbiguous(name string, at pysyntax.Place, found []string) *diag.Diagnostic {
	d := r.addFault("ambiguous-function", at, "%q may be %s or %s", name, found[0], found[1])
	d.WithHelp("write the Go name exactly")
	for _, goName := range found {
		d.WithGuess(diag.Edit{Span: d.Span, Text: goName})
	}
	return d
}
