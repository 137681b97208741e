package contract

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"reflect"
	"slices"
	"strings"
)

// A difference is one way in which two schemas are not the same.
type difference struct {
	at     string // JSON Pointer of the value, with * for any element or member
	text   string
	effect effect
	kind   kind
}

// effect says what became of the values that a schema allows. Zero is that they
// are the same.
type effect int

const (
	narrows effect = 1 << iota // some are not allowed any more
	widens                     // some are allowed that were not
)

// kind tells the differences apart that are judged or explained on their own.
type kind int

const (
	plain kind = iota
	values
	memberNew
	memberNewRequired
	memberGone
	memberRequired
	memberOptional
	uncompared
)

// A comparison finds the differences of two schemas.
type comparison struct {
	before, now     any // the documents that references are looked up in
	sameDefinitions bool
	found           []difference

	open   [][2]string        // pairs of references that are under way, taken for equal until they are not
	done   map[[2]string]bool // pairs whose differences are found; nil where only the effect is asked for
	depth  int
	budget *budget
}

// budget is what is left of the work that a comparison may take.
type budget struct{ steps int }

func (b *budget) spent() bool { return b.steps <= 0 }

// What a comparison may take. Schemas from generated code are far below.
const (
	maxSteps  = 100_000
	maxDepth  = 500
	maxDigits = 1000
)

func (c *comparison) add(at string, e effect, k kind, format string, args ...any) {
	c.found = append(c.found, difference{at, fmt.Sprintf(format, args...), e, k})
}

// spend reports whether there may be a further step. There is none any more where
// schemas nest too deep.
func (c *comparison) spend() bool {
	c.budget.steps--
	if c.depth > maxDepth {
		c.budget.steps = 0
	}
	return !c.budget.spent()
}

// compare finds the differences of two schemas, which stand for the values at a
// pointer.
func (c *comparison) compare(a, b any, at string) {
	c.depth++
	defer func() { c.depth-- }()
	if !c.spend() {
		return
	}
	c.compareWords(a, b, at)
	from, a := resolve(c.before, a)
	to, b := resolve(c.now, b)
	if from != "" || to != "" {
		c.compareWords(a, b, at)
	}
	if pair := [2]string{from, to}; from != "" && to != "" {
		if slices.Contains(c.open, pair) || c.done[pair] {
			return
		}
		c.open = append(c.open, pair)
		defer func() {
			c.open = c.open[:len(c.open)-1]
			if c.done != nil {
				c.done[pair] = true
			}
		}()
	}
	c.compareForms(c.forms(c.before, a), c.forms(c.now, b), at)
}

// effectOf is what changes from one schema to another, without a list of it.
func (c *comparison) effectOf(a, b any) effect {
	return c.effect(func(inner *comparison) { inner.compare(a, b, "") })
}

func (c *comparison) effectOfForms(a, b form) effect {
	return c.effect(func(inner *comparison) { inner.compareForm(a, b, "") })
}

func (c *comparison) effect(compare func(*comparison)) (e effect) {
	inner := *c
	inner.found, inner.done = nil, nil
	compare(&inner)
	if c.budget.spent() {
		return narrows | widens
	}
	for _, f := range inner.found {
		e |= f.effect
	}
	return e
}

// compareWords compares what is said of a value. It limits nothing.
func (c *comparison) compareWords(a, b any, at string) {
	x, _ := a.(map[string]any)
	y, _ := b.(map[string]any)
	for _, word := range []string{"title", "description"} {
		if !reflect.DeepEqual(x[word], y[word]) {
			c.add(at, 0, plain, "the %s changed", word)
		}
	}
	was, had := x["default"]
	is, has := y["default"]
	switch {
	case had && !has:
		c.add(at, 0, plain, "there is no default, it was %s", shown(was))
	case has && !had:
		c.add(at, 0, plain, "the default is %s, there was none", shown(is))
	case !reflect.DeepEqual(was, is):
		c.add(at, 0, plain, "the default is %s, it was %s", shown(is), shown(was))
	}
}

// forms are the alternatives of a schema, each of one type.
func (c *comparison) forms(root, schema any) []form {
	_, schema = resolve(root, schema)
	words, ok := schema.(map[string]any)
	if !ok {
		if schema == false {
			return nil
		}
		return []form{{words: map[string]any{}}}
	}
	for _, word := range []string{"anyOf", "oneOf"} {
		list, ok := words[word].([]any)
		if !ok || !only(words, word) {
			continue
		}
		var all []form
		c.depth++
		for _, part := range list {
			if c.spend() {
				all = append(all, c.forms(root, part)...)
			}
		}
		c.depth--
		return all
	}
	types := kindsOf(words)
	if types == nil && slices.ContainsFunc(constraints(words), isUnderstood) {
		types = allTypes
	}
	if types == nil {
		return []form{{words: words}}
	}
	var all []form
	for _, t := range types {
		if f, ok := (form{t, words}).ofType(); ok {
			all = append(all, f)
		}
	}
	return all
}

func isUnderstood(word string) bool {
	for _, words := range understood {
		if slices.Contains(words, word) {
			return true
		}
	}
	return false
}

// ofType leaves of the values that a form lists those of its type. It is not ok
// if none are left.
func (f form) ofType() (form, bool) {
	list := valuesOf(f.words)
	if list == nil {
		return f, true
	}
	words := maps.Clone(f.words)
	delete(words, "const")
	words["enum"] = slices.DeleteFunc(slices.Clone(list), func(v any) bool { return !isOf(v, f.typ) })
	return form{f.typ, words}, len(words["enum"].([]any)) > 0
}

// compareForms compares alternatives: first those that are the only ones of their
// type, then those that are equal, and of the rest whether others take their
// place.
func (c *comparison) compareForms(a, b []form, at string) {
	restA, restB := c.compareEqual(c.compareByType(a, b, at))
	if len(restA) == 1 && len(restB) == 1 {
		c.compareForm(restA[0], restB[0], at)
		return
	}
	for _, f := range restA {
		if !slices.ContainsFunc(b, func(g form) bool { return c.effectOfForms(f, g)&narrows == 0 }) {
			c.add(at, narrows, plain, "%s is no longer allowed", f)
		}
	}
	for _, g := range restB {
		if !slices.ContainsFunc(a, func(f form) bool { return c.effectOfForms(f, g)&widens == 0 }) {
			c.add(at, widens, plain, "%s is allowed now, too", g)
		}
	}
}

// compareEqual returns the forms that have no equal on the other side.
func (c *comparison) compareEqual(a, b []form) (restA, restB []form) {
	restB = b
	for _, f := range a {
		i := slices.IndexFunc(restB, func(g form) bool { return f.typ == g.typ && c.effectOfForms(f, g) == 0 })
		if i < 0 {
			restA = append(restA, f)
			continue
		}
		restB = slices.Delete(restB, i, i+1)
	}
	return restA, restB
}

// compareByType compares the forms that are the only ones of their type on either
// side, and returns the others.
func (c *comparison) compareByType(a, b []form, at string) (restA, restB []form) {
	alone := func(list []form, typ string) (f form, ok bool) {
		n := 0
		for _, g := range list {
			if g.typ == typ {
				f, n = g, n+1
			}
		}
		return f, n == 1
	}
	for _, f := range a {
		_, one := alone(a, f.typ)
		g, other := alone(b, f.typ)
		if one && other {
			c.compareForm(f, g, at)
			continue
		}
		restA = append(restA, f)
	}
	for _, g := range b {
		_, one := alone(b, g.typ)
		_, other := alone(a, g.typ)
		if !one || !other {
			restB = append(restB, g)
		}
	}
	return restA, restB
}

// compareForm compares schemas of one type each.
func (c *comparison) compareForm(a, b form, at string) {
	switch {
	case a.any() && b.typ != "":
		c.add(at, narrows, plain, "only %s is allowed, it was any value", b)
		return
	case b.any() && a.typ != "":
		c.add(at, widens, plain, "any value is allowed, it was %s", a)
		return
	case a.typ == "integer" && b.typ == "number":
		c.add(at, widens, plain, "a number is allowed, it was an integer")
	case a.typ == "number" && b.typ == "integer":
		c.add(at, narrows, plain, "only an integer is allowed, it was any number")
	case a.typ != b.typ:
		c.add(at, narrows|widens, plain, "the type is %s, it was %s", b.name(), a.name())
		return
	}
	c.compareValues(a, b, at)
	switch b.typ {
	case "string":
		c.compareString(a.words, b.words, at)
	case "number", "integer":
		c.compareNumber(a, b, at)
	case "array":
		c.compareArray(a.words, b.words, at)
	case "object":
		c.compareObject(a.words, b.words, at)
	}
	c.compareUnknown(a, b, at)
}

// any reports whether a form allows everything.
func (f form) any() bool { return f.typ == "" && len(constraints(f.words)) == 0 }

func (f form) name() string {
	if f.typ == "" {
		return "any"
	}
	return f.typ
}

// String is a form as part of a sentence.
func (f form) String() string {
	if list := valuesOf(f.words); list != nil {
		return enumerate(list, "or")
	}
	switch f.typ {
	case "":
		return "any value"
	case "null":
		return "null"
	case "object":
		var names []any
		for _, name := range slices.Sorted(maps.Keys(members(f.words))) {
			names = append(names, name)
		}
		return strings.TrimSuffix("an object of "+enumerate(names, "and"), " of ")
	case "integer", "array":
		return "an " + f.typ
	}
	return "a " + f.typ
}

// compareUnknown compares the keywords that are not understood here.
func (c *comparison) compareUnknown(a, b form, at string) {
	words := maps.Clone(a.words)
	maps.Copy(words, b.words)
	for _, word := range constraints(words) {
		if word == "type" || word == "enum" || word == "const" || isUnderstood(word) {
			continue
		}
		x, y := a.words[word], b.words[word]
		if !reflect.DeepEqual(x, y) || !c.sameDefinitions && refers(map[string]any{word: x}) {
			c.add(at, narrows|widens, uncompared, "what %q says changed", word)
		}
	}
}

// refers reports whether a part of a schema holds a reference.
func refers(schema any) bool {
	switch s := schema.(type) {
	case map[string]any:
		if _, ok := s["$ref"]; ok {
			return true
		}
		for _, part := range s {
			if refers(part) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(s, refers)
	}
	return false
}

func (c *comparison) compareValues(a, b form, at string) {
	x, y := valuesOf(a.words), valuesOf(b.words)
	switch {
	case x == nil && y == nil:
	case x == nil:
		c.add(at, narrows, values, "only %s is allowed, it was any %s", enumerate(y, "or"), a.name())
	case y == nil:
		c.add(at, widens, values, "any %s is allowed, it was %s", b.name(), enumerate(x, "or"))
	default:
		if lost := without(x, y); len(lost) > 0 {
			c.add(at, narrows, values, "%s is no longer allowed", enumerate(lost, "or"))
		}
		if gained := without(y, x); len(gained) > 0 {
			c.add(at, widens, values, "%s is allowed now, too", enumerate(gained, "or"))
		}
	}
}

func without(list, others []any) []any {
	return slices.DeleteFunc(slices.Clone(list), func(v any) bool {
		return slices.ContainsFunc(others, func(other any) bool { return equal(v, other) })
	})
}

func equal(a, b any) bool {
	x, ok := rational(a)
	y, both := rational(b)
	if ok && both {
		return x.Cmp(y) == 0
	}
	return reflect.DeepEqual(a, b)
}

// mostShown is how many values a message lists.
const mostShown = 6

func enumerate(list []any, conjunction string) string {
	var texts []string
	for _, v := range list[:min(len(list), mostShown)] {
		texts = append(texts, shown(v))
	}
	if more := len(list) - mostShown; more > 0 {
		texts = append(texts, fmt.Sprintf("%d more", more))
	}
	if len(texts) > 1 {
		texts = append(texts[:len(texts)-2], texts[len(texts)-2]+" "+conjunction+" "+texts[len(texts)-1])
	}
	return strings.Join(texts, ", ")
}

// shown is a value of a schema in a message.
func shown(v any) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return fmt.Sprint(v)
	}
	text := strings.TrimSpace(b.String())
	if runes := []rune(text); len(runes) > longestShown {
		text = string(runes[:longestShown]) + "…"
	}
	return text
}

const longestShown = 60 // characters

func (c *comparison) compareString(a, b map[string]any, at string) {
	c.compareBounds(a, b, at, "minLength", "maxLength", "length")
	c.compareText(a, b, at, "pattern")
	c.compareText(a, b, at, "format")
	c.compareText(a, b, at, "contentEncoding")
	c.compareText(a, b, at, "contentMediaType")
}

// compareText compares a keyword that limits texts. Whether one pattern or format
// allows what another one does is not looked into.
func (c *comparison) compareText(a, b map[string]any, at, word string) {
	x, y := a[word], b[word]
	switch {
	case reflect.DeepEqual(x, y):
	case x == nil:
		c.add(at, narrows, plain, "the %s is %s, there was none", word, shown(y))
	case y == nil:
		c.add(at, widens, plain, "there is no %s, it was %s", word, shown(x))
	default:
		c.add(at, narrows|widens, plain, "the %s is %s, it was %s", word, shown(y), shown(x))
	}
}

func (c *comparison) compareBounds(a, b map[string]any, at, least, most, what string) {
	none := json.Number("0")
	c.compareBound(bound{orElse(a, least, none), false}, bound{orElse(b, least, none), false}, at, "least "+what, narrows, widens)
	c.compareBound(bound{a[most], false}, bound{b[most], false}, at, "greatest "+what, widens, narrows)
}

// A bound is what a number may reach, or not even that.
type bound struct {
	value     any // nil if there is none
	exclusive bool
}

func (b bound) String() string {
	if b.exclusive {
		return shown(b.value) + " (exclusive)"
	}
	return shown(b.value)
}

// compareBound compares a bound. Higher and lower are what it means that it is
// that.
func (c *comparison) compareBound(a, b bound, at, what string, higher, lower effect) {
	x, hadOne := rational(a.value)
	y, hasOne := rational(b.value)
	switch {
	case reflect.DeepEqual(a, b):
	case hadOne && hasOne:
		order := y.Cmp(x)
		if order == 0 && a.exclusive != b.exclusive {
			order = 1
			if b.exclusive != (higher == narrows) {
				order = -1
			}
		}
		if order != 0 {
			c.add(at, map[int]effect{1: higher, -1: lower}[order], plain, "the %s is %v, it was %v", what, b, a)
		}
	case hadOne && b.value == nil:
		c.add(at, widens, plain, "there is no %s, it was %v", what, a)
	case hasOne && a.value == nil:
		c.add(at, narrows, plain, "the %s is %v, there was none", what, b)
	default:
		c.add(at, narrows|widens, uncompared, "the %s is %v, it was %v", what, b, a)
	}
}

func (c *comparison) compareNumber(a, b form, at string) {
	c.compareBound(a.lower(), b.lower(), at, "minimum", narrows, widens)
	c.compareBound(a.upper(), b.upper(), at, "maximum", widens, narrows)
	x, y := a.words["multipleOf"], b.words["multipleOf"]
	if equal(x, y) {
		return
	}
	m, hadOne := rational(x)
	n, hasOne := rational(y)
	switch {
	case !hadOne && hasOne:
		c.add(at, narrows, plain, "only multiples of %s are allowed", shown(y))
	case hadOne && !hasOne:
		c.add(at, widens, plain, "other values than multiples of %s are allowed", shown(x))
	case hadOne && hasOne:
		e := narrows | widens
		if divides(m, n) {
			e = narrows
		} else if divides(n, m) {
			e = widens
		}
		c.add(at, e, plain, "only multiples of %s are allowed, it was those of %s", shown(y), shown(x))
	}
}

// divides reports whether multiples of n are multiples of m.
func divides(m, n *big.Rat) bool {
	return m.Sign() != 0 && new(big.Rat).Quo(n, m).IsInt()
}

func (f form) lower() bound {
	return tighter(bound{f.words["minimum"], false}, bound{f.words["exclusiveMinimum"], true}, 1)
}

func (f form) upper() bound {
	return tighter(bound{f.words["maximum"], false}, bound{f.words["exclusiveMaximum"], true}, -1)
}

// tighter is the bound that decides, if there are two: the greater for the sign
// 1, the smaller for -1.
func tighter(inclusive, exclusive bound, sign int) bound {
	x, one := rational(inclusive.value)
	y, other := rational(exclusive.value)
	switch {
	case exclusive.value == nil, one && other && sign*x.Cmp(y) > 0:
		return inclusive
	}
	return exclusive
}

func (c *comparison) compareArray(a, b map[string]any, at string) {
	c.compareBounds(a, b, at, "minItems", "maxItems", "number of elements")
	if x, y := a["uniqueItems"] == true, b["uniqueItems"] == true; x != y {
		if y {
			c.add(at, narrows, plain, "no two elements may be equal")
		} else {
			c.add(at, widens, plain, "elements may be equal")
		}
	}
	c.compare(orElse(a, "items", true), orElse(b, "items", true), at+"/*")
}

// orElse is what a schema says under a keyword, and what it means to say nothing.
func orElse(words map[string]any, word string, otherwise any) any {
	if said, ok := words[word]; ok {
		return said
	}
	return otherwise
}

func (c *comparison) compareObject(a, b map[string]any, at string) {
	c.compareBounds(a, b, at, "minProperties", "maxProperties", "number of members")
	was, is := members(a), members(b)
	names := maps.Clone(was)
	maps.Copy(names, is)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		c.compareMember(a, b, name, at+"/"+escape(name))
	}
	c.compareOthers(orElse(a, "additionalProperties", true), orElse(b, "additionalProperties", true), at)
	if e := c.effectOf(orElse(a, "propertyNames", true), orElse(b, "propertyNames", true)); e != 0 {
		c.add(at, e, plain, "what members may be called changed")
	}
}

// members are the names that an object schema speaks of, and whether the member
// must be there.
func members(words map[string]any) map[string]bool {
	all := map[string]bool{}
	properties, _ := words["properties"].(map[string]any)
	for name := range properties {
		all[name] = false
	}
	required, _ := words["required"].([]any)
	for _, name := range required {
		if name, ok := name.(string); ok {
			all[name] = true
		}
	}
	return all
}

// member is the schema of a member, which may be one that has no name; named
// says which.
func member(words map[string]any, name string) (schema any, named bool) {
	properties, _ := words["properties"].(map[string]any)
	if schema, ok := properties[name]; ok {
		return schema, true
	}
	_, required := members(words)[name]
	return orElse(words, "additionalProperties", true), required
}

func (c *comparison) compareMember(a, b map[string]any, name, at string) {
	x, was := member(a, name)
	y, is := member(b, name)
	had, has := members(a)[name], members(b)[name]
	switch {
	case was && !is:
		c.add(at, c.effectOf(x, y)|loosened(had), memberGone, "it is gone")
		return
	case is && !was && has:
		c.add(at, narrows|c.effectOf(x, y), memberNewRequired, "it is new, and required")
		return
	case is && !was:
		text := "it is new"
		e := c.effectOf(x, y)
		if e&narrows != 0 {
			text += ", and takes less than was allowed there"
		}
		c.add(at, e, memberNew, "%s", text)
		return
	case !had && has:
		c.add(at, narrows, memberRequired, "it is required now")
	case had && !has:
		c.add(at, widens, memberOptional, "it is optional now")
	}
	c.compare(x, y, at)
}

// loosened is the effect of a member that was required, or not, and need not be
// there any more.
func loosened(required bool) effect {
	if required {
		return widens
	}
	return 0
}

// compareOthers compares what the members without a name of their own may be.
func (c *comparison) compareOthers(a, b any, at string) {
	switch {
	case a == false && b == false:
	case a == false:
		c.add(at, widens, memberNew, "other members are allowed now")
	case b == false:
		c.add(at, narrows, plain, "other members are no longer allowed")
	default:
		c.compare(a, b, at+"/*")
	}
}
