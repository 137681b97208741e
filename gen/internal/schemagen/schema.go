// Package schemagen writes JSON Schemas of draft 2020-12 for the arguments and results of a
// tool. Call Input and Output. The schemas are built from the same model as the decoders
// and encoders, so schema and code agree.
package schemagen

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/invopop/jsonschema"

	"github.com/aiongen/aiongen/gen/internal/model"
	internalschema "github.com/aiongen/aiongen/internal/jsonschema"
)

// Input returns the schema of an arguments object, minified, with properties in declaration order. own is
// the name of the package of the tools. Descriptions of references qualify the types of this package with
// it, as references in results do: shop.Cart.
func Input(args *model.Type, own string) string {
	if once := RecursiveTypes(args); countSchemas(args, once, map[*model.Type]int{}) <= maxInline/minSchemaSize {
		if s := (&builder{own: own, defined: once}).buildText(args, ""); len(s) <= maxInline {
			return s
		}
	}
	return (&builder{own: own, defined: findShared(args)}).buildText(args, "")
}

// Output returns the schema of a result with a description; result is nil if there is none. The schema
// describes exactly what generated code writes, but later versions may add members, so callers that
// validate results should ignore unknown members. Comments of types are not used as descriptions, only
// notes and comments of fields.
func Output(result *model.Type, description string) string {
	if result == nil {
		return (&schemaPool{}).writeSchema(&jsonschema.Schema{Type: "null", Description: description})
	}
	if result.NonNil {
		result = result.Elem
	}
	return (&builder{output: true, defined: findShared(result)}).buildText(result, description)
}

// buildText returns the schema of a root as JSON.
func (b *builder) buildText(root *model.Type, description string) string {
	b.schemaPool = idlePools.Get().(*schemaPool)
	defer idlePools.Put(b.schemaPool)
	return b.writeSchema(b.buildRoot(root, description))
}

func (b *builder) buildRoot(t *model.Type, description string) *jsonschema.Schema {
	var s *jsonschema.Schema
	switch {
	case b.output && b.defined[t] && t.Kind == model.StructKind:
		s = b.buildValue(t)
		s.Type = "object" // MCP requires it at the root
	case b.output && t.Kind == model.Union:
		s = b.buildSchema(t)
	default:
		s = b.buildInline(t)
	}
	if description != "" {
		s.Description = description
	}
	if b.defs != nil {
		s.Definitions = b.defs
	}
	return s
}

// A builder builds the schemas of one root. Types in defined go to $defs, all others are
// inline.
type builder struct {
	*schemaPool
	output  bool
	own     string // name of the tools' own package
	defined map[*model.Type]bool
	defs    jsonschema.Definitions
}

// buildSchema returns the schema of a type as a part of another one. Arguments may also be
// references.
func (b *builder) buildSchema(t *model.Type) *jsonschema.Schema {
	if !b.output && t.Kind != model.Ref && t.HoldsRef() {
		return b.newSchema(jsonschema.Schema{AnyOf: []*jsonschema.Schema{b.buildValue(t), b.buildReference(t)}})
	}
	if b.output && t.Kind == model.Union {
		return b.addNull(b.buildValue(t))
	}
	return b.buildValue(t)
}

// buildValue returns the schema of a type as a part of another one, without the alternative of a
// reference.
func (b *builder) buildValue(t *model.Type) *jsonschema.Schema {
	if !b.defined[t] {
		return b.buildInline(t)
	}
	if _, added := b.defs[t.Def.Name]; !added {
		if b.defs == nil {
			b.defs = jsonschema.Definitions{}
		}
		b.defs[t.Def.Name] = nil // in progress
		b.defs[t.Def.Name] = b.buildInline(t)
	}
	ref := url.URL{Fragment: "/$defs/" + t.Def.Name} // escapes non-ASCII letters
	return b.newSchema(jsonschema.Schema{Ref: ref.String()})
}

func (b *builder) buildInline(t *model.Type) *jsonschema.Schema {
	s := b.buildUnlimited(t)
	setLimits(s, t)
	if !b.output && (t.Kind != model.Pointer || t.Description != "") { // the schema of a pointer otherwise keeps the description of the element
		s.Description = cmp.Or(b.appendValues(t.Description, t), s.Description)
	}
	return s
}

// buildUnlimited returns the schema of a type without the limits that notes and tags set.
//
//nolint:gocyclo,funlen // one case per kind of type
func (b *builder) buildUnlimited(t *model.Type) *jsonschema.Schema {
	if b.output && t.Form == model.ProtoJSON {
		if s := b.buildFormResult(t); s != nil {
			return s
		}
	}
	switch t.Kind {
	case model.Bool:
		return b.newSchema(jsonschema.Schema{Type: "boolean"})
	case model.Int, model.Uint:
		return b.buildInteger(t)
	case model.Float, model.Number:
		return b.newSchema(jsonschema.Schema{Type: "number"})
	case model.String:
		return b.newSchema(jsonschema.Schema{Type: "string", Enum: b.enumValues(t), Format: t.Format, Pattern: t.Pattern})
	case model.ByteText:
		return b.newSchema(jsonschema.Schema{Type: "string"})
	case model.Stringer, model.ErrorText:
		return b.buildString(t.Nilable || t.Kind == model.ErrorText)
	case model.Bytes:
		return b.buildBytes()
	case model.Time:
		return b.newSchema(jsonschema.Schema{Type: "string", Format: "date-time"})
	case model.Duration:
		return b.newFormatSchema("duration")
	case model.Text:
		return b.newSchema(jsonschema.Schema{Type: "string", Format: t.Format, Pattern: t.Pattern})
	case model.BigInt:
		return b.newSchema(jsonschema.Schema{Type: "integer"})
	case model.Quoted:
		return b.buildQuoted(t.Elem)
	case model.TextOr:
		return b.newSchema(jsonschema.Schema{AnyOf: []*jsonschema.Schema{b.newSchema(jsonschema.Schema{Type: "string", Pattern: t.Pattern}), b.buildSchema(t.Elem)}})
	case model.Asserted:
		return b.buildAsserted(t)
	case model.Custom, model.Opaque:
		if t.Elem != nil {
			return b.buildSchema(t.Elem)
		}
	case model.Any:
		if t.Schema != "" {
			return b.newSchema(jsonschema.Schema{Extras: map[string]any{writtenMembers: t.Schema}})
		}
	case model.URL:
		return b.newFormatSchema("uri-reference")
	case model.Ref:
		if b.output {
			return b.buildResultReference()
		}
		return b.buildReference(t)
	case model.Pointer, model.Represented:
		return b.buildPointer(t)
	case model.Null, model.NullOr:
		return b.orNull(b.buildSchema(t.Elem))
	case model.Slice:
		return b.newSchema(jsonschema.Schema{Type: "array", Items: b.buildSchema(t.Elem)})
	case model.Array:
		n := uint64(t.Len)
		return b.newSchema(jsonschema.Schema{Type: "array", Items: b.buildSchema(t.Elem), MinItems: &n, MaxItems: &n})
	case model.Map:
		return b.newSchema(jsonschema.Schema{Type: "object", PropertyNames: b.buildKeys(t.Key), AdditionalProperties: b.buildSchema(t.Elem)})
	case model.StructKind:
		if t.Accessors {
			return b.orNull(b.buildObject(t))
		}
		return b.buildObject(t)
	case model.Union:
		return b.buildUnion(t)
	}
	return b.newAnySchema() // model.Any, model.Raw, and types whose form only encoding/json knows
}

// buildString returns the schema of a text that may be null if nullable is true.
func (b *builder) buildString(nullable bool) *jsonschema.Schema {
	text := b.newSchema(jsonschema.Schema{Type: "string"})
	if nullable {
		return b.orNull(text)
	}
	return text
}

// buildFormResult returns the schema of a result that package protojson writes in one of several forms: a
// number that may be infinite, or an enum with values that may have no name. It returns nil for other
// types.
func (b *builder) buildFormResult(t *model.Type) *jsonschema.Schema {
	var forms []*jsonschema.Schema
	switch {
	case t.Kind == model.Float:
		forms = append(forms, b.newSchema(jsonschema.Schema{Type: "number"}), b.newSchema(jsonschema.Schema{Enum: []any{"NaN", "Infinity", "-Infinity"}}))
	case t.Kind == model.String && len(t.Enum)+len(t.Known) > 0:
		forms = append(forms, b.newSchema(jsonschema.Schema{Type: "string"}), b.newSchema(jsonschema.Schema{Type: "integer"}))
	default:
		return nil
	}
	return b.newSchema(jsonschema.Schema{AnyOf: forms})
}

// buildQuoted returns the schema of a string that holds a basic value.
func (b *builder) buildQuoted(t *model.Type) *jsonschema.Schema {
	s := b.newSchema(jsonschema.Schema{Type: "string"})
	switch t.Kind {
	case model.Bool:
		s.Enum = []any{"true", "false"}
	case model.Int:
		s.Pattern = internalschema.QuotedIntegerPattern
	case model.Uint:
		s.Pattern = internalschema.QuotedNaturalPattern
	case model.Float, model.Number:
		s.Pattern = internalschema.QuotedNumberPattern
	default:
		s.Pattern = internalschema.QuotedStringPattern
	}
	for _, value := range b.enumValues(t) {
		s.Enum = append(s.Enum, string(value.(json.RawMessage)))
	}
	return s
}

// buildKeys returns the schema of the keys of a map, nil if any text may be a key.
func (b *builder) buildKeys(key *model.Type) *jsonschema.Schema {
	switch key.Kind {
	case model.Int:
		return b.newSchema(jsonschema.Schema{Pattern: internalschema.IntegerKeyPattern})
	case model.Uint:
		return b.newSchema(jsonschema.Schema{Pattern: internalschema.NaturalKeyPattern})
	}
	if key.Kind == model.Represented {
		key = key.Elem
	}
	if key.Pattern == "" {
		return nil // the type of the key may accept more than its format
	}
	return b.newSchema(jsonschema.Schema{Pattern: key.Pattern})
}

// buildReference returns the schema of a reference to a value that JSON cannot carry. The description
// names the type, as references in results do, so that the model knows which references fit.
func (b *builder) buildReference(t *model.Type) *jsonschema.Schema {
	return b.newSchema(jsonschema.Schema{Type: "string", Pattern: referencePattern, Description: "a variable of type " + t.Go.FormatFrom(b.own) + ": <<var:name>>"})
}

// referencePattern matches a reference.
const referencePattern = "^<<var:[A-Za-z0-9_.-]{1,64}>>$"

// buildResultReference returns the schema of what the runtime writes for a result that JSON
// cannot carry.
func (b *builder) buildResultReference() *jsonschema.Schema {
	s := b.newSchema(jsonschema.Schema{Type: "object", Properties: jsonschema.NewProperties(), Required: []string{"ref", "type"}})
	s.Properties.Set("ref", b.newSchema(jsonschema.Schema{
		Type: "string", Pattern: referencePattern, Description: "a reference to the value, for arguments of other calls",
	}))
	s.Properties.Set("type", b.newSchema(jsonschema.Schema{Type: "string"}))
	s.Properties.Set("description", b.newSchema(jsonschema.Schema{Type: "string"}))
	return b.orNull(s)
}

// setLimits sets the limits that a note or a tag gives a type.
func setLimits(s *jsonschema.Schema, t *model.Type) {
	switch t.Kind {
	case model.Int, model.Uint, model.Float:
		s.Minimum = cmp.Or(json.Number(t.Min), s.Minimum)
		s.Maximum = cmp.Or(json.Number(t.Max), s.Maximum)
		s.ExclusiveMinimum, s.ExclusiveMaximum = json.Number(t.Above), json.Number(t.Below)
		s.MultipleOf = json.Number(t.MultipleOf)
	case model.String:
		s.MinLength, s.MaxLength = parseLength(t.Min), parseLength(t.Max)
	case model.Slice:
		s.MinItems, s.MaxItems = parseLength(t.Min), parseLength(t.Max)
	}
	s.UniqueItems = s.UniqueItems || t.Unique
}

func parseLength(bound string) *uint64 {
	if bound == "" {
		return nil
	}
	n, err := strconv.ParseUint(bound, 10, 31)
	if err != nil {
		panic(err) // bind has checked it
	}
	return &n
}

// newAnySchema returns a schema that allows every value. The extras make it {}, because some
// readers do not accept true.
func (b *builder) newAnySchema() *jsonschema.Schema {
	return b.newSchema(jsonschema.Schema{Extras: map[string]any{}})
}

func (b *builder) buildInteger(t *model.Type) *jsonschema.Schema {
	s := b.newSchema(jsonschema.Schema{Type: "integer", Enum: b.enumValues(t)})
	narrow := t.Bits > 0 && t.Bits < 64
	switch {
	case s.Enum != nil:
	case t.Kind == model.Uint && narrow:
		s.Minimum, s.Maximum = "0", formatNumber(uint64(1)<<t.Bits-1)
	case t.Kind == model.Uint:
		s.Minimum = "0"
	case narrow:
		s.Minimum, s.Maximum = formatNumber(-(int64(1) << (t.Bits - 1))), formatNumber(int64(1)<<(t.Bits-1)-1)
	}
	return s
}

func formatNumber[T int64 | uint64](n T) json.Number {
	return json.Number(fmt.Sprint(n))
}

// enumValues returns the values that arguments may have, nil for results: a function may
// return other values.
func (b *builder) enumValues(t *model.Type) []any {
	if b.output {
		return nil
	}
	var values []any
	for _, c := range t.Enum {
		values = append(values, json.RawMessage(c.Value))
	}
	return values
}

// newFormatSchema returns the schema of a string in a format. Only arguments have the format:
// durations are written as in Go, which no format of JSON Schema describes, and a URL may
// hold any text.
func (b *builder) newFormatSchema(format string) *jsonschema.Schema {
	if b.output {
		format = ""
	}
	return b.newSchema(jsonschema.Schema{Type: "string", Format: format})
}

// buildPointer returns the schema of a pointer, or of a type that another type represents. A result may be
// null if it may be nil. Arguments do not include null: a null argument counts as an absent field.
func (b *builder) buildPointer(t *model.Type) *jsonschema.Schema {
	if !b.output || t.Kind == model.Represented && !t.Nilable {
		return b.buildValue(t.Elem)
	}
	if t.Elem.Kind == model.Union {
		return b.buildSchema(t.Elem) // may be null anyway
	}
	return b.orNull(b.buildSchema(t.Elem))
}

// buildAsserted returns the schema of an interface for which a note gives the type. A result may be nil.
func (b *builder) buildAsserted(t *model.Type) *jsonschema.Schema {
	s := b.buildSchema(t.Elem)
	if b.output && t.Elem.Kind != model.Pointer {
		return b.orNull(s)
	}
	return s
}

// orNull returns the schema of a value or null.
func (b *builder) orNull(s *jsonschema.Schema) *jsonschema.Schema {
	return b.newSchema(jsonschema.Schema{AnyOf: []*jsonschema.Schema{s, b.newSchema(jsonschema.Schema{Type: "null"})}})
}

// withoutNull returns the schema of a value without the alternative null.
func withoutNull(s *jsonschema.Schema) *jsonschema.Schema {
	last := len(s.AnyOf) - 1
	if last < 1 || s.AnyOf[last].Type != "null" {
		return s
	}
	if last > 1 {
		s.AnyOf = s.AnyOf[:last]
		return s
	}
	value := s.AnyOf[0]
	value.Description = cmp.Or(s.Description, value.Description)
	return value
}

// buildBytes returns the schema of bytes. A nil slice in a result is null.
func (b *builder) buildBytes() *jsonschema.Schema {
	s := b.newSchema(jsonschema.Schema{Type: "string", ContentEncoding: "base64"})
	if b.output {
		return b.orNull(s)
	}
	return s
}

func (b *builder) buildObject(t *model.Type) *jsonschema.Schema {
	s := b.newObject()
	b.addMembers(s, t)
	return s
}

// newObject returns the schema of an object without members.
func (b *builder) newObject() *jsonschema.Schema {
	s := b.newSchema(jsonschema.Schema{Type: "object", Properties: jsonschema.NewProperties()})
	if !b.output {
		s.AdditionalProperties = jsonschema.FalseSchema
	}
	return s
}

// addMembers adds the fields of a struct to the schema of an object.
func (b *builder) addMembers(s *jsonschema.Schema, t *model.Type) {
	var rivals map[*model.Field]string
	if !b.output {
		rivals = describeRivals(t)
	}
	for _, f := range t.Fields {
		if f.Hidden && !b.output {
			continue
		}
		field := b.buildField(f)
		if text := rivals[f]; text != "" {
			field.Description = strings.TrimPrefix(field.Description+"\n"+text, "\n")
		}
		s.Properties.Set(f.Name, field)
		if b.isRequired(f) {
			s.Required = append(s.Required, f.Name)
		}
	}
}

// describeRivals returns sentences to add to the descriptions of fields of which an object may contain at
// most one.
func describeRivals(t *model.Type) map[*model.Field]string {
	texts := map[*model.Field]string{}
	for _, group := range t.Rivals() {
		var names []string
		for _, f := range group {
			names = append(names, f.Name)
		}
		for _, f := range group {
			texts[f] = "Set at most one of " + strings.Join(names, ", ") + "."
		}
	}
	return texts
}

func (b *builder) isRequired(f *model.Field) bool {
	if b.output {
		return f.Omit == model.OmitNever && len(f.Within) == 0
	}
	return !f.Optional
}

func (b *builder) buildField(f *model.Field) *jsonschema.Schema {
	t, s := b.buildFieldType(f)
	if f.Description != "" {
		description := b.appendValues(f.Description, t)
		if t.Kind == model.Ref && !b.output {
			description += "\n" + s.Description
		}
		s.Description = description
	}
	s.Title = f.Title
	if f.Default != "" && !b.output {
		s.Default = json.RawMessage(f.Default)
	}
	for _, example := range f.Examples {
		s.Examples = append(s.Examples, json.RawMessage(example))
	}
	return s
}

// buildFieldType returns the type that is written for a field, and its schema. The schema excludes null if
// null would mean that the field is absent.
func (b *builder) buildFieldType(f *model.Field) (*model.Type, *jsonschema.Schema) {
	t := f.Type
	if b.output && (t.Kind == model.Pointer || t.Kind == model.Asserted) && f.Omit != model.OmitNever {
		t = t.Elem // left out instead of null
	}
	s := b.buildSchema(t)
	nilIsAbsent := b.output && (t.Kind == model.Bytes || t.Kind == model.Union) && f.Omit != model.OmitNever
	nullIsAbsent := !b.output && t.Kind == model.Null && f.Optional
	if nilIsAbsent || nullIsAbsent {
		s = withoutNull(s)
	}
	if f.TakesNull() && !t.AcceptsNull() && !b.output {
		s = b.orNull(s)
	}
	return t, s
}

// wrapperKinds are the kinds of types that have the constants of their element type.
var wrapperKinds = []model.Kind{model.Pointer, model.Quoted, model.Represented, model.Asserted, model.Custom, model.NullOr}

// appendValues appends the meaning of the constants of a type to the description of an argument. It lists
// all values that the schema itself does not list, such as known keys of a map. It does nothing for
// results, because a model reads the schemas of all tools before it sees any result.
func (b *builder) appendValues(description string, t *model.Type) string {
	for slices.Contains(wrapperKinds, t.Kind) && t.Elem != nil {
		t = t.Elem
	}
	heading := "Known values:"
	if t.Kind == model.Map {
		heading, t = "Known keys:", t.Key
	}
	explained := slices.ContainsFunc(t.Enum, func(c model.Const) bool { return c.Description != "" || t.Kind != model.String && c.Name != "" })
	if b.output || len(t.Known) == 0 && !explained {
		return description
	}
	var lines []string
	if description != "" {
		lines = append(lines, description)
	}
	for _, c := range t.Enum {
		lines = append(lines, formatConstant(c, t.Kind))
	}
	if len(t.Known) > 0 {
		lines = append(append(lines, heading), listKnown(t)...)
	}
	return strings.Join(lines, "\n")
}

// maxKnown limits the list of known values, in bytes. Some types have hundreds of constants.
const maxKnown = 1024

// listKnown returns a line for each known value. If these lines are too long, it returns one line with as
// many values as fit, without their descriptions.
func listKnown(t *model.Type) (lines []string) {
	length := 0
	for _, c := range t.Known {
		lines = append(lines, formatConstant(c, t.Kind))
		length += len(lines[len(lines)-1]) + 1
	}
	if length <= maxKnown {
		return lines
	}
	var short []string
	length = 0
	for i, c := range t.Known {
		c.Description = ""
		value := formatConstant(c, t.Kind)
		if length += len(value) + len(", "); length > maxKnown {
			return []string{fmt.Sprintf("%s and %d more", strings.Join(short, ", "), len(t.Known)-i)}
		}
		short = append(short, value)
	}
	return []string{strings.Join(short, ", ")}
}

// plainString matches a JSON string that is clear without its quotes.
var plainString = regexp.MustCompile(`^"[A-Za-z][A-Za-z0-9_.-]*"$`)

// formatConstant returns a value with its meaning: the name of the constant for a number, and the comment.
func formatConstant(c model.Const, kind model.Kind) string {
	text := c.Value
	if plainString.MatchString(text) {
		text = text[1 : len(text)-1]
	}
	if kind != model.String && c.Name != "" {
		text += " (" + c.Name + ")"
	}
	if c.Description != "" {
		text += ": " + strings.Join(strings.Fields(c.Description), " ")
	}
	return text
}
