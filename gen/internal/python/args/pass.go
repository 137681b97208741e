package args

import (
	"go/types"
	"slices"

	"github.com/aiongen/aiongen/gen/internal/python/code"
)

// A slot is a parameter of the Go function with what it gets: what the runtime
// supplies, an argument, or those of a variadic one, of which one may be starred.
type slot struct {
	typ      types.Type
	supplied bool
	from, to int // of the arguments
	spread   bool
}

// layout lays the arguments out over the parameters.
func (c *call) layout() (slots []slot) {
	next, last := 0, len(c.visible)-1
	for v := range c.sig.Params().Variables() {
		s := slot{typ: v.Type(), supplied: c.Supplied(v.Type())}
		if !s.supplied {
			s.from, s.to = next, next+1
			if c.sig.Variadic() && next == last {
				s.to, s.spread = len(c.args), c.star != nil
			}
			next++
		}
		slots = append(slots, s)
	}
	return slots
}

// pass converts the arguments to the types of their parameters.
func (c *call) pass(call *code.Step) (sound bool) {
	sound = true
	for _, s := range c.layout() {
		var values []*code.Value
		switch {
		case s.supplied:
			values = []*code.Value{c.Supply(s.typ)}
		case s.spread:
			call.Spread = true
			values = []*code.Value{c.concatenated(s)}
		default:
			values = c.converted(s.from, s.to, sound)
		}
		for _, v := range values {
			sound = sound && !v.Bad()
			call.Args = append(call.Args, v.Step)
		}
	}
	return sound
}

// converted are some arguments as their parameters take them. What was said of one
// element of the starred argument goes for all.
func (c *call) converted(from, to int, sound bool) (list []*code.Value) {
	for i := from; i < to; i++ {
		switch v := c.args[i]; {
		case v == nil:
		case !sound && c.star != nil && c.places[i] == c.starred:
			list = append(list, code.Bad())
		default:
			v = c.Convert(v, c.paramType(i), c.places[i], c.paramWord(min(i, len(c.visible)-1)))
			list = append(list, v)
			sound = sound && !v.Bad()
		}
	}
	return list
}

// concatenated is the list that a variadic parameter gets: a starred argument, with
// others before and behind it.
func (c *call) concatenated(s slot) *code.Value {
	at := max(s.from, min(c.starAt, s.to))
	before, behind := c.converted(s.from, at, true), c.converted(at, s.to, true)
	star := c.Convert(c.star, s.typ, c.starred, "the starred argument")
	if code.AnyBad(before...) || code.AnyBad(behind...) || star.Bad() {
		return code.Bad()
	}
	lists := []*code.Value{star}
	if len(before) > 0 {
		lists = slices.Insert(lists, 0, c.Display(s.typ, before...))
	}
	if len(behind) > 0 {
		lists = append(lists, c.Display(s.typ, behind...))
	}
	if len(lists) == 1 {
		return star
	}
	return c.Read(s.typ, code.Std("slices", "Concat"), lists...)
}
