package aion

import (
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/aion/internal/property"
	"github.com/aiongen/aiongen/aion/internal/syntax"
)

// element reads an element. It returns the items that belong behind it, where
// its closing brace is missing.
func (r *reader) element(it *syntax.Item) (behind []*syntax.Item) {
	before := len(r.List)
	if len(r.doc.Elements) == maxElements {
		r.Errorf("too-large", r.At(it.First()), "the file has more than the %d elements that are read", maxElements).
			WithHelp("split it: all .aion files of a package are compiled together")
		r.tooMany = true
		return nil
	}
	behind, surplus := r.Delimit(it)
	if surplus {
		return behind
	}
	b := it.Block
	e := &Element{Span: r.Between(b.Open, it.Last())}
	given, harmless := r.properties(e, r.Tidy(b.Items.All))
	if b.Close != nil && !r.Swallows(b) { // else what is missing may be missing with the brace, or in a text
		r.wholeElement(it, e.Span, given)
	}
	e.Faulty = it.Faulty || r.Full() || countErrors(r.List[before:]) > harmless
	r.doc.Elements = append(r.doc.Elements, e)
	return behind
}

// properties reads the properties of an element, and returns which were given. Faults
// are harmless where a property is unknown, but the one that was meant is read.
func (r *reader) properties(e *Element, items []*syntax.Item) (given map[string]*syntax.Token, harmless int) {
	given = map[string]*syntax.Token{}
	r.keys = keysOf(items)
	for _, it := range items {
		if it.Key == nil {
			r.Unexpected(it, "the element", `a property has the form name --> "text"`)
			continue
		}
		name := it.Key.Value
		if first := given[name]; first != nil && first.Value == name {
			repeated(&r.Collector, "repeated-property", name, r.At(it.Key), r.At(first)).WithHelp("delete one of the two")
			continue
		}
		meant := r.property(e, it, name)
		if meant != name && r.readAs(e, it, meant, given) {
			harmless++
		}
		if given[meant] == nil {
			given[meant] = it.Key
		}
	}
	return given, harmless
}

// readAs reads an unknown property as the one that was meant, if there is one that is
// not given, so that what else is wrong with the element can be told. It returns false
// if the element may be another tool without it.
func (r *reader) readAs(e *Element, it *syntax.Item, meant string, given map[string]*syntax.Token) bool {
	switch {
	case meant == "" || given[meant] != nil:
		return true
	case meant == "function", it.Text == nil && meant != "args_schema", it.Text != nil && it.Block != nil:
		return false
	}
	r.property(e, it, meant)
	return true
}

func countErrors(list diag.List) (n int) {
	for _, d := range list {
		if d.Severity == diag.Error {
			n++
		}
	}
	return n
}

// property reads a property by a name, and returns which one it is, or was meant to be.
func (r *reader) property(e *Element, it *syntax.Item, name string) string {
	switch name {
	case "name":
		if text, ok := r.plain(it); ok {
			r.checkName(text)
			e.Name = text
		}
	case "description":
		if text, ok := r.filled(it); ok {
			toWrite(&r.Collector, text.Value, text.Span)
			e.Description = &text
		}
	case "link":
		if text, ok := r.filled(it); ok {
			text.Value = unwrapMarkdown(text.Value)
			r.checkURL(text)
			e.Link = &text
		}
	case "function":
		e.Function = r.function(it)
	case "args_schema":
		e.Schema = r.schema(it)
	default:
		return r.unknownProperty(it.Key, "an element", property.Element)
	}
	return name
}

// wholeElement checks what an element must have. A property that was given
// with a fault counts as given.
func (r *reader) wholeElement(it *syntax.Item, at diag.Span, given map[string]*syntax.Token) {
	at.End = syntax.Moved(at.Start, "{")
	if given["name"] == nil {
		r.Errorf("missing-name", at, `the element has no "name"`).
			WithHelp(`add name --> "…", by which models call the tool`)
	}
	switch {
	case given["function"] == nil && given["link"] == nil:
		r.Errorf("missing-function", at, `the element has neither a "function" nor a "link"`).
			WithHelp("add what the tool runs:\nfunction --> \"GoFunction\" --> { }\nor what it refers to:\nlink --> \"https://…\"")
	case given["function"] == nil && given["description"] == nil:
		r.Errorf("missing-description", at, `the element has no "description"`).
			WithHelp("add one: there is no Go function whose comment could be taken").
			WithGuess(r.AddProperty(it.Block, `description --> "TODO: say what a model has to know"`))
	}
	if schema := given["args_schema"]; schema != nil && given["function"] == nil && given["link"] != nil {
		r.Errorf("schema-without-function", r.At(schema), `"args_schema" without a "function"`).
			WithHelp("a tool that is only a link has no arguments: delete it, or add the function").
			WithGuess(r.Remove(it.Block, "args_schema"))
	}
}
