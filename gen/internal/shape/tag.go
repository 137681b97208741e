package shape

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/jsonfield"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/values"
	"github.com/aiongen/aiongen/internal/words"
)

// A constrainer applies the tags of a struct field, jsonschema:"…" with the
// keywords of invopop/jsonschema and jsonschema_description.
type constrainer struct {
	*reading
	field    *model.Field
	declared jsonfield.Field
	enum     []values.Literal
	preset   *values.Literal // default
	examples []string
}

// constrain takes over what the tags of a field say of arguments. Of results
// they only tell title and description: a function returns what it likes.
func (r *reading) constrain(field *model.Field, f jsonfield.Field) {
	c := &constrainer{reading: r, field: field, declared: f}
	declared := field.Type
	for _, part := range splitTag(f.Tag.Get("jsonschema")) {
		keyword, value, _ := strings.Cut(part, "=")
		switch {
		case keyword == "title":
			field.Title = value
		case keyword == "description":
			field.Description = value
		case !r.output && !r.nested:
			c.keyword(keyword, value)
		}
	}
	if d, ok := f.Tag.Lookup("jsonschema_description"); ok {
		field.Description = d
	}
	c.values()
	if field.Type != declared {
		if problem := LimitsOf(field.Type).Crossed(); problem != "" {
			c.bad("%s", problem)
		}
	}
}

// values sets what depends on all limits: enum, default and examples.
func (c *constrainer) values() {
	if len(c.enum) > 0 {
		c.limit("enum", []model.Kind{model.String, model.Int, model.Uint}, c.allow)
	}
	if c.preset != nil {
		value, problem := DefaultOf(c.field.Type, *c.preset)
		if problem != "" {
			c.bad("%s", problem)
		}
		c.field.Default, c.field.Optional = value, true
	}
	for _, text := range c.examples {
		c.example(text)
	}
}

// splitTag splits a tag at its commas; a backslash before one keeps it.
func splitTag(tag string) (parts []string) {
	for part := range strings.SplitSeq(tag, ",") {
		if n := len(parts) - 1; n >= 0 && strings.HasSuffix(parts[n], `\`) {
			parts[n] = strings.TrimSuffix(parts[n], `\`) + "," + part
		} else if part != "" {
			parts = append(parts, part)
		}
	}
	return parts
}

// keyword applies a keyword to the field, or to its type.
func (c *constrainer) keyword(keyword, value string) {
	switch keyword {
	case "-":
		c.field.Hidden = true
	case "required":
		c.field.Optional = false
	case "nullable":
		if !MayBeNull(c.field.Type) {
			c.bad("nullable does not fit the Go type %s, which has no value for null: take a pointer", c.field.Type.Go)
		}
	case "example":
		c.examples = append(c.examples, value)
	case "enum":
		c.enum = append(c.enum, tagLiteral(value))
	case "default":
		c.preset = new(tagLiteral(value))
	default:
		if l, known := limits[keyword]; known {
			c.limit(keyword, l.kinds, func(t *model.Type) string { return l.set(t, value) })
		} else {
			c.unknown(keyword)
		}
	}
}

// limits are the keywords that limit the values of a type, with the kinds of
// types that they fit. Set returns what is wrong with the value of a keyword.
var limits = map[string]struct {
	kinds []model.Kind
	set   func(t *model.Type, value string) (problem string)
}{
	"minimum":          {numberKinds, func(t *model.Type, value string) string { return bound(t, &t.Min, value) }},
	"maximum":          {numberKinds, func(t *model.Type, value string) string { return bound(t, &t.Max, value) }},
	"exclusiveMinimum": {numberKinds, func(t *model.Type, value string) string { return exclusive(t, &t.Min, &t.Above, 1, value) }},
	"exclusiveMaximum": {numberKinds, func(t *model.Type, value string) string { return exclusive(t, &t.Max, &t.Below, -1, value) }},
	"multipleOf":       {numberKinds, multipleOf},
	"minLength":        {[]model.Kind{model.String}, func(t *model.Type, value string) string { return bound(t, &t.Min, value) }},
	"maxLength":        {[]model.Kind{model.String}, func(t *model.Type, value string) string { return bound(t, &t.Max, value) }},
	"minItems":         {[]model.Kind{model.Slice}, func(t *model.Type, value string) string { return bound(t, &t.Min, value) }},
	"maxItems":         {[]model.Kind{model.Slice}, func(t *model.Type, value string) string { return bound(t, &t.Max, value) }},
	"uniqueItems":      {[]model.Kind{model.Slice, model.Array}, uniqueItems},
	"pattern":          {[]model.Kind{model.String, model.Text}, pattern},
	"format":           {[]model.Kind{model.String, model.Text}, format},
}

var numberKinds = []model.Kind{model.Int, model.Uint, model.Float}

func bound(t *model.Type, into *string, value string) (problem string) {
	*into, problem = BoundOf(t, "a bound", tagLiteral(value))
	return problem
}

// exclusive: of integers the bound is the next one.
func exclusive(t *model.Type, inclusive, strict *string, next int64, value string) string {
	if t.Kind == model.Float {
		return bound(t, strict, value)
	}
	if problem := bound(t, inclusive, value); problem != "" {
		return problem
	}
	n, err := strconv.ParseInt(*inclusive, 10, 64)
	if err != nil || n == math.MaxInt64 || n == math.MinInt64 {
		return fmt.Sprintf("the bound %s leaves nothing of the Go type %s", value, t.Go)
	}
	*inclusive = strconv.FormatInt(n+next, 10)
	return ""
}

// longestStep bounds what multipleOf takes, so that the check needs 64 bits.
const longestStep = 15

func multipleOf(t *model.Type, value string) string {
	step, err := strconv.ParseFloat(value, 64)
	if err != nil || step <= 0 || values.FormOf(tagLiteral(value)) != values.NumberForm || len(value) > longestStep {
		return fmt.Sprintf("multipleOf takes a positive number of at most %d characters, not %s", longestStep, value)
	}
	t.MultipleOf = value
	return ""
}

func uniqueItems(t *model.Type, value string) string {
	if value != "" && value != "true" {
		return "uniqueItems takes no value but true"
	}
	t.Unique = true
	return ""
}

func pattern(t *model.Type, value string) string {
	if _, err := regexp.Compile(value); err != nil {
		return fmt.Sprintf("the pattern cannot be checked in Go: %v", err)
	}
	t.Pattern, t.Checked = value, true
	return ""
}

func format(t *model.Type, value string) string {
	t.Format = value
	return ""
}

// limit changes a copy of the field's type or, where that is of another kind, of
// what it holds: keywords for elements stand at the list.
func (c *constrainer) limit(keyword string, kinds []model.Kind, set func(*model.Type) string) {
	t, problem := limited(c.field.Type, kinds, set, 0)
	switch {
	case t == nil:
		c.bad("%s does not fit the Go type %s", keyword, c.field.Type.Go)
	case problem != "":
		c.bad("%s", problem)
	default:
		c.field.Type = t
	}
}

// deepest bounds how deep in a type a keyword looks for what it fits: a list may
// hold itself.
const deepest = 8

// limited is the changed copy, nil if the keyword fits nothing of the type.
func limited(t *model.Type, kinds []model.Kind, set func(*model.Type) string, depth int) (limit *model.Type, problem string) {
	limit = new(*t)
	limit.Narrowed = true
	switch {
	case slices.Contains(kinds, t.Kind):
		problem = set(limit)
	case depth == deepest:
		return nil, ""
	case t.Kind == model.Pointer, t.Kind == model.Slice, t.Kind == model.Array, t.Kind == model.Null:
		if limit.Elem, problem = limited(t.Elem, kinds, set, depth+1); limit.Elem == nil {
			return nil, ""
		}
	default:
		return nil, ""
	}
	return limit, problem
}

// allow takes the values of an enum.
func (c *constrainer) allow(t *model.Type) string {
	values, problems := c.EnumValues(t, c.enum, false)
	if len(problems) > 0 {
		return problems[0]
	}
	t.Enum, t.Known = values, nil
	return ""
}

func (c *constrainer) example(value string) {
	t := c.field.Type
	for MayBeNull(t) {
		t = t.Elem
	}
	example, problem := Literal(tagLiteral(value), t)
	switch {
	case slices.Contains(AcceptedKinds[values.StringKind], t.Kind):
		example = jsontext.Quote(value)
	case problem != "":
		c.bad("the example %s %s: it is %s in Go", value, problem, t.Go)
		return
	}
	if problem := LimitsOf(t).Refuse(WordKind(t), ConstLiteral(example)); problem != "" {
		c.bad("the example %s %s", value, problem)
		return
	}
	c.field.Examples = append(c.field.Examples, example)
}

func (c *constrainer) unknown(keyword string) {
	known := []string{"title", "description", "default", "example", "enum", "required", "nullable", "-"}
	for name := range limits {
		known = append(known, name)
	}
	slices.Sort(known)
	d := c.bad("%q is no keyword that aiongen knows", keyword)
	if near := words.Nearest(keyword, known); near != "" {
		d.WithHelp("did you mean %s?", near)
	} else {
		d.WithHelp("types come from Go; a tag takes %s", strings.Join(known, ", "))
	}
}

// bad reports a fault of the tag, where there is source to show it.
func (c *constrainer) bad(format string, args ...any) *diag.Diagnostic {
	v, at := c.declared.Var(), c.at
	what := fmt.Sprintf("field %s of %s: ", v.Name(), c.write.Package.TypeName(c.declared.Owner))
	if tag, ok := c.docs.Of(v.Pkg()).Tags[v.Pos()]; ok && v.Pkg() == c.write.Package.Types {
		at, what = c.write.Package.Span(tag.From, tag.To), "field "+v.Name()+": "
	}
	return c.faults.Errorf("bad-tag", at, "%s", what+fmt.Sprintf(format, args...))
}
