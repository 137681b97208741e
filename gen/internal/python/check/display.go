package check

import (
	"go/types"
	"slices"

	"github.com/aiongen/aiongen/gen/internal/python/code"
	"github.com/aiongen/aiongen/gen/internal/python/kind"
	"github.com/aiongen/aiongen/gen/internal/python/syntax"
)

func (c *checker) list(e *syntax.List, want types.Type) *code.Value {
	if len(e.Elems) == 0 {
		return c.Empty(kind.AnyList).As(kind.EmptyList)
	}
	elem := code.Wanted(want, kind.List)
	values := c.singles(e.Elems, elem)
	if code.AnyBad(values...) {
		return code.Bad()
	}
	return c.display(values, code.Common(values, elem), func(i int) syntax.Place { return e.Elems[i].At() }, "an element of the list")
}

// display is a list of values as ones of a type.
func (c *checker) display(values []*code.Value, elem types.Type, at func(i int) syntax.Place, what string) *code.Value {
	for i, v := range values {
		values[i] = c.Convert(v, elem, at(i), what)
	}
	if code.AnyBad(values...) {
		return code.Bad()
	}
	return c.wholeIf(c.Display(types.NewSlice(elem), values...), values)
}

// wholeIf says that no list in a display is nil if none is in its values.
func (c *checker) wholeIf(display *code.Value, values []*code.Value) *code.Value {
	display.Whole = !slices.ContainsFunc(values, func(v *code.Value) bool { return !v.Whole && c.MayHoldNil(v.Type) })
	return display
}

func (c *checker) dict(e *syntax.Dict, want types.Type) *code.Value {
	if len(e.Items) == 0 {
		return c.Empty(kind.AnyDict).As(kind.EmptyDict)
	}
	elem := code.Wanted(want, kind.Dict)
	var keys, values []*code.Value
	for _, item := range e.Items {
		keys = append(keys, c.single(item.Key, nil))
		values = append(values, c.single(item.Value, elem))
	}
	if code.AnyBad(keys...) || code.AnyBad(values...) {
		return code.Bad()
	}
	elem = code.Common(values, elem)
	for i, item := range e.Items {
		if keys[i] = c.key(keys[i], item.Key.At()); keys[i].Bad() {
			return keys[i]
		}
		values[i] = c.Convert(values[i], elem, item.Value.At(), "a value of the dict")
	}
	if code.AnyBad(values...) {
		return code.Bad()
	}
	var items []*code.Value
	for i, k := range keys {
		if !repeated(keys, i) { // Go has no constant keys twice; Python takes the last
			items = append(items, k, values[i])
		}
	}
	return c.wholeIf(c.Display(types.NewMap(kind.GoString, elem), items...), values)
}

// key is a value as a key of a dict.
func (c *checker) key(k *code.Value, at syntax.Place) *code.Value {
	switch k.Kind() {
	case kind.Any:
		return c.Do("key", kind.GoString, at, code.Dyn("Key"), k)
	case kind.Str:
		return c.Convert(k, kind.GoString, at, "a key of the dict")
	}
	c.Mismatch(at, "the keys of a dict are strings, but %s", c.DescribeThis(k))
	return code.Bad()
}

// repeated reports whether a known key comes again further behind.
func repeated(keys []*code.Value, i int) bool {
	return slices.ContainsFunc(keys[i+1:], func(later *code.Value) bool {
		return keys[i].Known != nil && keys[i].Known == later.Known
	})
}

// shallow returns a list or dict, or reports that its type nests too deep.
func (c *checker) shallow(v *code.Value, at syntax.Place) *code.Value {
	depth := 0
	for t := v.Type; t != nil && kind.IsContainer(t) && !kind.IsEmpty(t); t = kind.Elem(t) {
		if _, named := types.Unalias(t).(*types.Named); named {
			break // it may hold itself
		}
		depth++
	}
	if depth > kind.MaxDepth {
		c.Fault("too-deep", at, "lists nest deeper than %d levels", kind.MaxDepth).WithHelp("write a Go function, and call it here")
		return code.Bad()
	}
	return v
}
