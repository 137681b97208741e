package lambda

import (
	"go/types"
	"slices"

	"github.com/aiongen/aiongen/gen/internal/lambda/ir"
	"github.com/aiongen/aiongen/gen/internal/lambda/pysyntax"
)

func (c *checker) checkList(e *pysyntax.List, want types.Type) *ir.Value {
	if hasStar(e) {
		return c.checkStarred(e, ir.WantedElem(want, ir.List))
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
	return c.makeList(values, ir.CommonType(ir.TypesOf(values), elem), func(i int) pysyntax.Place { return e.Elems[i].Location() }, "an element of the list")
}

// makeList converts values to type elem and returns a list of them.
func (o *valueBuilder) makeList(values []*ir.Value, elem types.Type, at func(i int) pysyntax.Place, what string) *ir.Value {
	for i, v := range values {
		values[i] = o.convertTo(v, elem, at(i), what)
	}
	return o.markNilFree(o.NewDisplay(types.NewSlice(elem), values...), values)
}

// markNilFree sets NilFree of a display if none of its values can be or contain a nil list or dict.
func (o *valueBuilder) markNilFree(display *ir.Value, values []*ir.Value) *ir.Value {
	display.NilFree = !slices.ContainsFunc(values, func(v *ir.Value) bool { return !v.NilFree && o.mayHoldNil(v.Type) })
	return display
}

func (c *checker) checkDict(e *pysyntax.Dict, want types.Type) *ir.Value {
	if unpacksDict(e) {
		return c.checkUnpacked(e, ir.WantedElem(want, ir.Dict))
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
	elem = ir.CommonType(ir.TypesOf(values), elem)
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
func (o *valueBuilder) checkNesting(v *ir.Value, at pysyntax.Place) *ir.Value {
	depth := 0
	for t := v.Type; t != nil && ir.IsContainer(t) && !ir.IsEmpty(t); t = ir.ElemType(t) {
		if _, named := types.Unalias(t).(*types.Named); named {
			break // the type may contain itself
		}
		depth++
	}
	if depth > ir.MaxDepth {
		o.addFault("too-deep", at, "lists nest deeper than %d levels", ir.MaxDepth).WithHelp("write a Go function and call it here")
		return ir.NewBad()
	}
	return v
}

// unpacksDict reports whether a dict display unpacks a dict with **.
func unpacksDict(e *pysyntax.Dict) bool {
	return slices.ContainsFunc(e.Items, func(item pysyntax.Item) bool { return item.Key == nil })
}

// checkStarred checks a list display with starred elements, such as [*xs, x].
func (c *checker) checkStarred(e *pysyntax.List, want types.Type) *ir.Value {
	values := make([]*ir.Value, len(e.Elems))
	starred := make([]bool, len(e.Elems))
	var elements []types.Type
	for i, elem := range e.Elems {
		star, ok := elem.(*pysyntax.Star)
		if starred[i] = ok; ok {
			values[i] = c.toStarred(c.checkSingle(star.X, nil), star.Place)
		} else {
			values[i] = c.checkSingle(elem, want)
		}
		switch v := values[i]; {
		case v.IsBad():
		case !ok:
			elements = append(elements, v.Type)
		case !ir.IsEmpty(v.Type):
			elements = append(elements, ir.ElemType(v.Type))
		}
	}
	t := types.NewSlice(ir.CommonType(elements, want))
	parts, hasElements := c.starredParts(e, values, starred, t)
	list := c.CallInTurn(t, ir.PackageRef("slices", "Concat"), parts...)
	list.NilFree = hasElements // slices.Concat returns nil if all parts are empty
	for _, part := range parts {
		list.NilFree = list.NilFree && (part.NilFree || !c.mayHoldNil(t.Elem()))
	}
	return list
}

// starredParts returns the lists whose concatenation is the display: xs and [x] for [*xs, x]. hasElements reports whether
// the display has an element without a star.
func (c *checker) starredParts(e *pysyntax.List, values []*ir.Value, starred []bool, t *types.Slice) (parts []*ir.Value, hasElements bool) {
	for from := 0; from < len(values); {
		if starred[from] {
			parts = append(parts, c.convertTo(values[from], t, e.Elems[from].Location(), "a starred element"))
			from++
			continue
		}
		first := from
		for from < len(values) && !starred[from] {
			from++
		}
		at := func(i int) pysyntax.Place { return e.Elems[first+i].Location() }
		parts = append(parts, c.makeList(values[first:from], t.Elem(), at, "an element of the list"))
		hasElements = true
	}
	return parts, hasElements
}

// toStarred converts the value of a starred element to a list.
func (c *checker) toStarred(v *ir.Value, at pysyntax.Place) *ir.Value {
	switch {
	case v.Kind() == ir.Any:
		return c.callHelper("list", ir.AnyList, at, ir.DynRef("Starred"), v, c.StrLiteral("Value"))
	case ir.IsEmpty(v.Type) && v.Kind() == ir.List:
		return v
	}
	return c.toIterableOrError(v, at, "a starred element", "Value after * must be an iterable, not NoneType")
}

// checkUnpacked checks a dict display that unpacks dicts, such as {**d, 'a': 1}.
func (c *checker) checkUnpacked(e *pysyntax.Dict, want types.Type) *ir.Value {
	var dicts []*ir.Value
	var places []pysyntax.Place
	for from := 0; from < len(e.Items); {
		item := e.Items[from]
		places = append(places, item.Value.Location())
		if item.Key == nil {
			dicts = append(dicts, c.toMapping(c.checkSingle(item.Value, nil), item.Value.Location()))
			from++
			continue
		}
		to := from
		for to < len(e.Items) && e.Items[to].Key != nil {
			to++
		}
		dicts = append(dicts, c.checkDict(&pysyntax.Dict{Place: e.Place, Items: e.Items[from:to]}, dictOf(want)))
		from = to
	}
	return c.mergeDicts(dicts, want, places)
}

// toMapping converts the value of ** in a display to a dict.
func (c *checker) toMapping(v *ir.Value, at pysyntax.Place) *ir.Value {
	v = c.dereference(v, at, "TypeError: 'NoneType' object is not a mapping")
	switch v.Kind() {
	case ir.Any:
		return c.callHelper("dict", ir.AnyDict, at, ir.DynRef("Mapping"), v)
	case ir.Dict, ir.Invalid:
		return v
	}
	c.addWrongType(v, at, "** in a dict takes a dict")
	return ir.NewBad()
}

// checkDictComp checks a dict comprehension, which becomes a loop.
func (c *checker) checkDictComp(e *pysyntax.Comp, want types.Type) *ir.Value {
	source := c.checkSource(e.Loops[0])
	if source == nil {
		return ir.NewBad()
	}
	elem := ir.WantedElem(want, ir.Dict)
	element := c.newElement(source)
	dict, size := c.NewVariable(), c.NewVariable()
	key, value := ir.NewBad(), ir.NewBad()
	limitsSize := false
	add := func() {
		key = c.checkDictKey(c.checkSingle(e.Key, nil), e.Key.Location())
		value = c.convertElement(c.checkSingle(e.Elem, elem), e.Elem, elem)
		if ir.HasBad(key, value) {
			return
		}
		limitsSize = c.limitGrowth(e.Key, e.Loops, size, key)
		limitsSize = c.limitGrowth(e.Elem, e.Loops, size, value) || limitsSize
		c.AssignEntry(dict, key, value)
	}
	body := c.loopBody(source, element, loopNest{loops: e.Loops}, add)
	if ir.HasBad(key, value) {
		return ir.NewBad()
	}
	t := types.NewMap(ir.GoString, value.Type)
	if limitsSize {
		c.StartVariable(size, "size", ir.GoInt, c.IntLiteral(0))
	}
	c.StartVariable(dict, "", t, c.EmptyDisplay(t))
	c.AddRange(source.list, element, body)
	return &ir.Value{Step: dict.Step, Type: t, Facts: ir.Facts{NilFree: value.NilFree}}
}
