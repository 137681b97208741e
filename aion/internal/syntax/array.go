package syntax

import (
	"cmp"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
)

// An array gathers the items of a file, even if the brackets around them are missing,
// doubled or misplaced.
type array struct {
	*Reader
	first, last      *Token           // of the file
	missingArray     *diag.Diagnostic // the first token is not [
	missingBrace     *diag.Diagnostic // properties are outside of an element
	lateItems        *diag.Diagnostic // items follow the array
	lateComma        *Token           // after the array
	open, close      *Token           // the brackets of the array
	trailingReported bool             // items after the array were reported
	extra            extraBrackets    // extra brackets directly before the current part
	items            []*Item
	looseElement     *Item // the element that receives properties outside of braces
}

// addPart adds the next part of the file.
func (a *array) addPart(p *part) {
	if p.Close != nil {
		a.addBracket(p.Close)
		return
	}
	items := p.Items
	if a.first == nil {
		items = a.skipPrefix(items)
	}
	for _, it := range items {
		a.checkStart(it.FirstToken())
		a.checkTrailing(it.FirstToken())
		a.endExtraBrackets()
		a.last = it.LastToken()
		a.addItem(it)
	}
}

// checkStart checks that the first token of the file is a [.
func (a *array) checkStart(t *Token) {
	switch {
	case a.first != nil:
		return
	case t.Value == "[":
		a.open = t
	default:
		a.missingArray = a.Errorf("missing-array", a.SpanOf(t), `expected "[" at the start of the file, found %s`, DescribeToken(t)).
			WithHelp("a file is an array, even if it has only one element:\n[\n  { … }\n]")
	}
	a.first = t
}

// checkTrailing reports the first item after the array. t is the first token of the next item.
func (a *array) checkTrailing(t *Token) {
	if a.close != nil && !a.trailingReported {
		a.trailingReported = true
		if n := len(a.items); n > 0 && a.items[n-1].Comma == nil {
			a.items[n-1].Comma = a.close // do not report a missing comma as well
		}
		a.lateItems = a.Errorf("text-after-array", a.SpanOf(t), "unexpected %s after the end of the array", DescribeToken(t)).
			WithRelated(a.SpanOf(a.close), `the array ends here`).
			WithHelp(`move the "]" to the end of the file`)
	}
}

// addList adds the array, or a list inside or after it.
func (a *array) addList(l *Group) {
	if a.open == nil && a.close == nil && holdsElement(l) && !slices.ContainsFunc(a.items, (*Item).IsElement) {
		a.open = l.Open // the tokens before it have been reported
	}
	if a.open != l.Open && a.close == nil && !a.stopped {
		d := a.Errorf("nested-array", a.SpanOf(l.Open), "the array cannot contain another array").
			WithHelp(`delete this "[" and the "]" that closes it`)
		if l.Close != nil {
			d.WithFix(a.deleteTokens(l.Open, l.Open), a.deleteTokens(l.Close, l.Close))
		}
	}
	for _, it := range l.Items {
		if l.Close == nil && it.Key != nil && it.List != nil {
			a.releaseItems(it)
		} else {
			a.addItem(it)
		}
	}
	if a.open == l.Open && l.Close != nil {
		a.close = l.Close
	}
}

// releaseItems moves items of the array out of a list of rules whose closing bracket is
// missing.
func (a *array) releaseItems(it *Item) {
	l := it.List
	i := slices.IndexFunc(l.Items, func(it *Item) bool { return it.IsElement() || it.Key != nil && it.Arrow != nil })
	if i < 0 {
		a.addItem(it)
		return
	}
	next := l.Items[i:]
	a.reportUnclosed(l.Open).WithRelated(a.SpanOf(next[0].FirstToken()), "this belongs to the array")
	a.close = cmp.Or(a.close, l.Close) // the bracket at the end of the list belongs to the array, unless that is already closed
	l.Items = l.Items[:i]
	l.Close = l.lastInside() // the list ends before the item
	it.Comma = l.Close       // do not report a missing comma as well
	a.addItem(it)
	for _, it := range next {
		a.addItem(it)
	}
}

// addItem adds an item of the array.
func (a *array) addItem(it *Item) {
	var last *Item
	if len(a.items) > 0 {
		last = a.items[len(a.items)-1]
	}
	switch {
	case it.isBareList():
		a.addList(it.List)
		if it.List.Open == a.open {
			a.lateComma = it.Comma
		}
	case it.isBullet():
		a.addBullet(it)
	case it.isComma() && last != nil && last.Comma == nil:
		last.Comma = it.Comma
	case it.lacksComma():
		a.splitItem(it)
	case it.isProperty():
		a.addProperty(it, last)
	case a.looseElement != nil && it.isWord(): // part of a text without quotes
		a.addLoose(it)
	case a.trailingReported && it.Arrow == nil && !it.IsElement(): // words after the array were reported
	default:
		a.looseElement = nil
		a.items = append(a.items, it)
	}
}

// addBullet adds an element that follows a bullet, as in a Markdown list.
func (a *array) addBullet(it *Item) {
	first := it.FirstToken()
	a.Errorf("unexpected-text", a.SpanOf(first), "unexpected %q before an element", first.Value).
		WithHelp("delete it: elements are separated by commas").WithFix(a.deleteTokens(first, first))
	a.addItem(&Item{Block: it.Block, Comma: it.Comma})
}

// isProperty reports whether the item is a property of an element, with an arrow.
func (it *Item) isProperty() bool {
	return it.Key != nil && it.Arrow != nil && slices.Contains(ElementProperties, it.Key.Value)
}

// splitItem adds an item for which lacksComma is true as two items: a prompt or a stray word, and an
// element.
func (a *array) splitItem(it *Item) {
	before := *it
	before.Block, before.Comma = nil, nil
	if it.Text != nil {
		a.addItem(&before)
	} else {
		a.reportStrayItems([]*Item{&before})
	}
	a.addItem(&Item{Block: it.Block, Comma: it.Comma})
}

// addProperty adds a property that is outside of an element: either the element before it
// was closed too early, or the opening brace is missing.
func (a *array) addProperty(it, last *Item) {
	switch {
	case a.looseElement != nil:
	case last != nil && last.IsElement() && last.Block.Close != nil && !last.Block.hasKey(it.Key.Value):
		a.reopenElement(last, it)
	default:
		a.missingBrace = a.Errorf("missing-brace", a.SpanOf(it.Key), `expected "{" before %q`, it.Key.Value).
			WithHelp("an element is enclosed in braces:\n{\n  %s --> …\n}", it.Key.Value).
			WithGuess(a.insertBefore(it.Key, "{ "))
		a.looseElement = &Item{Block: &Group{Open: it.Key}, Faulty: true}
		a.items = append(a.items, a.looseElement)
	}
	a.addLoose(it)
}

// addLoose adds an item to looseElement.
func (a *array) addLoose(it *Item) {
	b := a.looseElement.Block
	b.Items, b.Close = append(b.Items, it), it.LastToken()
}

// reopenElement continues the last element with a property that follows it. It reports the
// brace that closed the element as extra, unless the brace belongs to a block whose opening
// brace is missing.
func (a *array) reopenElement(last, it *Item) {
	b := last.Block
	if b.missingBraceIndex() < 0 {
		a.Errorf("extra-brace", a.SpanOf(b.Close), `unexpected "}": the element continues with %q`, it.Key.Value).
			WithRelated(a.SpanOf(it.Key), "%q also belongs to the element", it.Key.Value).
			WithHelp(`delete this "}", or the one before it`).WithFix(a.deleteTokens(b.Close, b.Close))
	}
	b.ownItems = len(b.Items)
	if b.ownItems > 0 && b.Items[b.ownItems-1].Comma == nil {
		b.Items[b.ownItems-1].Comma = b.Close // the brace separates them: report no missing comma
	}
	a.looseElement, last.Comma, last.Faulty = last, nil, true
}

// hasKey reports whether the block has an item with a key.
func (b *Group) hasKey(key string) bool {
	return slices.ContainsFunc(b.Items, func(it *Item) bool { return it.Key != nil && it.Key.Value == key })
}

// addBracket adds a closing bracket for which the tree has no opening one.
func (a *array) addBracket(t *Token) {
	a.checkStart(t)
	a.last = t
	switch {
	case t.Value == "}" && a.looseElement != nil:
		a.looseElement.Block.Close = t
		a.looseElement = nil
	case t.Value == "}" && a.extra.fault == nil && a.lacksBrace():
	case t.Value == "]" && a.close == nil:
		a.close = t
	case !a.trailingReported:
		a.addExtraBracket(t)
	}
}

// extraBrackets are consecutive closing brackets without opening ones. They are reported as one
// fault.
type extraBrackets struct {
	fault       *diag.Diagnostic // nil if there are no such brackets
	first, last *Token           // the brackets that the fix deletes: only blanks separate them
	interrupted bool             // another extra bracket follows, but not only blanks separate it from last
}

// addExtraBracket adds a bracket that closes nothing.
func (a *array) addExtraBracket(t *Token) {
	switch e := &a.extra; {
	case e.fault == nil:
		*e = extraBrackets{fault: a.Errorf("extra-bracket", a.SpanOf(t), "unexpected %q", t.Value), first: t, last: t}
	case e.interrupted:
	case strings.TrimSpace(a.src[a.SpanOf(e.last).End.Offset:t.Pos.Offset]) == "":
		e.last = t
	default:
		e.interrupted = true
	}
}

// endExtraBrackets adds help and a fix to the fault of the extra brackets before the current part, if
// there are any.
func (a *array) endExtraBrackets() {
	e := a.extra
	a.extra = extraBrackets{}
	switch {
	case e.fault == nil:
		return
	case e.first == e.last:
		e.fault.WithHelp("delete it, or write the bracket that it closes")
	default:
		e.fault.WithHelp("delete it and the brackets after it, or write the brackets that they close")
	}
	e.fault.WithGuess(a.deleteTokens(e.first, e.last))
}

// lacksBrace reports whether the last item is an element in which the opening brace of a
// block is missing, so that one of its closing braces is left over.
func (a *array) lacksBrace() bool {
	last := len(a.items) - 1
	return last >= 0 && a.items[last].IsElement() && a.items[last].Block.missingBraceIndex() >= 0
}

// checkEnd checks at the end of the file that the array is closed.
func (a *array) checkEnd() {
	a.endExtraBrackets()
	if a.open != nil {
		a.checkClosed(&Group{Open: a.open, Items: a.items, Close: a.close})
	}
	a.closeLooseElement()
	if a.missingArray != nil && a.open == nil && (a.first.Value == "{" || a.first.Type == IdentToken) {
		edits := []diag.Edit{a.insertBefore(a.first, "[\n  ")}
		if a.close == nil {
			edits = append(edits, a.insertAfter(a.last, "\n]"))
		}
		a.missingArray.WithFix(edits...)
	}
	switch {
	case a.lateItems != nil:
		a.fixLateItems()
	case a.lateComma != nil:
		a.Errorf("extra-comma", a.SpanOf(a.lateComma), `unexpected "," after the end of the array`).WithHelp("delete it").
			WithFix(a.deleteTokens(a.lateComma, a.lateComma))
	}
}

// fixLateItems adds a fix for text after the array: prose becomes a comment, and elements move
// into the array.
func (a *array) fixLateItems() {
	at := a.lateItems.Span
	if prose := strings.TrimRight(a.src[at.Start.Offset:], " \t\r\n"); strings.Contains(prose, " ") && !strings.ContainsAny(prose, "{}[]\"") && !strings.Contains(prose, "-->") {
		at.End = AdvancePos(at.Start, prose)
		a.lateItems.Help = nil
		a.lateItems.WithHelp("write it as a comment, which starts with //").WithFix(diag.Edit{Span: at, Text: CommentLines(prose, "\n")})
		return
	}
	first := slices.IndexFunc(a.items, func(it *Item) bool { return it.FirstToken().Pos.Offset > a.close.Pos.Offset })
	if first < 0 || !a.items[first].IsElement() {
		return
	}
	edits := []diag.Edit{a.deleteTokens(a.close, a.close)}
	if first > 0 && a.items[first-1].Comma == a.close {
		edits = append(edits, a.insertAfter(a.items[first-1].LastToken(), ","))
	}
	if a.last.Value != "]" {
		edits = append(edits, a.insertAfter(a.last, "\n]"))
	}
	broken := false // a text of the array has a fault, so the array may end elsewhere
	for offset := range a.brokenTexts {
		broken = broken || offset < a.close.Pos.Offset
	}
	a.lateItems.WithFixIf(!broken, edits...)
}
