package emit

import (
	"strings"

	"github.com/aiongen/aiongen/gen/internal/emit/code"
	"github.com/aiongen/aiongen/gen/internal/model"
)

// prompts prints what the .aion files say beside their elements.
func (e *emitter) prompts(p *model.Prompts) {
	e.Line()
	e.systemPrompt(p)
	e.Line().Comment(code.Comment("Rules returns the rules of the .aion files. The slice is the caller's."))
	e.Id(code.Func("Rules() []string", func(l *code.Lines) {
		l.Return(code.Values("[]string", func(l *code.Lines) {
			for _, rule := range p.Rules {
				l.Add(code.Literal(rule), ",")
			}
		}))
	}))
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
	e.Comment(code.Comment("SystemPrompt is the system prompt of the .aion files, with their rules behind it."))
	e.Const().Id("SystemPrompt").Op("=").Id(whole)
	e.Line().Comment(code.Comment("%s is the system prompt alone; Rules returns its rules.", base))
	e.Const().Id(base).Op("=").Id(code.Literal(p.Base))
}

func (e *emitter) wrapQuery(p *model.Prompts) {
	query, payload, data, err, text := e.Local("query"), e.Local("payload"), e.Local("data"), e.Local("err"), e.Local("text")
	e.Comment(code.Comment("WrapQuery puts a user's request into the template of the .aion files. The payload is"))
	e.Comment(code.Comment("extra data, or nil: maps, slices and structs are shown as JSON, other values as text."))
	e.Id(code.Func(code.Call("WrapQuery", query+" string", payload+" any")+" (string, error)", func(l *code.Lines) {
		trimmed := func(text string) string { return code.Call(e.Declared("strings", "TrimSpace"), text) }
		l.Add(data, ", ", err, " := ", code.Call(e.Wire("PromptData"), payload))
		l.If(err+" != nil", `return "", `+err)
		whole, placed := e.queryText(p.Query)
		if placed {
			l.Return(trimmed(whole), "nil")
			return
		}
		l.Add(text, " := ", whole)
		l.If(data+` != ""`, text+` += "\n\nAdditional Context/Payload:\n" + `+data)
		l.Return(trimmed(text), "nil")
	}))
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
