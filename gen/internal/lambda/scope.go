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
	// Package returns the package whose functions, variables and constants a lambda can use without a qualifier.
	Package() *types.Package
	// Find returns the object of a package to which a name refers, exactly or in another spelling. If the name is
	// ambiguous, it returns all objects to which it may refer.
	Find(pkg *types.Package, name string) []types.Object
	// Import returns the package that files of the package import under a name, or nil.
	Import(name string) *types.Package
	// Member returns a field or method of a type and the selectors that lead to it. name is its Go name, its JSON
	// name, or another spelling of one. The object is nil if there is none.
	Member(t types.Type, name string) ([]string, types.Object)
	// Members lists the names of fields and methods of a type.
	Members(t types.Type) []string
	// Fields lists the JSON names of the fields of a struct in the order of their declaration.
	Fields(t types.Type) []string
	// LeftOut adds help to d if a function exists, but cannot be used: its file is not part of the package, its name is
	// not exported, or the package cannot be imported. It reports whether that is so.
	LeftOut(d *diag.Diagnostic, pkg *types.Package, name string) bool
	// Supplied reports whether the runtime or the application supplies parameters of a type, so that a lambda must not
	// pass them.
	Supplied(t types.Type) bool
	// ContextOption returns a function such as WithContext, which takes a context and returns a functional option of
	// type t, and the type of that context. It returns nil if there is no such function.
	ContextOption(t types.Type) (option types.Object, context types.Type)
	// Injected returns the values that the application supplies: the fields of Deps.
	Injected() []*Injected
	// Usable returns an error that says why generated code cannot refer to an object, or nil.
	Usable(obj types.Object) error
	// HasGeneratedForm reports whether generated code writes values of a type differently from encoding/json,
	// which writes the value of an any.
	HasGeneratedForm(t types.Type) bool
	// IsText reports whether arguments of a type are strings in JSON.
	IsText(t types.Type) bool
	// TypeName returns the name of a type in messages.
	TypeName(t types.Type) string
	// Declared returns where an object is declared.
	Declared(obj types.Object) []diag.Related
	// At returns the span in the .aion file for a place in the lambda.
	At(place pysyntax.Place) diag.Span
}

// localName returns the Go spelling of a parameter or loop variable: "maxCount" for max_count.
func localName(name string) string { return goname.Unexported(goname.Exported(name, "Arg")) }

// faultReport collects the faults of a lambda.
type faultReport struct {
	Scope
	Faults diag.List

	source   string                                    // text of the lambda
	written  pysyntax.Expr                             // the body of the lambda as written, before rewriting
	compiles func(at pysyntax.Place, text string) bool // reports whether the lambda compiles if text replaces the source at a place; see newTrial; nil in a trial
}

// placeText returns a place as run-time errors show it, such as "tools.aion:3:14".
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

// addMismatch reports a fault about types.
func (r *faultReport) addMismatch(at pysyntax.Place, format string, args ...any) *diag.Diagnostic {
	return r.addFault("lambda-type", at, format, args...)
}

// addValueMismatch reports that v has the wrong type, and explains where the type comes from.
func (r *faultReport) addValueMismatch(v *ir.Value, at pysyntax.Place, format string, args ...any) *diag.Diagnostic {
	return explainOrigins(r.addMismatch(at, format, args...), v)
}

// addUnsupported reports a Python construct that lambdas do not support.
func (r *faultReport) addUnsupported(at pysyntax.Place, construct string) *diag.Diagnostic {
	return r.addFault(pysyntax.Unsupported, at, "lambdas do not support %s", construct)
}

// explainOrigins adds help about where the types of values come from.
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

// addWrongType is addValueMismatch with ", but " and a description of v at the end of the message, such as
// ", but parameter x is str".
func (r *faultReport) addWrongType(v *ir.Value, at pysyntax.Place, format string, args ...any) *diag.Diagnostic {
	return r.addValueMismatch(v, at, format+", but %s", append(args, r.describeThis(v))...)
}

// addIncompatible reports that the types of values do not fit each other, and explains where the types come from.
func (r *faultReport) addIncompatible(at pysyntax.Place, values []*ir.Value, format string, args ...any) *diag.Diagnostic {
	d := r.addMismatch(at, format, args...)
	var descriptions []string
	for _, v := range values {
		if side := r.describeValue(v); v.Origin.What != "" && !slices.Contains(descriptions, side) {
			descriptions = append(descriptions, side)
		}
	}
	if len(descriptions) > 0 {
		d.Message += ": " + strings.Join(descriptions, "; ")
	}
	return explainOrigins(d, values...)
}

// describeValue describes a value for messages: "parameter x is str, as find takes it", or only its type if it has no
// name.
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

// describeThis is describeValue for the value at the place of a message. It calls a value without a name "this".
func (r *faultReport) describeThis(v *ir.Value) string {
	if v.Origin.What == "" {
		return "this is " + r.describeType(v.Type)
	}
	return r.describeValue(v)
}

// describeType returns the name of a type for messages: the Python name if there is one, followed by the Go name if it
// adds information, as in "int (Go's time.Month)".
func (r *faultReport) describeType(t types.Type) string {
	withGoName := func(k ir.Kind) string { return fmt.Sprintf("%s (Go's %s)", ir.KindNames[k], r.TypeName(t)) }
	switch k := ir.KindOf(t); k {
	case ir.None, ir.Bool, ir.Int, ir.Float, ir.Str:
		if _, named := types.Unalias(t).(*types.Named); named {
			return withGoName(k)
		}
		return ir.KindNames[k]
	case ir.List, ir.Dict:
		if ir.IsEmpty(t) || !strings.ContainsAny(r.TypeName(t), "[") {
			return ir.KindNames[k]
		}
		return withGoName(k)
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
