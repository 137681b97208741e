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

// This file is the closed list of section 4 of binding.md: where generated code
// and a validator may disagree.

// soften reads the arguments and puts right what we accept on purpose and their
// schema does not: null for no arguments and for what may be absent, and base64 of other alphabets or
// without padding. (For durations as Go writes them see formats.) Defaults are
// filled in, and integers get the one form that encoding/json knows.
func (s *subject) soften(text string) any {
	if text = strings.Trim(text, " \t\r\n"); text == "" || text == "null" {
		text = "{}"
	}
	doc := must(jsonschema.UnmarshalJSON(strings.NewReader(text)))
	return soften(s.input, doc)
}

func soften(s *jsonschema.Schema, x any) any {
	if s = resolve(s); s == nil {
		return x
	}
	switch x := x.(type) {
	case map[string]any:
		for name, member := range x {
			if s.Properties[name] != nil && member == nil && !slices.Contains(s.Required, name) {
				delete(x, name)
			} else {
				x[name] = soften(memberSchema(s, name), member)
			}
		}
		for name, property := range s.Properties {
			if _, given := x[name]; !given && property.Default != nil {
				x[name] = *property.Default
			}
		}
	case []any:
		for i := range x {
			x[i] = soften(s.Items2020, x[i])
		}
	case string:
		if s.ContentEncoding != nil {
			return standardBase64(x)
		}
	case json.Number:
		if isType(s, "integer") {
			return whole(x)
		}
	}
	return x
}

// resolve follows references; it returns nil for the schema that allows all.
func resolve(s *jsonschema.Schema) *jsonschema.Schema {
	for s != nil && s.Ref != nil {
		s = s.Ref
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

// whole writes a number without fraction and exponent, if it is an integer.
func whole(n json.Number) json.Number {
	if exact := exactly(n); exact.IsInt() {
		return json.Number(exact.Num().String())
	}
	return n
}

func exactly(n json.Number) *big.Rat {
	exact, ok := new(big.Rat).SetString(string(tamed(n)))
	if !ok {
		panic("no number: " + n)
	}
	return exact
}

// tame gives all numbers exponents of five digits at most: larger ones are
// beyond every kind, too, and the validator would write out their zeros.
func tame(x any) any {
	switch x := x.(type) {
	case map[string]any:
		for name, member := range x {
			x[name] = tame(member)
		}
	case []any:
		for i, elem := range x {
			x[i] = tame(elem)
		}
	case json.Number:
		return tamed(x)
	}
	return x
}

func tamed(n json.Number) json.Number {
	return json.Number(hugeExponent.ReplaceAllString(string(n), "${1}99999"))
}

var hugeExponent = regexp.MustCompile(`([eE][+-]?)0*[1-9]\d{5,}$`)

// formats stand in for two of the validator's own.
var formats = []*jsonschema.Format{
	{Name: "duration", Validate: func(x any) error { // also as Go writes it
		text, ok := x.(string)
		if _, err := time.ParseDuration(text); ok && err == nil && strings.Trim(text, "+-0") != "" {
			return nil
		}
		return isoDuration.Validate(x)
	}},
	{Name: "date-time", Validate: func(x any) error { // the validator takes 00:00:+0 for a time
		if text, ok := x.(string); ok && !rfc3339.MatchString(text) {
			return errors.New("not in the form of RFC 3339")
		}
		return dateTime.Validate(x)
	}},
}

var (
	isoDuration = formatOf("duration")
	dateTime    = formatOf("date-time")
	rfc3339     = regexp.MustCompile(`^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$`)
)

// formatOf returns a format of the validator.
func formatOf(name string) *jsonschema.Format {
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("format.json", map[string]any{"format": name}); err != nil {
		panic(err)
	}
	return must(c.Compile("format.json")).Format
}

// difference is one of the list.
type difference string

const (
	numberKind   difference = "a number outside of the Go kind"
	rounding     difference = "a number that is within a bound, but not as the Go kind has it"
	leapSecond   difference = "a leap second, or lower-case t or z"
	calendarUnit difference = "a duration in units that depend on a calendar, or too long"
	ownParser    difference = "text that the parser of the type refuses"
	mapKey       difference = "a key of a map that does not parse"
	limit        difference = "what exceeds a limit"
	halfPair     difference = "half of a surrogate pair"
	alikeKeys    difference = "two keys of a map that read alike"
	throughJSON  difference = "what encoding/json reads of a type that generated code cannot name"
)

// general are those that say nothing of how tight a schema is.
var general = []difference{numberKind, rounding, limit, halfPair, alikeKeys}

// oursAlone are those of which encoding/json knows nothing.
var oursAlone = []difference{rounding, limit, halfPair, alikeKeys}

// place is where a fault is, with what is there.
type place struct {
	tool.Fault
	schema *jsonschema.Schema // of the value
	given  *jsonschema.Schema // the same, maybe a reference
	holder *jsonschema.Schema // of what holds the value
	key    string             // of the value
	value  any
}

// refusal is a difference, and how to tell that it is the reason of a fault.
type refusal struct {
	difference
	applies func(p place) bool
}

// refusals say where generated code refuses what a schema allows.
var refusals = []refusal{
	{limit, func(p place) bool {
		return strings.HasPrefix(p.Expected, "an integer of at most 10000 digits") || p.Expected == "a number with a smaller exponent"
	}},
	{numberKind, func(p place) bool {
		if text, ok := p.value.(string); ok && numberInString.MatchString(text) { // of the tag option ,string
			return strings.HasSuffix(p.Expected, " in a string")
		}
		n, ok := p.value.(json.Number)
		return ok && (outOfKind(p.schema, n) || slices.ContainsFunc(p.schema.AnyOf, func(s *jsonschema.Schema) bool { return outOfKind(s, n) }))
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
	{alikeKeys, func(p place) bool { return p.inMap() && p.Expected == "each key once" }},
	{mapKey, func(p place) bool { return p.inMap() && strings.HasPrefix(p.Found, "the key ") }},
}

// inMap tells whether the value is in a map.
func (p place) inMap() bool { return p.holder != nil && p.holder.AdditionalProperties == any(p.given) }

var (
	// parserWords are what is expected of a text that the parser of a Go type refuses.
	parserWords    = regexp.MustCompile(`^(another string \(|an IP address|an IP prefix|a number in a string|a number or a fraction )`)
	numberInString = regexp.MustCompile(`^-?\d+(\.\d+)?([eE][+-]?\d+)?$`)
	surrogate      = regexp.MustCompile(`\\u[dD][89a-fA-F]`)
	calendarOrLong = regexp.MustCompile(`^P(\d|T.*\d{7})`)
)

func isFormat(s *jsonschema.Schema, name string) bool {
	return s.Format != nil && s.Format.Name == name
}

// outOfKind reports whether a number that its schema allows may be too large for
// the Go kind: integers have 64 bits where the schema has no bound, other numbers
// 32 or 64.
func outOfKind(s *jsonschema.Schema, n json.Number) bool {
	if isType(s, "integer") {
		x := exactly(n).Num()
		bound := s.Maximum
		if x.Sign() < 0 {
			bound = s.Minimum
		}
		return bound == nil && !x.IsInt64()
	}
	x, err := strconv.ParseFloat(string(n), 32)
	return err != nil && isType(s, "number") && math.IsInf(x, 0)
}

// isRounded reports whether no float64 is exactly the number.
func isRounded(n json.Number) bool {
	x, err := n.Float64()
	return err == nil && new(big.Rat).SetFloat64(x).Cmp(exactly(n)) != 0
}

// explain says by the list why a valid document was not accepted. Each fault must
// have a reason, and encoding/json refuse the document, too.
func (s *subject) explain(doc any, text []byte, faults *tool.ArgumentError) ([]difference, error) {
	var reasons []difference
	for _, fault := range faults.Faults {
		i := -1
		p, err := s.at(fault, doc)
		if err == nil {
			i = slices.IndexFunc(refusals, func(r refusal) bool { return r.applies(p) })
		}
		if i < 0 {
			return nil, fmt.Errorf("valid, but refused: %v", fault)
		}
		reasons = append(reasons, refusals[i].difference)
	}
	ours := slices.ContainsFunc(reasons, func(d difference) bool { return slices.Contains(oursAlone, d) })
	if !ours && s.readOurs(text, reflect.New(s.arguments).Interface()) == nil {
		return nil, fmt.Errorf("valid, and read by encoding/json, but refused: %v", faults)
	}
	return reasons, nil
}

// at finds the place of a fault.
func (s *subject) at(fault tool.Fault, doc any) (place, error) {
	p := place{Fault: fault, schema: resolve(s.input), value: doc}
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
		if p.schema = resolve(p.given); p.schema == nil {
			return p, errors.New("nothing is said of it")
		}
	}
	return p, nil
}
