package aion

import (
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/aion/internal/property"
	"github.com/aiongen/aiongen/aion/internal/syntax"
)

// prompt reads a property of the array.
func (r *reader) prompt(it *syntax.Item) {
	key := r.At(it.Key)
	switch it.Key.Value {
	case "system_prompt":
		r.once(it, &r.doc.SystemPrompt)
	case "wrapped_query":
		r.once(it, &r.doc.WrappedQuery)
	case "rules":
		if first := r.doc.Rules; first != nil {
			repeated(&r.Collector, "repeated-prompt", "rules", key, first.Key)
		} else if rules := r.rules(it); rules != nil {
			r.doc.Rules = rules
		}
	default:
		r.unknownProperty(it.Key, "the array", property.Prompt)
	}
}

// once reads a prompt that may not have been given before.
func (r *reader) once(it *syntax.Item, prompt **Text) {
	if first := *prompt; first != nil {
		repeated(&r.Collector, "repeated-prompt", it.Key.Value, r.At(it.Key), first.Key)
	} else if text, ok := r.plain(it); ok {
		*prompt = &text
	}
}

// rules reads the list of rules.
func (r *reader) rules(it *syntax.Item) *Rules {
	if it.Text != nil && r.Broken(it.Text) {
		return nil
	}
	if it.List == nil {
		d := r.Errorf("wrong-value", r.At(it.AfterKey()), `"rules" takes a list, not %s`, syntax.Found(it.AfterKey())).
			WithHelp(`write rules --> [ "…", "…" ]`)
		r.WrapText(d, it)
		return nil
	}
	rules := &Rules{Key: r.At(it.Key), Span: r.Between(it.List.Open, it.Last())}
	for _, rule := range r.Values(it.List) {
		if rule.Key != nil && rule.Arrow == nil {
			continue // reported as that
		}
		if rule.Key != nil || rule.Text == nil || rule.Then != nil || rule.Block != nil {
			r.Errorf("wrong-value", r.At(rule.First()), "a rule is a text, not %s", syntax.Found(rule.First())).
				WithHelp(`write "text"`)
			continue
		}
		rules.Texts = append(rules.Texts, r.text(rule.Text, diag.Span{}))
	}
	return rules
}
