// Package codec prints how generated code reads types from JSON and writes them as JSON:
// functions of their own, and expressions for what is read and written in place.
//
// Its layers, from top to bottom:
//
//	codec        the functions of a type, and the tables that it is checked with
//	read, write  expressions for values
//	method       what reads and writes values of which types
package codec

import (
	"strings"

	"github.com/aiongen/aiongen/gen/internal/emit/code"
	"github.com/aiongen/aiongen/gen/internal/model"
)

// A Codec prints what reads and writes types.
type Codec struct{ code.Names }

// Functions adds the reader and the writer of a type, as far as it has them.
func (c Codec) Functions(l *code.Lines, t *model.Type) {
	if t.Reader != "" {
		l.Next()
		c.reader(l, t)
	}
	if t.Writer != "" {
		l.Next()
		c.writer(l, t)
	}
}

// Values is the table of the values that an enum allows.
func Values(t *model.Type) string {
	elem := "string"
	if t.Kind != model.String {
		elem = "int64"
	}
	values := make([]string, len(t.Enum))
	for i, c := range t.Enum {
		values[i] = code.Constant(c.Value)
	}
	return "var " + t.Values + " = []" + elem + "{" + strings.Join(values, ", ") + "}"
}

// Match is the pattern that a type is checked with.
func (c Codec) Match(t *model.Type) string {
	return "var " + t.Match + " = " + c.Wire("Pattern") + "{Text: " + code.Literal(t.Pattern) + "}"
}
