package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/aiongen/aiongen/gen/internal/model"
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
