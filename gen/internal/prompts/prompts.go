// Package prompts reads the prompts of the documents of a package as one: what a model
// is told before a query, and what is written around that.
package prompts

import (
	"regexp"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/internal/words"
)

// Of takes the prompts of all documents, of which each stands in one at most; nil if
// there are none. The list warns of what looks like a placeholder and is none.
func Of(documents []*aion.Document) (*model.Prompts, diag.List) {
	var faults diag.Collector
	var system, query *aion.Text
	var rules *aion.Rules
	for _, doc := range documents {
		if doc.SystemPrompt != nil {
			system = doc.SystemPrompt
		}
		if doc.WrappedQuery != nil {
			query = doc.WrappedQuery
			suspectPlaceholders(&faults, *query)
		}
		if doc.Rules != nil {
			rules = doc.Rules
		}
	}
	if system == nil && query == nil && rules == nil {
		return nil, nil
	}
	p := &model.Prompts{Query: querySegments(query)}
	if rules != nil {
		for _, rule := range rules.Texts {
			p.Rules = append(p.Rules, rule.Value)
		}
	}
	if system != nil {
		p.Base = system.Value
	}
	p.System = withRules(p.Base, p.Rules)
	return p, faults.Finish()
}

// placeholders are the names that stand in braces for what a query is made of.
var placeholders = []string{"query", "user_query", "payload"}

// placeholder matches each of the placeholders.
var placeholder = regexp.MustCompile(`\{(?:query|user_query|payload)\}`)

// inBraces is what could be a placeholder. Text with quotes or colons is JSON.
var inBraces = regexp.MustCompile(`\{([^{}":\n]+)\}`)

// suspectPlaceholders warns of misspelt placeholders, which reach a model as they are.
func suspectPlaceholders(faults *diag.Collector, template aion.Text) {
	index := template.Index()
	for _, m := range inBraces.FindAllStringSubmatchIndex(template.Value, -1) {
		name := template.Value[m[2]:m[3]]
		near := words.Near(strings.TrimSpace(name), placeholders)
		if len(near) == 0 || slices.Contains(placeholders, name) {
			continue
		}
		at := index.Between(m[0], m[1])
		faults.Warnf("unknown-placeholder", at, "{%s} is no placeholder: it reaches the model as it is", name).
			WithHelp("did you mean {%s}?", near[0]).WithGuess(diag.Edit{Span: at, Text: "{" + near[0] + "}"})
	}
}

// withRules is a system prompt with the rules behind it.
func withRules(prompt string, rules []string) string {
	if len(rules) == 0 {
		return prompt
	}
	if prompt != "" {
		prompt += "\n\n"
	}
	return prompt + "Important rules:\n- " + strings.Join(rules, "\n- ")
}

const defaultQuery = "User request: {query}\n\nAnalyze the request thoroughly using your available tools."

// querySegments cuts the template of a query at its placeholders, so that what
// replaces one is never searched for another. A template without a place for
// the query gets one at its end.
func querySegments(template *aion.Text) []model.Segment {
	rest := defaultQuery
	if template != nil {
		rest = template.Value
	}
	if !strings.Contains(rest, "{query}") && !strings.Contains(rest, "{user_query}") {
		rest += "\n\nUser request: {query}"
	}
	var segments []model.Segment
	at := 0
	for _, m := range placeholder.FindAllStringIndex(rest, -1) {
		if at < m[0] {
			segments = append(segments, model.Segment{Text: rest[at:m[0]]})
		}
		payload := rest[m[0]:m[1]] == "{payload}"
		segments = append(segments, model.Segment{Query: !payload, Payload: payload})
		at = m[1]
	}
	if at < len(rest) {
		segments = append(segments, model.Segment{Text: rest[at:]})
	}
	return segments
}
