package compare

import (
	"maps"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
)

// compareSchemas records the differences of two schemas for the values at a pointer.
func (c *comparison) compareSchemas(a, b *jsonschema.Schema, at string) {
	c.depth++
	defer func() { c.depth-- }()
	if !c.takeStep() {
		return
	}
	c.compareAnnotations(a, b, at)
	x, y := resolve(a), resolve(b)
	if x != a || y != b {
		c.compareAnnotations(x, y, at)
	}
	if p := (pair{x, y}); x != a && y != b {
		if slices.Contains(c.open, p) || c.done[p] {
			return
		}
		c.open = append(c.open, p)
		defer func() {
			c.open = c.open[:len(c.open)-1]
			if c.done != nil {
				c.done[p] = true
			}
		}()
	}
	c.compareForms(c.splitForms(x), c.splitForms(y), at)
}

// effectOf returns the effect of a change from a to b. It does not record differences.
func (c *comparison) effectOf(a, b *jsonschema.Schema) Effect {
	return c.measureEffect(func(inner *comparison) { inner.compareSchemas(a, b, "") })
}

func (c *comparison) measureEffect(compare func(*comparison)) (e Effect) {
	inner := *c
	inner.differences, inner.done = nil, nil
	compare(&inner)
	if c.budget.isSpent() {
		return Narrows | Widens
	}
	for _, f := range inner.differences {
		e |= f.Effect
	}
	return e
}

// compareAnnotations compares the title, the description and the default.
func (c *comparison) compareAnnotations(a, b *jsonschema.Schema, at string) {
	for _, word := range []string{"title", "description"} {
		if !equalNodes(a.Node.Member(word), b.Node.Member(word)) {
			c.addDifference(at, 0, Plain, "the %s changed", word)
		}
	}
	before, now := a.Node.Member("default"), b.Node.Member("default")
	switch {
	case equalNodes(before, now):
	case now == nil:
		c.addDifference(at, 0, DefaultChanged, "there is no default, it was %s", showValue(before))
	case before == nil:
		c.addDifference(at, 0, DefaultChanged, "the default is %s, there was none", showValue(now))
	default:
		c.addDifference(at, 0, DefaultChanged, "the default is %s, it was %s", showValue(now), showValue(before))
	}
}

// compareForms compares the alternatives of two schemas. It pairs those that are the only ones of their type,
// then equal ones, then variants with the same name. For each of the rest, it checks whether one alternative of
// the other schema allows all its values.
func (c *comparison) compareForms(a, b []form, at string) {
	restA, restB := c.comparePairs(a, b, at, func(f form) string { return "type " + f.typ })
	restA, restB = c.compareEqual(restA, restB)
	restA, restB = c.comparePairs(restA, restB, at, form.variantKey)
	if len(restA) == 1 && len(restB) == 1 {
		c.compareForm(restA[0], restB[0], at)
		return
	}
	for _, f := range restA {
		if !slices.ContainsFunc(b, func(g form) bool { return c.effectOfForms(f, g)&Narrows == 0 }) {
			c.addDifference(at, Narrows, Plain, "%s is no longer allowed", f)
		}
	}
	for _, g := range restB {
		if !slices.ContainsFunc(a, func(f form) bool { return c.effectOfForms(f, g)&Widens == 0 }) {
			c.addDifference(at, Widens, Plain, "%s is now allowed as well", g)
		}
	}
}

// effectOfForms returns the effect of a change between two forms. It takes a step, because compareForms calls it for
// all pairs of forms.
func (c *comparison) effectOfForms(a, b form) Effect {
	if !c.takeStep() {
		return Narrows | Widens
	}
	return c.measureEffect(func(inner *comparison) { inner.compareForm(a, b, "") })
}

// compareEqual returns the forms of a and b for which the other list has no equal form.
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

// comparePairs compares a form of a with a form of b if each is the only one with its key in its list. It returns the
// other forms. Forms with the key "" are not compared.
func (c *comparison) comparePairs(a, b []form, at string, key func(form) string) (restA, restB []form) {
	byKeyA, byKeyB := map[string][]form{}, map[string][]form{}
	for _, f := range a {
		byKeyA[key(f)] = append(byKeyA[key(f)], f)
	}
	for _, g := range b {
		byKeyB[key(g)] = append(byKeyB[key(g)], g)
	}
	isPair := func(k string) bool { return k != "" && len(byKeyA[k]) == 1 && len(byKeyB[k]) == 1 }
	for _, f := range a {
		if k := key(f); isPair(k) {
			c.compareForm(f, byKeyB[k][0], at)
		} else {
			restA = append(restA, f)
		}
	}
	return restA, slices.DeleteFunc(slices.Clone(b), func(g form) bool { return isPair(key(g)) })
}

// compareForm compares two forms.
func (c *comparison) compareForm(a, b form, at string) {
	switch {
	case a.allowsAny() && b.typ != "":
		c.addDifference(at, Narrows, Plain, "only %s is allowed, it was any value", b)
		return
	case b.allowsAny() && a.typ != "":
		c.addDifference(at, Widens, Plain, "any value is allowed, it was %s", a)
		return
	case a.typ == integer && b.typ == "number":
		c.addDifference(at, Widens, Plain, "a number is allowed, it was an integer")
	case a.typ == "number" && b.typ == integer:
		c.addDifference(at, Narrows, Plain, "only an integer is allowed, it was any number")
	case a.typ != b.typ:
		c.addDifference(at, Narrows|Widens, Plain, "the type is %s, it was %s", b.typeName(), a.typeName())
		return
	}
	c.compareValues(a, b, at)
	switch b.typ {
	case "string":
		c.compareString(a.schema, b.schema, at)
	case "number", integer:
		c.compareNumber(a.schema, b.schema, at)
	case "array":
		c.compareArray(a.schema, b.schema, at)
	case "object":
		c.compareObject(a.schema, b.schema, at)
	}
	c.compareUnknown(a.schema, b.schema, at)
}

// compareUnknown compares the values of keywords that this package does not understand. It only checks whether they
// are equal.
func (c *comparison) compareUnknown(a, b *jsonschema.Schema, at string) {
	both := append(constraints(a), constraints(b)...)
	slices.Sort(both)
	for _, word := range slices.Compact(both) {
		if word == "type" || word == "enum" || word == "const" || isUnderstood(a, word) && isUnderstood(b, word) {
			continue
		}
		x, y := a.Node.Member(word), b.Node.Member(word)
		if !equalNodes(x, y) || !c.sameDefinitions && hasReference(x) || strings.HasPrefix(word, "unevaluated") && !sameNames(a, b) {
			c.addDifference(at, Narrows|Widens, Uncompared, "the value of %q changed", word)
		}
	}
}

// compareValues compares the enumerated values of two forms.
func (c *comparison) compareValues(a, b form, at string) {
	x, y := a.values, b.values
	switch {
	case x == nil && y == nil:
	case x == nil:
		c.addDifference(at, Narrows, Values, "only %s is allowed, it was any %s", enumerate(y, "or"), a.typeName())
	case y == nil:
		c.addDifference(at, Widens, Values, "any %s is allowed, it was %s", b.typeName(), enumerate(x, "or"))
	default:
		if lost := subtractValues(x, y); len(lost) > 0 {
			c.addDifference(at, Narrows, Values, "%s is no longer allowed", enumerate(lost, "or"))
		}
		if gained := subtractValues(y, x); len(gained) > 0 {
			c.addDifference(at, Widens, Values, "%s is now allowed as well", enumerate(gained, "or"))
		}
	}
}

// compareArray compares the lengths and elements of lists.
func (c *comparison) compareArray(a, b *jsonschema.Schema, at string) {
	c.compareSize(a.Count, b.Count, at, "number of elements")
	switch {
	case b.Unique && !a.Unique:
		c.addDifference(at, Narrows, Plain, "no two elements may be equal")
	case a.Unique && !b.Unique:
		c.addDifference(at, Widens, Plain, "elements may be equal")
	}
	c.compareSchemas(orAny(a.Items), orAny(b.Items), at+"/*")
}

// compareObject compares the members of structs and maps, by name, and the schema of other
// members.
func (c *comparison) compareObject(a, b *jsonschema.Schema, at string) {
	c.compareSize(a.Members, b.Members, at, "number of members")
	before, now := members(a), members(b)
	names := maps.Clone(before)
	maps.Copy(names, now)
	for _, name := range sortedNames(names) {
		x, y := member{a, name, before}, member{b, name, now}
		c.compareMember(x, y, jsontext.Join(at, name))
	}
	c.compareOthers(orAny(a.Additional), orAny(b.Additional), at)
	if e := c.effectOf(orAny(a.Names), orAny(b.Names)); e != 0 {
		c.addDifference(at, e, Plain, "the allowed names of members changed")
	}
}

// A member is what the schema of an object says about the member with a name. The schema need not mention the
// name.
type member struct {
	object *jsonschema.Schema
	name   string
	all    map[string]bool // the members that the schema mentions, see members
}

func (m member) isRequired() bool { return m.all[m.name] }

// isNamed reports whether the schema mentions the member.
func (m member) isNamed() bool { _, ok := m.all[m.name]; return ok }

func (m member) findSchema() *jsonschema.Schema {
	if p := m.object.Property(m.name); p != nil {
		return p
	}
	if slices.ContainsFunc(m.object.Patterns, func(p jsonschema.PatternProperty) bool { return p.Pattern.Match(m.name) }) {
		return anything // patternProperties are not understood; compareUnknown compares them
	}
	return orAny(m.object.Additional)
}

func (c *comparison) compareMember(a, b member, at string) {
	x, y := a.findSchema(), b.findSchema()
	wasRequired, isRequired := a.isRequired(), b.isRequired()
	if a.isNamed() && !b.isNamed() {
		e := c.effectOf(x, y)
		if wasRequired {
			e |= Widens // the member is no longer required
		}
		c.addDifference(at, e, MemberGone, "it was removed")
		return
	}
	if b.isNamed() && !a.isNamed() {
		c.addNewMember(at, c.effectOf(x, y), isRequired)
		return
	}
	switch {
	case !wasRequired && isRequired:
		c.addDifference(at, Narrows, MemberRequired, "it is now required")
	case wasRequired && !isRequired:
		c.addDifference(at, Widens, MemberOptional, "it is now optional")
	}
	found := len(c.differences)
	c.compareSchemas(x, y, at)
	for i, f := range c.differences[found:] {
		if wasRequired && f.Kind == DefaultChanged && f.At == at { // the default of a required member has no effect
			c.differences[found+i].Kind = Plain
		}
	}
}

// addNewMember adds the difference for a member that the schema did not mention before. e is
// the effect of the new schema of the member.
func (c *comparison) addNewMember(at string, e Effect, required bool) {
	switch {
	case required:
		c.addDifference(at, e|Narrows, MemberNewRequired, "it is new, and required")
	case e&Narrows != 0:
		c.addDifference(at, e, MemberNew, "it is new, and allows less than before")
	default:
		c.addDifference(at, e, MemberNew, "it is new")
	}
}

// compareOthers compares the schemas of additionalProperties.
func (c *comparison) compareOthers(a, b *jsonschema.Schema, at string) {
	switch {
	case a.Never && b.Never:
	case a.Never && b.Node.Is(jsontext.Bool):
		c.addDifference(at, Widens, MembersOpen, "other members are now allowed")
	case a.Never:
		c.addDifference(at, Widens, Plain, "other members are now allowed")
	case b.Never:
		c.addDifference(at, Narrows, Plain, "other members are no longer allowed")
	default:
		c.compareSchemas(a, b, at+"/*")
	}
}
