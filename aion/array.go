package aion

import (
	"slices"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/aiongen/aiongen/aion/diag"
)

// promptProperties are the properties of the array itself.
var promptProperties = []string{"system_prompt", "wrapped_query", "rules"}

// source reads a whole file.
func (r *reader) source(tree *source, err error) {
	if err != nil {
		r.report("too-large", r.doc.Span, "too many items in one list: %v", err)
	}
	if len(tree.Parts) == 0 {
		r.emptyFile()
		return
	}
	a := array{reader: r}
	for _, p := range tree.Parts {
		a.part(p)
	}
	a.end()
	r.doc.Span = r.between(a.first, a.last)
	r.items(a.items)
}

func (r *reader) emptyFile() {
	if !r.stopped {
		r.report("empty-file", r.here(0), `expected "[", found the end of the file`).
			WithHelp("a file without tools is []")
	}
}

// An array gathers the items of a file, whatever became of the brackets around
// them: they may be missing, doubled, or stand in the wrong place.
type array struct {
	*reader
	first, last *lexer.Token // of the file
	open, close *lexer.Token // the brackets of the array
	trailing    bool         // a fault about what stands behind the array was reported
	items       []*item
	loose       *item // the element that takes up properties outside of braces
}

// part takes a part of the file, in order.
func (a *array) part(p *part) {
	if p.Close != nil {
		a.bracket(p.Close)
		return
	}
	for _, it := range p.Items.all {
		a.start(it.first())
		a.last = it.last()
		a.item(it)
	}
}

// start holds the first token of the file against the rule that it is a [.
func (a *array) start(t *lexer.Token) {
	if a.first == nil {
		a.first = t
		if t.Value == "[" {
			a.open = t
			return
		}
		a.report("missing-array", a.at(t), `expected "[" at the start of the file, found %s`, found(t)).
			WithHelp("a file is an array, also around a single element:\n[\n  { … }\n]")
	}
	if a.close != nil && !a.trailing {
		a.trailing = true
		if n := len(a.items); n > 0 && a.items[n-1].Comma == nil {
			a.items[n-1].Comma = a.close // what stands behind the array lacks more than a comma
		}
		a.report("text-after-array", a.at(t), "unexpected %s after the end of the array", found(t)).
			WithRelated(a.at(a.close), `the array ends here`).
			WithHelp(`move the "]" to the end of the file`)
	}
}

// list takes the array, or one inside or behind it.
func (a *array) list(l *list) {
	if a.open != l.Open && a.close == nil && !a.stopped {
		a.report("nested-array", a.at(l.Open), "an array cannot stand in the array").
			WithHelp(`delete this "[" and the "]" that closes it`)
	}
	for _, it := range l.Items.all {
		a.item(it)
	}
	if a.open == l.Open {
		a.close = l.Close
	}
}

// item takes an item of the array.
func (a *array) item(it *item) {
	var last *item
	if len(a.items) > 0 {
		last = a.items[len(a.items)-1]
	}
	switch {
	case it.List != nil && it.Key == nil && it.Junk == nil:
		a.list(it.List)
	case it.lone() && last != nil && last.Comma == nil:
		last.Comma = it.Comma
	case it.Key != nil && it.Arrow != nil && slices.Contains(elementProperties, it.Key.Value):
		a.property(it, last)
	default:
		a.loose = nil
		a.items = append(a.items, it)
	}
}

// property takes a property that stands outside of an element: either the
// element before it was closed too early, or the opening brace is missing.
func (a *array) property(it, last *item) {
	if a.loose == nil && last != nil && last.element() && last.Block.Close != nil && !last.Block.has(it.Key.Value) {
		a.report("extra-brace", a.at(last.Block.Close), `unexpected "}": the element goes on with %q`, it.Key.Value).
			WithRelated(a.at(it.Key), "%q belongs to the element, too", it.Key.Value).
			WithHelp(`delete this "}", or the one before it`)
		inner := last.Block.Items.all
		if len(inner) > 0 && inner[len(inner)-1].Comma == nil {
			inner[len(inner)-1].Comma = last.Block.Close // the brace separates them well enough
		}
		a.loose, last.Comma = last, nil
	}
	if a.loose == nil {
		a.report("missing-brace", a.at(it.Key), `expected "{" before %q`, it.Key.Value).
			WithHelp("an element stands in braces:\n{\n  %s --> …\n}", it.Key.Value)
		a.loose = &item{Block: &block{Open: it.Key, Close: it.last()}}
		a.items = append(a.items, a.loose)
	}
	a.loose.Block.Items.all = append(a.loose.Block.Items.all, it)
	a.loose.Block.Close = it.last()
}

// has reports whether the block gives a value to a name.
func (b *block) has(key string) bool {
	return slices.ContainsFunc(b.Items.all, func(it *item) bool { return it.Key != nil && it.Key.Value == key })
}

// bracket takes a closing bracket that closes nothing in the tree.
func (a *array) bracket(t *lexer.Token) {
	a.start(t)
	a.last = t
	switch {
	case t.Value == "}" && a.loose != nil:
		a.loose.Block.Close = t
		a.loose = nil
	case t.Value == "]" && a.close == nil:
		a.close = t
	case !a.trailing:
		a.report("extra-bracket", a.at(t), "unexpected %q", t.Value).
			WithHelp("delete it, or write the bracket that it closes")
	}
}

// end holds the end of the file against the rule that the array is closed.
func (a *array) end() {
	if a.open != nil {
		a.closed(a.open, a.close, a.items)
	}
}

// items reads the items of the array.
func (r *reader) items(items []*item) {
	for _, it := range r.tidy(items) {
		switch {
		case it.element():
			r.items(r.element(it))
		case it.Key == nil:
			r.report("unexpected-text", r.at(it.first()), "unexpected %s in the array", found(it.first())).
				WithHelp("the array holds elements, { … }, and the properties system_prompt, wrapped_query and rules")
		default:
			r.prompt(it)
		}
	}
}

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

// closed holds a bracket against the rule that it is closed. It is silent where
// the end of something inside is missing, too, and was reported.
func (r *reader) closed(open, end *lexer.Token, items []*item) {
	if end != nil || r.stopped || len(items) > 0 && r.isBroken(items[len(items)-1]) {
		return
	}
	r.unclosedBracket(open)
}

func (r *reader) unclosedBracket(open *lexer.Token) *diag.Diagnostic {
	end := map[string]string{"{": "}", "[": "]"}[open.Value]
	return r.report("unclosed-bracket", r.at(open), "%q is not closed", open.Value).
		WithHelp("write the %q that belongs to it", end)
}
