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
				g.Line().Id(code.Literal(rule))
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
	whole := base
	if rules := strings.TrimPrefix(p.System, p.Base); p.Base == "" {
		whole = code.Literal(rules)
	} else if rules != "" {
		whole += " + " + code.Literal(rules)
	}
	e.Add(code.Comment("SystemPrompt is the system prompt of the .aion files, with their rules behind it."))
	e.Const().Id("SystemPrompt").Op("=").Id(whole)
	e.Line()
	e.Add(code.Comment("%s is the system prompt alone; Rules returns its rules.", base))
	e.Const().Id(base).Op("=").Id(code.Literal(p.Base))
}

func (e *emitter) wrapQuery(p *model.Prompts) {
	query, payload, data, err, text := e.Local("query"), e.Local("payload"), e.Local("data"), e.Local("err"), e.Local("text")
	e.Add(code.Comment("WrapQuery puts a user's request into the template of the .aion files. The payload is"))
	e.Add(code.Comment("extra data, or nil: maps, slices and structs are shown as JSON, other values as text."))
	e.Func().Id(code.Call("WrapQuery", query+" string", payload+" any")).Id("(string, error)").BlockFunc(func(g *jen.Group) {
		trimmed := func(text string) *jen.Statement { return jen.Id(code.Call(e.Declared("strings", "TrimSpace"), text)) }
		g.Id(data + ", " + err + " := " + code.Call(e.Wire("PromptData"), payload))
		g.If(jen.Id(err + " != nil")).Block(jen.Return(jen.Lit(""), jen.Id(err)))
		whole, placed := e.queryText(p.Query)
		if placed {
			g.Return(trimmed(whole), jen.Nil())
			return
		}
		g.Id(text + " := " + whole)
		g.If(jen.Id(data + ` != ""`)).Block(
			jen.Id(text).Op("+=").Lit("\n\nAdditional Context/Payload:\n").Op("+").Id(data),
		)
		g.Return(trimmed(text), jen.Nil())
	})
}

// queryText is the sum of a template's segments, and whether the payload has
// its place among them.
func (e *emitter) queryText(segments []model.Segment) (text string, placed bool) {
	var all []string
	for _, s := range segments {
		switch {
		case s.Query:
			all = append(all, e.Local("query"))
		case s.Payload:
			all = append(all, e.Local("data"))
			placed = true
		default:
			all = append(all, code.Literal(s.Text))
		}
	}
	return strings.Join(all, " + "), placed
}
