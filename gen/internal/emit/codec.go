package emit

import (
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/gen/internal/model"
)

// A Codec prints the functions that read and write types.
type Codec struct{ Names }

// AddFunctions adds the functions that read and write a type, if the type has such functions.
func (c Codec) AddFunctions(l *Lines, t *model.Type) {
	if t.Check != "" {
		l.addBlank()
		c.addCheck(l, t)
	}
	if t.Reader != "" {
		l.addBlank()
		c.addReader(l, t)
	}
	if t.Select != "" {
		l.addBlank()
		c.addSelection(l, t)
	}
	if t.Writer != "" {
		l.addBlank()
		c.addWriter(l, t)
	}
}

// enumTable returns the table of the values that an enum allows.
func enumTable(t *model.Type) string {
	elem := "string"
	if t.Kind != model.String {
		elem = "int64"
	}
	values := make([]string, len(t.Enum))
	for i, c := range t.Enum {
		values[i] = constantLiteral(c.Value)
	}
	return "var " + t.Values + " = []" + elem + "{" + strings.Join(values, ", ") + "}"
}

// declareConverter returns the variable with the functions that convert a represented type.
func (c Codec) declareConverter(v model.Converter, main bool) string {
	fields := "Package: " + strconv.Quote(v.Package)
	if main {
		fields += ", Main: true"
	}
	return "var " + v.Name + " = " + c.wire("Converter") + c.typeArguments(v.Type, v.Form) + "{" + fields + "}"
}
