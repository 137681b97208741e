package lambda

import (
	"go/types"
	"slices"

	"github.com/aiongen/aiongen/gen/internal/lambda/ir"
	"github.com/aiongen/aiongen/gen/internal/lambda/pysyntax"
)

func (c *checker) checkList(e *pysyntax.List, want types.Type) *ir.Value {
	if hasStar(e) {
		return displayChecker{c}.checkStarred(e, ir.WantedElem(want, ir.List))
	}
	if len(e.Elems) == 0 {
		return c.EmptyDisplay(ir.AnyList).WithType(ir.EmptyList)
	}
	elem := ir.WantedElem(want, ir.List)
	var values []*ir.Value
	for _, e := range e.Elems {
		values = append(values, c.checkSingle(e, elem))
	}
	if ir.HasBad(values...) {
		return ir.NewBad()
	}
	return c.makeList(values, ir.CommonType(values, elem), func(i int) pysyntax.Place { return e.Elems[i].Location() }, "an element of the list")
}

// makeList converts values to type elem and returns a list of them.
func (c *checker) makeList(values []*ir.Value, elem types.Type, at func(i int) pysyntax.Place, what string) *ir.Value {
	for i, v := range values {
		values[i] = c.convertTo(v, elem, at(i), what)
	}
	return c.markNilFree(c.NewDisplay(types.NewSlice(elem), values...), values)
}

// markNilFree sets NilFree of a display if none of its values can be or contain a nil list or dict.
func (c *checker) markNilFree(display *ir.Value, values []*ir.Value) *ir.Value {
	display.NilFree = !slices.ContainsFunc(values, func(v *ir.Value) bool { return !v.NilFree && c.mayHoldNil(v.Type) })
	return display
}

func (c *checker) checkDict(e *pysyntax.Dict, want types.Type) *ir.Value {
	if unpacksDict(e) {
		return displayChecker{c}.checkUnpacked(e, ir.WantedElem(want, ir.Dict))
	}
	if len(e.Items) == 0 {
		return c.EmptyDisplay(ir.AnyDict).WithType(ir.EmptyDict)
	}
	elem := ir.WantedElem(want, ir.Dict)
	var keys, values []*ir.Value
	for _, item := range e.Items {
		keys = append(keys, c.checkSingle(item.Key, nil))
		values = append(values, c.checkSingle(item.Value, elem))
	}
	if ir.HasBad(keys...) || ir.HasBad(values...) {
		return ir.NewBad()
	}
	elem = ir.CommonType(values, elem)
	if text := (suggester{c.nameResolver}).stringKeys(e); text != "" && len(e.Items) > 0 {
		d := c.addMismatch(e.Place, "the keys of a dict are strings, but %s", c.describeThis(keys[0]))
		if note := ", and convert the key that you look up: str(…)"; !c.suggestWithNote(d, e.Place, note, text) {
			d.WithHelp("write %s%s", text, note)
		}
		return ir.NewBad()
	}
	for i, item := range e.Items {
		if keys[i] = c.checkDictKey(keys[i], item.Key.Location()); keys[i].IsBad() {
			return keys[i]
		}
		values[i] = c.convertTo(values[i], elem, item.Value.Location(), "a value of the dict")
	}
	var items []*ir.Value
	for i, k := range keys {
		if !isRepeated(keys, i) { // Go rejects duplicate constant keys; Python uses the last one
			items = append(items, k, values[i])
		}
	}
	return c.markNilFree(c.NewDisplay(types.NewMap(ir.GoString, elem), items...), values)
}

// checkDictKey converts a value to a key of a dict, which is a string.
func (c *checker) checkDictKey(k *ir.Value, at pysyntax.Place) *ir.Value {
	switch k.Kind() {
	case ir.Any:
		return c.callHelper("key", ir.GoString, at, ir.DynRef("Key"), k)
	case ir.Str:
		return c.convertTo(k, ir.GoString, at, "a key of the dict")
	}
	d := c.addMismatch(at, "the keys of a dict are strings, but %s", c.describeThis(k))
	switch k.Kind() {
	case ir.Int:
		c.suggestWithNote(d, at, ", which is the key in JSON", "str("+c.source[at.From:at.To]+")")
	case ir.Bool:
		d.WithHelp("write a conditional expression: x if … else y")
	}
	return ir.NewBad()
}

// isRepeated reports whether the constant key i occurs again after it.
func isRepeated(keys []*ir.Value, i int) bool {
	return slices.ContainsFunc(keys[i+1:], func(later *ir.Value) bool {
		return keys[i].Constant != nil && keys[i].Constant == later.Constant
	})
}

// checkNesting returns v, or reports a list or dict whose type nests too deeply.
func (c *checker) checkNesting(v *ir.Value, at pysyntax.Place) *ir.Value {
	depth := 0
	for t := v.Type; t != nil && ir.IsContainer(t) && !ir.IsEmpty(t); t = ir.ElemType(t) {
		if _, named := types.Unalias(t).(*types.Named); named {
			break // the type may contain itself
		}
		depth++
	}
	if depth > ir.MaxDepth {
		c.addFault("too-deep", at, "lists nest deeper than %d levels", ir.MaxDepth).WithHelp("write a Go function and call it here")
		return ir.NewBad()
	}
	return v
}
