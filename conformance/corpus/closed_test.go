package corpus_test

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/aiongen/aiongen/runtime/tool"
)

// This file implements the closed list of section 4 of binding.md: the cases in which generated code and
// a validator may disagree.

// correctArguments reads the arguments and corrects what we accept on purpose although their schema
// does not: null for missing arguments and for optional values, and base64 with another alphabet or
// without padding. (For durations as Go writes them see customFormats.) It also fills in defaults and
// writes integers in the one form that encoding/json accepts.
func (s *subject) correctArguments(text string) any {
	if text = strings.Trim(text, " \t\r\n"); text == "" || text == "null" {
		text = "{}"
	}
	doc := mustValue(jsonschema.UnmarshalJSON(strings.NewReader(text)))
	return correctValue(s.input, doc)
}

func correctValue(s *jsonschema.Schema, x any) any {
	if s = variantSchema(s, x); s == nil {
		return x
	}
	switch x := x.(type) {
	case map[string]any:
		for name, member := range x {
			if property := s.Properties[name]; property != nil && member == nil && !slices.Contains(s.Required, name) && property.Validate(nil) != nil {
				delete(x, name)
			} else {
				x[name] = correctValue(memberSchema(s, name), member)
			}
		}
		for name, property := range s.Properties {
			if _, given := x[name]; !given && property.Default != nil {
				x[name] = *property.Default
			}
		}
	case []any:
		for i := range x {
			x[i] = correctValue(s.Items2020, x[i])
		}
	case string:
		if s.ContentEncoding != nil {
			return standardBase64(x)
		}
	case json.Number:
		if isType(s, "integer") {
			return integerForm(x)
		}
	}
	return x
}

// resolveSchema follows references. It returns nil for the schema that allows everything.
func resolveSchema(s *jsonschema.Schema) *jsonschema.Schema {
	for s != nil && s.Ref != nil {
		s = s.Ref
	}
	return s
}

// variantSchema follows references, and in a union also to the variant that an object names.
func variantSchema(s *jsonschema.Schema, x any) *jsonschema.Schema {
	s = resolveSchema(s)
	object, ok := x.(map[string]any)
	if s == nil || !ok {
		return s
	}
	for _, variant := range s.AnyOf {
		variant = resolveSchema(variant)
		for name, member := range variant.Properties {
			if member.Const != nil && *member.Const == object[name] {
				return variant
			}
		}
	}
	return s
}

func memberSchema(s *jsonschema.Schema, name string) *jsonschema.Schema {
	if property := s.Properties[name]; property != nil {
		return property
	}
	additional, _ := s.AdditionalProperties.(*jsonschema.Schema)
	return additional
}

func isType(s *jsonschema.Schema, name string) bool {
	return s.Types != nil && slices.Contains(s.Types.ToStrings(), name)
}

func standardBase64(text string) string {
	for _, encoding := range []*base64.Encoding{base64.StdEncoding, base64.RawStdEncoding, base64.URLEncoding, base64.RawURLEncoding} {
		if b, err := encoding.DecodeString(text); err == nil {
			return base64.StdEncoding.EncodeToString(b)
		}
	}
	return text
}

// integerForm writes an integer without fraction and exponent.
func integerForm(n json.Number) json.Number {
	if exact := exactValue(n); exact.IsInt() {
		return json.Number(exact.Num().String())
	}
	return n
}

func exactValue(n json.Number) *big.Rat {
	exact, ok := new(big.Rat).SetString(string(capExponent(n)))
	if !ok {
		panic("no number: " + n)
	}
	return exact
}

// capExponents limits exponents to five digits: larger numbers exceed every kind anyway, and the
// validator would write out their zeros.
func capExponents(x any) any {
	switch x := x.(type) {
	case map[string]any:
		for name, member := range x {
			x[name] = capExponents(member)
		}
	case []any:
		for i, elem := range x {
			x[i] = capExponents(elem)
		}
	case json.Number:
		return capExponent(x)
	}
	return x
}

func capExponent(n json.Number) json.Number {
	return json.Number(hugeExponent.ReplaceAllString(string(n), "${1}99999"))
}

var hugeExponent = regexp.MustCompile(`([eE][+-]?)0*[1-9]\d{5,}$`)

// customFormats replace two of the validator's formats.
var customFormats = []*jsonschema.Format{
	{Name: "duration", Validate: func(x any) error { // also accepts the form of Go
		text, ok := x.(string)
		if _, err := time.ParseDuration(text); ok && err == nil && strings.Trim(text, "+-0") != "" {
			return nil
		}
		return isoDuration.Validate(x)
	}},
	{Name: "date-time", Validate: func(x any) error { // the validator accepts 00:00:+0
		if text, ok := x.(string); ok && !rfc3339.MatchString(text) {
			return errors.New("not in the form of RFC 3339")
		}
		return dateTime.Validate(x)
	}},
}

var (
	isoDuration = findFormat("duration")
	dateTime    = findFormat("date-time")
	rfc3339     = regexp.MustCompile(`^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$`)
)

// findFormat returns a format of the validator.
func findFormat(name string) *jsonschema.Format {
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("format.json", map[string]any{"format": name}); err != nil {
		panic(err)
	}
	return mustValue(c.Compile("format.json")).Format
}

// difference is an entry of the closed list.
type difference string

const (
	numberKind   difference = "a number outside of the Go kind"
	rounding     difference = "a number that is within a bound, but not as the Go kind has it"
	leapSecond   difference = "a leap second, or lower-case t or z"
	calendarUnit difference = "a duration in units that depend on a calendar, or too long"
	ownParser    difference = "text that the parser of the type refuses"
	ownMethod    difference = "a value that the UnmarshalJSON of the type refuses"
	mapKey       difference = "a key of a map that does not parse"
	limit        difference = "what exceeds a limit"
	halfPair     difference = "half of a surrogate pair"
	alikeKeys    difference = "two keys of a map that read alike"
	throughJSON  difference = "what encoding/json reads of a type that generated code cannot name"
)

// generalDifferences do not count for the tightness of a schema.
var generalDifferences = []difference{numberKind, rounding, limit, halfPair, alikeKeys}

// ourDifferences are those that do not concern encoding/json.
var ourDifferences = []difference{rounding, limit, halfPair, alikeKeys}

// place is where a fault is, and the value there.
type place struct {
	tool.Fault
	schema *jsonschema.Schema // the schema of the value
	given  *jsonschema.Schema // the same schema, which may be a reference
	holder *jsonschema.Schema // the schema of the object or array that contains the value
	key    string             // of the value
	value  any
}

// refusal is a difference with a function that recognizes the faults it explains.
type refusal struct {
	difference
	applies func(p place) bool
}

// refusals are the cases in which generated code rejects what a schema allows.
var refusals = []refusal{
	{limit, func(p place) bool {
		return strings.HasPrefix(p.Expected, "an integer of at most 10000 digits") || p.Expected == "a number with a smaller exponent"
	}},
	{numberKind, func(p place) bool {
		if text, ok := p.value.(string); ok && numberInString.MatchString(text) { // of the tag option ,string
			return strings.HasSuffix(p.Expected, " in a string")
		}
		n, ok := p.value.(json.Number)
		return ok && (isOutOfKind(p.schema, n) || slices.ContainsFunc(p.schema.AnyOf, func(s *jsonschema.Schema) bool { return isOutOfKind(s, n) }))
	}},
	{rounding, func(p place) bool {
		n, ok := p.value.(json.Number)
		return ok && isType(p.schema, "number") && strings.HasPrefix(p.Expected, "a number ") && isRounded(n)
	}},
	{leapSecond, func(p place) bool {
		text, ok := p.value.(string)
		return ok && isFormat(p.schema, "date-time") && (strings.ContainsAny(text, "tz") || strings.Contains(text, ":60"))
	}},
	{calendarUnit, func(p place) bool {
		text, ok := p.value.(string)
		return ok && isFormat(p.schema, "duration") && calendarOrLong.MatchString(text)
	}},
	{ownParser, func(p place) bool {
		_, ok := p.value.(string)
		return ok && parserWords.MatchString(p.Expected) && isType(p.schema, "string") && p.schema.Enum == nil
	}},
	{halfPair, func(p place) bool { // in a string with the tag option ,string
		text, ok := p.value.(string)
		return ok && strings.HasSuffix(p.Expected, "a string in a string") && surrogate.MatchString(text)
	}},
	{alikeKeys, func(p place) bool { return p.isInMap() && p.Expected == "each key once" }},
	{mapKey, func(p place) bool { return p.isInMap() && strings.HasPrefix(p.Found, "the key ") }},
	{ownMethod, func(p place) bool {
		return strings.HasPrefix(p.Expected, "another value (") || strings.HasPrefix(p.Expected, "an integer that fits")
	}},
}

// isInMap reports whether the value is a member of a map.
func (p place) isInMap() bool {
	return p.holder != nil && p.holder.AdditionalProperties == any(p.given)
}

var (
	// parserWords matches the expectations in faults that come from the parser of a Go type.
	parserWords    = regexp.MustCompile(`^(another string \(|an IP address|an IP prefix|a number in a string|a number or a fraction )`)
	numberInString = regexp.MustCompile(`^-?\d+(\.\d+)?([eE][+-]?\d+)?$`)
	surrogate      = regexp.MustCompile(`\\u[dD][89a-fA-F]`)
	calendarOrLong = regexp.MustCompile(`^P(\d|T.*\d{7})`)
)

func isFormat(s *jsonschema.Schema, name string) bool {
	return s.Format != nil && s.Format.Name == name
}

// isOutOfKind reports whether a number that its schema allows may be too large for the Go kind: integers
// without bounds in the schema have 64 bits, other numbers 32 or 64.
func isOutOfKind(s *jsonschema.Schema, n json.Number) bool {
	if isType(s, "integer") {
		x := exactValue(n).Num()
		bound := s.Maximum
		if x.Sign() < 0 {
			bound = s.Minimum
		}
		return bound == nil && !x.IsInt64()
	}
	x, err := strconv.ParseFloat(string(n), 32)
	return err != nil && isType(s, "number") && math.IsInf(x, 0)
}

// isRounded reports whether float64 cannot represent the number exactly.
func isRounded(n json.Number) bool {
	x, err := n.Float64()
	return err == nil && new(big.Rat).SetFloat64(x).Cmp(exactValue(n)) != 0
}

// explainRefusal returns the differences that explain why a valid document was rejected. Each fault
// must have an explanation, and encoding/json must reject the document too.
func (s *subject) explainRefusal(doc any, text []byte, faults *tool.ArgumentError) ([]difference, error) {
	var reasons []difference
	for _, fault := range faults.Faults {
		i := -1
		p, err := s.findPlace(fault, doc)
		if err == nil {
			i = slices.IndexFunc(refusals, func(r refusal) bool { return r.applies(p) })
		}
		if i < 0 {
			return nil, fmt.Errorf("valid, but refused: %v", fault)
		}
		reasons = append(reasons, refusals[i].difference)
	}
	ours := slices.ContainsFunc(reasons, func(d difference) bool { return slices.Contains(ourDifferences, d) })
	if !ours && s.readOurs(text, reflect.New(s.arguments).Interface()) == nil {
		return nil, fmt.Errorf("valid, and read by encoding/json, but refused: %v", faults)
	}
	return reasons, nil
}

// findPlace finds the place of a fault.
func (s *subject) findPlace(fault tool.Fault, doc any) (place, error) {
	p := place{Fault: fault, schema: variantSchema(s.input, doc), value: doc}
	if fault.Pointer == "" {
		return p, nil
	}
	for token := range strings.SplitSeq(fault.Pointer[1:], "/") {
		p.holder, p.key = p.schema, strings.NewReplacer("~1", "/", "~0", "~").Replace(token)
		switch x := p.value.(type) {
		case map[string]any:
			p.given = memberSchema(p.schema, p.key)
			p.value = x[p.key]
		case []any:
			i, err := strconv.Atoi(p.key)
			if err != nil || i >= len(x) {
				return p, errors.New("no such element")
			}
			p.given = p.schema.Items2020
			p.value = x[i]
		}
		if p.schema = variantSchema(p.given, p.value); p.schema == nil {
			return p, errors.New("nothing is said of it")
		}
	}
	return p, nil
}
