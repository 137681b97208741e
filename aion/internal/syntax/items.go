package syntax

import (
	"slices"
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/aiongen/aiongen/aion/diag"
)

// CompleteItems returns the complete items between two brackets: those that are a value
// or `key --> value`. It reports mistakes in punctuation, completes items whose meaning is
// clear, and omits stray words.
func (r *Reader) CompleteItems(items []*Item) []*Item {
	var complete []*Item
	var last *Token // of the previous item
	comma := true   // whether the next item needs no comma before it
	for len(items) > 0 && !r.Full() {
		it := items[0]
		if it.isComma() {
			items = r.reportExtraCommas(items)
			comma = true
			continue
		}
		if n := r.countStrayItems(items); n > 0 {
			r.reportStrayItems(items[:n])
			items, comma = items[n:], true
			continue
		}
		if !comma {
			r.reportMissingComma(last, it)
		}
		items = r.fixItem(it, items[1:])
		last = it.LastToken()
		comma = it.Comma != nil || r.endsBroken(it)
		if it.hasValue() && !it.absent {
			complete = append(complete, it)
		}
	}
	return complete
}

// reportExtraCommas reports the commas at the start of items, which separate nothing, as one
// fault. It returns the items after them.
func (r *Reader) reportExtraCommas(items []*Item) []*Item {
	n := 1
	for n < len(items) && items[n].isComma() {
		n++
	}
	r.Errorf("extra-comma", r.SpanOf(items[0].Comma), `unexpected ",": nothing is before it`).WithHelp("delete it").
		WithFix(r.deleteTokens(items[0].Comma, items[n-1].Comma))
	return items[n:]
}

// reportMissingComma reports that there is no comma before an item.
func (r *Reader) reportMissingComma(last *Token, it *Item) {
	r.Errorf("missing-comma", r.SpanOf(it.FirstToken()), `missing "," before %s`, DescribeToken(it.FirstToken())).
		WithHelp("items are separated by commas").WithFix(r.insertAfter(last, ","))
}

// endsBroken reports whether the item ends in a text with a reported fault or in a bracket that
// is not closed. If a comma is missing after such an item, no further fault is reported.
func (r *Reader) endsBroken(it *Item) bool {
	last := it.LastToken()
	g := it.group()
	return last.Type == TextToken && r.brokenTexts[last.Pos.Offset] || g != nil && g.Close == nil
}

// countStrayItems returns how many of the first items are stray words, such as the two words before
// the name in `and then name --> "a"`. A comma or a value ends the sequence.
func (r *Reader) countStrayItems(items []*Item) int {
	for n, it := range items {
		switch {
		case it.Junk == nil && !it.isWord() && !r.isWordAndQuote(it):
			return n
		case it.Comma != nil || it.hasValue():
			return n + 1
		}
	}
	return len(items)
}

// isWordAndQuote reports whether the item is a word and a quote without its counterpart, as in `users"`.
func (r *Reader) isWordAndQuote(it *Item) bool {
	return it.Key != nil && it.Arrow == nil && it.Text != nil && r.brokenTexts[it.Text.Pos.Offset]
}

// reportStrayItems reports the items that countStrayItems found, as one fault.
func (r *Reader) reportStrayItems(items []*Item) {
	first, last := items[0].FirstToken(), items[len(items)-1].LastToken()
	at := r.SpanBetween(first, last)
	if comma := items[len(items)-1].Comma; comma != nil {
		last = comma // it is deleted as well
	}
	switch first.Type {
	case ArrowToken:
		r.Errorf("unexpected-text", at, "missing name before %q", first.Value).
			WithHelp(`write name --> "text"`)
	default:
		r.Errorf("unexpected-text", at, "unexpected %s", DescribeToken(first)).
			WithHelp(`expected name --> "text" here; comments start with //`).
			WithGuess(r.deleteTokens(first, last))
	}
}

// ReportUnexpected reports a value without a name where a name is needed, unless it ends in
// a text that has a reported fault.
func (r *Reader) ReportUnexpected(it *Item, where, help string) {
	if last := it.LastToken(); last.Type != TextToken || !r.brokenTexts[last.Pos.Offset] {
		r.Errorf("unexpected-text", r.SpanOf(it.FirstToken()), "unexpected %s in %s", DescribeToken(it.FirstToken()), where).WithHelp("%s", help)
	}
}

// fixItem reports the faults inside an item and completes it. It returns the
// items of next that did not become part of the item.
func (r *Reader) fixItem(it *Item, next []*Item) []*Item {
	next = r.fixQuotedKey(it, next)
	switch {
	case it.Key == nil:
	case it.Arrow == nil:
		r.reportMissingArrow(it, r.isNameOf(it, next))
	case it.Arrow.Value != "-->":
		r.Errorf("wrong-arrow", r.SpanOf(it.Arrow), `expected "-->" after %q, found %q`, it.Key.Value, it.Arrow.Value).
			WithHelp("write %s", it.exampleText()).WithFix(r.replaceByArrow(it.Arrow))
	}
	if it.Key != nil && it.Arrow != nil {
		next = r.joinTexts(it, next)
	}
	if it.Key != nil && !it.hasValue() {
		next = r.fixBareText(it, next)
	}
	next = r.fixListBlock(it, next)
	if it.Text != nil && it.Block != nil {
		r.checkBlockArrow(it)
	}
	return next
}

// isNameOf reports whether the key of an item without an arrow is certainly the name of the value
// that follows. That is certain if the key looks like a name of the notation, such as description, or if only a
// text in quotes follows. Otherwise the words may be prose.
func (r *Reader) isNameOf(it *Item, next []*Item) bool {
	if isKnownName(it.Key.Value) {
		return it.hasValue() || len(next) > 0 && isBareWord(next[0])
	}
	return it.Text != nil && !r.brokenTexts[it.Text.Pos.Offset] && (it.Comma != nil || len(next) == 0 || next[0].Junk == nil)
}

// reportMissingArrow reports that no arrow follows the key of an item. If certain is false, the key
// may be a word of prose.
func (r *Reader) reportMissingArrow(it *Item, certain bool) {
	d := r.Errorf("missing-arrow", r.SpanOf(it.Key), `expected "-->" after %q, found %s`, it.Key.Value, DescribeToken(it.ValueToken())).
		WithHelp("write %s", it.exampleText())
	if it.hasValue() || certain {
		d.WithFixIf(certain, r.insertArrowAfter(it.Key))
	}
}

// exampleText returns a short form of the item as it should be written.
func (it *Item) exampleText() string {
	value := "…"
	switch {
	case it.Text != nil && strings.HasPrefix(it.Text.Value, StringQuote):
		value = DescribeToken(it.Text)
	case it.Text != nil: // in other quotes, or without
		value = `"…"`
	case it.Block != nil:
		value = "{ … }"
	case it.List != nil:
		value = "[ … ]"
	}
	return it.Key.Value + " --> " + value + it.missingBlock()
}

// missingBlock returns the text " --> { }" for a function without an interface block, and "" for
// other items.
func (it *Item) missingBlock() string {
	if it.Key.Value != "function" || it.Block != nil || it.List != nil {
		return ""
	}
	return " --> { }"
}

// ValueToken returns the first token of the item's value.
func (it *Item) ValueToken() *Token {
	value := *it
	value.Key, value.Arrow = nil, nil
	return value.FirstToken()
}

func (r *Reader) checkBlockArrow(it *Item) {
	switch {
	case it.BlockArrow == nil:
		r.Errorf("missing-arrow", r.SpanOf(it.Block.Open), `expected "-->" before the block of %s`, DescribeToken(it.Text)).
			WithHelp("write %s --> { … }", it.Text.Value).WithFixIf(!r.brokenTexts[it.Text.Pos.Offset], r.insertArrowAfter(it.Text))
	case it.BlockArrow.Value != "-->":
		r.Errorf("wrong-arrow", r.SpanOf(it.BlockArrow), `expected "-->" before the block, found %q`, it.BlockArrow.Value).
			WithHelp("write %s --> { … }", it.Text.Value).WithFix(r.replaceByArrow(it.BlockArrow))
	}
}

// fixQuotedKey completes an item whose name is in quotes, as in JSON or Python. The value
// is the block after the arrow or the next item.
func (r *Reader) fixQuotedKey(it *Item, next []*Item) []*Item {
	if it.Key != nil || it.Text == nil || it.BlockArrow == nil {
		return next
	}
	name := strings.Trim(TextValue(it.Text.Value), allQuotes)
	if !IsName(name) {
		return next
	}
	key, arrow := *it.Text, *it.BlockArrow
	edits := []diag.Edit{r.replaceToken(&key, name)}
	if arrow.Value != "-->" {
		edits = append(edits, r.replaceByArrow(&arrow))
	}
	r.Errorf("quoted-name", r.SpanOf(&key), "names are written without quotes").WithHelp("write %s --> …", name).WithFix(edits...)
	r.quoted[&key] = key.Value
	key.Type, key.Value = IdentToken, name
	arrow.Value = "-->" // do not report a wrong arrow as well
	switch {
	case it.Block != nil:
		it.Text, it.BlockArrow = nil, nil
	case it.Comma == nil && len(next) > 0 && next[0].Key == nil && next[0].hasValue():
		*it, next = *next[0], next[1:]
	default:
		*it = Item{Comma: it.Comma}
	}
	it.Key, it.Arrow = &key, &arrow
	return next
}

// fixBareText completes an item without a value, as in `name --> find users`: the words that
// follow become its text, and the missing quotes are reported. If no words follow, fixBareText
// reports that the value is missing.
func (r *Reader) fixBareText(it *Item, next []*Item) []*Item {
	if typed := it.takeTypedDefault(next); typed != nil {
		r.setBareText(it, next[0].Key, typed.LastToken(), true)
		it.Comma = typed.Comma
		return next[1+slices.Index(next, typed):]
	}
	n := 0
	for it.Comma == nil && n < len(next) && isBareWord(next[n]) {
		it.Comma = next[n].Comma
		n++
	}
	if it.Comma == nil && n < len(next) && next[n].introducesBlock(it.Key.Value, n) {
		return r.fixBareFunction(it, next, n)
	}
	if n == 0 {
		r.Errorf("missing-value", r.SpanOf(it.Key), "%q has no value", it.Key.Value).
			WithHelp(`write %s --> "text"`, it.Key.Value)
		r.setBrokenText(it, lexer.Token{Pos: it.Key.Pos})
		return next
	}
	if first := next[0].FirstToken(); n == 1 && nullWords[first.Value] {
		r.reportNull(it, first)
		return next[n:]
	}
	complete := it.Comma != nil || n == len(next) || next[n].Key == nil || isKnownName(next[n].Key.Value)
	r.setBareText(it, next[0].FirstToken(), next[n-1].LastToken(), complete)
	return next[n:]
}

// takeTypedDefault checks whether the next items are a type with a default in Python's notation, as
// in `limit: int = 10`. It returns the last of their items, or nil if they are something else.
func (it *Item) takeTypedDefault(next []*Item) *Item {
	if it.Arrow == nil || it.Arrow.Value != ":" || it.Comma != nil || len(next) == 0 || next[0].Key == nil || next[0].Arrow == nil || next[0].Arrow.Value != "=" {
		return nil
	}
	switch first := next[0]; {
	case first.Text != nil && first.BlockArrow == nil && first.Block == nil:
		return first
	case !first.hasValue() && first.Comma == nil && len(next) > 1 && isBareWord(next[1]):
		return next[1]
	}
	return nil
}

// nullWords are the words of other notations for a value that is absent.
var nullWords = map[string]bool{"null": true, "None": true, "nil": true, "undefined": true}

// reportNull reports a property that is null, which is the same as no property.
func (r *Reader) reportNull(it *Item, null *Token) {
	last := null
	if it.Comma != nil {
		last = it.Comma
	}
	r.Errorf("missing-value", r.SpanOf(it.Key), "%q cannot be %s", it.Key.Value, null.Value).
		WithHelp("leave the property out").WithFix(r.deleteTokens(it.Key, last))
	*it = Item{Key: it.Key, Arrow: it.Arrow, Comma: it.Comma, absent: true}
}

// setBrokenText replaces the missing or wrong text of an item, so that the item is still checked.
// Further faults of the text itself are not reported.
func (r *Reader) setBrokenText(it *Item, text lexer.Token) {
	text.Type = TextToken
	r.brokenTexts[text.Pos.Offset] = true
	it.Text = &text
}

func isBareWord(it *Item) bool {
	return it.isWord() && (it.Junk == nil || it.Junk.Type != ArrowToken)
}

// introducesBlock reports whether the item is the last word of a function text without quotes, with the
// interface block after it: `Find --> {`. If words is not 0, other words of the text come before the item,
// and `--> {` is enough. key is the name of the property.
func (it *Item) introducesBlock(key string, words int) bool {
	if key != "function" || it.Block == nil || it.Text != nil {
		return false
	}
	if it.Key != nil {
		return it.Arrow != nil && it.Key.Value != "args_schema"
	}
	return words > 0 && it.Junk != nil && it.Junk.Type == ArrowToken
}

// fixBareFunction completes a function whose text is not quoted. The item next[words] has its interface
// block.
func (r *Reader) fixBareFunction(it *Item, next []*Item, words int) []*Item {
	end := next[words]
	first, last := end.Key, end.Key
	it.BlockArrow = end.Arrow
	if last == nil {
		last, it.BlockArrow = next[words-1].LastToken(), end.Junk
	}
	if words > 0 {
		first = next[0].FirstToken()
	}
	r.setBareText(it, first, last, true)
	it.Block, it.Comma = end.Block, end.Comma
	return next[words+1:]
}

// setBareText makes a sequence of words the text of an item, and reports the missing quotes. Unless
// complete is set, the text may continue after the words, so the fix is a guess.
func (r *Reader) setBareText(it *Item, first, last *Token, complete bool) {
	text := *first
	text.Value = r.src[first.Pos.Offset : last.Pos.Offset+len(last.Value)]
	r.setBrokenText(it, text)
	words := strings.Join(strings.Fields(text.Value), " ")
	d := r.Errorf("unquoted-text", r.SpanOf(it.Text), "the text of %q is not quoted", it.Key.Value).
		WithHelp(`write %s --> "%s"%s`, it.Key.Value, words, it.missingBlock())
	d.WithFixIf(complete && !strings.ContainsAny(text.Value, "\n\""), diag.Edit{Span: r.SpanBetween(first, last), Text: StringQuote + words + StringQuote})
}

// checkClosed reports a bracket that is not closed, unless something inside it is not
// closed either and was reported.
func (r *Reader) checkClosed(g *Group) {
	n := len(g.Items)
	if g.Close != nil || r.stopped || n > 0 && r.endsBroken(g.Items[n-1]) {
		return
	}
	last := g.lastInside()
	if n > 0 && g.Items[n-1].Comma != nil && g.Open.Value == "[" {
		last = g.Items[n-1].Comma
	}
	d := r.addCloseFix(r.reportUnclosed(g.Open), last, closingBracket(g.Open), false)
	if n > 0 && g.Open.Value == "{" && (g.Items[n-1].Block.propertyIndex() >= 0 || g.Items[n-1].lacksValue()) || r.HasUnclosedText(g) {
		d.Fixes[0].Guess = true // the bracket may belong earlier: in a block, before a missing value, or inside a text
	}
}

// lacksValue reports whether nothing follows the arrow of an item.
func (it *Item) lacksValue() bool {
	return it.Arrow != nil && !it.hasValue()
}

func (r *Reader) reportUnclosed(open *Token) *diag.Diagnostic {
	return r.Errorf("unclosed-bracket", r.SpanOf(open), "%q is not closed", open.Value).
		WithHelp("add the closing %q", closingBracket(open))
}

// closingBracket returns the bracket that closes another.
func closingBracket(open *Token) string { return map[string]string{"{": "}", "[": "]"}[open.Value] }
