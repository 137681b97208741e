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
	Word     string     // the type of the note if it is a word; it also means the structs that it describes
	Optional bool       // None if omitted
	Origin   string     // source of the type, such as `by arg-1`
	Entry    string     // the entry with its note, if any: arg-1 or a key of args_schema
	Span     diag.Span  // of the note
}

// CalledObjects lists the Go objects that a lambda calls.
type CalledObjects struct {
	Functions []types.Object // functions and function variables of packages
	OnlyCall  types.Object   // the function or method if the whole lambda is one call, otherwise nil
}

// checkLambda checks a lambda. The program is valid only if the list contains no error.
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

// checkParam returns the value of a parameter. A parameter without a type is a string.
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

// describesText reports whether a type word, string or list[string], stands for a type that is not a string in Go but
// one in JSON, such as time.Duration, or for a list of them.
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

// describesStruct reports whether a type word stands for a struct, a pointer to one, or a list of them: dict,
// list and list[dict].
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
