// Package lambda compiles Python lambdas to Go functions.
//
// Compile takes a lambda that package pysyntax has parsed, checks its types and prints a Go function. A Scope
// resolves the Go names in the lambda. Where Python and Go differ, the function calls the packages runtime/py and
// runtime/py/dyn; the rest is ordinary Go.
package lambda

import (
	"cmp"
	"fmt"
	"go/types"
	"maps"
	"slices"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/lambda/ir"
	"github.com/aiongen/aiongen/gen/internal/lambda/lower"
	"github.com/aiongen/aiongen/gen/internal/lambda/pysyntax"
	"github.com/aiongen/aiongen/internal/values"
)

// Func is the Go function compiled from a lambda.
type Func struct {
	*lower.Func
	Called CalledObjects
}

// Compile compiles a lambda to a Go function. params describes its parameters in order. want is the preferred
// result type, for a lambda that does not determine it, or nil. The function is nil if the list contains an error.
func Compile(l *pysyntax.Lambda, params []Param, want types.Type, s Scope) (*Func, diag.List) {
	program, called, faults := checkLambda(l, params, want, s)
	if faults.Err() != nil {
		return nil, faults
	}
	f := lower.Write(program, s.Package())
	for _, t := range f.UnnamedTypes {
		faults.Errorf("lambda-type", s.At(pysyntax.Place{}), "the type %s needs a name to be used in a lambda", s.TypeName(t)).
			WithHelp("declare a type for it in Go")
	}
	if faults.Err() != nil {
		return nil, faults
	}
	return &Func{f, called}, faults
}

// Param describes a parameter of a lambda.
type Param struct {
	Type     types.Type // nil to use the type of the Go parameter to which it is passed
	Word     string     // the type in the note, if that is a word such as dict, which also describes any struct
	Optional bool       // it is None if the model omits it
	Origin   string     // the source of the type, for messages, such as `by arg-1`
	Entry    string     // name of the entry in the .aion file that has the note, if any: arg-1 or a key of args_schema
	Span     diag.Span  // of the note
}

// CalledObjects lists the Go objects that a lambda calls.
type CalledObjects struct {
	Functions []types.Object // package-level functions, and variables that hold functions
	OnlyCall  types.Object   // the called function or method if the body of the lambda is just that call, otherwise nil
}

// checkLambda checks a lambda and returns its program, which is valid only if the returned list
// contains no errors. want is the expected type of the result, or nil.
func checkLambda(l *pysyntax.Lambda, params []Param, want types.Type, s Scope) (*ir.Program, CalledObjects, diag.List) {
	report := &faultReport{Scope: s, source: l.Source, written: l.Body}
	if _, trial := s.(trialScope); !trial {
		report.compiles = newTrial(l, func(l *pysyntax.Lambda, s Scope) diag.List {
			_, _, faults := checkLambda(l, params, want, s)
			return faults
		}, s)
	}
	c := &checker{
		operators:    operators{valueBuilder: newValueBuilder(report)},
		nameResolver: &nameResolver{faultReport: report, Env: map[string]*ir.Value{}, Python: slices.Sorted(maps.Keys(builtins))},
		notNil:       map[*ir.Step]bool{},
	}
	c.expr = c.checkExpr
	p := &ir.Program{Body: c.Block()}
	var declared []*ir.Step
	for _, p := range l.Params {
		c.Env[p.Name] = ir.NewBad()
	}
	c.body = (&rewriter{c.nameResolver, map[string]int{}}).rewriteResult(l.Body)
	targets := c.findTargetParams(l)
	for i, name := range l.Params {
		v := c.checkParam(name, i, params[i], targets[name.Name])
		declared = append(declared, v.Step)
		c.Env[name.Name] = v
	}
	checkSize(c.body, c.nameResolver)
	c.checkTail(c.body, want)
	c.finishReturns(p, want)
	for _, v := range c.supplied {
		p.Params = append(p.Params, v.Step)
	}
	p.Params = append(p.Params, declared...)
	return p, c.called, report.Faults
}

// checkParam returns the value of the i-th parameter. Its type is the first of these: the type of a Go parameter
// in targets that the note allows, the type in the note, string.
func (c *checker) checkParam(p pysyntax.Param, i int, declared Param, targets []*targetParam) *ir.Value {
	t, o := declared.Type, ir.Origin{What: "parameter " + p.Name}
	fitting := slices.IndexFunc(targets, func(r *targetParam) bool {
		return t == nil || c.describes(declared.Word, r.Type)
	})
	switch {
	case fitting >= 0:
		r := targets[fitting]
		t, o.Why, o.Related = r.Type, "as "+r.Function.Name()+" takes it", c.Declared(r.Function)
	case t != nil:
		o.Why = declared.Origin
	default:
		t = ir.GoString
		o.Why = "the default because its note names no type"
		o.Help = fmt.Sprintf("add its type, as in %s --> \"int\"", cmp.Or(declared.Entry, fmt.Sprintf("arg-%d", i+1)))
	}
	if declared.Optional {
		t = ir.OrNone(t)
	}
	if declared.Type != nil && fitting < 0 {
		o.Related = []diag.Related{{Span: declared.Span, Message: p.Name + " is " + c.describeType(t) + " by this note"}}
	}
	v := c.NewParam(localName(p.Name), t).SetOrigin(o)
	v.NilFree = true
	return v
}

// describes reports whether a type word describes t, a type that differs from that of the word: dict describes a
// struct or a pointer to one, and string a type that is a string in JSON but not in Go, such as time.Duration. The
// words list, list[dict] and list[string] describe slices of such types.
func (c *checker) describes(word string, t types.Type) bool {
	w := values.WordOf(word)
	isDict := w.Kind == values.DictKind && w.Elem == ""
	switch u := t.Underlying().(type) {
	case *types.Struct:
		if isDict {
			return true
		}
	case *types.Pointer:
		_, isStruct := u.Elem().Underlying().(*types.Struct)
		return isStruct && isDict
	case *types.Slice:
		if w.Kind == values.ListKind {
			return c.describes(cmp.Or(w.Elem, "dict"), u.Elem())
		}
	}
	return w.Kind == values.StringKind && ir.KindOf(t) != ir.Str && c.IsText(t)
}
