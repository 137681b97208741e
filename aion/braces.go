package aion

import (
	"cmp"
	"slices"
)

// elementInside reports an element that starts before the one around it ends.
func (r *reader) elementInside(b *block, inner *item) {
	switch open := inner.Block.Open; {
	case r.stopped:
	case len(b.Items.all) == 0:
		r.report("extra-bracket", r.at(open), `unexpected second "{"`).WithHelp("delete it and the brace that closes it")
	case b.Close == nil:
		r.unclosedBracket(b.Open).WithRelated(r.at(open), "the next element starts here")
	default:
		r.report("nested-element", r.at(open), "an element cannot stand in an element").
			WithRelated(r.at(b.Open), "the outer element starts here").
			WithHelp(`close the outer element with "}," before this one`)
	}
}

// release moves properties of the element out of an interface block whose
// closing brace is missing: they tell, and so does that the element has none.
func (r *reader) release(b *block) bool {
	if b.Close != nil {
		return false
	}
	for i, it := range b.Items.all {
		if it.Text == nil || it.Block == nil {
			continue
		}
		inner := it.Block
		j := slices.IndexFunc(inner.Items.all, func(it *item) bool {
			return it.Key != nil && it.Arrow != nil && slices.Contains(elementProperties, it.Key.Value)
		})
		if j < 0 {
			continue
		}
		r.unclosedBracket(inner.Open).
			WithRelated(r.at(inner.Items.all[j].Key), "%q is a property of the element", inner.Items.all[j].Key.Value)
		b.Items.all = slices.Concat(b.Items.all[:i+1], inner.Items.all[j:], b.Items.all[i+1:])
		b.Close = inner.Close
		inner.Items.all = inner.Items.all[:j]
		inner.Close = lastOf(inner.Open, inner.Items.all, nil) // the block ends in front of the property
		it.Comma = inner.Close                                 // a missing comma there would be no news
		return true
	}
	return false
}

// gap returns the index of the item behind which the opening brace of a block is
// missing, or -1: an arrow that leads nowhere, and then an entry of the block.
func (b *block) gap() int {
	return slices.IndexFunc(b.Items.all[:max(0, len(b.Items.all)-1)], func(it *item) bool {
		return it.Key != nil && it.Comma == nil && it.Block == nil && it.List == nil &&
			(it.Then != nil || it.Text == nil && it.Arrow != nil && it.Key.Value == "args_schema")
	})
}

// fillGap mends an element in which the opening brace of a block is missing.
func (r *reader) fillGap(b *block) {
	i := b.gap()
	if i < 0 {
		return
	}
	all := b.Items.all
	it, end := all[i], cmp.Or(b.own, len(all))
	if next := all[i+1]; next.Key == nil || next.Arrow == nil || slices.Contains(elementProperties, next.Key.Value) {
		return
	}
	r.report("missing-brace", r.at(it.last()), `expected "{" after %q`, it.last().Value).
		WithHelp("write %s --> { … }", found(cmp.Or(it.Text, it.Key)))
	it.Block = &block{Open: it.last(), Items: items{all[i+1 : end]}, Close: all[end-1].last()}
	it.Comma = it.Block.Close // whatever stands there, one fault is enough
	b.Items.all = slices.Concat(all[:i+1], all[end:])
}
