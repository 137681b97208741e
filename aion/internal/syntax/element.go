package syntax

import (
	"cmp"
	"slices"
)

// DelimitElement decides where an element ends. If the closing brace is missing, it returns
// the items that belong after the element. surplus is true if the opening brace is one too
// many and starts no element.
func (r *Reader) DelimitElement(it *Item) (after []*Item, surplus bool) {
	b := it.Block
	r.insertMissingBrace(b)
	released := r.releaseProperties(b)
	i := slices.IndexFunc(b.Items, (*Item).IsElement)
	if i < 0 {
		if !released {
			r.checkClosed(b)
		}
		return nil, false
	}
	b.Items, after = b.Items[:i], b.Items[i:]
	if !released {
		r.reportNestedElement(b, after[0])
	}
	if i > 0 {
		b.Close = nil
	}
	return after, i == 0
}

// HasUnclosedText reports whether a text in the block is not closed. That text may contain the rest of the
// block.
func (r *Reader) HasUnclosedText(b *Group) bool {
	return slices.ContainsFunc(b.Items, func(it *Item) bool {
		return it.Text != nil && r.unclosedTexts[it.Text.Pos.Offset] || it.Block != nil && r.HasUnclosedText(it.Block)
	})
}

// reportNestedElement reports an element that starts before the one around it ends.
func (r *Reader) reportNestedElement(b *Group, inner *Item) {
	switch open := inner.Block.Open; {
	case r.stopped:
	case len(b.Items) == 0:
		d := r.Errorf("extra-bracket", r.SpanOf(open), `unexpected second "{"`).WithHelp("delete it and the brace that closes it")
		if b.Close != nil {
			d.WithFix(r.deleteTokens(b.Open, b.Open), r.deleteTokens(b.Close, b.Close))
		} else {
			d.WithFix(r.deleteTokens(b.Open, b.Open))
		}
	case b.Close == nil:
		last := b.Items[len(b.Items)-1]
		d := r.addCloseFix(r.reportUnclosed(b.Open), last.LastToken(), "}", last.Comma == nil).
			WithRelated(r.SpanOf(open), "the next element starts here")
		d.Fixes[0].Guess = d.Fixes[0].Guess || r.HasUnclosedText(b) // the text may contain the brace
	default:
		last := b.Items[len(b.Items)-1]
		d := r.Errorf("nested-element", r.SpanOf(open), "an element cannot contain another element").
			WithRelated(r.SpanOf(b.Open), "the outer element starts here").
			WithHelp(`close the outer element with "}," before this one`)
		r.addCloseFix(d, last.LastToken(), "}", last.Comma == nil)
		d.Fixes[0].Guess = d.Fixes[0].Guess || r.HasUnclosedText(b)
		d.Fixes[0].Edits = append(d.Fixes[0].Edits, r.deleteTokens(b.Close, b.Close))
	}
}

// releaseProperties moves properties of the element out of an interface block whose closing
// brace is missing. It does so only if the closing brace of the element is missing too.
func (r *Reader) releaseProperties(b *Group) bool {
	if b.Close != nil {
		return false
	}
	for i, it := range b.Items {
		if it.Text == nil || it.Block == nil {
			continue
		}
		inner := it.Block
		j := inner.propertyIndex()
		if j < 0 {
			continue
		}
		end := (&Group{Open: inner.Open, Items: inner.Items[:j]}).lastInside()
		comma := j > 0 && inner.Items[j-1].Comma == nil
		r.addCloseFix(r.reportUnclosed(inner.Open), end, "}", comma || j == 0).
			WithRelated(r.SpanOf(inner.Items[j].Key), "%q is a property of the element", inner.Items[j].Key.Value)
		b.Items = slices.Concat(b.Items[:i+1], inner.Items[j:], b.Items[i+1:])
		b.Close = inner.Close
		inner.Items = inner.Items[:j]
		inner.Close = inner.lastInside() // the block ends before the property
		it.Comma = inner.Close           // do not report a missing comma as well
		return true
	}
	return false
}

// propertyIndex returns the index of the first item that has the name of an element's
// property, or -1.
func (b *Group) propertyIndex() int {
	if b == nil {
		return -1
	}
	return slices.IndexFunc(b.Items, func(it *Item) bool {
		return it.isProperty()
	})
}

// missingBraceIndex returns the index of the item after which the opening brace of a block
// is missing, or -1. Such an item ends in an arrow, and an entry of the block follows.
func (b *Group) missingBraceIndex() int {
	return slices.IndexFunc(b.Items[:max(0, len(b.Items)-1)], func(it *Item) bool {
		return it.Key != nil && it.Comma == nil && it.Block == nil && it.List == nil &&
			(it.BlockArrow != nil || it.Text == nil && it.Arrow != nil && it.Key.Value == "args_schema")
	})
}

// insertMissingBrace completes an element in which the opening brace of a block is missing.
func (r *Reader) insertMissingBrace(b *Group) {
	i := b.missingBraceIndex()
	if i < 0 {
		return
	}
	all := b.Items
	it, end := all[i], cmp.Or(b.ownItems, len(all))
	if next := all[i+1]; next.Key == nil || next.Arrow == nil || slices.Contains(ElementProperties, next.Key.Value) {
		return
	}
	r.Errorf("missing-brace", r.SpanOf(it.LastToken()), `expected "{" after %q`, it.LastToken().Value).
		WithHelp("write %s --> { … }", DescribeToken(cmp.Or(it.Text, it.Key))).WithFix(r.insertBefore(all[i+1].FirstToken(), "{ "))
	it.Block = &Group{Open: it.LastToken(), Items: all[i+1 : end], Close: all[end-1].LastToken()}
	it.Comma = it.Block.Close // do not report a missing comma as well
	b.Items = slices.Concat(all[:i+1], all[end:])
}
