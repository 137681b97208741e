package syntax

import (
	"cmp"
	"slices"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/aion/internal/property"
)

// An array gathers the items of a file, whatever became of the brackets around
// them: they may be missing, doubled, or stand in the wrong place.
type array struct {
	*Reader
	first, last *Token           // of the file
	noArray     *diag.Diagnostic // the first is no [
	late        *diag.Diagnostic // items follow the array
	open, close *Token           // the brackets of the array
	trailing    bool             // a fault about what stands behind the array was reported
	extra       bool             // the part before was a bracket too many
	items       []*Item
	loose       *Item // the element that takes up properties outside of braces
}

// part takes a part of the file, in order.
func (a *array) part(p *part) {
	if p.Close != nil {
		a.bracket(p.Close)
		return
	}
	for _, it := range p.Items.All {
		a.start(it.First())
		a.behind(it.First())
		a.last, a.extra = it.Last(), false
		a.item(it)
	}
}

// start holds the first token of the file against the rule that it is a [.
func (a *array) start(t *Token) {
	switch {
	case a.first != nil:
		return
	case t.Value == "[":
		a.open = t
	default:
		a.noArray = a.Errorf("missing-array", a.At(t), `expected "[" at the start of the file, found %s`, Found(t)).
			WithHelp("a file is an array, also around a single element:\n[\n  { … }\n]")
	}
	a.first = t
}

// behind holds the first token of an item against the rule that none stands
// behind the array.
func (a *array) behind(t *Token) {
	if a.close != nil && !a.trailing {
		a.trailing = true
		if n := len(a.items); n > 0 && a.items[n-1].Comma == nil {
			a.items[n-1].Comma = a.close // what stands behind the array lacks more than a comma
		}
		a.late = a.Errorf("text-after-array", a.At(t), "unexpected %s after the end of the array", Found(t)).
			WithRelated(a.At(a.close), `the array ends here`).
			WithHelp(`move the "]" to the end of the file`)
	}
}

// list takes the array, or one inside or behind it.
func (a *array) list(l *List) {
	if a.open != l.Open && a.close == nil && !a.stopped {
		d := a.Errorf("nested-array", a.At(l.Open), "an array cannot stand in the array").
			WithHelp(`delete this "[" and the "]" that closes it`)
		if l.Close != nil {
			d.WithFix(a.without(l.Open, l.Open), a.without(l.Close, l.Close))
		}
	}
	for _, it := range l.Items.All {
		if l.Close == nil && it.Key != nil && it.List != nil {
			a.release(it)
		} else {
			a.item(it)
		}
	}
	if a.open == l.Open && l.Close != nil {
		a.close = l.Close
	}
}

// release moves items of the array out of a list of rules whose closing bracket
// is missing: they tell, and so does that the array has none.
func (a *array) release(it *Item) {
	l := it.List
	i := slices.IndexFunc(l.Items.All, func(it *Item) bool { return it.IsElement() || it.Key != nil && it.Arrow != nil })
	if i < 0 {
		a.item(it)
		return
	}
	next := l.Items.All[i:]
	a.unclosedBracket(l.Open).WithRelated(a.At(next[0].First()), "this belongs to the array")
	a.close = cmp.Or(a.close, l.Close) // behind the array, it has its own
	l.Items.All = l.Items.All[:i]
	l.Close = lastOf(l.Open, l.Items.All, nil) // the list ends in front of the item
	it.Comma = l.Close                         // a missing comma there would be no news
	a.item(it)
	for _, it := range next {
		a.item(it)
	}
}

// item takes an item of the array.
func (a *array) item(it *Item) {
	var last *Item
	if len(a.items) > 0 {
		last = a.items[len(a.items)-1]
	}
	switch {
	case it.List != nil && it.Key == nil && it.Junk == nil:
		a.list(it.List)
	case it.lone() && last != nil && last.Comma == nil:
		last.Comma = it.Comma
	case it.Key != nil && it.Block != nil && it.Then == nil && (it.Text != nil || it.Arrow == nil):
		a.two(it)
	case it.Key != nil && it.Arrow != nil && slices.Contains(property.Element, it.Key.Value):
		a.property(it, last)
	case a.loose != nil && it.word(): // part of a text without quotes
		a.takeUp(it)
	case a.trailing && it.Arrow == nil && !it.IsElement():
		// words behind the array, which were reported
	default:
		a.loose = nil
		a.items = append(a.items, it)
	}
}

// two takes an item that is two for want of a comma: a prompt or a word, which has no
// place there, and an element.
func (a *array) two(it *Item) {
	before := *it
	before.Block, before.Comma = nil, nil
	if it.Text != nil {
		a.item(&before)
	} else {
		a.unexpected([]*Item{&before})
	}
	a.item(&Item{Block: it.Block, Comma: it.Comma})
}

// property takes a property that stands outside of an element: either the
// element before it was closed too early, or the opening brace is missing.
func (a *array) property(it, last *Item) {
	switch {
	case a.loose != nil:
	case last != nil && last.IsElement() && last.Block.Close != nil && !last.Block.has(it.Key.Value):
		a.reopen(last, it)
	default:
		a.Errorf("missing-brace", a.At(it.Key), `expected "{" before %q`, it.Key.Value).
			WithHelp("an element stands in braces:\n{\n  %s --> …\n}", it.Key.Value).
			WithGuess(a.insertBefore(it.Key, "{ "))
		a.loose = &Item{Block: &Block{Open: it.Key}, Faulty: true}
		a.items = append(a.items, a.loose)
	}
	a.takeUp(it)
}

// takeUp adds an item to the element that takes up what stands outside of braces.
func (a *array) takeUp(it *Item) {
	b := a.loose.Block
	b.Items.All, b.Close = append(b.Items.All, it), it.Last()
}

// reopen lets the last element take up properties, from one on that stands
// behind it. The brace that seems to close the element is one too many, unless
// it closes a block whose opening brace is missing.
func (a *array) reopen(last, it *Item) {
	b := last.Block
	if b.gap() < 0 {
		a.Errorf("extra-brace", a.At(b.Close), `unexpected "}": the element goes on with %q`, it.Key.Value).
			WithRelated(a.At(it.Key), "%q belongs to the element, too", it.Key.Value).
			WithHelp(`delete this "}", or the one before it`).WithFix(a.without(b.Close, b.Close))
	}
	b.own = len(b.Items.All)
	if b.own > 0 && b.Items.All[b.own-1].Comma == nil {
		b.Items.All[b.own-1].Comma = b.Close // the brace separates them well enough
	}
	a.loose, last.Comma, last.Faulty = last, nil, true
}

// has reports whether the block gives a value to a name.
func (b *Block) has(key string) bool {
	return slices.ContainsFunc(b.Items.All, func(it *Item) bool { return it.Key != nil && it.Key.Value == key })
}

// bracket takes a closing bracket that closes nothing in the tree.
func (a *array) bracket(t *Token) {
	a.start(t)
	a.last = t
	switch {
	case t.Value == "}" && a.loose != nil:
		a.loose.Block.Close = t
		a.loose = nil
	case t.Value == "}" && !a.extra && a.inGap():
	case t.Value == "]" && a.close == nil:
		a.close = t
	case !a.trailing && !a.extra: // several in a row are one fault
		a.extra = true
		a.Errorf("extra-bracket", a.At(t), "unexpected %q", t.Value).
			WithHelp("delete it, or write the bracket that it closes").WithGuess(a.without(t, t))
	}
}

// inGap reports whether the item before is an element that misses the opening
// brace of a block, so that its own brace is left over.
func (a *array) inGap() bool {
	last := len(a.items) - 1
	return last >= 0 && a.items[last].IsElement() && a.items[last].Block.gap() >= 0
}

// end holds the end of the file against the rule that the array is closed.
func (a *array) end() {
	if a.open != nil {
		a.closed(a.open, a.close, a.items)
	}
	if a.noArray != nil && (a.first.Value == "{" || a.first.Type == IdentToken) {
		edits := []diag.Edit{a.insertBefore(a.first, "[\n  ")}
		if a.close == nil {
			edits = append(edits, a.insertBehind(a.last, "\n]"))
		}
		a.noArray.WithFix(edits...)
	}
	if a.late != nil {
		a.joinLate()
	}
}

// joinLate adds the edits that take what follows the array into it, unless that is an
// array of its own.
func (a *array) joinLate() {
	at := slices.IndexFunc(a.items, func(it *Item) bool { return it.First().Pos.Offset > a.close.Pos.Offset })
	if at < 0 || !a.items[at].IsElement() {
		return
	}
	edits := []diag.Edit{a.without(a.close, a.close)}
	if at > 0 && a.items[at-1].Comma == a.close {
		edits = append(edits, a.insertBehind(a.items[at-1].Last(), ","))
	}
	if a.last.Value != "]" {
		edits = append(edits, a.insertBehind(a.last, "\n]"))
	}
	a.late.WithFix(edits...)
}
