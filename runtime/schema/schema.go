// Package schema knows JSON Schemas at run time. It lowers the definitions of tools
// to what a provider takes, see [Lower]; and it checks values where no generated
// code does: what a model wrote, see [Validate], and the arguments and results of
// tools that were made by hand, see [Dynamic].
package schema

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// MaxDepth bounds how deeply values nest that are valid. It is far below what
// encoding/json reads, so that others can be put around them.
const MaxDepth = 1000

// Fault is one thing that is wrong with a value.
type Fault struct {
	Pointer string // JSON Pointer of the value, also of one that is missing; empty for the whole
	Message string
}

// Error says what is wrong with a value, or that it cannot be said.
type Error struct {
	Faults []Fault // sorted by pointer, then by message
	Err    error   // why there was no check: value or schema is none
}

// Error lists the faults.
func (e *Error) Error() string {
	if e.Err != nil {
		return e.Err.Error()
	}
	texts := make([]string, len(e.Faults))
	for i, f := range e.Faults {
		texts[i] = strings.TrimPrefix(f.Pointer+": ", ": ") + f.Message
	}
	return strings.Join(texts, "; ")
}

// Unwrap returns why there was no check.
func (e *Error) Unwrap() error { return e.Err }

// Code returns "schema" if there was no check, else "invalid_value".
func (e *Error) Code() string {
	if e.Err != nil {
		return "schema"
	}
	return "invalid_value"
}

// Retryable returns false.
func (e *Error) Retryable() bool { return false }

// Validate returns everything in a value that its schema does not allow, as an
// [*Error]. The schema is of draft 2020-12 unless it says otherwise; formats are
// checked. It refers to nothing outside itself. Without a schema every value is
// valid that is JSON and nests no deeper than MaxDepth. The time is bounded: a value
// is at fault that its schema holds against parts of itself more than 10,000 times,
// and 100 times more for each value within.
func Validate(schema, value json.RawMessage) error {
	if len(schema) == 0 {
		schema = json.RawMessage("true")
	}
	compiled, err := compile(schema)
	if err != nil {
		return &Error{Err: fmt.Errorf("the schema cannot be used: %w", err)}
	}
	if levels := depth(value); levels > MaxDepth {
		return &Error{Err: fmt.Errorf("the value nests %d levels deep, at most %d are allowed", levels, MaxDepth)}
	}
	if _, err := jsonschema.UnmarshalJSON(bytes.NewReader(value)); err != nil {
		return &Error{Err: fmt.Errorf("the value is no JSON: %w", err)}
	}
	if f := faultsOf(compiled, value, said); len(f) > 0 {
		return &Error{Faults: f}
	}
	return nil
}

// faultsOf returns everything in a JSON value that a schema does not allow, in the
// given words, sorted by pointer.
func faultsOf(s *jsonschema.Schema, value json.RawMessage, words func(jsonschema.ErrorKind) string) (f []Fault) {
	n, err := parse(value)
	if err != nil {
		return []Fault{{Message: err.Error()}}
	}
	if at, found := n.unwieldy(); found {
		return []Fault{{at, "a number with a smaller exponent"}}
	}
	if exceeds(s, n) {
		return []Fault{{Message: fmt.Sprintf("a value that is checked in at most %d steps: the schema takes more, since what it refers to grows with each reference", n.steps())}}
	}
	var invalid *jsonschema.ValidationError
	if errors.As(s.Validate(valueOf(n)), &invalid) {
		collect(invalid, words, &f)
	}
	return inOrder(f)
}

// inOrder sorts faults, each once.
func inOrder(f []Fault) []Fault {
	slices.SortFunc(f, func(a, b Fault) int {
		return cmp.Or(cmp.Compare(a.Pointer, b.Pointer), cmp.Compare(a.Message, b.Message))
	})
	return slices.Compact(f)
}

// unwieldy finds a number that takes the validator long, or that it does not know:
// one with an exponent of more than four digits.
func (n *node) unwieldy() (at string, found bool) {
	if _, exponent, ok := strings.Cut(strings.ToLower(n.text), "e"); ok && n.is('0') && len(strings.TrimLeft(exponent, "+-0")) > 4 {
		return "", true
	}
	for i, v := range n.values {
		if at, found := v.unwieldy(); found {
			if n.bracket == '{' {
				return pointer([]string{n.name(i)}) + at, true
			}
			return "/" + strconv.Itoa(i) + at, true
		}
	}
	return "", false
}

// depth returns how deeply lists and objects nest in JSON.
func depth(text []byte) (deepest int) {
	level, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			level++
			deepest = max(deepest, level)
		case c == '}' || c == ']':
			level--
		}
	}
	return deepest
}

func compile(schema json.RawMessage) (*jsonschema.Schema, error) {
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	c.UseLoader(jsonschema.SchemeURLLoader{}) // nothing is loaded
	const place = "schema:"                   // which no file has, so that no folder of this machine is told
	if err := c.AddResource(place, document); err != nil {
		return nil, inLine(err)
	}
	s, err := c.Compile(place)
	return s, inLine(err)
}

// inLine returns the error of a compiler of schemas in one line: what is wrong, by
// where it stands.
func inLine(err error) error {
	if bad, ok := errors.AsType[*jsonschema.SchemaValidationError](err); ok {
		if faulty, ok := errors.AsType[*jsonschema.ValidationError](bad.Err); ok {
			var faults []Fault
			collect(faulty, said, &faults)
			return &Error{Faults: inOrder(faults)}
		}
	}
	return err
}

// collect adds the faults that have no others as their reason.
func collect(e *jsonschema.ValidationError, words func(jsonschema.ErrorKind) string, f *[]Fault) {
	if len(e.Causes) > 0 {
		for _, cause := range e.Causes {
			collect(cause, words, f)
		}
		return
	}
	at := pointer(e.InstanceLocation)
	var names []string // of members that are wrong themselves
	switch k := e.ErrorKind.(type) {
	case *kind.AdditionalProperties:
		names = k.Properties
	case *kind.Required:
		names = k.Missing
	default:
		*f = append(*f, Fault{at, words(e.ErrorKind)})
	}
	for _, name := range names {
		*f = append(*f, Fault{at + pointer([]string{name}), words(e.ErrorKind)})
	}
}

// said tells what is wrong.
func said(k jsonschema.ErrorKind) string {
	switch k.(type) {
	case *kind.AdditionalProperties:
		return "there must be no such member"
	case *kind.Required:
		return "there must be a value"
	}
	return k.LocalizedString(english)
}

// expected tells what should be there, as faults of arguments do.
func expected(k jsonschema.ErrorKind) string {
	switch k := k.(type) {
	case *kind.AdditionalProperties:
		return "no such member"
	case *kind.Required:
		return "a value"
	case *kind.Type:
		var all []string
		for _, t := range k.Want {
			all = append(all, typeWords[t])
		}
		return strings.Join(all, " or ")
	case *kind.Enum:
		return "one of " + listed(k.Want)
	case *kind.Const:
		return fmt.Sprint(k.Want)
	case *kind.Format:
		return cmp.Or(formats[k.Want], "the format "+k.Want)
	case *kind.Pattern:
		return "a string that matches " + k.Want
	case *kind.Minimum:
		return "a number of at least " + decimal(k.Want)
	case *kind.Maximum:
		return "a number of at most " + decimal(k.Want)
	case *kind.ExclusiveMinimum:
		return "a number above " + decimal(k.Want)
	case *kind.ExclusiveMaximum:
		return "a number below " + decimal(k.Want)
	case *kind.MultipleOf:
		return "a multiple of " + decimal(k.Want)
	case *kind.MinLength:
		return fmt.Sprintf("at least %d characters", k.Want)
	case *kind.MaxLength:
		return fmt.Sprintf("at most %d characters", k.Want)
	case *kind.MinItems:
		return fmt.Sprintf("at least %d items", k.Want)
	case *kind.MaxItems:
		return fmt.Sprintf("at most %d items", k.Want)
	case *kind.UniqueItems:
		return "each item once"
	}
	return "another value (" + k.LocalizedString(english) + ")"
}

// longestList bounds the values that are named in a text.
const longestList = 16

func listed(values []any) string {
	var all []string
	for _, v := range values[:min(len(values), longestList)] {
		all = append(all, fmt.Sprint(v))
	}
	if more := len(values) - len(all); more > 0 {
		all = append(all, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(all, ", ")
}

func decimal(x *big.Rat) string {
	if x.IsInt() {
		return x.RatString()
	}
	f, _ := x.Float64()
	return strconv.FormatFloat(f, 'g', -1, 64)
}

var typeWords = map[string]string{
	"object": "an object", "array": "an array", "string": "a string", "number": "a number",
	"integer": "an integer", "boolean": "true or false", "null": "null",
}

var english = message.NewPrinter(language.English)

var escape = strings.NewReplacer("~", "~0", "/", "~1")

func pointer(tokens []string) string {
	var b strings.Builder
	for _, token := range tokens {
		b.WriteString("/" + escape.Replace(token))
	}
	return b.String()
}
