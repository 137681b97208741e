package syntax

import (
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
)

// joinTexts joins consecutive texts after a name into one, as Python does. They may be in
// parentheses. It returns the items of next that did not become part of the item.
func (r *Reader) joinTexts(it *Item, next []*Item) []*Item {
	if it.Comma != nil || len(next) == 0 {
		return next
	}
	if !it.hasValue() && next[0].Junk != nil && next[0].Junk.Value == "(" {
		return r.joinInParentheses(it, next)
	}
	first := *it
	first.Key, first.Arrow = nil, nil
	more := takeTexts(next)
	if !first.isBareText() || len(more) == 0 {
		return next
	}
	texts := append([]*Token{it.Text}, more...)
	r.reportJoined(it, texts, r.SpanBetween(texts[0], texts[len(more)]), r.areOnOwnLines(texts))
	it.Text, it.Comma = r.joinedToken(texts), next[len(more)-1].Comma
	return next[len(more):]
}

// joinInParentheses is joinTexts for texts in parentheses.
func (r *Reader) joinInParentheses(it *Item, next []*Item) []*Item {
	first := *next[0]
	first.Junk = nil
	if !first.isBareText() {
		return next
	}
	texts := []*Token{first.Text}
	if first.Comma == nil {
		texts = append(texts, takeTexts(next[1:])...)
	}
	n := len(texts)
	if next[n-1].Comma != nil || n == len(next) || next[n].Junk == nil || next[n].Junk.Value != ")" || next[n].hasValue() {
		return next
	}
	r.reportJoined(it, texts, r.SpanBetween(next[0].Junk, next[n].Junk), true)
	it.Text, it.Comma = r.joinedToken(texts), next[n].Comma
	return next[n+1:]
}

// takeTexts returns the texts at the start of items, up to the first comma.
func takeTexts(items []*Item) (texts []*Token) {
	for _, it := range items {
		if !it.isBareText() {
			break
		}
		if texts = append(texts, it.Text); it.Comma != nil {
			break
		}
	}
	return texts
}

// isBareText reports whether the item is a text and nothing else.
func (it *Item) isBareText() bool {
	return it.Key == nil && it.Junk == nil && it.Text != nil && it.BlockArrow == nil && it.Block == nil
}

// areOnOwnLines reports whether each text starts on a new line.
func (r *Reader) areOnOwnLines(texts []*Token) bool {
	for i := 1; i < len(texts); i++ {
		if texts[i].Pos.Line == r.SpanOf(texts[i-1]).End.Line {
			return false
		}
	}
	return true
}

// reportJoined reports texts that Python would concatenate. The fix joins them. It is a guess
// unless certain is set and no text is a text block or has another fault.
func (r *Reader) reportJoined(it *Item, texts []*Token, at diag.Span, certain bool) {
	var joined strings.Builder
	for _, text := range texts {
		joined.WriteString(TextValue(text.Value))
		certain = certain && !r.brokenTexts[text.Pos.Offset] && !strings.HasPrefix(text.Value, BlockQuote)
	}
	d := r.Errorf("unexpected-text", at, "the value of %q must be one text, without parentheses", it.Key.Value).
		WithHelp("write %s --> \"text\"; texts are not joined", it.Key.Value)
	if quoted, ok := QuoteText(joined.String()); ok {
		d.WithFixIf(certain, diag.Edit{Span: at, Text: quoted})
	}
}

// joinedToken returns one token for joined texts. Further faults in them are not reported.
func (r *Reader) joinedToken(texts []*Token) *Token {
	first, last := texts[0], texts[len(texts)-1]
	text := *first
	text.Value = r.src[first.Pos.Offset : last.Pos.Offset+len(last.Value)]
	r.brokenTexts[text.Pos.Offset] = true
	return &text
}

// fixListBlock completes a function text if the interface block after it is in square brackets instead of
// braces.
func (r *Reader) fixListBlock(it *Item, next []*Item) []*Item {
	if it.BlockArrow == nil || it.Block != nil || it.Comma != nil || len(next) == 0 || !next[0].isBareList() || next[0].List.Close == nil {
		return next
	}
	l := next[0].List
	r.Errorf("missing-brace", r.SpanOf(l.Open), `expected "{" before the entries, found "["`).
		WithHelp("write %s --> { … }", DescribeToken(it.Text)).WithFix(r.replaceToken(l.Open, "{"), r.replaceToken(l.Close, "}"))
	it.Block, it.Comma = &Group{Open: l.Open, Items: l.Items, Close: l.Close}, next[0].Comma
	return next[1:]
}
