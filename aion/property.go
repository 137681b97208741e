package aion

import (
	"cmp"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/aion/internal/property"
	"github.com/aiongen/aiongen/aion/internal/syntax"
	"github.com/aiongen/aiongen/internal/words"
)

// unknownProperty reports a property that its owner does not have, and returns
// the one that was meant, if that is likely.
func (r *reader) unknownProperty(key *syntax.Token, owner string, names []string) (meant string) {
	name := key.Value
	meant = property.Meant(name, names)
	nearest := cmp.Or(meant, words.Closest(name, names))
	d := unknown(&r.Collector, name, nearest, r.At(key), "%s has no property %q", owner, name)
	port, ofBlock := property.Port(name)
	switch {
	case slices.Contains(property.Element, name):
		d.WithHelp("%q belongs into an element, { … }", name)
	case slices.Contains(property.Prompt, name):
		d.WithHelp("%q stands in the array, beside the elements", name)
	case strings.HasPrefix(name, "arg-"), strings.HasPrefix(name, "return-"):
		d.WithHelp("%q belongs into the interface block:\nfunction --> \"GoFunction\" --> { %s --> \"…\" }", name, name)
	case meant != "":
		sure := property.IsSure(name, meant) && !r.keys[meant]
		r.keys[meant] = r.keys[meant] || sure
		d.WithHelp("did you mean %q?", meant).WithFixIf(sure, diag.Edit{Span: r.At(key), Text: meant})
	case ofBlock:
		d.WithHelp("arguments and results stand in the interface block:\nfunction --> \"GoFunction\" --> { %s --> \"…\" }", port)
	default:
		d.WithHelp("there are %s; the closest is %q", words.List(names, " and "), nearest)
	}
	return meant
}
