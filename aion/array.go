package aion

import (
	"slices"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/aiongen/aiongen/aion/diag"
)

// source reads a whole file.
func (r *reader) source(tree *source, err error) {
	if err != nil {
		r.report("too-large", r.doc.Span, "too many items in one list: %v", err)
	}
	if len(tree.Parts) == 0 {
		r.emptyFile()
		return
	}
	a := array{reader: r}
	for _, p := range tree.Parts {
		a.part(p)
	}
	a.end()
	r.doc.Span = r.between(a.first, a.last)
	r.items(a.items)
}

func (r *reader) emptyFile() {
	if !r.stopped {
		r.report("empty-file", r.here(0), `expected "[", found the end of the file`).
			WithHelp("a file without tools is []")
	}
}

// An array gathers the items of a file, whatever became of the brackets around
// them: they may be missing, doubled, or stand in the wrong place.
type array struct {
	*reader
	first, last *lexer.Token // of the file
	open, close *lexer.Token // the brackets of the array
	trailing    bool         // a fault about what stands behind the array was reported
	extra       bool         // the part before was a bracket too many
	items       []*item
	loose       *item // the element that takes up properties outside of braces
}

// part takes a part of the file, in order.
func (a *array) part(p *part) {
	if p.Close != nil {
		a.bracket(p.Close)
		return
	}
	for _, it := range p.Items.all {
		a.start(it.first())
		a.behind(it.first())
		a.last, a.extra = it.last(), false
		a.item(it)
	}
}

// start holds the first token of the file against the rule that it is a [.
func (a *array) start(t *lexer.Token) {
	switch {
	case a.first != nil:
		return
	case t.Value == "[":
		a.open = t
	default:
		a.report("missing-array", a.at(t), `expected "[" at the start of the file, found %s`, found(t)).
			WithHelp("a file is an array, also around a single element:\n[\n  { … }\n]")
	}
	a.first = t
}

// behind holds the first token of an item against the rule that none stands
// behind the array.
func (a *array) behind(t *lexer.Token) {
	if a.close != nil && !a.trailing {
		a.trailing = true
		if n := len(a.items); n > 0 && a.items[n-1].Comma == nil {
			a.items[n-1].Comma = a.close // what stands behind the array lacks more than a comma
		}
		a.report("text-after-array", a.at(t), "unexpected %s after the end of the array", found(t)).
			WithRelated(a.at(a.close), `the array ends here`).
			WithHelp(`move the "]" to the end of the file`)
	}
}

// list takes the array, or one inside or behind it.
func (a *array) list(l *list) {
	if a.open != l.Open && a.close == nil && !a.stopped {
		a.report("nested-array", a.at(l.Open), "an array cannot stand in the array").
			WithHelp(`delete this "[" and the "]" that closes it`)
	}
	for _, it := range l.Items.all {
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
func (a *array) release(it *item) {
	l := it.List
	i := slices.IndexFunc(l.Items.all, func(it *item) bool { return it.element() || it.Key != nil && it.Arrow != nil })
	if i < 0 {
		a.item(it)
		return
	}
	next := l.Items.all[i:]
	a.unclosedBracket(l.Open).WithRelated(a.at(next[0].first()), "this belongs to the array")
	a.close = l.Close
	l.Items.all = l.Items.all[:i]
	l.Close = lastOf(l.Open, l.Items.all, nil) // the list ends in front of the item
	it.Comma = l.Close                         // a missing comma there would be no news
	a.item(it)
	for _, it := range next {
		a.item(it)
	}
}

// item takes an item of the array.
func (a *array) item(it *item) {
	var last *item
	if len(a.items) > 0 {
		last = a.items[len(a.items)-1]
	}
	switch {
	case it.List != nil && it.Key == nil && it.Junk == nil:
		a.list(it.List)
	case it.lone() && last != nil && last.Comma == nil:
		last.Comma = it.Comma
	case it.Key != nil && it.Arrow == nil && it.Text == nil && it.Block != nil: // a word before an element
		a.unexpected([]*item{{Key: it.Key}})
		a.item(&item{Block: it.Block, Comma: it.Comma})
	case it.Key != nil && it.Then == nil && it.Text != nil && it.Block != nil: // a prompt and an element
		prompt := *it
		prompt.Block, prompt.Comma = nil, nil
		a.item(&prompt)
		a.item(&item{Block: it.Block, Comma: it.Comma})
	case it.Key != nil && it.Arrow != nil && slices.Contains(elementProperties, it.Key.Value):
		a.property(it, last)
	case a.loose != nil && it.word(): // part of a text without quotes
		b := a.loose.Block
		b.Items.all, b.Close = append(b.Items.all, it), it.last()
	case a.trailing && it.Arrow == nil && !it.element():
		// words behind the array, which were reported
	default:
		a.loose = nil
		a.items = append(a.items, it)
	}
}

// property takes a property that stands outside of an element: either the
// element before it was closed too early, or the opening brace is missing.
func (a *array) property(it, last *item) {
	switch {
	case a.loose != nil:
	case last != nil && last.element() && last.Block.Close != nil && !last.Block.has(it.Key.Value):
		a.reopen(last, it)
	default:
		a.report("missing-brace", a.at(it.Key), `expected "{" before %q`, it.Key.Value).
			WithHelp("an element stands in braces:\n{\n  %s --> …\n}", it.Key.Value)
		a.loose = &item{Block: &block{Open: it.Key}, faulty: true}
		a.items = append(a.items, a.loose)
	}
	b := a.loose.Block
	b.Items.all, b.Close = append(b.Items.all, it), it.last()
}

// reopen lets the last element take up properties, from one on that stands
// behind it. The brace that seems to close the element is one too many, unless
// it closes a block whose opening brace is missing.
func (a *array) reopen(last, it *item) {
	b := last.Block
	if b.gap() < 0 {
		a.report("extra-brace", a.at(b.Close), `unexpected "}": the element goes on with %q`, it.Key.Value).
			WithRelated(a.at(it.Key), "%q belongs to the element, too", it.Key.Value).
			WithHelp(`delete this "}", or the one before it`)
	}
	b.own = len(b.Items.all)
	if b.own > 0 && b.Items.all[b.own-1].Comma == nil {
		b.Items.all[b.own-1].Comma = b.Close // the brace separates them well enough
	}
	a.loose, last.Comma, last.faulty = last, nil, true
}

// has reports whether the block gives a value to a name.
func (b *block) has(key string) bool {
	return slices.ContainsFunc(b.Items.all, func(it *item) bool { return it.Key != nil && it.Key.Value == key })
}

// bracket takes a closing bracket that closes nothing in the tree.
func (a *array) bracket(t *lexer.Token) {
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
		a.report("extra-bracket", a.at(t), "unexpected %q", t.Value).
			WithHelp("delete it, or write the bracket that it closes")
	}
}

// inGap reports whether the item before is an element that misses the opening
// brace of a block, so that its own brace is left over.
func (a *array) inGap() bool {
	last := len(a.items) - 1
	return last >= 0 && a.items[last].element() && a.items[last].Block.gap() >= 0
}

// end holds the end of the file against the rule that the array is closed.
func (a *array) end() {
	if a.open != nil {
		a.closed(a.open, a.close, a.items)
	}
}

// items reads the items of the array.
func (r *reader) items(items []*item) {
	for _, it := range r.tidy(items) {
		switch {
		case it.element():
			r.items(r.element(it))
		case it.Key == nil:
			r.unexpectedValue(it, "the array", "the array holds elements, { … }, and the properties "+enumerate(promptProperties))
		default:
			r.prompt(it)
		}
	}
}

// closed holds a bracket against the rule that it is closed. It is silent where
// the end of something inside is missing, too, and was reported.
func (r *reader) closed(open, end *lexer.Token, items []*item) {
	if end != nil || r.stopped || len(items) > 0 && r.isBroken(items[len(items)-1]) {
		return
	}
	r.unclosedBracket(open)
}

func (r *reader) unclosedBracket(open *lexer.Token) *diag.Diagnostic {
	end := map[string]string{"{": "}", "[": "]"}[open.Value]
	return r.report("unclosed-bracket", r.at(open), "%q is not closed", open.Value).
		WithHelp("write the %q that belongs to it", end)
}
