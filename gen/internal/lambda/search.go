package lambda

import (
	"fmt"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/lambda/ir"
	"github.com/aiongen/aiongen/gen/internal/lambda/pysyntax"
)

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
