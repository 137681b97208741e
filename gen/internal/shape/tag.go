package shape

import (
	"fmt"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/values"
)

// A constrainer applies the tags of a struct field: jsonschema:"…", with keywords or a
// description, and jsonschema_description.
type constrainer struct {
	*typeReader
	field    *model.Field
	declared JSONField
	enum     []values.Literal
	preset   *values.Literal // default
	examples []string
}

// applyTags applies the tags of a field of arguments. For results it only sets title and
// description, because functions do not check their results.
func (r *typeReader) applyTags(field *model.Field, f JSONField) {
	c := &constrainer{typeReader: r, field: field, declared: f}
	declared := field.Type
	keywords, problems := parseTag(f.Tag.Get("jsonschema"))
	if d, ok := f.Tag.Lookup("jsonschema_description"); ok {
		keywords = append(keywords, tagKeyword{"description", d})
	}
	for _, k := range keywords {
		switch {
		case k.name == "title":
			field.Title = k.value
		case k.name == "description":
			if r.describesField(f) {
				field.Description = k.value
			}
		case !r.output && !r.nested:
			c.applyKeyword(k.name, k.value)
		}
	}
	if r.output || r.nested {
		return
	}
	for _, problem := range problems {
		if !problem.effective || c.isOwn() {
			c.warnOfTag(problem.message, problem.help)
		}
	}
	if problem := LimitsOf(field.Type).CheckBounds(); problem != "" && field.Type != declared {
		c.reportBadTag("%s", problem)
		field.Type = declared
	}
	c.applyValues()
}

// applyValues sets enum, default and examples, which depend on the other limits.
func (c *constrainer) applyValues() {
	if len(c.enum) > 0 {
		c.limitField("enum", []model.Kind{model.String, model.Int, model.Uint}, c.setEnum)
	}
	if c.preset != nil {
		value, problem := ReadDefault(c.field.Type, *c.preset)
		if problem != "" {
			c.reportBadTag("%s", problem)
		} else {
			c.field.Default, c.field.Optional = value, true
		}
	}
	for _, text := range c.examples {
		c.addExample(text)
	}
}

// applyKeyword applies a keyword to the field or to its type.
func (c *constrainer) applyKeyword(keyword, value string) {
	switch keyword {
	case "-":
		c.field.Hidden = true
	case "required":
		c.field.Optional = false
	case "nullable":
		if !IsNullable(c.field.Type) {
			c.reportBadTag("nullable does not apply to the Go type %s, which has no value for null: use a pointer", c.field.Type.Go)
		}
	case "example":
		c.examples = append(c.examples, value)
	case "enum":
		c.enum = append(c.enum, tagLiteral(value))
	case "default":
		c.preset = new(tagLiteral(value))
	default:
		if l, limits := limitKeywords[keyword]; limits {
			c.limitField(keyword, l.kinds, func(t *model.Type) string { return l.set(t, value) })
		} else {
			c.reportIgnored(keyword)
		}
	}
}

// ignoredKeywords are the keywords of invopop/jsonschema that do not apply to arguments, each
// with the reason.
var ignoredKeywords = map[string]string{
	"type": "types come from Go", "anchor": "a schema has no anchors",
	"oneof_type": "types come from Go", "oneof_ref": "types come from Go", "anyof_type": "types come from Go", "anyof_ref": "types come from Go",
	"oneof_required": "a schema cannot require one of several fields", "anyof_required": "a schema cannot require one of several fields",
	"readOnly": "the model writes every field of an argument; the keyword - leaves one out", "writeOnly": "a field of an argument is never read back",
	"deprecated": "a model may write every field that it sees; the keyword - leaves one out",
}

// reportIgnored reports a keyword that has no effect.
func (c *constrainer) reportIgnored(keyword string) {
	help := "delete it"
	if strings.HasPrefix(keyword, "oneof") || strings.HasPrefix(keyword, "anyof") {
		help = "delete it, or give the type a method JSONSchema that returns the schema with oneOf or anyOf"
	}
	c.warnOfTag(fmt.Sprintf("the keyword %s is ignored: %s", keyword, ignoredKeywords[keyword]), help)
}

// limitKeywords are the keywords that limit the values of a type, with the kinds of types that they apply to.
// The function set applies a keyword, and returns the problem if its value is invalid.
var limitKeywords = map[string]struct {
	kinds []model.Kind
	set   func(t *model.Type, value string) (problem string)
}{
	"minimum":          {numberKinds, func(t *model.Type, value string) string { return setBound(t, &t.Min, value) }},
	"maximum":          {numberKinds, func(t *model.Type, value string) string { return setBound(t, &t.Max, value) }},
	"exclusiveMinimum": {numberKinds, func(t *model.Type, value string) string { return setExclusive(t, &t.Min, &t.Above, 1, value) }},
	"exclusiveMaximum": {numberKinds, func(t *model.Type, value string) string { return setExclusive(t, &t.Max, &t.Below, -1, value) }},
	"multipleOf":       {numberKinds, setMultipleOf},
	"minLength":        {[]model.Kind{model.String}, func(t *model.Type, value string) string { return setBound(t, &t.Min, value) }},
	"maxLength":        {[]model.Kind{model.String}, func(t *model.Type, value string) string { return setBound(t, &t.Max, value) }},
	"minItems":         {[]model.Kind{model.Slice}, func(t *model.Type, value string) string { return setBound(t, &t.Min, value) }},
	"maxItems":         {[]model.Kind{model.Slice}, func(t *model.Type, value string) string { return setBound(t, &t.Max, value) }},
	"uniqueItems":      {[]model.Kind{model.Slice, model.Array}, setUniqueItems},
	"pattern":          {[]model.Kind{model.String, model.Text}, setPattern},
	"format":           {[]model.Kind{model.String, model.Text}, setFormat},
}

var numberKinds = []model.Kind{model.Int, model.Uint, model.Float}

func setBound(t *model.Type, into *string, value string) (problem string) {
	*into, problem = ReadBound(t, "a bound", tagLiteral(value))
	return problem
}

// setExclusive sets a bound that is not itself an allowed value. For integers, it sets the next integer as
// the inclusive bound.
func setExclusive(t *model.Type, inclusive, strict *string, next int64, value string) string {
	if t.Kind == model.Float {
		return setBound(t, strict, value)
	}
	if problem := setBound(t, inclusive, value); problem != "" {
		return problem
	}
	n, err := strconv.ParseInt(*inclusive, 10, 64)
	if err != nil || n == math.MaxInt64 || n == math.MinInt64 {
		return fmt.Sprintf("the bound %s allows no value of the Go type %s", value, t.Go)
	}
	*inclusive = strconv.FormatInt(n+next, 10)
	return ""
}

// maxMultipleLength limits the digits of multipleOf, so that the check fits in 64 bits.
const maxMultipleLength = 15

func setMultipleOf(t *model.Type, value string) string {
	step, err := strconv.ParseFloat(value, 64)
	if err != nil || step <= 0 || values.FormOf(tagLiteral(value)) != values.NumberForm || len(value) > maxMultipleLength {
		return fmt.Sprintf("multipleOf takes a positive number of at most %d characters, not %s", maxMultipleLength, value)
	}
	t.MultipleOf = value
	return ""
}

func setUniqueItems(t *model.Type, value string) string {
	if value != "" && value != "true" {
		return "uniqueItems takes only the value true"
	}
	t.Unique = true
	return ""
}

func setPattern(t *model.Type, value string) string {
	if _, err := regexp.Compile(value); err != nil {
		return fmt.Sprintf("the pattern cannot be checked in Go: %v", err)
	}
	t.Pattern, t.Checked = value, true
	return ""
}

func setFormat(t *model.Type, value string) string {
	t.Format = value
	return ""
}

// limitField applies set to a copy of the type of the field if it has one of the kinds, otherwise to a
// copy of its elements.
func (c *constrainer) limitField(keyword string, kinds []model.Kind, set func(*model.Type) string) {
	t, problem := limitCopy(c.field.Type, kinds, set, 0)
	switch {
	case t == nil:
		c.reportBadTag("%s does not apply to the Go type %s", keyword, c.field.Type.Go)
	case problem != "":
		c.reportBadTag("%s", problem)
	default:
		c.field.Type = t
	}
}

// maxKeywordDepth limits how deep in a type a keyword looks for a type that it applies to,
// because a list may contain itself.
const maxKeywordDepth = 8

// limitCopy returns a copy of t to which set was applied. If t has none of the kinds, set is applied to a
// copy of its elements, or of their elements, instead: minimum=1 limits the numbers in a list of numbers. If
// no elements have one of the kinds either, limitCopy returns nil.
func limitCopy(t *model.Type, kinds []model.Kind, set func(*model.Type) string, depth int) (limit *model.Type, problem string) {
	switch {
	case slices.Contains(kinds, t.Kind):
		limit = new(*t)
		limit.Narrowed = true
		return limit, set(limit)
	case depth == maxKeywordDepth:
	case t.Kind == model.Pointer, t.Kind == model.Slice, t.Kind == model.Array, t.Kind == model.Null, t.Kind == model.Represented:
		if elem, problem := limitCopy(t.Elem, kinds, set, depth+1); elem != nil {
			return t.WithElem(elem), problem
		}
	}
	return nil, ""
}

// setEnum sets the values of an enum.
func (c *constrainer) setEnum(t *model.Type) string {
	values, problems := c.EnumValues(t, c.enum, false)
	if len(problems) > 0 {
		return problems[0]
	}
	t.Enum, t.Known = values, nil
	return ""
}

func (c *constrainer) addExample(value string) {
	t := c.field.Type
	for IsNullable(t) || t.Kind == model.Represented {
		t = t.Elem
	}
	example, problem := readLiteral(tagLiteral(value), t)
	switch {
	case slices.Contains(AcceptedKinds[values.StringKind], t.Kind):
		example = jsontext.Quote(value)
	case problem != "":
		c.reportBadTag("the example %s %s: it is %s in Go", value, problem, t.Go)
		return
	}
	if problem := LimitsOf(t).CheckValue(wordKind(t), constLiteral(example)); problem != "" {
		c.reportBadTag("the example %s %s", value, problem)
		return
	}
	c.field.Examples = append(c.field.Examples, example)
}

// warnOfTag reports a warning about a tag, or a note without help for a struct of another
// module.
func (c *constrainer) warnOfTag(message, help string) {
	if d := c.reportBadTag("%s", message); d.Severity == diag.Error {
		d.Severity = diag.Warning
		d.WithHelp("%s", help)
	}
}

// reportBadTag reports an error in the tag, at its position if the package contains it. For
// a struct of another module, whose tag the user cannot change, it reports a note.
func (c *constrainer) reportBadTag(format string, args ...any) *diag.Diagnostic {
	v, at := c.declared.Variable(), c.at
	what := fmt.Sprintf("field %s of %s: ", v.Name(), c.write.Package.TypeName(c.declared.Owner))
	if tag, ok := c.docs.PackageDoc(v.Pkg()).Tags[v.Pos()]; ok && v.Pkg() == c.write.Package.Types {
		at, what = c.write.Package.Span(tag.From, tag.To), "field "+v.Name()+": "
	}
	d := c.faults.Errorf("bad-tag", at, "%s", what+fmt.Sprintf(format, args...))
	if !c.isOwn() {
		d.Severity = diag.Note
	}
	return d
}

// isOwn reports whether the user can change the tag.
func (c *constrainer) isOwn() bool {
	return c.write.OwnsPackage(c.declared.Variable().Pkg().Path())
}

// tagName returns the name in the json tag of a field.
func tagName(tag string) (name string, ok bool) {
	value, ok := reflect.StructTag(tag).Lookup("json")
	name, _, _ = strings.Cut(value, ",")
	if name == "-" && value != name { // in `json:"-,"`, the dash is a name
		name = ""
	}
	return name, ok
}
