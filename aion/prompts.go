package aion

import (
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/aion/internal/syntax"
)

// readPrompt reads a property of the array.
func (r *reader) readPrompt(it *syntax.Item) {
	key := r.SpanOf(it.Key)
	switch it.Key.Value {
	case "system_prompt":
		r.readPromptText(it, &r.doc.SystemPrompt)
	case "wrapped_query":
		r.readPromptText(it, &r.doc.WrappedQuery)
	case "rules":
		if first := r.doc.Rules; first != nil {
			r.reportRepeated("repeated-prompt", "rules", key, first.Key)
		} else if rules := r.readRules(it); rules != nil {
			r.doc.Rules = rules
		}
	default:
		r.reportUnknownProperty(it.Key, "the array", syntax.PromptProperties)
	}
}

// readPromptText reads a prompt that may be given only once.
func (r *reader) readPromptText(it *syntax.Item, prompt **Text) {
	if first := *prompt; first != nil {
		r.reportRepeated("repeated-prompt", it.Key.Value, r.SpanOf(it.Key), first.Key)
	} else if text, ok := r.readText(it); ok {
		*prompt = &text
	}
}

// readRules reads the list of rules.
func (r *reader) readRules(it *syntax.Item) *Rules {
	if it.Text != nil && r.IsReported(it.Text) {
		return nil
	}
	if it.List == nil {
		d := r.Errorf("wrong-value", r.SpanOf(it.ValueToken()), `the value of "rules" must be a list, not %s`, syntax.DescribeToken(it.ValueToken())).
			WithHelp(`write rules --> [ "…", "…" ]`)
		r.WrapText(d, it)
		return nil
	}
	rules := &Rules{Key: r.SpanOf(it.Key), Span: r.SpanBetween(it.List.Open, it.LastToken())}
	for _, rule := range r.ListItems(it.List) {
		if rule.Key != nil && rule.Arrow == nil {
			continue // already reported
		}
		if rule.Key != nil || rule.Text == nil || rule.BlockArrow != nil || rule.Block != nil {
			r.Errorf("wrong-value", r.SpanOf(rule.FirstToken()), "a rule must be a text, not %s", syntax.DescribeToken(rule.FirstToken())).
				WithHelp(`write "text"`)
			continue
		}
		rules.Texts = append(rules.Texts, r.newText(rule.Text, diag.Span{}))
	}
	return rules
}
