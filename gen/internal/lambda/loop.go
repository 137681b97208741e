package lambda

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/lambda/ir"
	"github.com/aiongen/aiongen/gen/internal/lambda/pysyntax"
)

// loopSource is a list over which a loop iterates, with the names that the loop binds.
type loopSource struct {
	list    *ir.Value
	targets []loopTarget
}

// loopTarget is a name that a loop binds to an element of a list or, as in `for a, b in zip(xs, ys)`, to a field of
// an element.
type loopTarget struct {
	name   string
	fields []string   // the selectors of that field, nil for the element itself
	typ    types.Type // the type of that field
}

// loopOver returns the source of a loop over list that binds one name.
func loopOver(list *ir.Value, name string) *loopSource {
	return &loopSource{list, []loopTarget{{name: name}}}
}

// checkSource checks the list over which e iterates. It returns nil after a fault.
func (c *checker) checkSource(e pysyntax.Loop) *loopSource {
	if len(e.More) > 0 {
		return c.checkPairSource(e)
	}
	list := c.toIterable(c.checkSingle(e.In, nil), e.In.Location(), "a comprehension")
	if list.IsBad() {
		return nil
	}
	return loopOver(list, e.Var.Name)
}

// checkPairSource checks the list of a loop with several names, such as "for i, x in enumerate(xs)". Each name is bound
// to a field of a pair. It returns nil after a fault.
func (c *checker) checkPairSource(e pysyntax.Loop) *loopSource {
	if iter, ok := e.In.(*pysyntax.Iter); ok {
		list, names := pythonCall{c, iter.Call}.checkIter(iter), e.Names()
		if list.IsBad() {
			return nil
		}
		if isPairList(list) {
			targets := pairTargets(ir.ElemType(list.Type), len(names))
			if targets == nil {
				c.addFault("lambda-call", e.More[0].Place, "%d names do not match the length of the tuples of %s", len(names), writtenName(iter.Call.Func))
				return nil
			}
			for i, p := range names {
				targets[i].name = p.Name
			}
			return &loopSource{list, targets}
		}
	}
	c.addUnsupported(e.More[0].Place, "a comprehension over several names, except for enumerate, zip and items").
		WithHelp("loop over one name and index its elements: [x[0] for x in xs]")
	return nil
}

// newElement returns the variable of the Go loop over s.
func (c *checker) newElement(s *loopSource) *ir.Value {
	base := "pair"
	if name := s.targets[0].name; name == unnamedElement {
		base = "value"
	} else if len(s.targets) == 1 {
		base = localName(name)
	}
	element := c.NewParam(base, ir.ElemType(s.list.Type)).SetOrigin(s.list.ElementOrigin())
	element.NilFree = s.list.NilFree
	return element
}

// withTargets runs build with the names of a loop bound to element or its fields.
func (c *checker) withTargets(s *loopSource, element *ir.Value, build func()) {
	for _, t := range slices.Backward(s.targets) {
		v, inner := element, build
		if t.fields != nil {
			v = c.SelectField(t.typ, element, t.fields...)
		}
		build = func() { c.withElement(t.name, v, inner) }
	}
	build()
}

// checkComprehension checks a list comprehension, which becomes a loop.
func (c *checker) checkComprehension(e *pysyntax.Comp, want types.Type) *ir.Value {
	source := c.checkSource(e.Loops[0])
	if source == nil {
		return ir.NewBad()
	}
	elem, t := ir.WantedElem(want, ir.List), ir.ElemType(source.list.Type)
	if copiesList(e) && (elem == nil || types.Identical(elem, t)) {
		return c.CallInTurn(types.NewSlice(t), ir.PackageRef("slices", "Clone"), source.list)
	}
	return c.buildLoop(source, e.Loops, e.Elem, elem, func() *ir.Value { return c.checkSingle(e.Elem, elem) })
}

// copiesList reports whether a comprehension has the form [x for x in xs].
func copiesList(e *pysyntax.Comp) bool {
	name, ok := e.Elem.(*pysyntax.Name)
	l := e.Loops[0]
	return ok && name.Name == l.Var.Name && len(l.More) == 0 && l.If == nil && len(e.Loops) == 1
}

// buildLoop builds the Go loops for a comprehension, and returns the list that they fill. build checks the expression
// elem. The innermost loop appends its value to the list if the conditions are true. source is the source of the
// first loop, and want the type of the elements, or nil.
func (c *checker) buildLoop(source *loopSource, loops []pysyntax.Loop, elem pysyntax.Expr, want types.Type, build func() *ir.Value) *ir.Value {
	element := c.newElement(source)
	list, size := c.NewVariable(), c.NewVariable()
	value := ir.NewBad()
	limitsSize := false
	add := func() {
		value = c.convertElement(build(), elem, want)
		if value.IsBad() {
			return
		}
		limitsSize = c.limitGrowth(elem, loops, size, value)
		c.AssignVariable(list, c.CallPure(nil, ir.GoRef("append"), list, value))
	}
	body := c.loopBody(source, element, loopNest{loops: loops}, add)
	if value.IsBad() {
		return value
	}
	t := types.NewSlice(value.Type)
	if limitsSize {
		c.StartVariable(size, "size", ir.GoInt, c.IntLiteral(0))
	}
	c.StartVariable(list, "", t, c.CallPure(t, ir.GoRef("make"), c.RefValue(ir.InstantiateRef(ir.GoRef(""), t)), c.IntLiteral(0), c.CallPure(ir.GoInt, ir.GoRef("len"), source.list)))
	c.AddRange(source.list, element, body)
	return &ir.Value{Step: list.Step, Type: t, Facts: ir.Facts{NilFree: value.NilFree}}
}

// loopNest is a loop of a comprehension with the loops inside it.
type loopNest struct {
	loops []pysyntax.Loop
	stop  func() *ir.Value // returns the condition under which the end of a loop also ends the loop around it, as in any(…); nil if there is none
}

// loopBody returns the body of the first loop of nest, which contains the other loops. add builds the body of the
// innermost one, which runs for each element that satisfies the conditions.
func (c *checker) loopBody(source *loopSource, element *ir.Value, nest loopNest, add func()) *ir.Block {
	condition, inner := nest.loops[0].If, add
	if nest.loops = nest.loops[1:]; len(nest.loops) > 0 {
		inner = func() { c.addInner(nest, add) }
	}
	return c.buildBranch(func() {
		c.withTargets(source, element, func() {
			if condition == nil {
				inner()
				return
			}
			test := c.checkCondition(condition)
			c.AddIf(test.Value, c.buildBranch(func() { c.withNarrowed(test.then, inner) }))
		})
	})
}

// addInner adds the loops of nest inside another loop.
func (c *checker) addInner(nest loopNest, add func()) {
	source := c.checkSource(nest.loops[0])
	if source == nil {
		return
	}
	c.addLoops(source, nest, add)
	if nest.stop != nil {
		c.AddIf(nest.stop(), c.BuildBlock(c.AddBreak))
	}
}

// addLoops adds the loops of nest, the first of which iterates over source.
func (c *checker) addLoops(source *loopSource, nest loopNest, add func()) {
	element := c.newElement(source)
	c.AddRange(source.list, element, c.loopBody(source, element, nest, add))
}

// convertElement converts a value to an element of a list. want is the element type, or nil to derive it from the
// value.
func (c *checker) convertElement(v *ir.Value, elem pysyntax.Expr, want types.Type) *ir.Value {
	t := want
	if t == nil {
		t = ir.SettledType(v.Type)
	}
	if t == nil {
		return ir.NewBad()
	}
	if ir.KindOf(t) == ir.None {
		t = ir.GoAny
	}
	converted := *c.convertTo(v, t, elem.Location(), "an element of the list")
	converted.NilFree = v.NilFree || !c.mayHoldNil(t)
	return &converted
}

// limitGrowth adds a run-time check of the size of a list of all values of e, if that may be much larger than the
// lists and strings that its loops read. It reports whether it did.
func (c *checker) limitGrowth(e pysyntax.Expr, loops []pysyntax.Loop, size, value *ir.Value) bool {
	if !c.mayMultiply(e, loops, value.Type) {
		return false
	}
	c.CheckCall(c.placeText(e.Location()), ir.DynRef("Grow"), c.UnaryOp(nil, token.AND, size), value)
	return true
}

// mayMultiply reports whether a list of all values of e in a comprehension may be much larger than the lists and
// strings that its loops read. The size of such a list must be limited at run time. t is the type of e.
func (c *checker) mayMultiply(e pysyntax.Expr, loops []pysyntax.Loop, t types.Type) bool {
	for i, l := range loops[1:] {
		if outer := loops[i]; len(outer.More) > 0 || !usesOnlyName(l.In, outer.Var.Name, c.nameResolver) {
			return true
		}
	}
	return c.mayCopy(e, loops[len(loops)-1].Var.Name, t)
}

// mayCopy reports whether a list with one value of e for each value of name may be much larger than these values.
// [[x, xs] for x in xs], for example, contains xs many times.
func (c *checker) mayCopy(e pysyntax.Expr, name string, t types.Type) (found bool) {
	sizeless := func(t types.Type) bool { return t == nil || ir.IsNumber(t) || ir.KindOf(t) == ir.Object }
	if sizeless(t) {
		return false
	}
	if c.usesRange {
		return true
	}
	pysyntax.Walk(e, func(part pysyntax.Expr) {
		switch part := part.(type) {
		case *pysyntax.Name:
			if v := c.Env[part.Name]; v != nil && part.Name != name {
				found = found || !sizeless(v.Type)
			}
		case *pysyntax.Comp:
			found = found || c.mayMultiply(part.Elem, part.Loops, t)
		}
		found = found || mayGrow(part)
	})
	return found
}

// checkSearch checks a call of any, for which sought is true, or of all. The loop over a generator stops at the first
// element whose truth value is sought.
func (c pythonCall) checkSearch(sought bool) *ir.Value {
	g := c.generator()
	if g == nil {
		return c.checkBuiltin(newUnary(func(o operators, v *ir.Value, at pysyntax.Place) *ir.Value {
			return o.containsTruth(v, at, writtenName(c.Func)+"()", sought)
		}))
	}
	if len(c.Args) > 1 {
		c.addFault("lambda-call", c.Location(), "%s() takes one argument, not %d", writtenName(c.Func), len(c.Args))
		return ir.NewBad()
	}
	source := c.checkSource(g.Loops[0])
	if source == nil {
		return ir.NewBad()
	}
	test := ir.NewBad()
	result := c.DefineVariable("found", ir.GoBool, c.BoolLiteral(!sought))
	stop := func() *ir.Value { return c.equalBool(result, sought) }
	c.addLoops(source, loopNest{loops: g.Loops, stop: stop}, func() {
		if test = c.checkCondition(g.Elem).Value; test.IsBad() {
			return
		}
		c.AddIf(c.equalBool(test, sought), c.BuildBlock(func() {
			c.AssignVariable(result, c.BoolLiteral(sought))
			c.AddBreak()
		}))
	})
	if test.IsBad() {
		return ir.NewBad()
	}
	return result
}

// generator returns the first argument if it is a generator, or nil.
func (c pythonCall) generator() *pysyntax.Comp {
	if len(c.Args) == 0 {
		return nil
	}
	if g, ok := c.Args[0].Value.(*pysyntax.Comp); ok && g.Brackets == pysyntax.Round {
		return g
	}
	return nil
}

// checkNext checks next(generator, default). Other calls of next are not supported.
func (c pythonCall) checkNext([]*ir.Value) *ir.Value {
	g := c.generator()
	if g == nil || len(c.Args) != 2 || c.Args[1].Name != "" || c.Args[1].Star {
		d := c.addUnsupported(c.Location(), "next, except with a generator and a default")
		switch {
		case g != nil && len(c.Args) == 1 && c.suggestNext(d, g):
		case g == nil && c.suggestNextOf(d):
		default:
			d.WithHelp("write next((… for x in xs if …), None)")
		}
		return ir.NewBad()
	}
	source := c.checkSource(g.Loops[0])
	otherwise := c.checkSingle(c.Args[1].Value, nil)
	if source == nil || otherwise.IsBad() {
		return ir.NewBad()
	}
	otherwise = otherwise.KeepInVariable()
	found, element := c.DefineVariable("found", ir.GoBool, c.BoolLiteral(false)), c.NewVariable()
	converted := ir.NewBad()
	loop := c.BuildBlock(func() {
		c.addLoops(source, loopNest{loops: g.Loops, stop: func() *ir.Value { return found }}, func() {
			converted = c.convertElement(c.checkSingle(g.Elem, nil), g.Elem, nil)
			if converted.IsBad() {
				return
			}
			c.AssignVariable(found, c.BoolLiteral(true))
			c.AssignVariable(element, converted)
			c.AddBreak()
		})
	})
	if converted.IsBad() {
		return ir.NewBad()
	}
	c.StartVariable(element, "", converted.Type, nil)
	c.AppendSteps(loop)
	value := &ir.Value{Step: element.Step, Type: converted.Type, Facts: ir.Facts{NilFree: converted.NilFree}}
	return c.chooseBranch(found, newBranch(value, g.Elem), newBranch(otherwise, c.Args[1].Value), nil)
}

// suggestNextOf suggests next((x for x in xs), None) for next(iter(xs)), and the same with y for next(iter(xs), y). It
// reports whether the suggestion compiles.
func (c pythonCall) suggestNextOf(d *diag.Diagnostic) bool {
	iter, ok := c.Args[0].Value.(*pysyntax.Call)
	if !ok || writtenName(iter.Func) != "iter" || len(iter.Args) != 1 || countPositional(c.Call) != len(c.Args) {
		return false
	}
	w := suggester{c.nameResolver}
	elements, name, otherwise, note := w.operand(iter.Args[0].Value), w.variable(), "None", ""
	switch c.checkSingle(iter.Args[0].Value, nil).Kind() {
	case ir.Dict:
		elements, note = "sorted("+elements+")", ", which is the first key in the order of the keys"
	case ir.List, ir.Str:
	default:
		return false // perhaps a dict
	}
	if len(c.Args) == 2 {
		otherwise = w.text(c.Args[1].Value)
	} else {
		note += ", which is None if there is no element"
	}
	return c.suggestWithNote(d, c.Location(), note, fmt.Sprintf("next((%[1]s for %[1]s in %[2]s), %[3]s)", name, elements, otherwise))
}

// suggestNext suggests adding the default None to a call of next. It reports whether that compiles.
func (c pythonCall) suggestNext(d *diag.Diagnostic, g *pysyntax.Comp) bool {
	text := suggester{c.nameResolver}.text(g)
	if !strings.HasPrefix(text, "(") {
		text = "(" + text + ")"
	}
	return c.suggestWithNote(d, c.Location(), ", which is None if there is no element", "next("+text+", None)")
}
