package lambda

import (
	"go/token"
	"go/types"
	"slices"

	"github.com/aiongen/aiongen/gen/internal/lambda/ir"
	"github.com/aiongen/aiongen/gen/internal/lambda/pysyntax"
)

// loopSource is a list over which a loop iterates, with the names that the loop binds.
type loopSource struct {
	list    *ir.Value
	targets []loopTarget
}

// loopTarget is a name that a loop binds to an element of a list, or to a part of one.
type loopTarget struct {
	name   string
	fields []string   // of the part
	typ    types.Type // of the part
}

// loopOver returns a list over which a loop iterates with one name.
func loopOver(list *ir.Value, name string) *loopSource {
	return &loopSource{list, []loopTarget{{name: name}}}
}

// checkSource checks the list of a loop. It returns nil after a fault.
func (c *checker) checkSource(e pysyntax.Loop) *loopSource {
	if len(e.More) > 0 {
		return pairChecker{c}.checkSource(e)
	}
	list := c.toIterable(c.checkSingle(e.In, nil), e.In.Location(), "a comprehension")
	if list.IsBad() {
		return nil
	}
	return loopOver(list, e.Var.Name)
}

// newElement returns the element that a loop assigns.
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

// withTargets runs build with the names of a loop bound to an element.
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

// buildLoop builds the loops of a comprehension, of which the first one is over source. They append the
// result of build for each element that satisfies the conditions to a new list.
func (c *checker) buildLoop(source *loopSource, loops []pysyntax.Loop, elem pysyntax.Expr, want types.Type, build func() *ir.Value) *ir.Value {
	element := c.newElement(source)
	list, size := c.NewVariable(), c.NewVariable()
	made := ir.NewBad()
	measured := false
	appended := func() {
		made = c.convertElement(build(), elem, want)
		if made.IsBad() {
			return
		}
		if c.mayMultiply(elem, loops, made.Type) {
			measured = true
			c.CheckCall(c.placeText(elem.Location()), ir.DynRef("Grow"), c.UnaryOp(nil, token.AND, size), made)
		}
		c.AssignVariable(list, c.CallPure(nil, ir.GoRef("append"), list, made))
	}
	body := c.loopBody(source, element, loopNest{loops: loops}, appended)
	if made.IsBad() {
		return made
	}
	t := types.NewSlice(made.Type)
	if measured {
		c.StartVariable(size, "size", ir.GoInt, c.IntLiteral(0))
	}
	c.StartVariable(list, "", t, c.CallPure(t, ir.GoRef("make"), c.RefValue(ir.InstantiateRef(ir.GoRef(""), t)), c.IntLiteral(0), c.CallPure(ir.GoInt, ir.GoRef("len"), source.list)))
	c.AddRange(source.list, element, body)
	return &ir.Value{Step: list.Step, Type: t, Facts: ir.Facts{NilFree: made.NilFree}}
}

// loopNest is a loop of a comprehension with the loops inside it.
type loopNest struct {
	loops []pysyntax.Loop
	stop  func() *ir.Value // whether the outer loop ends after an inner one; nil if it never does
}

// loopBody returns the body of the first of some loops, which is over source. The innermost one runs add
// for each element that satisfies the conditions.
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

// addInner adds loops inside another one.
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

// addLoops adds loops, of which the first one is over source.
func (c *checker) addLoops(source *loopSource, nest loopNest, add func()) {
	element := c.newElement(source)
	c.AddRange(source.list, element, c.loopBody(source, element, nest, add))
}

// convertElement converts a value to an element of a list. It keeps NilFree of the unconverted value.
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
	made := *c.convertTo(v, t, elem.Location(), "an element of the list")
	made.NilFree = v.NilFree || !c.mayHoldNil(t)
	return &made
}

// mayMultiply reports whether a list with the value of e for each element of the innermost of some loops
// may be much larger than the values of which it is made.
func (c *checker) mayMultiply(e pysyntax.Expr, loops []pysyntax.Loop, t types.Type) bool {
	for i, l := range loops[1:] {
		if outer := loops[i]; len(outer.More) > 0 || !usesOnlyName(l.In, outer.Var.Name, c.nameResolver) {
			return true
		}
	}
	return c.mayCopy(e, loops[len(loops)-1].Var.Name, t)
}

// mayCopy reports whether a list with one value of e for each value of name may contain the values of
// other names many times.
//
//nolint:gocyclo // one case per kind of expression
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
		case *pysyntax.Binary:
			found = found || part.Op.Text == "*"
		case *pysyntax.FString:
			found = found || padsValues(part)
		case *pysyntax.Call:
			found = found || mayGrowText(part)
		}
	})
	return found
}
