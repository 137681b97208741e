package aion

import (
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/aiongen/aiongen/aion/diag"
)

// A reader goes through the tree of a file, reports what is wrong in it, and
// builds the document from the rest.
type reader struct {
	*scanner
	doc *Document
}

// tidy returns those of the items between two brackets that are whole, which is
// either a value or `key --> value`. It reports slips of punctuation, mends the
// items where it is clear what was meant, and leaves out what is no item.
func (r *reader) tidy(items []*item) []*item {
	var whole []*item
	comma := true // nothing needs one before the next item
	for len(items) > 0 {
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
			r.missingComma(it)
		}
		items = r.mend(it, items[1:])
		comma = it.Comma != nil || r.isBroken(it)
		if it.valued() {
			whole = append(whole, it)
		}
	}
	return whole
}

// extraCommas reports commas that separate nothing, since an item has taken the
// comma behind it: once for several in a row. It returns the items behind them.
func (r *reader) extraCommas(items []*item) []*item {
	r.report("extra-comma", r.at(items[0].Comma), `a "," without anything before it`).WithHelp("delete it")
	for len(items) > 0 && items[0].lone() {
		items = items[1:]
	}
	return items
}

func (r *reader) missingComma(it *item) {
	r.report("missing-comma", r.at(it.first()), `missing "," before %s`, found(it.first())).
		WithHelp("items are separated by commas")
}

// isBroken reports whether the item ends in a text or bracket whose end is
// missing, so that a missing comma is no news.
func (r *reader) isBroken(it *item) bool {
	last := it.last()
	return last.Type == tokenText && r.broken[last.Pos.Offset] ||
		it.Block != nil && it.Block.Close == nil || it.List != nil && it.List.Close == nil
}

// strays counts the items at the start that are words without a meaning.
func (r *reader) strays(items []*item) int {
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
func (r *reader) afterWord(it *item) bool {
	return it.Key != nil && it.Arrow == nil && it.Text != nil && r.broken[it.Text.Pos.Offset]
}

// unexpected reports items that do not belong where they stand.
func (r *reader) unexpected(items []*item) {
	first, last := items[0].first(), items[len(items)-1].last()
	at := r.between(first, last)
	switch first.Type {
	case tokenArrow:
		r.report("unexpected-text", at, "missing name before %q", first.Value).
			WithHelp(`write name --> "text"`)
	default:
		r.report("unexpected-text", at, "unexpected %s", found(first)).
			WithHelp(`what may stand here has the form name --> "text"; comments start with //`)
	}
}

// unexpectedValue reports a value without a name, where one is needed.
func (r *reader) unexpectedValue(it *item, where, help string) {
	if !r.isBroken(it) {
		r.report("unexpected-text", r.at(it.first()), "unexpected %s in %s", found(it.first()), where).WithHelp("%s", help)
	}
}

// mend reports what is wrong inside an item and makes it whole. What it takes
// from the items behind it is missing from those it returns.
func (r *reader) mend(it *item, next []*item) []*item {
	next = r.quotedKey(it, next)
	switch {
	case it.Key == nil:
	case it.Arrow == nil:
		r.missingArrow(it)
	case it.Arrow.Value != "-->":
		r.report("wrong-arrow", r.at(it.Arrow), `expected "-->" after %q, found %q`, it.Key.Value, it.Arrow.Value).
			WithHelp("write %s", it.example())
	}
	if it.Key != nil && !it.valued() {
		next = r.bareText(it, next)
	}
	if it.Text != nil && it.Block != nil {
		r.secondArrow(it)
	}
	return next
}

func (r *reader) missingArrow(it *item) {
	r.report("missing-arrow", r.at(it.Key), `expected "-->" after %q, found %s`, it.Key.Value, found(it.afterKey())).
		WithHelp("write %s", it.example())
}

// example is the item as it should be written, in short.
func (it *item) example() string {
	value := "…"
	switch {
	case it.Text != nil && strings.HasPrefix(it.Text.Value, stringQuote):
		value = found(it.Text)
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
func (it *item) blockToAdd() string {
	if it.Key.Value != "function" || it.Block != nil || it.List != nil {
		return ""
	}
	return " --> { }"
}

// afterKey is the first token of the item's value.
func (it *item) afterKey() *lexer.Token {
	value := *it
	value.Key, value.Arrow = nil, nil
	return value.first()
}

func (r *reader) secondArrow(it *item) {
	switch {
	case it.Then == nil:
		r.report("missing-arrow", r.at(it.Block.Open), `expected "-->" before the block of %s`, found(it.Text)).
			WithHelp("write %s --> { … }", it.Text.Value)
	case it.Then.Value != "-->":
		r.report("wrong-arrow", r.at(it.Then), `expected "-->" before the block, found %q`, it.Then.Value).
			WithHelp("write %s --> { … }", it.Text.Value)
	}
}

// quotedKey mends a name in quotes, as in JSON. Its value is the block behind
// the arrow or the next item.
func (r *reader) quotedKey(it *item, next []*item) []*item {
	if it.Key != nil || it.Text == nil || it.Then == nil {
		return next
	}
	name := textValue(it.Text.Value)
	if name == "" || identWidth(name) != len(name) {
		return next
	}
	key, arrow := *it.Text, *it.Then
	r.report("quoted-name", r.at(&key), "names stand without quotes").WithHelp("write %s --> …", name)
	key.Type, key.Value = tokenIdent, name
	key.Pos.Offset += len(stringQuote)
	key.Pos.Column += len(stringQuote)
	arrow.Value = "-->" // whatever it was, one fault is enough
	switch {
	case it.Block != nil:
		it.Text, it.Then = nil, nil
	case it.Comma == nil && len(next) > 0 && next[0].Key == nil && next[0].valued():
		*it, next = *next[0], next[1:]
	default:
		*it = item{Comma: it.Comma}
	}
	it.Key, it.Arrow = &key, &arrow
	return next
}

// bareText mends a text without quotes, which is the run of words behind the
// arrow, or reports that there is none.
func (r *reader) bareText(it *item, next []*item) []*item {
	n := 0
	for it.Comma == nil && n < len(next) && bareWord(next[n]) {
		it.Comma = next[n].Comma
		n++
	}
	if it.Comma == nil && n < len(next) && next[n].introducesBlock(it.Key.Value, n) {
		return r.bareFunction(it, next, n)
	}
	if n == 0 {
		r.report("missing-value", r.at(it.Key), "%q has no value", it.Key.Value).
			WithHelp(`write %s --> "text"`, it.Key.Value)
		r.setBroken(it, lexer.Token{Pos: it.Key.Pos})
		return next
	}
	r.bare(it, next[0].first(), next[n-1].last())
	return next[n:]
}

// setBroken gives an item a text that stands for one that is missing or wrong,
// so that what else is wrong with the item can be told, and nothing about the text.
func (r *reader) setBroken(it *item, text lexer.Token) {
	text.Type = tokenText
	r.broken[text.Pos.Offset] = true
	it.Text = &text
}

func bareWord(it *item) bool {
	return it.word() && (it.Junk == nil || it.Junk.Type != tokenArrow)
}

// introducesBlock reports whether the item is the end of a bare function text
// with its interface block: `Find --> {`, or only `--> {` behind other words.
func (it *item) introducesBlock(key string, words int) bool {
	if key != "function" || it.Block == nil || it.Text != nil {
		return false
	}
	if it.Key != nil {
		return it.Arrow != nil && it.Key.Value != "args_schema"
	}
	return words > 0 && it.Junk != nil && it.Junk.Type == tokenArrow
}

// bareFunction mends a function's text without quotes in front of its block.
func (r *reader) bareFunction(it *item, next []*item, words int) []*item {
	end := next[words]
	first, last := end.Key, end.Key
	it.Then = end.Arrow
	if last == nil {
		last, it.Then = next[words-1].last(), end.Junk
	}
	if words > 0 {
		first = next[0].first()
	}
	r.bare(it, first, last)
	it.Block, it.Comma = end.Block, end.Comma
	return next[words+1:]
}

// bare makes a run of words the text of an item, and reports it.
func (r *reader) bare(it *item, first, last *lexer.Token) {
	text := *first
	text.Value = r.src[first.Pos.Offset : last.Pos.Offset+len(last.Value)]
	r.setBroken(it, text)
	r.report("unquoted-text", r.at(it.Text), "the text of %q stands without quotes", it.Key.Value).
		WithHelp(`write %s --> "%s"%s`, it.Key.Value, strings.Join(strings.Fields(text.Value), " "), it.blockToAdd())
}

// at is the span of a token.
func (r *reader) at(t *lexer.Token) diag.Span { return r.between(t, t) }

// between is the span from the start of one token to the end of another.
func (r *reader) between(first, last *lexer.Token) diag.Span {
	return diag.Span{File: r.file, Start: pos(first), End: moved(pos(last), last.Value)}
}

func pos(t *lexer.Token) diag.Pos {
	return diag.Pos{Offset: t.Pos.Offset, Line: t.Pos.Line, Column: t.Pos.Column}
}

// found is a token in the words of a message.
func found(t *lexer.Token) string {
	const longest = 40
	value := firstLine(strings.TrimRight(t.Value, "\r\n"))
	if runes := []rune(value); len(runes) > longest || len(value) < len(t.Value) {
		value = string(runes[:min(longest, len(runes))]) + "…"
	}
	if t.Type == tokenText {
		return value // it has its own quotes
	}
	return `"` + value + `"`
}
