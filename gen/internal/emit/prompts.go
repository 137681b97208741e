package emit

import (
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/aiongen/aiongen/gen/internal/model"
)

// addPrompts adds the prompts of the .aion files.
func (r *registerPrinter) addPrompts() {
	r.addSystemPrompt()
	r.addComment("Rules returns the rules of the .aion files. The caller may modify the slice.")
	r.file.Func().Id("Rules").Params().Index().String().Block(jen.Return(jen.Index().String().ValuesFunc(func(rules *jen.Group) {
		for _, rule := range r.p.Prompts.Rules {
			rules.Line().Id(Literal(rule))
		}
		rules.Line()
	})))
	r.addWrapQuery()
}

// addSystemPrompt adds the system prompt with and without rules. Each text occurs once.
func (r *registerPrinter) addSystemPrompt() {
	const base = "SystemPromptWithoutRules"
	system, p := base, r.p.Prompts
	if rules := strings.TrimPrefix(p.System, p.Base); p.Base == "" {
		system = Literal(rules)
	} else if rules != "" {
		system += " + " + Literal(rules)
	}
	r.addComment("SystemPrompt is the system prompt of the .aion files, followed by their rules.")
	r.file.Const().Id("SystemPrompt").Op("=").Id(system)
	r.addComment("%s is the system prompt alone; Rules returns its rules.", base)
	r.file.Const().Id(base).Op("=").Id(Literal(p.Base))
}

func (r *registerPrinter) addWrapQuery() {
	query, payload, data, err, text := jen.Id(r.Local("query")), jen.Id(r.Local("payload")), jen.Id(r.Local("data")), jen.Id(r.Local("err")), jen.Id(r.Local("text"))
	trimmed := func(text *jen.Statement) jen.Code { return jen.Id(r.qualify("strings", "TrimSpace")).Call(text) }
	r.addComment("WrapQuery puts a user's request into the template of the .aion files. The payload is")
	r.file.Comment(Comment("extra data, or nil: maps, slices and structs are shown as JSON, other values as text."))
	r.file.Func().Id("WrapQuery").Params(jen.Add(query).String(), jen.Add(payload).Any()).Params(jen.String(), jen.Error()).BlockFunc(func(l *jen.Group) {
		l.List(data, err).Op(":=").Id(r.wire("PromptData")).Call(payload)
		l.If(jen.Add(err).Op("!=").Nil()).Block(jen.Return(jen.Lit(""), err))
		request, hasPayload := r.queryText(r.p.Prompts.Query)
		if hasPayload {
			l.Return(trimmed(jen.Id(request)), jen.Nil())
			return
		}
		l.Add(text).Op(":=").Id(request)
		l.If(jen.Add(data).Op("!=").Lit("")).Block(jen.Add(text).Op("+=").Lit("\n\nAdditional Context/Payload:\n").Op("+").Add(data))
		l.Return(trimmed(text), jen.Nil())
	})
}

// queryText returns the concatenation of the segments of a template, and whether it contains
// the payload.
func (r *registerPrinter) queryText(segments []model.Segment) (text string, hasPayload bool) {
	var all []string
	for _, s := range segments {
		switch {
		case s.Query:
			all = append(all, r.Local("query"))
		case s.Payload:
			all = append(all, r.Local("data"))
			hasPayload = true
		default:
			all = append(all, Literal(s.Text))
		}
	}
	return joinTerms(all), hasPayload
}

// maxTerms limits the number of terms of a sum without parentheses. The formatter takes
// quadratic time in that number.
const maxTerms = 64

// joinTerms returns an expression that concatenates terms.
func joinTerms(terms []string) string {
	for len(terms) > maxTerms {
		var groups []string
		for group := range slices.Chunk(terms, maxTerms) {
			groups = append(groups, "("+strings.Join(group, " + ")+")")
		}
		terms = groups
	}
	return strings.Join(terms, " + ")
}
