package aion

import (
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/aion/internal/syntax"
)

// readElement reads an element. If its closing brace is missing, it returns the items that
// belong after the element.
func (r *reader) readElement(it *syntax.Item) (after []*syntax.Item) {
	before := len(r.List)
	if len(r.doc.Elements) == maxElements {
		r.Errorf("too-large", r.SpanOf(it.FirstToken()), "the file has more than %d elements, which is the limit", maxElements).
			WithHelp("split it: all .aion files of a package are compiled together")
		r.tooMany = true
		return nil
	}
	after, surplus := r.DelimitElement(it)
	if surplus {
		return after
	}
	b := it.Block
	e := &Element{Span: r.SpanBetween(b.Open, it.LastToken())}
	given, harmless := r.readProperties(e, r.CompleteItems(b.Items))
	if b.Close != nil && !r.HasUnclosedText(b) { // an unclosed brace or text may hide properties
		r.checkComplete(it, e.Span, given)
	}
	e.Faulty = it.Faulty || r.Full() || countErrors(r.List[before:]) > harmless
	r.doc.Elements = append(r.doc.Elements, e)
	return after
}

// readProperties reads the properties of an element. given maps the names of the properties that the
// element has to their keys. harmless is the number of unknown properties whose errors do not make the
// element faulty: those for which readMisspelled returned true.
func (r *reader) readProperties(e *Element, items []*syntax.Item) (given map[string]*syntax.Token, harmless int) {
	given = map[string]*syntax.Token{}
	r.keys = keysOf(items)
	for _, it := range items {
		if it.Key == nil {
			r.ReportUnexpected(it, "the element", `a property has the form name --> "text"`)
			continue
		}
		name := it.Key.Value
		if first := given[name]; first != nil && first.Value == name {
			r.reportRepeated("repeated-property", name, r.SpanOf(it.Key), r.SpanOf(first)).WithHelp("delete one of the two")
			continue
		}
		meant := r.readProperty(e, it, name)
		if meant != name && r.readMisspelled(e, it, meant, given) {
			harmless++
		}
		if given[meant] == nil {
			given[meant] = it.Key
		}
	}
	return given, harmless
}

// readMisspelled reads an unknown property as the one that was meant, so that faults in its value are
// reported as well. It skips a property that is already given. It returns false if it cannot read the
// property and the element would be a different tool without it, as for a misspelled function.
func (r *reader) readMisspelled(e *Element, it *syntax.Item, meant string, given map[string]*syntax.Token) bool {
	switch {
	case meant == "" || given[meant] != nil:
		return true
	case meant == "function", it.Text == nil && meant != "args_schema", it.Text != nil && it.Block != nil:
		return false
	}
	before := len(r.List)
	r.readProperty(e, it, meant)
	if !syntax.IsCertainProperty(it.Key.Value, meant) {
		for _, d := range r.List[before:] {
			for i := range d.Fixes {
				d.Fixes[i].Guess = true
			}
		}
	}
	return true
}

// countErrors returns the number of errors in a list.
func countErrors(list diag.List) (n int) {
	for _, d := range list {
		if d.Severity == diag.Error {
			n++
		}
	}
	return n
}

// readProperty reads an item as the property with a name. It returns the name or, if there is
// no such property, the name that was likely meant.
func (r *reader) readProperty(e *Element, it *syntax.Item, name string) string {
	switch name {
	case "name":
		if text, ok := r.readText(it); ok {
			r.checkName(text)
			e.Name = text
		}
	case "description":
		if text, ok := r.readNonEmpty(it); ok {
			warnTodo(&r.Collector, text.Value, text.Span)
			e.Description = &text
		}
	case "link":
		if text, ok := r.readNonEmpty(it); ok {
			text.Value = unwrapMarkdown(text.Value)
			r.checkURL(text)
			e.Link = &text
		}
	case "function":
		e.Function = r.readFunction(it)
	case "args_schema":
		e.Schema = r.readSchema(it)
	default:
		if r.reportToolProperty(it) {
			return ""
		}
		return r.reportUnknownProperty(it.Key, "an element", syntax.ElementProperties)
	}
	return name
}

// checkComplete checks that an element has the properties that it needs. A faulty property
// counts as given.
func (r *reader) checkComplete(it *syntax.Item, at diag.Span, given map[string]*syntax.Token) {
	at.End = syntax.AdvancePos(at.Start, "{")
	if given["name"] == nil {
		r.Errorf("missing-name", at, `the element has no "name"`).
			WithHelp(`add name --> "…": models call the tool by this name`)
	}
	switch {
	case given["function"] == nil && given["link"] == nil:
		r.Errorf("missing-function", at, `the element has neither a "function" nor a "link"`).
			WithHelp("add what the tool runs:\nfunction --> \"GoFunction\" --> { }\nor what it refers to:\nlink --> \"https://…\"")
	case given["function"] == nil && given["description"] == nil:
		r.Errorf("missing-description", at, `the element has no "description"`).
			WithHelp("add one: without a Go function, there is no comment to use instead").
			WithGuess(r.AddProperty(it.Block, `description --> "TODO: say what a model needs to know"`))
	}
	if schema := given["args_schema"]; schema != nil && given["function"] == nil && given["link"] != nil {
		r.Errorf("schema-without-function", r.SpanOf(schema), `"args_schema" without a "function"`).
			WithHelp("a tool that is only a link has no arguments: delete args_schema, or add the function").
			WithGuess(r.RemoveProperty(it.Block, "args_schema"))
	}
}
