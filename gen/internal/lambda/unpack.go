package lambda

import (
	"go/token"
	"go/types"
	"slices"

	"github.com/aiongen/aiongen/gen/internal/lambda/ir"
	"github.com/aiongen/aiongen/gen/internal/lambda/pysyntax"
)

// displayChecker checks displays such as [*xs, x] and {**d, 'a': 1}, and dict comprehensions.
type displayChecker struct{ *checker }

// hasStar reports whether a list display has a starred element.
func hasStar(e *pysyntax.List) bool {
	return slices.ContainsFunc(e.Elems, func(e pysyntax.Expr) bool { _, star := e.(*pysyntax.Star); return star })
}

// unpacksDict reports whether a dict display unpacks a dict with **.
func unpacksDict(e *pysyntax.Dict) bool {
	return slices.ContainsFunc(e.Items, func(item pysyntax.Item) bool { return item.Key == nil })
}

// checkStarred checks a list display with starred elements, such as [*xs, x].
func (c displayChecker) checkStarred(e *pysyntax.List, want types.Type) *ir.Value {
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
	t := types.NewSlice(commonElem(elements, want))
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
func (c displayChecker) starredParts(e *pysyntax.List, values []*ir.Value, starred []bool, t *types.Slice) (parts []*ir.Value, hasElements bool) {
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
func (c displayChecker) toStarred(v *ir.Value, at pysyntax.Place) *ir.Value {
	switch {
	case v.Kind() == ir.Any:
		return c.callHelper("list", ir.AnyList, at, ir.DynRef("Starred"), v, c.StrLiteral("Value"))
	case ir.IsEmpty(v.Type) && v.Kind() == ir.List:
		return v
	}
	return c.toIterableOrError(v, at, "a starred element", "Value after * must be an iterable, not NoneType")
}

// checkUnpacked checks a dict display that unpacks dicts, such as {**d, 'a': 1}.
func (c displayChecker) checkUnpacked(e *pysyntax.Dict, want types.Type) *ir.Value {
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
func (c displayChecker) toMapping(v *ir.Value, at pysyntax.Place) *ir.Value {
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
func (c displayChecker) checkDictComp(e *pysyntax.Comp, want types.Type) *ir.Value {
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
		for _, part := range []struct {
			expr  pysyntax.Expr
			value *ir.Value
		}{{e.Key, key}, {e.Elem, value}} {
			if c.mayMultiply(part.expr, e.Loops, part.value.Type) {
				limitsSize = true
				c.CheckCall(c.placeText(part.expr.Location()), ir.DynRef("Grow"), c.UnaryOp(nil, token.AND, size), part.value)
			}
		}
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
