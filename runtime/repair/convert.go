package repair

import "strings"

// convert makes a value one of the types of s.
func (f *fitter) convert(o *outcome, s *schema) {
	n := o.value
	if s.Type == 0 || s.Type.include(n) {
		return
	}
	var found []*outcome
	conversions := f.conversions(n, s)
	for _, other := range conversions {
		converted := &outcome{value: other}
		converted.edit(editType, n, other)
		converted.become(f.fit(other, s))
		found = f.try(found, converted, s)
	}
	if len(found) == 0 && len(conversions) == 1 && conversions[0].first == nil {
		o.edit(editType, n, conversions[0]) // to find what is wrong with it
		o.value = conversions[0]
		return
	}
	o.choose(found)
}

// conversions returns what a value may be of other types.
func (f *fitter) conversions(n *node, s *schema) (all []*node) {
	add := func(k kind, lit string, ok bool) {
		if ok && s.wants(k) {
			c := f.node(k, int(n.at)).like(n)
			c.lit = lit
			all = append(all, c)
		}
	}
	switch n.kind {
	case kindNull:
		return nil
	case kindNumber:
		add(kindString, quoteText(n.lit), true)
		add(kindBool, truths[n.lit], truths[n.lit] != "")
	case kindBool:
		add(kindString, quoteText(n.lit), true)
	case kindString:
		f.left -= len(n.lit) / 8
		text := strings.TrimSpace(n.text())
		lit, ok := amount(text)
		add(kindNumber, lit, ok)
		lit, ok = truths[strings.ToLower(text)]
		add(kindBool, lit, ok)
		add(kindNull, "null", isNothing(n))
		if inner := parsed(n); inner != nil && s.wants(inner.kind) {
			return append(all, inner)
		}
	case kindArray:
		if n.first != nil && n.first.next == nil && f.left > 0 {
			only := f.renamed(n.first, n.key)
			if s.Type.include(only) {
				return []*node{only}
			}
			return f.conversions(only, s)
		}
	}
	if s.wants(kindArray) && !n.listed {
		list, only := f.node(kindArray, int(n.at)).like(n), f.renamed(n, "")
		only.listed = true // else there was no end to lists in lists
		list.add(only)
		all = append(all, list)
	}
	return all
}

// renamed returns a copy of a value under another name.
func (f *fitter) renamed(n *node, key string) *node {
	c := f.node(n.kind, int(n.at))
	*c = *n
	c.key, c.next = key, nil
	return c
}

// parsed returns the object or list in a string, under its name; nil if it holds
// nothing else that is complete.
func parsed(n *node) *node {
	if n.kind != kindString {
		return nil
	}
	text := strings.Trim(n.text(), blanks)
	if text == "" || text[0] != '{' && text[0] != '[' {
		return nil
	}
	r := newReader(text, 0, len(text))
	r.open = false
	inner := r.value(inText, nil)
	if inner == nil || r.err != nil || r.cut || r.pos < r.end || inner.hole() != nil {
		return nil
	}
	inner.relocate(n.region)
	return inner.like(n)
}

// relocate sets the place of all that is in n.
func (n *node) relocate(p region) {
	n.region, n.named = p, p
	for m := n.first; m != nil; m = m.next {
		m.relocate(p)
	}
}

// truths are the texts that stand for true and false.
var truths = map[string]string{
	"true": "true", "yes": "true", "on": "true", "1": "true",
	"false": "false", "no": "false", "off": "false", "0": "false",
}

// isNothing tells whether a value, or what a string says, is null or empty.
func isNothing(n *node) bool {
	if n.kind != kindString {
		return n.kind == kindNull
	}
	switch strings.TrimSpace(n.text()) {
	case "", "null", "None":
		return true
	}
	return false
}

// amount returns the number that a text says, also with commas between groups
// of three digits and a sign of a currency before it.
func amount(text string) (lit string, ok bool) {
	for _, currency := range []string{"$", "€", "£", "¥"} {
		if rest, found := strings.CutPrefix(text, currency); found {
			text = strings.TrimLeft(rest, " ")
			break
		}
	}
	whole, fraction, _ := strings.Cut(text, ".")
	groups := strings.Split(whole, ",")
	for i, group := range groups[1:] {
		if first := strings.TrimLeft(groups[0], "+-"); len(group) != 3 || i == 0 && (len(first) == 0 || len(first) > 3 || first[0] == '0') {
			return "", false
		}
	}
	if strings.Contains(fraction, ",") {
		return "", false
	}
	return number(strings.ReplaceAll(text, ",", ""))
}
