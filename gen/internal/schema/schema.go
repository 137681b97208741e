// Package schema describes the types of a tool as JSON Schemas, draft 2020-12.
// It reads the same model that decoders and encoders are printed from, so that
// schema and code cannot differ.
//
// Its layers, from top to bottom:
//
//	schema  types as schemas
//	define  which types stand in $defs
//	stock   schemas that are made again once they are written
//	write   a schema as text
package schema

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
	texts "github.com/aiongen/aiongen/internal/jsonschema/text"
)

// Input is the schema of an arguments object, minified, in declaration order. What is
// by reference names Go types, those of the tools' own package with the package's name,
// as they are named where such values are returned.
func Input(args *model.Type, own string) string {
	if once := Recursive(args); nodes(args, once, map[*model.Type]int{}) <= maxInline/leastNode {
		if s := (&builder{own: own, defined: once}).text(args, ""); len(s) <= maxInline {
			return s
		}
	}
	return (&builder{own: own, defined: shared(args)}).text(args, "")
}

// Output is the schema of a result, nil for none, with a description of its own. It
// describes exactly what generated code writes, but for members that a later version
// may add: callers that hold results to the schema that they know are to pass over
// these, as those do that decode them. No type says of itself what it is, only notes
// and fields do.
func Output(result *model.Type, description string) string {
	if result == nil {
		return (&stock{}).write(&jsonschema.Schema{Type: "null", Description: description})
	}
	if result.Sure {
		result = result.Elem
	}
	return (&builder{output: true, defined: shared(result)}).text(result, description)
}

// text is the schema of a root, written.
func (b *builder) text(root *model.Type, description string) string {
	b.stock = stocks.Get().(*stock)
	defer stocks.Put(b.stock)
	return b.write(b.root(root, description))
}

func (b *builder) root(t *model.Type, description string) *jsonschema.Schema {
	var s *jsonschema.Schema
	if b.output && b.defined[t] && t.Kind == model.StructKind {
		s = b.value(t)
		s.Type = "object" // which MCP wants to see at the root
	} else {
		s = b.inline(t)
	}
	if description != "" {
		s.Description = description
	}
	if b.defs != nil {
		s.Definitions = b.defs
	}
	return s
}

// builder makes the schemas of one root. Types that are defined stand in $defs, all
// others where they are used.
type builder struct {
	*stock
	output  bool
	own     string // name of the tools' own package
	defined map[*model.Type]bool
	defs    jsonschema.Definitions
}

// schema is a type as a part of another.
func (b *builder) schema(t *model.Type) *jsonschema.Schema {
	if !b.output && t.Kind != model.Ref && t.HoldsRef() {
		return b.made(jsonschema.Schema{AnyOf: []*jsonschema.Schema{b.value(t), b.reference(t)}})
	}
	return b.value(t)
}

// value is a type as a part of another, where it is not a reference.
func (b *builder) value(t *model.Type) *jsonschema.Schema {
	if !b.defined[t] {
		return b.inline(t)
	}
	if _, known := b.defs[t.Def.Name]; !known {
		if b.defs == nil {
			b.defs = jsonschema.Definitions{}
		}
		b.defs[t.Def.Name] = nil // under way
		b.defs[t.Def.Name] = b.inline(t)
	}
	ref := url.URL{Fragment: "/$defs/" + t.Def.Name} // which escapes letters beyond ASCII
	return b.made(jsonschema.Schema{Ref: ref.String()})
}

func (b *builder) inline(t *model.Type) *jsonschema.Schema {
	s := b.bare(t)
	limit(s, t)
	if !b.output {
		s.Description = cmp.Or(b.withValues(t.Description, t), s.Description)
	}
	return s
}

func (b *builder) bare(t *model.Type) *jsonschema.Schema {
	switch t.Kind {
	case model.Bool:
		return b.made(jsonschema.Schema{Type: "boolean"})
	case model.Int, model.Uint:
		return b.integer(t)
	case model.Float, model.Number:
		return b.made(jsonschema.Schema{Type: "number"})
	case model.String:
		return b.made(jsonschema.Schema{Type: "string", Enum: b.enum(t), Format: t.Format, Pattern: t.Pattern})
	case model.ByteText:
		return b.made(jsonschema.Schema{Type: "string"})
	case model.Stringer:
		if text := b.made(jsonschema.Schema{Type: "string"}); t.Nilable {
			return b.made(jsonschema.Schema{AnyOf: []*jsonschema.Schema{text, b.made(jsonschema.Schema{Type: "null"})}})
		}
		return b.made(jsonschema.Schema{Type: "string"})
	case model.Bytes:
		return b.made(jsonschema.Schema{Type: "string", ContentEncoding: "base64"})
	case model.Time:
		return b.made(jsonschema.Schema{Type: "string", Format: "date-time"})
	case model.Duration:
		return b.read("duration")
	case model.Text:
		return b.made(jsonschema.Schema{Type: "string", Format: t.Format, Pattern: t.Pattern})
	case model.BigInt:
		return b.made(jsonschema.Schema{Type: "integer"})
	case model.Quoted:
		return b.quoted(t.Elem)
	case model.TextOr:
		return b.made(jsonschema.Schema{AnyOf: []*jsonschema.Schema{b.made(jsonschema.Schema{Type: "string", Pattern: t.Pattern}), b.schema(t.Elem)}})
	case model.Custom, model.Opaque:
		if t.Elem != nil {
			return b.schema(t.Elem)
		}
	case model.URL:
		return b.read("uri-reference")
	case model.Ref:
		if b.output {
			return b.kept()
		}
		return b.reference(t)
	case model.Pointer, model.Null:
		return b.pointer(t)
	case model.Slice:
		return b.made(jsonschema.Schema{Type: "array", Items: b.schema(t.Elem)})
	case model.Array:
		n := uint64(t.Len)
		return b.made(jsonschema.Schema{Type: "array", Items: b.schema(t.Elem), MinItems: &n, MaxItems: &n})
	case model.Map:
		return b.made(jsonschema.Schema{Type: "object", PropertyNames: b.names(t.Key), AdditionalProperties: b.schema(t.Elem)})
	case model.StructKind:
		return b.object(t)
	}
	return b.anything() // model.Any, model.Raw, and what only encoding/json knows
}

// quoted is the schema of a string that holds a basic value.
func (b *builder) quoted(t *model.Type) *jsonschema.Schema {
	s := b.made(jsonschema.Schema{Type: "string"})
	switch t.Kind {
	case model.Bool:
		s.Enum = []any{"true", "false"}
	case model.Int:
		s.Pattern = texts.QuotedInteger
	case model.Uint:
		s.Pattern = texts.QuotedNatural
	case model.Float, model.Number:
		s.Pattern = texts.QuotedNumber
	default:
		s.Pattern = texts.QuotedString
	}
	for _, value := range b.enum(t) {
		s.Enum = append(s.Enum, string(value.(json.RawMessage)))
	}
	return s
}

// names is the schema of the keys of a map, nil where they may be any text.
func (b *builder) names(key *model.Type) *jsonschema.Schema {
	switch key.Kind {
	case model.Int:
		return b.made(jsonschema.Schema{Pattern: texts.IntegerKey})
	case model.Uint:
		return b.made(jsonschema.Schema{Pattern: texts.NaturalKey})
	}
	if enum := b.enum(key); len(enum) > 0 {
		return b.made(jsonschema.Schema{Enum: enum})
	}
	if key.Pattern == "" {
		return nil // keys are whatever their type parses, which can be more than its format
	}
	return b.made(jsonschema.Schema{Pattern: key.Pattern})
}

// reference is what stands for a value that JSON cannot carry. A model reads of which
// type those are that it was given, so that it is told which fit.
func (b *builder) reference(t *model.Type) *jsonschema.Schema {
	return b.made(jsonschema.Schema{Type: "string", Pattern: referencePattern, Description: "a variable of type " + t.Go.In(b.own) + ": <<var:name>>"})
}

const referencePattern = "^<<var:[A-Za-z0-9_.-]{1,64}>>$"

// kept is what the runtime writes of a result that JSON cannot carry.
func (b *builder) kept() *jsonschema.Schema {
	s := b.made(jsonschema.Schema{Type: "object", Properties: jsonschema.NewProperties(), Required: []string{"ref", "type"}})
	s.Properties.Set("ref", b.made(jsonschema.Schema{
		Type: "string", Pattern: referencePattern, Description: "a reference to the value, for arguments of other calls",
	}))
	s.Properties.Set("type", b.made(jsonschema.Schema{Type: "string"}))
	s.Properties.Set("description", b.made(jsonschema.Schema{Type: "string"}))
	return b.made(jsonschema.Schema{AnyOf: []*jsonschema.Schema{s, b.made(jsonschema.Schema{Type: "null"})}})
}

// limit adds the bounds that a note or a tag gives a type.
func limit(s *jsonschema.Schema, t *model.Type) {
	switch t.Kind {
	case model.Int, model.Uint, model.Float:
		s.Minimum = cmp.Or(json.Number(t.Min), s.Minimum)
		s.Maximum = cmp.Or(json.Number(t.Max), s.Maximum)
		s.ExclusiveMinimum, s.ExclusiveMaximum = json.Number(t.Above), json.Number(t.Below)
		s.MultipleOf = json.Number(t.MultipleOf)
	case model.String:
		s.MinLength, s.MaxLength = length(t.Min), length(t.Max)
	case model.Slice:
		s.MinItems, s.MaxItems = length(t.Min), length(t.Max)
	}
	s.UniqueItems = t.Unique
}

func length(bound string) *uint64 {
	if bound == "" {
		return nil
	}
	n, err := strconv.ParseUint(bound, 10, 31)
	if err != nil {
		panic(err) // binding made sure
	}
	return &n
}

// anything is the schema that allows every value; the extras make it {}, where
// jsonschema would write true, which not every reader of schemas takes.
func (b *builder) anything() *jsonschema.Schema {
	return b.made(jsonschema.Schema{Extras: map[string]any{}})
}

func (b *builder) integer(t *model.Type) *jsonschema.Schema {
	s := b.made(jsonschema.Schema{Type: "integer", Enum: b.enum(t)})
	narrow := t.Bits > 0 && t.Bits < 64
	switch {
	case s.Enum != nil:
	case t.Kind == model.Uint && narrow:
		s.Minimum, s.Maximum = "0", number(uint64(1)<<t.Bits-1)
	case t.Kind == model.Uint:
		s.Minimum = "0"
	case narrow:
		s.Minimum, s.Maximum = number(-(int64(1) << (t.Bits - 1))), number(int64(1)<<(t.Bits-1)-1)
	}
	return s
}

func number[T int64 | uint64](n T) json.Number {
	return json.Number(fmt.Sprint(n))
}

// enum lists the values that arguments may have. A result is whatever the
// function returned, so its schema only names them, in the description.
func (b *builder) enum(t *model.Type) []any {
	if b.output {
		return nil
	}
	var values []any
	for _, c := range t.Enum {
		values = append(values, json.RawMessage(c.Value))
	}
	return values
}

// read is a string that arguments are read from in a format. Results are not
// held to it: durations are written as Go does, which no format of JSON Schema
// describes, and a URL may be any text that somebody put together.
func (b *builder) read(format string) *jsonschema.Schema {
	if b.output {
		format = ""
	}
	return b.made(jsonschema.Schema{Type: "string", Format: format})
}

// pointer: an argument that is null counts as absent, which is a matter of the
// field that holds it; a result may be null.
func (b *builder) pointer(t *model.Type) *jsonschema.Schema {
	if !b.output {
		return b.value(t.Elem)
	}
	return b.made(jsonschema.Schema{AnyOf: []*jsonschema.Schema{b.schema(t.Elem), b.made(jsonschema.Schema{Type: "null"})}})
}

func (b *builder) object(t *model.Type) *jsonschema.Schema {
	s := b.made(jsonschema.Schema{Type: "object", Properties: jsonschema.NewProperties()})
	if !b.output {
		s.AdditionalProperties = jsonschema.FalseSchema
	}
	for _, f := range t.Fields {
		if f.Hidden && !b.output {
			continue
		}
		s.Properties.Set(f.Name, b.field(f))
		if b.required(f) {
			s.Required = append(s.Required, f.Name)
		}
	}
	return s
}

func (b *builder) required(f *model.Field) bool {
	if b.output {
		return f.Omit == model.OmitNever && len(f.Within) == 0
	}
	return !f.Optional
}

func (b *builder) field(f *model.Field) *jsonschema.Schema {
	t := f.Type
	if b.output && t.Kind == model.Pointer && f.Omit != model.OmitNever {
		t = t.Elem // left out instead of null
	}
	s := b.schema(t)
	if f.Description != "" {
		said := b.withValues(f.Description, t)
		if t.Kind == model.Ref && !b.output {
			said += "\n" + s.Description
		}
		s.Description = said
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

// withValues adds to the description of an argument what the constants of its type say
// about themselves, and all of them where the schema does not list them. Of a result
// that is not said: a model reads the schema of every tool before it sees any result.
func (b *builder) withValues(description string, t *model.Type) string {
	for t.Kind == model.Pointer || t.Kind == model.Quoted {
		t = t.Elem
	}
	consts := slices.Concat(t.Enum, t.Known)
	listed := len(t.Enum) > 0
	said := slices.ContainsFunc(consts, func(c model.Const) bool { return c.Description != "" || t.Kind != model.String && c.Name != "" })
	if len(consts) == 0 || listed && !said || b.output {
		return description
	}
	lines := []string{description}
	if description == "" {
		lines = nil
	}
	if !listed {
		lines = append(lines, "Known values:")
	}
	for _, c := range consts {
		lines = append(lines, constant(c, t.Kind))
	}
	return strings.Join(lines, "\n")
}

// plain is the JSON of a text that is clear without its quotes.
var plain = regexp.MustCompile(`^"[A-Za-z][A-Za-z0-9_.-]*"$`)

// constant is a value with what it means: a number has its name, and either may
// have a comment.
func constant(c model.Const, kind model.Kind) string {
	text := c.Value
	if plain.MatchString(text) {
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
