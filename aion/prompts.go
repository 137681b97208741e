package aion

import "github.com/aiongen/aiongen/aion/diag"

// promptProperties are the properties of the array itself.
var promptProperties = []string{"system_prompt", "wrapped_query", "rules"}

// prompt reads a property of the array.
func (r *reader) prompt(it *item) {
	key := r.at(it.Key)
	switch it.Key.Value {
	case "system_prompt":
		r.once(it, &r.doc.SystemPrompt)
	case "wrapped_query":
		r.once(it, &r.doc.WrappedQuery)
	case "rules":
		if first := r.doc.Rules; first != nil {
			r.repeated("repeated-prompt", "rules", key, first.Key)
		} else if rules := r.rules(it); rules != nil {
			r.doc.Rules = rules
		}
	default:
		r.unknownProperty(it.Key, "the array", promptProperties)
	}
}

// once reads a prompt that may not have been given before.
func (r *reader) once(it *item, prompt **Text) {
	if first := *prompt; first != nil {
		r.repeated("repeated-prompt", it.Key.Value, r.at(it.Key), first.Key)
	} else if text, ok := r.plain(it); ok {
		*prompt = &text
	}
}

// rules reads the list of rules.
func (r *reader) rules(it *item) *Rules {
	if it.Text != nil && r.broken[it.Text.Pos.Offset] {
		return nil
	}
	if it.List == nil {
		r.report("wrong-value", r.at(it.afterKey()), `"rules" takes a list, not %s`, found(it.afterKey())).
			WithHelp(`write rules --> [ "…", "…" ]`)
		return nil
	}
	rules := &Rules{Key: r.at(it.Key), Span: r.between(it.List.Open, it.last())}
	for _, rule := range r.tidy(it.List.Items.all) {
		if rule.Key != nil && rule.Arrow == nil {
			continue // reported as that
		}
		if rule.Key != nil || rule.Text == nil || rule.Then != nil || rule.Block != nil {
			r.report("wrong-value", r.at(rule.first()), "a rule is a text, not %s", found(rule.first())).
				WithHelp(`write "text"`)
			continue
		}
		rules.Texts = append(rules.Texts, r.text(rule.Text, diag.Span{}))
	}
	r.closed(it.List.Open, it.List.Close, it.List.Items.all)
	return rules
}
