package lambda

import (
	"cmp"
	"fmt"
	"go/types"
	"maps"
	"slices"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/lambda/ir"
	"github.com/aiongen/aiongen/gen/internal/lambda/pysyntax"
	"github.com/aiongen/aiongen/internal/values"
)

// Param describes a parameter of a lambda.
type Param struct {
	Type     types.Type // nil to use the type of the Go parameter that receives it
	Word     string     // the type in the note if it is a type word; dict, for example, also stands for any struct
	Optional bool       // None if omitted
	Origin   string     // source of the type, such as `by arg-1`
	Entry    string     // name of the entry that has the note, if any: arg-1 or a key of args_schema
	Span     diag.Span  // of the note
}

// CalledObjects lists the Go objects that a lambda calls.
type CalledObjects struct {
	Functions []types.Object // functions and function variables of packages
	OnlyCall  types.Object   // the function or method if the whole lambda is one call, otherwise nil
}

// checkLambda checks a lambda and returns its program, which is valid only if the returned list
// contains no errors. want is the expected type of the result, or nil.
func checkLambda(l *pysyntax.Lambda, params []Param, want types.Type, s Scope) (*ir.Program, CalledObjects, diag.List) {
	report := &faultReport{Scope: s, source: l.Source}
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
	for _, p := range l.Params {
		c.Env[p.Name] = ir.NewBad()
	}
	c.body = rewriteBody(l.Body, c.nameResolver)
	received := c.findReceivers(l)
	for i, name := range l.Params {
		v := c.checkParam(name, i, params[i], received[name.Name])
		p.Params = append(p.Params, v.Step)
		c.Env[name.Name] = v
	}
	checkSize(c.body, c.nameResolver)
	c.checkTail(c.body, want)
	c.finishReturns(p, want)
	for _, v := range c.supplied {
		p.Supplied = append(p.Supplied, v.Step)
	}
	return p, c.called, report.Faults
}

// checkParam returns the value of the i-th parameter. Its type is that of a Go parameter that receives
// it, if the note allows that, or else that of the note, or else string.
func (c *checker) checkParam(p pysyntax.Param, i int, declared Param, received []*receiver) *ir.Value {
	t, o := declared.Type, ir.Origin{What: "parameter " + p.Name}
	fitting := slices.IndexFunc(received, func(r *receiver) bool {
		return t == nil || describesStruct(declared.Word, r.Type) || c.describesText(declared.Word, r.Type)
	})
	switch {
	case fitting >= 0:
		r := received[fitting]
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

// describesText reports whether a type word stands for t, which is not a string in Go but a string in JSON, as
// time.Duration is. The word is string for such a type, and list[string] for a slice of them.
func (c *checker) describesText(word string, t types.Type) bool {
	w := values.WordOf(word)
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		return false
	case *types.Slice:
		if w.Kind == values.ListKind && w.Elem != "" {
			return c.describesText(w.Elem, u.Elem())
		}
	}
	return w.Kind == values.StringKind && ir.KindOf(t) != ir.Str && c.IsText(t)
}

// describesStruct reports whether a type word stands for t: dict for a struct or a pointer to one, and list or
// list[dict] for a slice of them.
func describesStruct(word string, t types.Type) bool {
	w := values.WordOf(word)
	switch u := t.Underlying().(type) {
	case *types.Struct:
		return w.Kind == values.DictKind && w.Elem == ""
	case *types.Pointer:
		_, isStruct := u.Elem().Underlying().(*types.Struct)
		return isStruct && describesStruct(word, u.Elem())
	case *types.Slice:
		return w.Kind == values.ListKind && describesStruct(cmp.Or(w.Elem, "dict"), u.Elem())
	}
	return false
}
