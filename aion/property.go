package aion

import (
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/aion/internal/syntax"
	"github.com/aiongen/aiongen/internal/words"
)

// reportToolProperty reports a property that tools have only in the APIs of model providers:
// strict, or type with the value "function". It returns false for other properties.
func (r *reader) reportToolProperty(it *syntax.Item) bool {
	value := ""
	if it.Text != nil {
		value = syntax.UnquoteText(it.Text.Value)
	}
	if name := it.Key.Value; name != "strict" && (name != "type" || value != "function") || it.Block != nil {
		return false
	}
	r.Errorf("unknown-property", r.SpanOf(it.Key), "an element has no property %q", it.Key.Value).
		WithHelp("delete it: every tool is a function, and its arguments are always checked strictly").WithFix(r.RemoveItem(it))
	return true
}

// reportUnknownProperty reports a property that its owner does not have. It returns the
// property that was meant, if that is likely.
func (r *reader) reportUnknownProperty(key *syntax.Token, owner string, names []string) (meant string) {
	name := key.Value
	meant = syntax.GuessProperty(name, names)
	d := reportUnknown(&r.Collector, name, meant, r.SpanOf(key), "%s has no property %q", owner, name)
	port, isPort := syntax.GuessPort(name)
	switch {
	case slices.Contains(syntax.ElementProperties, name):
		d.WithHelp("%q belongs in an element, { … }", name)
	case slices.Contains(syntax.PromptProperties, name):
		d.WithHelp("%q belongs in the array, next to the elements", name)
	case strings.HasPrefix(name, "arg-"), strings.HasPrefix(name, "return-"):
		d.WithHelp("%q belongs in the interface block:\nfunction --> \"GoFunction\" --> { %s --> \"…\" }", name, name)
	case meant != "":
		sure := syntax.IsCertainProperty(name, meant) && !r.keys[meant]
		r.keys[meant] = r.keys[meant] || sure
		d.WithHelp("did you mean %q?", meant).WithFixIf(sure, diag.Edit{Span: r.SpanOf(key), Text: meant})
	case isPort:
		d.WithHelp("arguments and results belong in the interface block:\nfunction --> \"GoFunction\" --> { %s --> \"…\" }", port)
	default:
		d.WithHelp("the properties are %s", words.List(names, " and "))
	}
	return meant
}
