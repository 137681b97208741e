package syntax

import (
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/aiongen/aiongen/aion/diag"
)

// Tidy returns those of the items between two brackets that are whole, which is
// either a value or `key --> value`. It reports slips of punctuation, mends the
// items where it is clear what was meant, and leaves out what is no item.
func (r *Reader) Tidy(items []*Item) []*Item {
	var whole []*Item
	var last *Token // of the item before
	comma := true   // nothing needs one before the next item
	for len(items) > 0 && !r.Full() {
		it := items[0]
		if it.lone() {
			items = r.extraCommas(items)
			comma = true
			continue
		}
		if n := r.strays(items); n > 0 {
			r.unexpected(items[:n])
			items, comma = items[n:], true
			continue
		}
		if !comma {
			r.missingComma(last, it)
		}
		items = r.mend(it, items[1:])
		last = it.Last()
		comma = it.Comma != nil || r.isBroken(it)
		if it.valued() {
			whole = append(whole, it)
		}
	}
	return whole
}

// extraCommas reports commas that separate nothing, since an item has taken the
// comma behind it: once for several in a row. It returns the items behind them.
func (r *Reader) extraCommas(items []*Item) []*Item {
	n := 1
	for n < len(items) && items[n].lone() {
		n++
	}
	r.Errorf("extra-comma", r.At(items[0].Comma), `a "," without anything before it`).WithHelp("delete it").
		WithFix(r.without(items[0].Comma, items[n-1].Comma))
	return items[n:]
}

// missingComma reports that there is none between an item and the token before it.
func (r *Reader) missingComma(last *Token, it *Item) {
	r.Errorf("missing-comma", r.At(it.First()), `missing "," before %s`, Found(it.First())).
		WithHelp("items are separated by commas").WithFix(r.insertBehind(last, ","))
}

// isBroken reports whether the item ends in a text or bracket whose end is
// missing, so that a missing comma is no news.
func (r *Reader) isBroken(it *Item) bool {
	last := it.Last()
	return last.Type == TextToken && r.broken[last.Pos.Offset] ||
		it.Block != nil && it.Block.Close == nil || it.List != nil && it.List.Close == nil
}

// strays counts the items at the start that are words without a meaning.
func (r *Reader) strays(items []*Item) int {
	for n, it := range items {
		switch {
		case it.Junk == nil && !it.word() && !r.afterWord(it):
			return n
		case it.Comma != nil || it.valued():
			return n + 1
		}
	}
	return len(items)
}

// afterWord reports whether the item is a word and a quote that closes nothing.
func (r *Reader) afterWord(it *Item) bool {
	return it.Key != nil && it.Arrow == nil && it.Text != nil && r.broken[it.Text.Pos.Offset]
}

// unexpected reports items that do not belong where they stand.
func (r *Reader) unexpected(items []*Item) {
	first, last := items[0].First(), items[len(items)-1].Last()
	at := r.Between(first, last)
	if comma := items[len(items)-1].Comma; comma != nil {
		last = comma // goes with it
	}
	switch first.Type {
	case ArrowToken:
		r.Errorf("unexpected-text", at, "missing name before %q", first.Value).
			WithHelp(`write name --> "text"`)
	default:
		r.Errorf("unexpected-text", at, "unexpected %s", Found(first)).
			WithHelp(`what may stand here has the form name --> "text"; comments start with //`).
			WithGuess(r.without(first, last))
	}
}

// Unexpected reports a value without a name, where one is needed. Of a text that is
// broken this was said; of a bracket without its end nobody else says anything.
func (r *Reader) Unexpected(it *Item, where, help string) {
	if last := it.Last(); last.Type != TextToken || !r.broken[last.Pos.Offset] {
		r.Errorf("unexpected-text", r.At(it.First()), "unexpected %s in %s", Found(it.First()), where).WithHelp("%s", help)
	}
}

// mend reports what is wrong inside an item and makes it whole. What it takes
// from the items behind it is missing from those it returns.
func (r *Reader) mend(it *Item, next []*Item) []*Item {
	next = r.quotedKey(it, next)
	switch {
	case it.Key == nil:
	case it.Arrow == nil:
		r.missingArrow(it, it.valued() || len(next) > 0 && bareWord(next[0]))
	case it.Arrow.Value != "-->":
		r.Errorf("wrong-arrow", r.At(it.Arrow), `expected "-->" after %q, found %q`, it.Key.Value, it.Arrow.Value).
			WithHelp("write %s", it.example()).WithFix(r.arrowFor(it.Arrow))
	}
	if it.Key != nil && !it.valued() {
		next = r.bareText(it, next)
	}
	if it.Text != nil && it.Block != nil {
		r.secondArrow(it)
	}
	return next
}

func (r *Reader) missingArrow(it *Item, valued bool) {
	d := r.Errorf("missing-arrow", r.At(it.Key), `expected "-->" after %q, found %s`, it.Key.Value, Found(it.AfterKey())).
		WithHelp("write %s", it.example())
	if valued {
		d.WithFix(r.arrowBehind(it.Key))
	}
}

// example is the item as it should be written, in short.
func (it *Item) example() string {
	value := "…"
	switch {
	case it.Text != nil && strings.HasPrefix(it.Text.Value, StringQuote):
		value = Found(it.Text)
	case it.Text != nil: // in other quotes, or without
		value = `"…"`
	case it.Block != nil:
		value = "{ … }"
	case it.List != nil:
		value = "[ … ]"
	}
	return it.Key.Value + " --> " + value + it.blockToAdd()
}

// blockToAdd is what a function without its interface block lacks.
func (it *Item) blockToAdd() string {
	if it.Key.Value != "function" || it.Block != nil || it.List != nil {
		return ""
	}
	return " --> { }"
}

// AfterKey is the first token of the item's value.
func (it *Item) AfterKey() *Token {
	value := *it
	value.Key, value.Arrow = nil, nil
	return value.First()
}

func (r *Reader) secondArrow(it *Item) {
	switch {
	case it.Then == nil:
		r.Errorf("missing-arrow", r.At(it.Block.Open), `expected "-->" before the block of %s`, Found(it.Text)).
			WithHelp("write %s --> { … }", it.Text.Value).WithFix(r.arrowBehind(it.Text))
	case it.Then.Value != "-->":
		r.Errorf("wrong-arrow", r.At(it.Then), `expected "-->" before the block, found %q`, it.Then.Value).
			WithHelp("write %s --> { … }", it.Text.Value).WithFix(r.arrowFor(it.Then))
	}
}

// quotedKey mends a name in quotes, as in JSON or Python. Its value is the block behind
// the arrow or the next item.
func (r *Reader) quotedKey(it *Item, next []*Item) []*Item {
	if it.Key != nil || it.Text == nil || it.Then == nil {
		return next
	}
	name := strings.Trim(Value(it.Text.Value), quotes)
	if !IsName(name) {
		return next
	}
	key, arrow := *it.Text, *it.Then
	edits := []diag.Edit{r.replace(&key, name)}
	if arrow.Value != "-->" {
		edits = append(edits, r.arrowFor(&arrow))
	}
	r.Errorf("quoted-name", r.At(&key), "names stand without quotes").WithHelp("write %s --> …", name).WithFix(edits...)
	r.quoted[&key] = key.Value
	key.Type, key.Value = IdentToken, name
	arrow.Value = "-->" // whatever it was, one fault is enough
	switch {
	case it.Block != nil:
		it.Text, it.Then = nil, nil
	case it.Comma == nil && len(next) > 0 && next[0].Key == nil && next[0].valued():
		*it, next = *next[0], next[1:]
	default:
		*it = Item{Comma: it.Comma}
	}
	it.Key, it.Arrow = &key, &arrow
	return next
}

// bareText mends a text without quotes, which is the run of words behind the
// arrow, or reports that there is none.
func (r *Reader) bareText(it *Item, next []*Item) []*Item {
	n := 0
	for it.Comma == nil && n < len(next) && bareWord(next[n]) {
		it.Comma = next[n].Comma
		n++
	}
	if it.Comma == nil && n < len(next) && next[n].introducesBlock(it.Key.Value, n) {
		return r.bareFunction(it, next, n)
	}
	if n == 0 {
		r.Errorf("missing-value", r.At(it.Key), "%q has no value", it.Key.Value).
			WithHelp(`write %s --> "text"`, it.Key.Value)
		r.setBroken(it, lexer.Token{Pos: it.Key.Pos})
		return next
	}
	r.bare(it, next[0].First(), next[n-1].Last())
	return next[n:]
}

// setBroken gives an item a text that stands for one that is missing or wrong,
// so that what else is wrong with the item can be told, and nothing about the text.
func (r *Reader) setBroken(it *Item, text lexer.Token) {
	text.Type = TextToken
	r.broken[text.Pos.Offset] = true
	it.Text = &text
}

func bareWord(it *Item) bool {
	return it.word() && (it.Junk == nil || it.Junk.Type != ArrowToken)
}

// introducesBlock reports whether the item is the end of a bare function text
// with its interface block: `Find --> {`, or only `--> {` behind other words.
func (it *Item) introducesBlock(key string, words int) bool {
	if key != "function" || it.Block == nil || it.Text != nil {
		return false
	}
	if it.Key != nil {
		return it.Arrow != nil && it.Key.Value != "args_schema"
	}
	return words > 0 && it.Junk != nil && it.Junk.Type == ArrowToken
}

// bareFunction mends a function's text without quotes in front of its block.
func (r *Reader) bareFunction(it *Item, next []*Item, words int) []*Item {
	end := next[words]
	first, last := end.Key, end.Key
	it.Then = end.Arrow
	if last == nil {
		last, it.Then = next[words-1].Last(), end.Junk
	}
	if words > 0 {
		first = next[0].First()
	}
	r.bare(it, first, last)
	it.Block, it.Comma = end.Block, end.Comma
	return next[words+1:]
}

// bare makes a run of words the text of an item, and reports it.
func (r *Reader) bare(it *Item, first, last *Token) {
	text := *first
	text.Value = r.src[first.Pos.Offset : last.Pos.Offset+len(last.Value)]
	r.setBroken(it, text)
	words := strings.Join(strings.Fields(text.Value), " ")
	d := r.Errorf("unquoted-text", r.At(it.Text), "the text of %q stands without quotes", it.Key.Value).
		WithHelp(`write %s --> "%s"%s`, it.Key.Value, words, it.blockToAdd())
	d.WithFixIf(!strings.ContainsAny(text.Value, "\n\""), diag.Edit{Span: r.Between(first, last), Text: StringQuote + words + StringQuote})
}

// closed holds a bracket against the rule that it is closed. It is silent where
// the end of something inside is missing, too, and was reported.
func (r *Reader) closed(open, end *Token, items []*Item) {
	if end != nil || r.stopped || len(items) > 0 && r.isBroken(items[len(items)-1]) {
		return
	}
	last := lastOf(open, items, nil)
	if n := len(items); n > 0 && items[n-1].Comma != nil && open.Value == "[" {
		last = items[n-1].Comma
	}
	d := r.closeBehind(r.unclosedBracket(open), last, closing(open), false)
	if n := len(items); n > 0 && open.Value == "{" && items[n-1].Block.property() >= 0 {
		d.Fixes[0].Guess = true // it may be the block inside that should end before
	}
}

func (r *Reader) unclosedBracket(open *Token) *diag.Diagnostic {
	return r.Errorf("unclosed-bracket", r.At(open), "%q is not closed", open.Value).
		WithHelp("write the %q that belongs to it", closing(open))
}

// closing is the bracket that closes another.
func closing(open *Token) string { return map[string]string{"{": "}", "[": "]"}[open.Value] }
