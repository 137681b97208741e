package aion

import (
	"slices"
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/aiongen/aiongen/aion/diag"
)

// elementProperties are the properties of an element, in canonical order.
var elementProperties = []string{"name", "function", "args_schema", "link", "description"}

// element reads an element. It returns the items that belong behind it, where
// its closing brace is missing.
func (r *reader) element(it *item) (behind []*item) {
	before := len(r.list)
	b := it.Block
	r.fillGap(b)
	released := r.release(b)
	switch i := slices.IndexFunc(b.Items.all, (*item).element); {
	case i >= 0:
		b.Items.all, behind = b.Items.all[:i], b.Items.all[i:]
		if !released {
			r.elementInside(b, behind[0])
		}
		if i == 0 {
			return behind // the brace was one too many
		}
		b.Close = nil
	case !released:
		r.closed(b.Open, b.Close, b.Items.all)
	}
	e := &Element{Span: r.between(b.Open, it.last())}
	given, harmless := r.properties(e, r.tidy(b.Items.all))
	if b.Close != nil && !r.swallows(b) { // else what is missing may be missing with the brace, or in a text
		r.wholeElement(e, given)
	}
	e.Faulty = it.faulty || countErrors(r.list[before:]) > harmless
	r.doc.Elements = append(r.doc.Elements, e)
	return behind
}

// swallows reports whether a text in the block has no end, so that more of the block
// may be in it.
func (r *reader) swallows(b *block) bool {
	return slices.ContainsFunc(b.Items.all, func(it *item) bool {
		return it.Text != nil && r.unended[it.Text.Pos.Offset] || it.Block != nil && r.swallows(it.Block)
	})
}

// properties reads the properties of an element, and returns which were given. Faults
// are harmless where a property is unknown, but the one that was meant is read.
func (r *reader) properties(e *Element, items []*item) (given map[string]*lexer.Token, harmless int) {
	given = map[string]*lexer.Token{}
	for _, it := range items {
		if it.Key == nil {
			r.unexpectedValue(it, "the element", `a property has the form name --> "text"`)
			continue
		}
		name := it.Key.Value
		if first := given[name]; first != nil && first.Value == name {
			r.repeated("repeated-property", name, r.at(it.Key), r.at(first)).WithHelp("delete one of the two")
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
func (r *reader) readAs(e *Element, it *item, meant string, given map[string]*lexer.Token) bool {
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
func (r *reader) property(e *Element, it *item, name string) string {
	switch name {
	case "name":
		if text, ok := r.plain(it); ok {
			r.checkName(text)
			e.Name = text
		}
	case "description":
		if text, ok := r.filled(it); ok {
			r.toWrite(text.Value, text.Span)
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
		return r.unknownProperty(it.Key, "an element", elementProperties)
	}
	return name
}

// toWrite warns of a description that is a note to its author, as aiongen new leaves
// where Go has no comment to take.
func (f *faults) toWrite(description string, at diag.Span) {
	if strings.HasPrefix(description, "TODO:") {
		f.list.Warnf("todo", at, "the description is yet to be written").
			WithHelp("say what a model has to know")
	}
}

// wholeElement checks what an element must have. A property that was given
// with a fault counts as given.
func (r *reader) wholeElement(e *Element, given map[string]*lexer.Token) {
	at := e.Span
	at.End = moved(at.Start, "{")
	if given["name"] == nil {
		r.report("missing-name", at, `the element has no "name"`).
			WithHelp(`add name --> "…", by which models call the tool`)
	}
	switch {
	case given["function"] == nil && given["link"] == nil:
		r.report("missing-function", at, `the element has neither a "function" nor a "link"`).
			WithHelp("add what the tool runs:\nfunction --> \"GoFunction\" --> { }\nor what it refers to:\nlink --> \"https://…\"")
	case given["function"] == nil && given["description"] == nil:
		r.report("missing-description", at, `the element has no "description"`).
			WithHelp("add one: there is no Go function whose comment could be taken")
	}
	if schema := given["args_schema"]; schema != nil && given["function"] == nil && given["link"] != nil {
		r.report("schema-without-function", r.at(schema), `"args_schema" without a "function"`).
			WithHelp("a tool that is only a link has no arguments: delete it, or add the function")
	}
}

// plain returns the text of a property that takes nothing else. It is not ok if
// there is none, or if the text is not what was meant.
func (r *reader) plain(it *item) (text Text, ok bool) {
	name := it.Key.Value
	switch {
	case it.Text == nil:
		value := it.afterKey()
		r.report("wrong-value", r.at(it.Key), "%q takes a text, not %s", name, found(value)).
			WithHelp(`write %s --> "text"`, name)
		return Text{}, false
	case it.Then != nil || it.Block != nil:
		r.report("unexpected-block", r.at(it.Key), "%q takes a text and no more", name).
			WithHelp("only the text of a function is followed by --> and a block")
		return Text{}, false
	}
	return r.text(it.Text, r.at(it.Key)), !r.broken[it.Text.Pos.Offset]
}

// filled is plain for texts that must say something.
func (r *reader) filled(it *item) (text Text, ok bool) {
	text, ok = r.plain(it)
	return text, ok && r.checkFilled(it.Key.Value, text)
}

func (r *reader) checkFilled(name string, text Text) bool {
	if text.empty() {
		r.report("empty-text", text.Span, "the text of %q is empty", name)
		return false
	}
	return true
}

// text is the token as a text, given to the name at key.
func (r *reader) text(t *lexer.Token, key diag.Span) Text {
	return Text{Value: textValue(t.Value), Span: r.at(t), Key: key, raw: t.Value}
}

// markFaulty marks the elements in which the scanner reported a fault.
func (r *reader) markFaulty(lexical diag.List) {
	elements := r.doc.Elements
	for _, d := range lexical {
		i, found := slices.BinarySearchFunc(elements, d.Span.Start.Offset, func(e *Element, offset int) int {
			return e.Span.Start.Offset - offset
		})
		if !found {
			i--
		}
		if i >= 0 && d.Span.Start.Offset < elements[i].Span.End.Offset {
			elements[i].Faulty = true
		}
	}
}
