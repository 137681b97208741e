package syntax

import (
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
)

// skipPrefix reports what other notations write before the array of a file, and returns the
// items without it: a docstring, an assignment, or an object around the array.
func (a *array) skipPrefix(items []*Item) []*Item {
	switch {
	case len(items) == 0:
	case len(items) > 1 && items[0].isBareText() && items[1].isBareList() && holdsElement(items[1].List):
		a.reportDocstring(items[0].Text)
		return items[1:]
	case items[0].isAssignment():
		return a.skipAssignment(items)
	case items[0].IsElement() && items[0].Block.Close != nil && len(items) == 1:
		if list := a.wrappedList(items[0].Block); list != nil {
			b := items[0].Block
			a.Errorf("missing-array", a.SpanOf(b.Open), `expected "[" at the start of the file, found an object around it`).
				WithHelp("delete the object: a file is its array").
				WithFix(diag.Edit{Span: diag.Span{File: a.file, Start: tokenPos(b.Open), End: tokenPos(list.Open)}}, a.deleteTokens(b.Close, b.Close))
			return []*Item{{List: list}}
		}
	}
	return items
}

// reportDocstring reports a text before the array. The fix makes it a comment.
func (a *array) reportDocstring(text *Token) {
	comment := CommentLines(TextValue(text.Value), "\n")
	end := text.Pos.Offset + len(text.Value)
	if next := skipBlank(a.src, end); !strings.Contains(a.src[end:next], "\n") {
		comment += "\n"
	}
	a.Errorf("unexpected-text", a.SpanOf(text), "unexpected %s before the array", DescribeToken(text)).
		WithHelp("write it as a comment, which starts with //").
		WithFixIf(!a.brokenTexts[text.Pos.Offset], a.replaceToken(text, comment))
}

// isAssignment reports whether the item assigns an array to a name, as in tools = [ … ].
func (it *Item) isAssignment() bool {
	return it.Key != nil && it.Arrow != nil && it.List != nil && it.Text == nil && !slices.Contains(PromptProperties, it.Key.Value) && holdsElement(it.List)
}

// holdsElement reports whether a list has an element.
func holdsElement(l *Group) bool { return slices.ContainsFunc(l.Items, (*Item).IsElement) }

// skipAssignment reports the name to which the array is assigned, and returns the items without
// it.
func (a *array) skipAssignment(items []*Item) []*Item {
	it := items[0]
	a.Errorf("missing-array", a.SpanOf(it.Key), `expected "[" at the start of the file, found %q`, it.Key.Value).
		WithHelp("delete the name: a file is its array").
		WithFix(diag.Edit{Span: diag.Span{File: a.file, Start: tokenPos(it.Key), End: tokenPos(it.List.Open)}})
	return slices.Concat([]*Item{{List: it.List, Comma: it.Comma}}, items[1:])
}

// wrappedList returns the array that is the only value of an object, as in { "tools": [ … ] },
// or nil.
func (a *array) wrappedList(b *Group) *Group {
	items := b.Items
	switch {
	case len(items) == 1 && items[0].isAssignment():
		return items[0].List
	case len(items) == 2 && items[0].Key == nil && items[0].Text != nil && items[0].BlockArrow != nil && items[0].Block == nil &&
		items[1].isBareList() && holdsElement(items[1].List):
		return items[1].List
	}
	return nil
}

// closeLooseElement makes the fix of missing braces certain if the file is a single element
// without braces.
func (a *array) closeLooseElement() {
	d := a.missingBrace
	if d == nil || len(a.items) != 1 || a.items[0].Block == nil {
		return
	}
	b := a.items[0].Block
	last := b.Items[len(b.Items)-1]
	if b.Close != last.LastToken() || b.hasRepeatedKey() {
		return
	}
	end := last.LastToken()
	if last.Comma != nil {
		end = last.Comma
	}
	d.Fixes = nil
	d.WithFix(a.insertBefore(b.Open, "{ "), a.insertAfter(end, " }"))
}

// hasRepeatedKey reports whether two items of the block have the same key.
func (b *Group) hasRepeatedKey() bool {
	keys := map[string]bool{}
	for _, it := range b.Items {
		if it.Key != nil && keys[it.Key.Value] {
			return true
		}
		if it.Key != nil {
			keys[it.Key.Value] = true
		}
	}
	return false
}
