package emit

import (
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/aiongen/aiongen/gen/internal/emit/code"
	"github.com/aiongen/aiongen/gen/internal/model"
)

// prompts prints what the .aion files say beside their elements.
func (e *emitter) prompts() error {
	return e.once(func(f *jen.File) {
		e.systemPrompt(f)
		f.Line().Comment(code.Comment("Rules returns the rules of the .aion files. The slice is the caller's."))
		f.Func().Id("Rules").Params().Index().String().Block(jen.Return(jen.Index().String().ValuesFunc(func(rules *jen.Group) {
			for _, rule := range e.p.Prompts.Rules {
				rules.Line().Id(code.Literal(rule))
			}
			rules.Line()
		})))
		e.wrapQuery(f)
	})
}

// systemPrompt prints the prompt with its rules and without, each text once.
func (e *emitter) systemPrompt(f *jen.File) {
	const base = "SystemPromptWithoutRules"
	whole, p := base, e.p.Prompts
	if rules := strings.TrimPrefix(p.System, p.Base); p.Base == "" {
		whole = code.Literal(rules)
	} else if rules != "" {
		whole += " + " + code.Literal(rules)
	}
	f.Comment(code.Comment("SystemPrompt is the system prompt of the .aion files, with their rules behind it."))
	f.Const().Id("SystemPrompt").Op("=").Id(whole)
	f.Line().Comment(code.Comment("%s is the system prompt alone; Rules returns its rules.", base))
	f.Const().Id(base).Op("=").Id(code.Literal(p.Base))
}

func (e *emitter) wrapQuery(f *jen.File) {
	query, payload, data, err, text := jen.Id(e.Local("query")), jen.Id(e.Local("payload")), jen.Id(e.Local("data")), jen.Id(e.Local("err")), jen.Id(e.Local("text"))
	trimmed := func(text *jen.Statement) jen.Code { return jen.Id(e.Declared("strings", "TrimSpace")).Call(text) }
	f.Line().Comment(code.Comment("WrapQuery puts a user's request into the template of the .aion files. The payload is"))
	f.Comment(code.Comment("extra data, or nil: maps, slices and structs are shown as JSON, other values as text."))
	f.Func().Id("WrapQuery").Params(jen.Add(query).String(), jen.Add(payload).Any()).Params(jen.String(), jen.Error()).BlockFunc(func(l *jen.Group) {
		l.List(data, err).Op(":=").Id(e.Wire("PromptData")).Call(payload)
		l.If(jen.Add(err).Op("!=").Nil()).Block(jen.Return(jen.Lit(""), err))
		whole, placed := e.queryText(e.p.Prompts.Query)
		if placed {
			l.Return(trimmed(jen.Id(whole)), jen.Nil())
			return
		}
		l.Add(text).Op(":=").Id(whole)
		l.If(jen.Add(data).Op("!=").Lit("")).Block(jen.Add(text).Op("+=").Lit("\n\nAdditional Context/Payload:\n").Op("+").Add(data))
		l.Return(trimmed(text), jen.Nil())
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
	return sum(all), placed
}

// maxTerms limits how many terms a sum has without parentheses. The formatter takes time
// that is quadratic in their number.
const maxTerms = 64

// sum adds terms up.
func sum(terms []string) string {
	for len(terms) > maxTerms {
		var groups []string
		for group := range slices.Chunk(terms, maxTerms) {
			groups = append(groups, "("+strings.Join(group, " + ")+")")
		}
		terms = groups
	}
	return strings.Join(terms, " + ")
}
