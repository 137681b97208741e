package bind

import (
	"regexp"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/internal/words"
)

// collectPrompts collects the prompts of all documents; each kind occurs in at most one of them.
// It returns nil if there are none, and warns of misspelled placeholders.
func collectPrompts(documents []*aion.Document) (*model.Prompts, diag.List) {
	var faults diag.Collector
	var system, query *aion.Text
	var rules *aion.Rules
	for _, doc := range documents {
		if doc.SystemPrompt != nil {
			system = doc.SystemPrompt
		}
		if doc.WrappedQuery != nil {
			query = doc.WrappedQuery
			warnOfPlaceholders(&faults, *query)
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
	p.System = appendRules(p.Base, p.Rules)
	return p, faults.Finish()
}

// placeholders are the names in braces that are replaced in the template of a query.
var placeholders = []string{"query", "user_query", "payload"}

// placeholderPattern matches a placeholder.
var placeholderPattern = regexp.MustCompile(`\{(?:query|user_query|payload)\}`)

// bracedName matches a possible placeholder. Text with quotes or colons is assumed to be JSON.
var bracedName = regexp.MustCompile(`\{([^{}":\n]+)\}`)

// warnOfPlaceholders warns of misspelled placeholders, which would reach the model unchanged.
func warnOfPlaceholders(faults *diag.Collector, template aion.Text) {
	index := template.Index()
	for _, m := range bracedName.FindAllStringSubmatchIndex(template.Value, -1) {
		name := template.Value[m[2]:m[3]]
		near := words.Near(strings.TrimSpace(name), placeholders)
		if len(near) == 0 || slices.Contains(placeholders, name) {
			continue
		}
		at := index.Between(m[0], m[1])
		faults.Warnf("unknown-placeholder", at, "{%s} is not a placeholder and reaches the model unchanged", name).
			WithHelp("did you mean {%s}?", near[0]).WithGuess(diag.Edit{Span: at, Text: "{" + near[0] + "}"})
	}
}

// appendRules returns a system prompt followed by the rules.
func appendRules(prompt string, rules []string) string {
	if len(rules) == 0 {
		return prompt
	}
	if prompt != "" {
		prompt += "\n\n"
	}
	return prompt + "Important rules:\n- " + strings.Join(rules, "\n- ")
}

const defaultQuery = "User request: {query}\n\nAnalyze the request thoroughly using your available tools."

// querySegments splits the template of a query at its placeholders, so that placeholders in
// inserted text are never replaced. If the template has no placeholder for the query, querySegments
// appends one.
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
	for _, m := range placeholderPattern.FindAllStringIndex(rest, -1) {
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
