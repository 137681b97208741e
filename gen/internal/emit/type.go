package emit

import (
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/internal/jsontext"
)

// functions prints the reader and the writer of a type.
func (e *emitter) functions(t *model.Type) {
	if t.Reader != "" {
		e.Line()
		e.reader(t)
	}
	if t.Writer != "" {
		e.Line()
		e.writer(t)
	}
}

// values prints the table of the values that an enum allows.
func (e *emitter) values(t *model.Type) {
	elem := jen.String()
	if t.Kind != model.String {
		elem = jen.Int64()
	}
	e.Line()
	e.Var().Id(t.Values).Op("=").Index().Add(elem).ValuesFunc(func(g *jen.Group) {
		for _, c := range t.Enum {
			g.Op(goConstant(c.Value))
		}
	})
}

// match prints the pattern that a type is checked with.
func (e *emitter) match(t *model.Type) {
	e.Line()
	e.Var().Id(t.Match).Op("=").Add(wire("Pattern")).Values(jen.Id("Text").Op(":").Add(literal(t.Pattern)))
}

// goConstant is a JSON string or integer as Go writes it.
func goConstant(value string) string {
	if value[0] != '"' {
		return value
	}
	return strconv.Quote(jsontext.Unquote(value))
}

// behind are the fields behind an embedded pointer, and the index of the first.
func behind(p *model.Embedded, fields []*model.Field, depth int) (group []*model.Field, first int) {
	for i, f := range fields {
		if len(f.Within) > depth && f.Within[depth] == p {
			if len(group) == 0 {
				first = i
			}
			group = append(group, f)
		}
	}
	return group, first
}

// member is a field of a variable.
func (e *emitter) member(variable string, path []string) *jen.Statement {
	x := e.local(variable)
	for _, name := range path {
		x.Dot(name)
	}
	return x
}

// mapOf tells which functions of the runtime read and write a map with such keys.
func mapOf(key *model.Type) string {
	switch key.Kind {
	case model.String:
		return "Map"
	case model.Int, model.Uint:
		return "IntMap"
	}
	return "TextMap"
}

// ownTypes are the Go types that the methods of a value return.
var ownTypes = map[model.Kind][]string{
	model.Bool:     {"bool"},
	model.String:   {"string"},
	model.Int:      {"int", "int8", "int16", "int32", "int64", "rune"},
	model.Uint:     {"uint", "uint8", "uint16", "uint32", "uint64", "byte"},
	model.Float:    {"float32", "float64"},
	model.Any:      {"any"},
	model.Time:     {"Time"},
	model.Duration: {"Duration"},
	model.Raw:      {"RawMessage"},
	model.Number:   {"Number"},
}

// isOwn reports whether a type is just what its method returns, so that no
// conversion is needed.
func isOwn(t *model.Type) bool {
	if t.Kind == model.Bytes {
		return t.Go.Kind == model.GoSlice && t.Elem == nil
	}
	predeclared := t.Go.Path == "" || t.Kind == model.Time || t.Kind == model.Duration || t.Kind == model.Raw || t.Kind == model.Number
	for _, name := range ownTypes[t.Kind] {
		if predeclared && t.Go.Name == name {
			return true
		}
	}
	return false
}
