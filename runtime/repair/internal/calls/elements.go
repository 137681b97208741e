package calls

import (
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/repair/internal/report"
	"github.com/aiongen/aiongen/runtime/repair/internal/scan"
	"github.com/aiongen/aiongen/runtime/repair/internal/tree"
)

// The names of elements.
var (
	callElements      = []string{"function", "invoke", "function_call", "tool_call"} // with a name
	nameElements      = []string{"tool_name", "name", "function_name"}
	argumentsElements = []string{"parameters", "arguments", "args", "input"}
	argumentElements  = []string{"parameter", "param", "argument", "arg"}
)

// A body is what is read of a call whose arguments are elements.
type body struct {
	name   string
	tag    string         // the name of its element; empty if it has another one
	json   *jsontext.Node // the arguments, if they are JSON
	values []elementValue
	keys   map[string]bool // of the values
	key    string          // whose value comes next
	keyEnd int             // the place after it; 0 if there is none
	inside bool            // an element with all arguments is open
	ended  bool            // the end tag of the call was read
	start  int
}

// An elementValue is the content of an element: an argument of a call.
type elementValue struct {
	key  string
	raw  string
	tag  scan.Tag
	at   int
	next int // the place after the element
	tags int // end tags in it
}

// body reads the arguments of a call that are elements, up to its end.
func (c *caller) body(name, tag string) bool {
	c.inElement = true
	b := body{name: name, tag: tag, start: c.Pos, keys: map[string]bool{}}
	for c.Err == nil && c.part(&b) {
	}
	if c.Err == nil && b.keyEnd > 0 && !c.Cut {
		c.reject(b.keyEnd, "in the arguments of a call of "+report.Cut(b.name)+", the value of "+report.Cut(jsontext.Quote(b.key))+" is missing")
		return true
	}
	if c.Err == nil && b.json != nil && len(b.values) > 0 {
		c.Fail(report.Ambiguous, b.values[0].at, "this argument follows others that are JSON: it may be a part of something else"+asJSON)
	}
	if c.Err == nil && !c.Cut {
		c.checkSpaces(&b)
		if c.Err == nil && !b.ended {
			c.Fail(report.Broken, b.start, "a call has no end tag"+asJSON)
		}
	}
	if c.Err != nil {
		return false
	}
	if !isName(b.name) {
		c.reject(b.start, "a call has no name")
		return true
	}
	c.add("", b.name, c.bodyArguments(&b))
	c.elements++
	c.inElement = false
	return true
}

// bodyArguments returns the arguments of a call; nil if there are none.
func (c *cursor) bodyArguments(b *body) *jsontext.Node {
	if b.json != nil || len(b.values) == 0 {
		return b.json
	}
	isWrapped := !slices.ContainsFunc(b.values, func(v elementValue) bool { return !v.hasWrapping() || !v.isWrapped() })
	n := c.Node(jsontext.Object, b.start)
	for _, v := range b.values {
		text := v.raw
		if isWrapped {
			text = unwrapLine(text)
		}
		m := c.typed(v.at, text, tree.Property(c.offer(b.name).schema, v.key))
		if v.tag.Text {
			m.Kind, m.Text = jsontext.String, jsontext.Quote(text)
		}
		m.Key = c.Quoted(v.key)
		n.Add(m)
	}
	return n
}

// unwrapLine returns a value without the line break before it and the same one after it.
func unwrapLine(raw string) string {
	if text, ok := strings.CutPrefix(raw, "\r\n"); ok {
		return strings.TrimSuffix(strings.TrimSuffix(text, "\n"), "\r")
	}
	return strings.TrimSuffix(strings.TrimPrefix(raw, "\n"), "\n")
}

// isWrapped reports whether a value is in lines of its own, between its tags.
func (v elementValue) isWrapped() bool {
	return len(v.raw) > 1 && startsLine(v.raw) && strings.HasSuffix(v.raw, "\n")
}

// hasWrapping reports whether the line breaks around a value are those of the format, as
// Qwen writes them: <parameter=a>, the value and </parameter> are in lines of their own.
func (v elementValue) hasWrapping() bool { return v.tag.Value != "" && !v.tag.Named }

func startsLine(text string) bool {
	return strings.HasPrefix(text, "\n") || strings.HasPrefix(text, "\r\n")
}

// checkSpaces fails if the line breaks between and around the arguments do not agree: then
// what looks like several arguments may be the value of one.
func (c *cursor) checkSpaces(b *body) {
	wrapped, halves, lines, joints, tags := 0, 0, 0, 0, 0
	for _, v := range b.values {
		tags += v.tags
		starts, ends := startsLine(v.raw), strings.HasSuffix(v.raw, "\n")
		switch {
		case starts != ends || v.raw == "\n":
			halves++
		case starts && v.isWrapped() && (v.hasWrapping() || v.tag.Value == "" && v.tag.Name != "arg_value"):
			wrapped++
		}
		if c.ByteAt(v.next) == '<' {
			joints++
		} else if blanks := c.Text[v.next:c.Blank(v.next)]; strings.IndexByte(blanks, '\n') >= 0 {
			lines++
		}
	}
	for _, v := range b.values {
		if strings.HasPrefix(v.raw, "<![CDATA[") {
			c.Fail(report.Ambiguous, v.at, "CDATA may be a part of the value of "+report.Cut(v.key)+": write the value as it is")
			return
		}
	}
	isFormat := wrapped == 0 || wrapped == len(b.values) && joints == 0 && b.values[0].hasWrapping()
	if !isFormat || halves > 1 || tags > 0 && lines == 0 || lines > 0 && joints > 0 || len(b.values) == 1 && b.values[0].raw == "\n" {
		c.Fail(report.Ambiguous, b.start, "the line breaks around the arguments of this call differ, so that an argument may be a part of another one"+asJSON)
	}
}

// part reads the next part of a call; false if there is none.
func (c *caller) part(b *body) bool {
	c.Pos = c.Blank(c.Pos)
	if c.EndsInTag(c.Pos) {
		c.Cut = true
		return false
	}
	if c.Text[c.Pos] == '{' && len(b.values) == 0 && b.json == nil {
		c.jsonArguments(b)
		return true
	}
	t, ok := c.TagAt(c.Pos)
	switch {
	case !ok && ((len(b.values) > 0 || b.keyEnd > 0) && !c.endsCall(c.Pos, "") || b.json == nil && c.isLost()):
		c.Fail(report.Broken, c.Pos, "there is text between the arguments of a call")
		return false
	case !ok || !t.Closing && !b.inside && slices.Contains(callElements, t.Name):
		return false
	case t.Closing && isArgumentTag(t.Name) && !b.inside:
		c.Fail(report.Ambiguous, c.Pos, "this end tag may be a part of a value"+asJSON)
		return false
	case t.Closing:
		ofArguments := slices.Contains(argumentsElements, t.Name)
		if ofArguments || slices.Contains(callElements, t.Name) || t.Name == b.name || t.Written == b.name {
			c.Pos = t.End
			b.ended = !ofArguments && (b.tag == "" || t.Name == b.tag)
		}
		b.inside = false
		return ofArguments
	case slices.Contains(nameElements, t.Name) && b.name == "":
		b.name = c.shortContent(t)
	case t.Name == "arg_key":
		if b.keyEnd > 0 {
			return false
		}
		b.key = c.shortContent(t)
		b.keyEnd = c.Pos
	case t.Name == "arg_value" && b.keyEnd == 0:
		c.Fail(report.Broken, c.Pos, "an argument of a call has no name")
		return false
	case t.Name == "arg_value":
		c.argument(b, b.key, t)
		b.keyEnd = 0
	case t.Value != "" && !slices.Contains(argumentElements, t.Name):
		c.Fail(report.Broken, c.Pos, "this tag is not one of an argument"+asJSON)
		return false
	case t.Value != "":
		c.argument(b, t.Value, t)
	case slices.Contains(argumentsElements, t.Name) && !b.inside:
		c.Pos, b.inside = t.End, true
	default:
		c.argument(b, t.Name, t)
	}
	return true
}

// jsonArguments reads all arguments of a call as JSON.
func (c *caller) jsonArguments(b *body) {
	b.json, _ = c.readValue()
	if c.marked {
		c.Fail(report.Ambiguous, c.Pos, unclear)
	}
}

// isArgumentTag reports whether a tag of this name is around one or all arguments.
func isArgumentTag(name string) bool {
	return slices.Contains(argumentElements, name) || slices.Contains(argumentsElements, name) || name == "arg_value" || name == "arg_key"
}

// shortContent reads an element that holds a name.
func (c *cursor) shortContent(t scan.Tag) string {
	closing := "</" + t.Written + ">"
	end := c.Index(closing, t.End)
	text := c.Text[t.End:end]
	if end == c.End {
		c.Cut, c.Pos = true, c.End
	} else {
		c.Pos = end + len(closing)
	}
	if name := strings.Trim(text, scan.Blanks); len(name) <= longestLabel && !strings.ContainsAny(name, "<\n") {
		return name
	}
	c.Fail(report.Broken, t.End, "a name in a call has no end tag"+asJSON)
	return ""
}

// hasExtra fails if a tag has an attribute that is not read: it may be an argument.
func (c *cursor) hasExtra(t scan.Tag) bool {
	if t.Extra != "" {
		c.Fail(report.Broken, c.Pos, "the attribute "+report.Cut(t.Extra)+" of this tag may be an argument"+asJSON)
	}
	return t.Extra != ""
}

// argument reads an element whose content is an argument.
func (c *cursor) argument(b *body, key string, t scan.Tag) {
	at := c.Pos
	if c.hasExtra(t) {
		return
	}
	if b.keys[key] {
		c.Fail(report.Ambiguous, at, report.Cut(key)+" is given twice: one may be a part of a value"+asJSON)
		return
	}
	if !c.isParameter(b.name, key) {
		c.Fail(report.Ambiguous, at, report.Cut(b.name)+" has no parameter "+report.Cut(key)+", so that this may be a part of a value")
		return
	}
	if len(b.values) > 0 && b.values[0].tag.Named != t.Named {
		c.Fail(report.Ambiguous, at, "this argument has another form than those before it, so that it may be a part of a value"+asJSON)
		return
	}
	if raw, tags, ok := c.content(b, key, t); ok {
		b.values = append(b.values, elementValue{key, raw, t, at, c.Pos, tags})
		b.keys[key] = true
	}
}

// isParameter reports whether a tool may have a parameter. It may if its schema is unknown.
func (c *cursor) isParameter(name, key string) bool {
	s := c.offer(name).schema
	if s == nil || s.Additional == nil || !s.Additional.Never || s.Property(key) != nil {
		return true
	}
	return slices.ContainsFunc(c.offer(name).parameters, func(p string) bool { return words.Folded(p) == words.Folded(key) })
}

// content reads an element up to its end, and returns what is in it. The format has no
// escapes, so an end tag is the end only if what follows it may follow an argument. If text
// follows it in the line, it is a part of the value, and so is an element with its own end
// tag; tags counts such end tags. Any other tag of its kind may be another argument.
func (c *cursor) content(b *body, key string, t scan.Tag) (text string, tags int, ok bool) {
	opening, closing := "<"+t.Written, "</"+t.Written
	depth, seen := 0, 0
	for i := t.End; ; seen++ {
		end := c.nextTag(closing, i)
		open := c.openingBefore(opening, i, end)
		place := min(end, open)
		next := place + len(opening)
		if place == end {
			next = end + len(closing) + 1
		}
		switch {
		case place == c.End:
			text, ok = c.endless(key, t, depth, seen)
			return text, tags, ok
		case open < end && c.TagEnd(open) == 0, end < open && c.ByteAt(next-1) != '>':
			if c.EndsInTag(place) {
				c.Cut, c.Pos = true, c.End
				return c.Text[t.End:], tags, true
			}
			return c.unclear(key, place)
		case open < end && c.Blank(t.End) == open:
			return c.unclear(key, open)
		case open < end:
			depth++
		case strings.HasPrefix(c.Text[c.Blank(next):], closing) && c.Blank(next) < c.End, depth > 0 && c.endsCallAfter(b, next):
			return c.unclear(key, end)
		case depth > 0:
			depth--
		case c.endsArgument(b, t, next):
			c.Pos = next
			return c.Text[t.End:end], tags, true
		case scan.IsBlank(c.ByteAt(next)) && strings.IndexByte("\r\n", c.ByteAt(next)) >= 0, c.ByteAt(c.Blank(next)) == '<':
			return c.unclear(key, end)
		default:
			tags++
		}
		i = next
	}
}

// unclear fails because the tag at place may belong to a value or may not.
func (c *cursor) unclear(key string, place int) (text string, tags int, ok bool) {
	c.Fail(report.Ambiguous, place, "this tag may be a part of the value of "+report.Cut(key)+", or not"+asJSON)
	return "", 0, false
}

// nextTag returns the place of the next tag with this beginning, at or after i. It returns
// the end of the text if there is none.
func (c *cursor) nextTag(begin string, i int) int {
	for {
		if i = c.Index(begin, i); i == c.End || !isTagName(c.ByteAt(i+len(begin))) {
			return i
		}
		i += len(begin)
	}
}

// openingBefore returns the place of the next tag with this beginning, at or after i and
// before end. It returns the end of the text if there is none.
func (c *cursor) openingBefore(begin string, i, end int) int {
	for {
		at := strings.Index(c.Text[i:end], begin)
		if at < 0 {
			c.Steps += end - i
			return c.End
		}
		c.Steps += at
		if i += at; !isTagName(c.ByteAt(i + len(begin))) {
			return i
		}
		i += len(begin)
	}
}

// isTagName reports whether a byte continues the name of a tag.
func isTagName(b byte) bool { return scan.IsWord(b) || b == '-' || b == '.' || b == ':' }

// endless reads a value without an end tag, as in a text that was cut off. It fails if the
// call has an end tag: then the one of the value was forgotten, and its place is unknown.
func (c *cursor) endless(key string, t scan.Tag, depth, tags int) (text string, ok bool) {
	ends := tags > 0 && depth == 0
	for _, name := range callElements {
		ends = ends || c.Index("</"+name+">", t.End) < c.End || c.Index("</"+strings.TrimSuffix(t.Written, t.Name)+name+">", t.End) < c.End
	}
	if ends {
		c.Fail(report.Ambiguous, t.End, "the value of "+report.Cut(key)+" has a tag in it, or no end tag"+asJSON)
		return "", false
	}
	c.Cut, c.Pos = true, c.End
	return c.Text[t.End:], true
}

// endsArgument reports whether what is at i may follow an argument: the next one, or the end
// of the call.
func (c *cursor) endsArgument(b *body, t scan.Tag, i int) bool {
	i = c.Blank(i)
	if c.EndsInTag(i) {
		return true
	}
	next, ok := c.TagAt(i)
	switch {
	case !ok:
		return c.Text[i] != '<' && c.endsCall(i, "")
	case next.Closing && b.inside && slices.Contains(argumentsElements, next.Name):
		return true
	case next.Closing:
		return c.endsCallAfter(b, i)
	case t.Name == "arg_value":
		return next.Name == "arg_key" && c.isKey(next)
	case t.Value != "":
		return next.Written == t.Written && next.Value != "" && next.Named == t.Named
	}
	return next.Value == "" && c.Index("</"+next.Written+">", i) < c.End && c.isParameter(b.name, next.Name)
}

// endsCallAfter reports whether the end tag of the call is at i, with something after it that
// may follow a call.
func (c *cursor) endsCallAfter(b *body, i int) bool {
	t, ok := c.TagAt(c.Blank(i))
	isEnd := t.Name == b.tag || b.tag == "" && slices.Contains(callElements, t.Name) || b.name != "" && t.Written == b.name
	return ok && t.Closing && isEnd && c.endsCall(t.End, t.Written)
}

// isKey reports whether a name, its end tag and a value follow an opening tag.
func (c *cursor) isKey(t scan.Tag) bool {
	end := c.Index("</arg_key>", t.End)
	if end > t.End+longestLabel || strings.ContainsAny(c.Text[t.End:end], "<\n") {
		return false
	}
	value := c.Blank(end + len("</arg_key>"))
	return value >= c.End || strings.HasPrefix(c.Text[value:], "<arg_value>") || c.EndsInTag(value)
}

// endsCall reports whether what is at i may follow a call, after an end tag: the end of the
// text or of what is around calls, another call, or a result. The same end tag does not follow.
func (c *cursor) endsCall(i int, tag string) bool {
	for range mostWrappers {
		if i = c.Blank(i); i >= c.End || c.EndsInTag(i) {
			return true
		}
		if _, ok := markAt(c.Text, i); ok {
			return true
		}
		if run := c.fenceRun(i); run != "" {
			return true
		}
		if end := c.tokenEnd(i); end > 0 && (strings.HasPrefix(c.Text[i:], "<|") || strings.HasPrefix(c.Text[i:], "<｜")) {
			i = end
			continue
		}
		if slices.ContainsFunc(thoughts, func(e scan.Thought) bool {
			return strings.HasPrefix(c.Text[i:], e.Open) || endsOpenThought(e) && strings.HasPrefix(c.Text[i:], e.Close)
		}) {
			return true
		}
		if _, ok := c.toolMark(i); ok {
			return true
		}
		t, ok := c.TagAt(i)
		if !ok || !isWrapper(t.Name) || t.Closing && t.Written == tag {
			return false
		}
		i = t.End
	}
	return false
}

// mostWrappers bounds how many tags are looked at after the end of a call.
const mostWrappers = 8

// isLost reports whether the text at c.Pos is within a call: its end, or that of an
// argument, follows before another call begins.
func (c *cursor) isLost() bool {
	end := c.Index("</", c.Pos)
	t, ok := c.TagAt(end)
	return ok && (slices.Contains(callElements, t.Name) || isArgumentTag(t.Name)) &&
		end < min(c.Index("<function=", c.Pos), c.Index("<invoke", c.Pos), c.Index("<tool_call", c.Pos))
}
