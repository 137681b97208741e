// Package schema checks values against JSON Schemas where no generated code does:
// what a model wrote, and what tools return that were not made by aiongen.
package schema

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
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
// valid that is JSON and nests no deeper than MaxDepth.
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
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(value))
	if err != nil {
		return &Error{Err: fmt.Errorf("the value is no JSON: %w", err)}
	}
	err = compiled.Validate(v)
	if err == nil {
		return nil
	}
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) {
		return &Error{Err: err}
	}
	var f []Fault
	collect(invalid, &f)
	slices.SortFunc(f, func(a, b Fault) int {
		return cmp.Or(cmp.Compare(a.Pointer, b.Pointer), cmp.Compare(a.Message, b.Message))
	})
	return &Error{Faults: slices.Compact(f)}
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
	const place = "schema.json"
	if err := c.AddResource(place, document); err != nil {
		return nil, err
	}
	return c.Compile(place)
}

// collect adds the faults that have no others as their reason.
func collect(e *jsonschema.ValidationError, f *[]Fault) {
	if len(e.Causes) > 0 {
		for _, cause := range e.Causes {
			collect(cause, f)
		}
		return
	}
	at := pointer(e.InstanceLocation)
	switch k := e.ErrorKind.(type) {
	case *kind.AdditionalProperties:
		for _, name := range k.Properties {
			*f = append(*f, Fault{at + pointer([]string{name}), "there must be no such member"})
		}
	case *kind.Required:
		for _, name := range k.Missing {
			*f = append(*f, Fault{at + pointer([]string{name}), "there must be a value"})
		}
	default:
		*f = append(*f, Fault{at, k.LocalizedString(english)})
	}
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
