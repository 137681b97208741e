package outline

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// LimitRows returns the rows of the table of limits in the page about providers.
func LimitRows() string {
	rules := slices.SortedFunc(slices.Values(allRules), func(a, b *Rules) int { return cmp.Compare(a.Target, b.Target) })
	rows := ""
	for _, r := range rules {
		var inSchema, inAll []string
		depth := 0
		if r.Dialect != nil {
			depth = r.Dialect.Depth
		}
		for _, l := range []struct {
			list  *[]string
			limit int
			what  string
		}{
			{&inSchema, depth, "levels"},
			{&inSchema, r.SchemaLimits.members, "properties"},
			{&inSchema, r.SchemaLimits.values, "enum values"},
			{&inSchema, r.SchemaLimits.text, "characters in names and enum values"},
			{&inSchema, r.SchemaLimits.longEnum, fmt.Sprintf("characters in an enum of more than %d strings", manyValues)},
			{&inAll, r.RequestLimits.Optional, "optional arguments"},
			{&inAll, r.RequestLimits.Unions, "unions"},
		} {
			if l.limit > 0 {
				*l.list = append(*l.list, fmt.Sprintf("%d %s", l.limit, l.what))
			}
		}
		columns := []string{
			"`" + r.Target + "`", r.Names.describe(), r.Keys.describe(), countOf(r.Longest, "characters"),
			countOf(r.RequestLimits.Tools, ""), orAny(strings.Join(inSchema, ", ")), orAny(strings.Join(inAll, ", ")),
		}
		rows += "| " + strings.Join(columns, " | ") + " |\n"
	}
	return rows
}

func orAny(text string) string { return cmp.Or(text, "any") }

func countOf(n int, what string) string {
	if n == 0 {
		return "any"
	}
	return strings.TrimSpace(fmt.Sprint(n, " ", what))
}

// describe returns the rule in words.
func (n NameRules) describe() string {
	if n.longest == 0 {
		return "any"
	}
	text := fmt.Sprintf("at most %d: letters, digits, `%s`", n.longest, strings.Join(strings.Split(n.extra, ""), "`, `"))
	if n.letterFirst {
		text += ", a letter or `_` first"
	}
	return text
}
