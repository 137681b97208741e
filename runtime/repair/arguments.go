package repair

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/runtime/tool"
)

// Arguments returns the arguments of a call that a model wrote, changed so that
// they are what the schema of the tool's input says, with its formats and
// patterns, if there is exactly one way: numbers, true and false in strings and
// the reverse, JSON in strings, one value for a list and the reverse, other
// spellings of names and of the values of an enum, members that the schema does
// not have, null or "" for what may be absent, and an object "arguments" around
// all. What has two readings is an error that names both; a value beyond a bound
// is never moved. Malformed JSON is read as by [JSON].
//
// Arguments that the schema allows are returned as they are, byte for byte; none
// are {}. An error is an [*Error]. Arguments is made for [tool.Tolerant].
func Arguments(raw string, schema json.RawMessage) (Result, error) {
	s, err := parseSchema(schema)
	if err != nil {
		return Result{}, err
	}
	if s == nil {
		s = &schemaOfObjects
	}
	if strings.Trim(raw, blanks) == "" {
		raw = "{}"
	}
	d, err := read(raw, s)
	if err != nil {
		return Result{}, err
	}
	whole := checker{budget: mostChecks(len(raw))}
	if whole.fits(d.value, s) {
		return d.result(raw), nil
	}
	f := fitter{checker: whole}
	n := f.arguments(d.value, s)
	if f.count == 0 {
		f.check(n, s)
	}
	if f.count > 0 {
		return Result{}, f.err()
	}
	d.value, d.right = n, false
	result := d.result(raw)
	result.Edits = append(result.Edits, f.edits...)
	slices.SortStableFunc(result.Edits, func(a, b Edit) int { return a.Offset - b.Offset })
	result.Value = n.appendJSON(nil)
	return result, nil
}

// schemaOfObjects is for tools whose input has no schema.
var schemaOfObjects = schema{keywords: keywords{Type: 1 << kindObject}}

// fitter changes a value into one of a schema. Values are never changed in
// place, for there may be several ways to be tried.
type fitter struct {
	checker
	arena
	edits     []Edit
	ambiguous bool // something has two readings
}

func (f *fitter) err() *Error {
	e := &Error{code: codeArguments, Faults: f.faults}
	if f.ambiguous {
		e.code = codeAmbiguous
	}
	words := make([]string, len(f.faults))
	for i, fault := range f.faults {
		words[i] = fault.String()
	}
	e.Message = "the arguments have no reading that fits: " + strings.Join(words, "; ")
	return e
}

// edit records that a value was read as another, which may be nil.
func (f *fitter) edit(kind editKind, before, after *node) {
	e := Edit{Kind: editKinds[kind], Pointer: f.at.pointer(), Offset: int(before.at), Before: cut(before.json())}
	if after != nil {
		e.After = cut(after.json())
	}
	f.edits = append(f.edits, e)
}

// twoReadings records that a value has more than one reading.
func (f *fitter) twoReadings(n *node, readings ...string) {
	f.ambiguous = true
	f.add("one reading", n.found()+", which may be "+strings.Join(readings, " or "))
}

// wrappers are the names that models give to an object around the arguments,
// and those of what is then beside it.
var (
	wrappers = []string{"arguments", "args", "parameters", "params", "input", "action_input", "tool_input", "kwargs"}
	labels   = []string{"name", "tool", "tool_name", "function", "action", "recipient_name", "id", "type"}
)

// arguments fits the whole.
func (f *fitter) arguments(n *node, s *schema) *node {
	if n.kind == kindNull || n.kind == kindString && strings.Trim(n.text(), blanks) == "" {
		none := f.node(kindObject, int(n.at))
		f.edit(editAbsent, n, none)
		n = none
	}
	if inner := f.unwrapped(n, s); inner != nil {
		f.edit(editWrapper, n, inner)
		n = inner
	}
	return f.fit(n, s)
}

// unwrapped returns the arguments in an object that is around them; nil if n is
// none.
func (f *fitter) unwrapped(n *node, s *schema) (inner *node) {
	if n.kind != kindObject {
		return nil
	}
	for m := n.first; m != nil; m = m.next {
		name := m.name()
		switch {
		case s.named(name, 0) != nil && !s.named(name, 0).never:
			return nil
		case slices.Contains(wrappers, name) && inner == nil:
			inner = m
		case !slices.Contains(labels, name):
			return nil
		}
	}
	if inner == nil || inner.kind == kindObject {
		return inner
	}
	if inner = parsed(inner); inner != nil && inner.kind == kindObject {
		return inner
	}
	return nil
}

// fit returns n as what s says. What it cannot do is left for the check that
// follows, but for what has two readings.
func (f *fitter) fit(n *node, s *schema) *node {
	if *f.budget--; *f.budget < 0 || f.depth > mostDepth {
		f.fault("a value that takes less to check", n)
		return n
	}
	f.depth++
	defer func() { f.depth-- }()

	if s.target != nil {
		n = f.fit(n, s.target)
	}
	for _, inner := range s.AllOf {
		n = f.fit(n, inner)
	}
	n = f.convert(n, s)
	n = f.spell(n, s)
	switch n.kind {
	case kindArray:
		n = f.elements(n, s)
	case kindObject:
		n = f.members(n, s)
	}
	return f.alternative(f.alternative(n, s.AnyOf), s.OneOf)
}

// try returns what change makes of a value and the edits for it, if the outcome
// is one of s, and changes nothing.
func (f *fitter) try(s *schema, change func() *node) (n *node, edits []Edit) {
	trial := fitter{checker: checker{at: slices.Clone(f.at), quiet: true, budget: f.budget, depth: f.depth}}
	inner := *f
	*f = trial
	n = change()
	edits, ok := f.edits, f.count == 0 && f.fits(n, s)
	*f = inner
	if !ok {
		return nil, nil
	}
	return n, edits
}

// alternative fits a value to one of several schemas: to none if it is one of
// them already.
func (f *fitter) alternative(n *node, schemas []*schema) *node {
	if len(schemas) == 0 || slices.ContainsFunc(schemas, func(s *schema) bool { return f.fits(n, s) }) {
		return n
	}
	var found choice
	var values []*schema // those of more than null
	for _, s := range schemas {
		found.add(f.try(s, func() *node { return f.fit(n, s) }))
		if s.allowed(0) != 1<<kindNull {
			values = append(values, s)
		}
	}
	if len(found.readings) == 0 && len(values) == 1 {
		return f.fit(n, values[0]) // to find what is wrong with it
	}
	return f.choose(n, found)
}

// A choice is what a value may be read as.
type choice struct {
	readings []*node
	edits    [][]Edit
}

func (c *choice) add(n *node, edits []Edit) {
	same := func(other *node) bool { return canonical(other) == canonical(n) }
	if n != nil && !slices.ContainsFunc(c.readings, same) {
		c.readings, c.edits = append(c.readings, n), append(c.edits, edits)
	}
}

// choose returns the only reading of a value; the value itself if there is none.
func (f *fitter) choose(n *node, c choice) *node {
	switch len(c.readings) {
	case 0:
		return n
	case 1:
		f.edits = append(f.edits, c.edits[0]...)
		return c.readings[0]
	}
	words := make([]string, len(c.readings))
	for i, r := range c.readings {
		words[i] = cut(r.json())
	}
	f.twoReadings(n, words...)
	return n
}

// convert returns a value of one of the types of s.
func (f *fitter) convert(n *node, s *schema) *node {
	if s.Type == 0 || s.Type.include(n) {
		return n
	}
	var found choice
	conversions := f.conversions(n, s)
	for _, other := range conversions {
		found.add(f.try(s, func() *node {
			f.edit(editType, n, other)
			return f.fit(other, s)
		}))
	}
	if len(found.readings) == 0 && len(conversions) == 1 && conversions[0].first == nil {
		return conversions[0] // to find what is wrong with it
	}
	return f.choose(n, found)
}

// conversions returns what a value may be of other types.
func (f *fitter) conversions(n *node, s *schema) (all []*node) {
	add := func(k kind, lit string, ok bool) {
		if ok && s.wants(k) {
			c := f.node(k, int(n.at))
			c.key, c.lit = n.key, lit
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
		if n.first != nil && n.first.next == nil {
			only := f.renamed(n.first, n.key)
			if s.Type.include(only) {
				return []*node{only}
			}
			return f.conversions(only, s)
		}
	}
	if s.wants(kindArray) {
		list := f.node(kindArray, int(n.at))
		list.key = n.key
		list.add(f.renamed(n, ""))
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
	if inner == nil || r.err != nil || r.cut || r.pos < r.end {
		return nil
	}
	inner.relocate(n.at)
	inner.key = n.key
	return inner
}

// relocate sets the place of all that is in n.
func (n *node) relocate(at int32) {
	n.at = at
	for m := n.first; m != nil; m = m.next {
		m.relocate(at)
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

// elements fits the elements of a list.
func (f *fitter) elements(n *node, s *schema) *node {
	if s.Items == nil && s.PrefixItems == nil {
		return n
	}
	list := f.node(kindArray, int(n.at))
	list.key = n.key
	i := 0
	for e := n.first; e != nil; e = e.next {
		f.at.enterElement(i)
		item := f.renamed(e, "")
		switch {
		case i < len(s.PrefixItems):
			item = f.fit(item, s.PrefixItems[i])
		case s.Items != nil:
			item = f.fit(item, s.Items)
		}
		f.at.leave()
		list.add(f.renamed(item, ""))
		i++
	}
	return list
}

var _ tool.Repair = Arguments
