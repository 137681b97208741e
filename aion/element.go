package aion

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/aiongen/aiongen/aion/diag"
)

// elementProperties are the properties of an element, in canonical order.
var elementProperties = []string{"name", "function", "args_schema", "link", "description"}

// synonyms are what other formats call a property.
var synonyms = map[string]string{
	"title": "name", "id": "name",
	"handler": "function", "fn": "function", "call": "function",
	"parameters": "args_schema", "params": "args_schema", "arguments": "args_schema", "schema": "args_schema",
	"input_schema": "args_schema", "inputSchema": "args_schema",
	"url": "link", "href": "link", "uri": "link",
	"doc": "description", "summary": "description",
}

// element reads an element. It returns the items that belong behind it, where
// its closing brace is missing.
func (r *reader) element(it *item) (behind []*item) {
	before := len(r.list)
	b := it.Block
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
	given := r.properties(e, r.tidy(b.Items.all))
	if b.Close != nil || !r.stopped {
		r.wholeElement(e, given)
	}
	e.Faulty = r.list[before:].Err() != nil
	r.doc.Elements = append(r.doc.Elements, e)
	return behind
}

// elementInside reports an element that starts before the one around it ends.
func (r *reader) elementInside(b *block, inner *item) {
	switch open := inner.Block.Open; {
	case r.stopped:
	case len(b.Items.all) == 0:
		r.report("extra-bracket", r.at(open), `unexpected second "{"`).WithHelp("delete it and the brace that closes it")
	case b.Close == nil:
		r.unclosedBracket(b.Open).WithRelated(r.at(open), "the next element starts here")
	default:
		r.report("nested-element", r.at(open), "an element cannot stand in an element").
			WithRelated(r.at(b.Open), "the outer element starts here").
			WithHelp(`close the outer element with "}," before this one`)
	}
}

// release moves properties of the element out of an interface block whose
// closing brace is missing: they tell, and so does that the element has none.
func (r *reader) release(b *block) bool {
	if b.Close != nil {
		return false
	}
	for i, it := range b.Items.all {
		if it.Text == nil || it.Block == nil {
			continue
		}
		inner := it.Block
		j := slices.IndexFunc(inner.Items.all, func(it *item) bool {
			return it.Key != nil && it.Arrow != nil && slices.Contains(elementProperties, it.Key.Value)
		})
		if j < 0 {
			continue
		}
		r.unclosedBracket(inner.Open).
			WithRelated(r.at(inner.Items.all[j].Key), "%q is a property of the element", inner.Items.all[j].Key.Value)
		b.Items.all = slices.Concat(b.Items.all[:i+1], inner.Items.all[j:], b.Items.all[i+1:])
		b.Close = inner.Close
		inner.Items.all, inner.Close = inner.Items.all[:j], inner.Items.all[j].Key
		it.Comma = inner.Close // a missing comma there would be no news
		return true
	}
	return false
}

// properties reads the properties of an element, and returns which were given.
func (r *reader) properties(e *Element, items []*item) (given map[string]*lexer.Token) {
	given = map[string]*lexer.Token{}
	for _, it := range items {
		if it.Key == nil {
			r.report("unexpected-text", r.at(it.first()), "unexpected %s in the element", found(it.first())).
				WithHelp(`a property has the form name --> "text"`)
			continue
		}
		name := it.Key.Value
		if first := given[name]; first != nil && slices.Contains(elementProperties, name) {
			r.repeated("repeated-property", name, r.at(it.Key), r.at(first)).WithHelp("delete one of the two")
			continue
		}
		given[name] = it.Key
		r.property(e, it)
	}
	return given
}

func (r *reader) property(e *Element, it *item) {
	switch it.Key.Value {
	case "name":
		if text, ok := r.plain(it); ok {
			r.checkName(text)
			e.Name = text
		}
	case "description":
		if text, ok := r.filled(it); ok {
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
		r.unknownProperty(it.Key, "an element", elementProperties)
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
	return Text{Value: textValue(t.Value), Span: r.at(t), Key: key}
}

// unknownProperty reports a property that its owner does not have.
func (r *reader) unknownProperty(key *lexer.Token, owner string, names []string) {
	name := key.Value
	nearest := diag.Nearest(name, names)
	if known := synonyms[name]; slices.Contains(names, known) {
		nearest = known
	}
	likely := nearest != ""
	if !likely {
		nearest = diag.Closest(name, names)
	}
	d := r.unknown(name, nearest, r.at(key), "%s has no property %q", owner, name)
	switch {
	case slices.Contains(elementProperties, name):
		d.WithHelp("%q belongs into an element, { … }", name)
	case slices.Contains(promptProperties, name):
		d.WithHelp("%q stands in the array, beside the elements", name)
	case strings.HasPrefix(name, "arg-"), strings.HasPrefix(name, "return-"):
		d.WithHelp("%q belongs into the interface block:\nfunction --> \"GoFunction\" --> { %s --> \"…\" }", name, name)
	case likely:
		d.WithHelp("did you mean %q?", nearest)
	default:
		d.WithHelp("there are %s; the closest is %q", enumerate(names), nearest)
	}
}

// enumerate lists names as a sentence does.
func enumerate(names []string) string {
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// maxName is the length of a tool's name that every model provider accepts.
const maxName = 64

// checkName holds a tool's name against what every model provider accepts.
func (r *reader) checkName(text Text) {
	name := text.Value
	if text.empty() {
		r.report("bad-name", text.Span, "the name is empty")
		return
	}
	bad := strings.IndexFunc(name, func(c rune) bool { return c > 0x7f || !isIdent(byte(c)) })
	problem := ""
	switch {
	case bad >= 0:
		problem = fmt.Sprintf("has %q in it", []rune(name[bad:])[0])
	case '0' <= name[0] && name[0] <= '9' || name[0] == '-':
		problem = fmt.Sprintf("starts with %q", name[0])
	case len(name) > maxName:
		problem = fmt.Sprintf("has %d characters", len(name))
	default:
		return
	}
	r.report("bad-name", text.Span, "the name %q %s", name, problem).
		WithHelp("a name is a letter or _, then letters, digits, _ and -, at most %d in all: %q", maxName, soundName(name))
}

// soundName is a name that is allowed and as close to the given one as can be.
func soundName(name string) string {
	sound := strings.Map(func(c rune) rune {
		if c > 0x7f || !isIdent(byte(c)) {
			return '_'
		}
		return c
	}, name)
	if '0' <= sound[0] && sound[0] <= '9' || sound[0] == '-' {
		sound = "_" + sound
	}
	return sound[:min(len(sound), maxName)]
}

// unwrapMarkdown returns the URL of a link in Markdown, [text](url).
func unwrapMarkdown(link string) string {
	link = strings.Trim(link, " \t\r\n")
	if inner, ok := strings.CutPrefix(link, "["); ok {
		if _, target, ok := strings.Cut(inner, "]("); ok && strings.HasSuffix(target, ")") {
			return strings.TrimSuffix(target, ")")
		}
	}
	return link
}

// checkURL holds a link against the rule that it is an absolute http(s) URL.
func (r *reader) checkURL(text Text) {
	u, err := url.Parse(text.Value)
	switch {
	case err != nil || strings.ContainsAny(text.Value, " \t\r\n"):
		r.report("bad-url", text.Span, "the link %q is no URL", text.Value).
			WithHelp(`write an absolute URL, "https://…", or "[text](https://…)"`)
	case u.Scheme == "":
		r.report("bad-url", text.Span, "the link %q is not absolute", text.Value).
			WithHelp(`write "https://%s"`, strings.TrimLeft(text.Value, "/"))
	case u.Scheme != "http" && u.Scheme != "https":
		r.report("bad-url", text.Span, "the scheme of the link %q is neither http nor https", text.Value)
	case u.Host == "":
		r.report("bad-url", text.Span, "the link %q has no host", text.Value)
	}
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
