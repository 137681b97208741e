package syntax

import (
	"cmp"
	"slices"

	"github.com/aiongen/aiongen/aion/internal/property"
)

// Delimit decides where an element ends. It returns the items that belong behind it,
// where its closing brace is missing, and whether its opening brace is one too many,
// so that there is no element.
func (r *Reader) Delimit(it *Item) (behind []*Item, surplus bool) {
	b := it.Block
	r.fillGap(b)
	released := r.release(b)
	i := slices.IndexFunc(b.Items.All, (*Item).IsElement)
	if i < 0 {
		if !released {
			r.closed(b.Open, b.Close, b.Items.All)
		}
		return nil, false
	}
	b.Items.All, behind = b.Items.All[:i], b.Items.All[i:]
	if !released {
		r.elementInside(b, behind[0])
	}
	if i > 0 {
		b.Close = nil
	}
	return behind, i == 0
}

// Swallows reports whether a text in the block has no end, so that more of the block
// may be in it.
func (r *Reader) Swallows(b *Block) bool {
	return slices.ContainsFunc(b.Items.All, func(it *Item) bool {
		return it.Text != nil && r.unended[it.Text.Pos.Offset] || it.Block != nil && r.Swallows(it.Block)
	})
}

// elementInside reports an element that starts before the one around it ends.
func (r *Reader) elementInside(b *Block, inner *Item) {
	switch open := inner.Block.Open; {
	case r.stopped:
	case len(b.Items.All) == 0:
		d := r.Errorf("extra-bracket", r.At(open), `unexpected second "{"`).WithHelp("delete it and the brace that closes it")
		if b.Close != nil {
			d.WithFix(r.without(b.Open, b.Open), r.without(b.Close, b.Close))
		} else {
			d.WithFix(r.without(b.Open, b.Open))
		}
	case b.Close == nil:
		last := b.Items.All[len(b.Items.All)-1]
		r.closeBehind(r.unclosedBracket(b.Open), last.Last(), "}", last.Comma == nil).
			WithRelated(r.At(open), "the next element starts here")
	default:
		last := b.Items.All[len(b.Items.All)-1]
		d := r.Errorf("nested-element", r.At(open), "an element cannot stand in an element").
			WithRelated(r.At(b.Open), "the outer element starts here").
			WithHelp(`close the outer element with "}," before this one`)
		r.closeBehind(d, last.Last(), "}", last.Comma == nil)
		d.Fixes[0].Edits = append(d.Fixes[0].Edits, r.without(b.Close, b.Close))
	}
}

// release moves properties of the element out of an interface block whose
// closing brace is missing: they tell, and so does that the element has none.
func (r *Reader) release(b *Block) bool {
	if b.Close != nil {
		return false
	}
	for i, it := range b.Items.All {
		if it.Text == nil || it.Block == nil {
			continue
		}
		inner := it.Block
		j := inner.property()
		if j < 0 {
			continue
		}
		end := lastOf(inner.Open, inner.Items.All[:j], nil)
		comma := j > 0 && inner.Items.All[j-1].Comma == nil
		r.closeBehind(r.unclosedBracket(inner.Open), end, "}", comma || j == 0).
			WithRelated(r.At(inner.Items.All[j].Key), "%q is a property of the element", inner.Items.All[j].Key.Value)
		b.Items.All = slices.Concat(b.Items.All[:i+1], inner.Items.All[j:], b.Items.All[i+1:])
		b.Close = inner.Close
		inner.Items.All = inner.Items.All[:j]
		inner.Close = lastOf(inner.Open, inner.Items.All, nil) // the block ends in front of the property
		it.Comma = inner.Close                                 // a missing comma there would be no news
		return true
	}
	return false
}

// property returns the index of the first item that is named like a property of elements,
// or -1.
func (b *Block) property() int {
	if b == nil {
		return -1
	}
	return slices.IndexFunc(b.Items.All, func(it *Item) bool {
		return it.Key != nil && it.Arrow != nil && slices.Contains(property.Element, it.Key.Value)
	})
}

// gap returns the index of the item behind which the opening brace of a block is
// missing, or -1: an arrow that leads nowhere, and then an entry of the block.
func (b *Block) gap() int {
	return slices.IndexFunc(b.Items.All[:max(0, len(b.Items.All)-1)], func(it *Item) bool {
		return it.Key != nil && it.Comma == nil && it.Block == nil && it.List == nil &&
			(it.Then != nil || it.Text == nil && it.Arrow != nil && it.Key.Value == "args_schema")
	})
}

// fillGap mends an element in which the opening brace of a block is missing.
func (r *Reader) fillGap(b *Block) {
	i := b.gap()
	if i < 0 {
		return
	}
	all := b.Items.All
	it, end := all[i], cmp.Or(b.own, len(all))
	if next := all[i+1]; next.Key == nil || next.Arrow == nil || slices.Contains(property.Element, next.Key.Value) {
		return
	}
	r.Errorf("missing-brace", r.At(it.Last()), `expected "{" after %q`, it.Last().Value).
		WithHelp("write %s --> { … }", Found(cmp.Or(it.Text, it.Key))).WithFix(r.insertBefore(all[i+1].First(), "{ "))
	it.Block = &Block{Open: it.Last(), Items: Items{all[i+1 : end]}, Close: all[end-1].Last()}
	it.Comma = it.Block.Close // whatever stands there, one fault is enough
	b.Items.All = slices.Concat(all[:i+1], all[end:])
}
