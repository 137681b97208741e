package emit

import (
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/aiongen/aiongen/gen/internal/emit/code"
	"github.com/aiongen/aiongen/gen/internal/model"
)

// prompts prints what the .aion files say beside their elements.
func (e *emitter) prompts(p *model.Prompts) {
	e.Line()
	e.systemPrompt(p)
	e.Line()
	e.Add(code.Comment("Rules returns the rules of the .aion files. The slice is the caller's."))
	e.Func().Id("Rules").Params().Index().String().Block(
		jen.Return(jen.Index().String().ValuesFunc(func(g *jen.Group) {
			for _, rule := range p.Rules {
				g.Line().Add(code.Literal(rule))
			}
			if len(p.Rules) > 0 {
				g.Line()
			}
		})),
	)
	e.Line()
	e.wrapQuery(p)
}

// systemPrompt prints the prompt with its rules and without, each text once.
func (e *emitter) systemPrompt(p *model.Prompts) {
	const base = "SystemPromptWithoutRules"
	whole := jen.Id(base)
	if rules := strings.TrimPrefix(p.System, p.Base); p.Base == "" {
		whole = jen.Add(code.Literal(rules))
	} else if rules != "" {
		whole.Op("+").Add(code.Literal(rules))
	}
	e.Add(code.Comment("SystemPrompt is the system prompt of the .aion files, with their rules behind it."))
	e.Const().Id("SystemPrompt").Op("=").Add(whole)
	e.Line()
	e.Add(code.Comment("%s is the system prompt alone; Rules returns its rules.", base))
	e.Const().Id(base).Op("=").Add(code.Literal(p.Base))
}

func (e *emitter) wrapQuery(p *model.Prompts) {
	query, payload, data, err := e.Local("query"), e.Local("payload"), e.Local("data"), e.Local("err")
	e.Add(code.Comment("WrapQuery puts a user's request into the template of the .aion files. The payload is"))
	e.Add(code.Comment("extra data, or nil: maps, slices and structs are shown as JSON, other values as text."))
	e.Func().Id("WrapQuery").Params(query.Clone().String(), payload.Clone().Any()).Params(jen.String(), jen.Error()).BlockFunc(func(g *jen.Group) {
		g.List(data, err).Op(":=").Add(code.Wire("PromptData")).Call(payload)
		g.If(err.Clone().Op("!=").Nil()).Block(jen.Return(jen.Lit(""), err))
		text, placed := e.queryText(p.Query)
		if placed {
			g.Return(jen.Qual("strings", "TrimSpace").Call(text), jen.Nil())
			return
		}
		g.Add(e.Local("text")).Op(":=").Add(text)
		g.If(data.Clone().Op("!=").Lit("")).Block(
			e.Local("text").Op("+=").Lit("\n\nAdditional Context/Payload:\n").Op("+").Add(data),
		)
		g.Return(jen.Qual("strings", "TrimSpace").Call(e.Local("text")), jen.Nil())
	})
}

// queryText is the sum of a template's segments, and whether the payload has
// its place among them.
func (e *emitter) queryText(segments []model.Segment) (text *jen.Statement, placed bool) {
	text = jen.Empty()
	for i, s := range segments {
		if i > 0 {
			text.Op("+")
		}
		switch {
		case s.Query:
			text.Add(e.Local("query"))
		case s.Payload:
			text.Add(e.Local("data"))
			placed = true
		default:
			text.Add(code.Literal(s.Text))
		}
	}
	return text, placed
}
