package calls

import (
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/repair/internal/reader"
	"github.com/aiongen/aiongen/runtime/repair/internal/scan"
)

// The names of XML elements in calls, by what they contain.
var (
	callElements      = []string{"function", "invoke", "function_call", "tool_call"} // a call; the tag may contain the name of the tool
	nameElements      = []string{"tool_name", "name", "function_name"}               // the name of the tool
	argumentsElements = []string{"parameters", "arguments", "args", "input"}         // all arguments
	argumentElements  = []string{"parameter", "param", "argument", "arg"}            // one argument
)

// callBody is the state of reading a call whose arguments are XML elements.
type callBody struct {
	name        string
	tag         string         // the name of the element that contains the call; "" for any of callElements
	json        *jsontext.Node // the arguments, if they are JSON
	values      []elementValue
	keys        map[string]bool // the keys in values
	key         string          // the last <arg_key>
	keyEnd      int             // the position after key, if its value has not been read yet; otherwise 0
	inArguments bool            // an element with all arguments is open
	closed      bool            // the end tag of the call was read
	start       int
}

// elementValue is an argument of a call, written as an element.
type elementValue struct {
	key  string
	raw  string
	tag  scan.Tag
	at   int
	next int // the position after the element
	tags int // number of end tags inside the content
}

// readBody reads the elements that are the arguments of a call, and the end tag of the call.
func (c *callReader) readBody(name, tag string) bool {
	c.inElement = true
	b := callBody{name: name, tag: tag, start: c.Pos, keys: map[string]bool{}}
	for more := true; more && c.Err == nil; {
		more = c.readPart(&b)
	}
	if c.Err == nil && b.keyEnd > 0 && !c.Cut {
		c.rejectCall(b.keyEnd, "in the arguments of a call of "+reader.CutShown(b.name)+", the value of "+reader.CutShown(jsontext.Quote(b.key))+" is missing")
		return true
	}
	if c.Err == nil && b.json != nil && len(b.values) > 0 {
		c.Fail(reader.Ambiguous, b.values[0].at, "this argument follows arguments in JSON: it may be part of something else"+asJSON)
	}
	if c.Err == nil && !c.Cut {
		c.checkSpaces(&b)
		if c.Err == nil && !b.closed {
			c.Fail(reader.Broken, b.start, "a call has no end tag"+asJSON)
		}
	}
	if c.Err != nil {
		return false
	}
	if !isName(b.name) {
		c.rejectCall(b.start, "a call has no name")
		return true
	}
	c.addCall("", b.name, c.bodyArguments(&b))
	c.elements++
	c.inElement = false
	return true
}

// bodyArguments returns the arguments of a call; nil if there are none.
func (c *cursor) bodyArguments(b *callBody) *jsontext.Node {
	if b.json != nil || len(b.values) == 0 {
		return b.json
	}
	isWrapped := !slices.ContainsFunc(b.values, func(v elementValue) bool { return !v.hasWrapping() || !v.isWrapped() })
	n := c.NewNode(jsontext.Object, b.start)
	for _, v := range b.values {
		text := v.raw
		if isWrapped {
			text = unwrapLine(text)
		}
		m := c.typedText(v.at, text, reader.PropertyOf(c.findOffer(b.name).schema, v.key))
		if v.tag.Text {
			m.Kind, m.Text = jsontext.String, jsontext.Quote(text)
		}
		m.Key = reader.QuoteText(v.key)
		n.Add(m)
	}
	return n
}

// unwrapLine returns a value without the line break before it and the one after it.
func unwrapLine(raw string) string {
	if text, ok := strings.CutPrefix(raw, "\r\n"); ok {
		return strings.TrimSuffix(strings.TrimSuffix(text, "\n"), "\r")
	}
	return strings.TrimSuffix(strings.TrimPrefix(raw, "\n"), "\n")
}

// isWrapped reports whether the value and its tags are on separate lines.
func (v elementValue) isWrapped() bool {
	return len(v.raw) > 1 && startsLine(v.raw) && strings.HasSuffix(v.raw, "\n")
}

// hasWrapping reports whether the line breaks around the value belong to the format, as in Qwen's
// "<parameter=a>\nvalue\n</parameter>".
func (v elementValue) hasWrapping() bool { return v.tag.Value != "" && !v.tag.Named }

// mayHaveWrapping reports whether line breaks around the value may belong to the format, so that they are not
// part of the value.
func (v elementValue) mayHaveWrapping() bool {
	return v.hasWrapping() || v.tag.Value == "" && v.tag.Name != "arg_value"
}

func startsLine(text string) bool {
	return strings.HasPrefix(text, "\n") || strings.HasPrefix(text, "\r\n")
}

// checkSpaces fails if the line breaks between and around the arguments are inconsistent. In that
// case, an apparent argument may be part of the value of another argument.
func (c *cursor) checkSpaces(b *callBody) {
	for _, v := range b.values {
		if strings.HasPrefix(v.raw, "<![CDATA[") {
			c.Fail(reader.Ambiguous, v.at, "CDATA may be part of the value of "+reader.CutShown(v.key)+": write the value as it is")
			return
		}
	}
	if !c.isRegular(b.values) {
		c.Fail(reader.Ambiguous, b.start, "the line breaks around the arguments of this call differ, so that an argument may be part of another one"+asJSON)
	}
}

// isRegular reports whether the values are written alike: all or none of them have line breaks around them, and
// all or none of them begin on a new line.
func (c *cursor) isRegular(values []elementValue) bool {
	wrapped, halves, lines, joints, tags := 0, 0, 0, 0, 0
	for _, v := range values {
		tags += v.tags
		starts, ends := startsLine(v.raw), strings.HasSuffix(v.raw, "\n")
		switch {
		case starts != ends || v.raw == "\n":
			halves++
		case v.isWrapped() && v.mayHaveWrapping():
			wrapped++
		}
		if c.ByteAt(v.next) == '<' {
			joints++
		} else if blanks := c.Text[v.next:c.SkipBlanks(v.next)]; strings.IndexByte(blanks, '\n') >= 0 {
			lines++
		}
	}
	switch {
	case halves > 1, tags > 0 && lines == 0, lines > 0 && joints > 0, len(values) == 1 && values[0].raw == "\n":
		return false
	}
	return wrapped == 0 || wrapped == len(values) && joints == 0 && values[0].hasWrapping()
}

// readPart reads the next part of a call: JSON, an element or an end tag. It returns false if the call ends.
func (c *callReader) readPart(b *callBody) bool {
	c.Pos = c.SkipBlanks(c.Pos)
	if c.EndsInTag(c.Pos) {
		c.Cut = true
		return false
	}
	if c.Text[c.Pos] == '{' && len(b.values) == 0 && b.json == nil {
		c.readJSONArguments(b)
		return true
	}
	t, ok := c.TagAt(c.Pos)
	switch {
	case !ok:
		if (len(b.values) > 0 || b.keyEnd > 0) && !c.endsCall(c.Pos, "") || b.json == nil && c.isLost() {
			c.Fail(reader.Broken, c.Pos, "there is text between the arguments of a call")
		}
		return false
	case t.Closing:
		return c.readEndTag(b, t)
	case !b.inArguments && slices.Contains(callElements, t.Name):
		return false
	}
	return c.readElementPart(b, t)
}

// readEndTag reads the end tag at c.Pos, and reports whether the call may continue after it. It does not read an
// end tag that does not belong to the call.
func (c *cursor) readEndTag(b *callBody, t scan.Tag) bool {
	if isArgumentTag(t.Name) && !b.inArguments {
		c.Fail(reader.Ambiguous, c.Pos, "this end tag may be part of a value"+asJSON)
		return false
	}
	ofArguments := slices.Contains(argumentsElements, t.Name)
	if ofArguments || slices.Contains(callElements, t.Name) || t.Name == b.name || t.Written == b.name {
		c.Pos = t.End
		b.closed = !ofArguments && (b.tag == "" || t.Name == b.tag)
	}
	b.inArguments = false
	return ofArguments
}

// readElementPart reads the element that the tag at c.Pos opens: the name of the call, or the name or the value of
// an argument. It returns false if the call cannot continue with this element.
func (c *cursor) readElementPart(b *callBody, t scan.Tag) bool {
	switch {
	case slices.Contains(nameElements, t.Name) && b.name == "":
		b.name = c.readName(t)
	case t.Name == "arg_key":
		if b.keyEnd > 0 {
			return false
		}
		b.key = c.readName(t)
		b.keyEnd = c.Pos
	case t.Name == "arg_value" && b.keyEnd == 0:
		c.Fail(reader.Broken, c.Pos, "an argument of a call has no name")
		return false
	case t.Name == "arg_value":
		c.readArgument(b, b.key, t)
		b.keyEnd = 0
	case t.Value != "" && !slices.Contains(argumentElements, t.Name):
		c.Fail(reader.Broken, c.Pos, "this tag does not belong to an argument"+asJSON)
		return false
	case t.Value != "":
		c.readArgument(b, t.Value, t)
	case slices.Contains(argumentsElements, t.Name) && !b.inArguments:
		c.Pos, b.inArguments = t.End, true
	default:
		c.readArgument(b, t.Name, t)
	}
	return true
}

// readJSONArguments reads all arguments of a call as JSON.
func (c *callReader) readJSONArguments(b *callBody) {
	b.json, _ = c.readValue()
	if c.marked {
		c.Fail(reader.Ambiguous, c.Pos, unclearStrings)
	}
}

// isArgumentTag reports whether elements with this name contain one argument, or all of them.
func isArgumentTag(name string) bool {
	return slices.Contains(argumentElements, name) || slices.Contains(argumentsElements, name) || name == "arg_value" || name == "arg_key"
}

// readName reads an element that contains a name.
func (c *cursor) readName(t scan.Tag) string {
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
	c.Fail(reader.Broken, t.End, "a name in a call has no end tag"+asJSON)
	return ""
}

// failExtra fails and returns true if a tag has an unknown attribute, as in <invoke name="f" city="Rome">,
// because the attribute may be an argument.
func (c *cursor) failExtra(t scan.Tag) bool {
	if t.Extra != "" {
		c.Fail(reader.Broken, c.Pos, "the attribute "+reader.CutShown(t.Extra)+" of this tag may be an argument"+asJSON)
	}
	return t.Extra != ""
}

// readArgument reads an element whose content is an argument.
func (c *cursor) readArgument(b *callBody, key string, t scan.Tag) {
	at := c.Pos
	if c.failExtra(t) {
		return
	}
	if b.keys[key] {
		c.Fail(reader.Ambiguous, at, reader.CutShown(key)+" is given twice: one may be part of a value"+asJSON)
		return
	}
	if !c.isParameter(b.name, key) {
		c.Fail(reader.Ambiguous, at, reader.CutShown(b.name)+" has no parameter "+reader.CutShown(key)+", so that this may be part of a value")
		return
	}
	if len(b.values) > 0 && b.values[0].tag.Named != t.Named {
		c.Fail(reader.Ambiguous, at, "this argument has another form than those before it, so that it may be part of a value"+asJSON)
		return
	}
	if raw, tags, ok := c.readContent(b, key, t); ok {
		b.values = append(b.values, elementValue{key, raw, t, at, c.Pos, tags})
		b.keys[key] = true
	}
}

// isParameter reports whether a tool may have the parameter key. Any key is possible if the schema of the tool is
// unknown or allows additional members.
func (c *cursor) isParameter(name, key string) bool {
	s := c.findOffer(name).schema
	if s == nil || s.Additional == nil || !s.Additional.Never || s.Property(key) != nil {
		return true
	}
	return slices.ContainsFunc(c.findOffer(name).parameters, func(p string) bool { return words.FoldName(p) == words.FoldName(key) })
}

// readContent reads an element up to its end and returns its content. The format has no escapes, so the content
// may contain end tags with the name of the element. An end tag ends the element only if the call can continue or
// end after it. It belongs to the content if text follows it in its line, or if the content contains the matching
// opening tag. tags is the number of end tags in the content that text follows. readContent fails if it is
// unclear whether a tag is part of the content.
func (c *cursor) readContent(b *callBody, key string, t scan.Tag) (text string, tags int, ok bool) {
	opening, closing := "<"+t.Written, "</"+t.Written
	depth, seen := 0, 0
	for i := t.End; ; seen++ {
		end := c.nextTag(closing, i)
		open := c.openingBefore(opening, i, end)
		place := min(end, open)
		var next int
		var complete bool // the tag at place
		if place == end {
			next = end + len(closing) + 1
			complete = c.ByteAt(next-1) == '>'
		} else {
			next = open + len(opening)
			complete = c.TagEnd(open) > 0
		}
		switch {
		case place == c.End:
			text, ok = c.readUnclosed(key, t, depth, seen)
			return text, tags, ok
		case !complete:
			if c.EndsInTag(place) {
				c.Cut, c.Pos = true, c.End
				return c.Text[t.End:], tags, true
			}
			return c.failUnclear(key, place)
		case open < end && c.SkipBlanks(t.End) == open:
			return c.failUnclear(key, open)
		case open < end:
			depth++
		case c.repeatsTag(closing, next), depth > 0 && c.endsCallAfter(b, next):
			return c.failUnclear(key, end)
		case depth > 0:
			depth--
		case c.endsArgument(b, t, next):
			c.Pos = next
			return c.Text[t.End:end], tags, true
		case strings.IndexByte("\r\n", c.ByteAt(next)) >= 0, c.ByteAt(c.SkipBlanks(next)) == '<':
			return c.failUnclear(key, end)
		default:
			tags++
		}
		i = next
	}
}

// repeatsTag reports whether a tag that starts with begin is at i, after blanks.
func (c *cursor) repeatsTag(begin string, i int) bool {
	i = c.SkipBlanks(i)
	return i < c.End && strings.HasPrefix(c.Text[i:], begin)
}

// failUnclear fails because it is unclear whether the tag at place belongs to a value.
func (c *cursor) failUnclear(key string, place int) (text string, tags int, ok bool) {
	c.Fail(reader.Ambiguous, place, "this tag may be part of the value of "+reader.CutShown(key)+", or not"+asJSON)
	return "", 0, false
}

// nextTag returns the position of the first tag that starts with begin, such as "</a", at or after i. It returns
// c.End if there is no such tag.
func (c *cursor) nextTag(begin string, i int) int {
	for {
		if i = c.Index(begin, i); i == c.End || !isTagName(c.ByteAt(i+len(begin))) {
			return i
		}
		i += len(begin)
	}
}

// openingBefore is like nextTag, but ignores tags at or after end.
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

// readUnclosed reads a value without an end tag, as in a text that was cut off. It fails if the
// call has an end tag: in that case, the model forgot the end tag of the value, and the end of the
// value is unknown.
func (c *cursor) readUnclosed(key string, t scan.Tag, depth, tags int) (text string, ok bool) {
	ends := tags > 0 && depth == 0
	for _, name := range callElements {
		ends = ends || c.Index("</"+name+">", t.End) < c.End || c.Index("</"+strings.TrimSuffix(t.Written, t.Name)+name+">", t.End) < c.End
	}
	if ends {
		c.Fail(reader.Ambiguous, t.End, "the value of "+reader.CutShown(key)+" contains a tag or has no end tag"+asJSON)
		return "", false
	}
	c.Cut, c.Pos = true, c.End
	return c.Text[t.End:], true
}

// endsArgument reports whether the next argument or the end of the call is at i.
func (c *cursor) endsArgument(b *callBody, t scan.Tag, i int) bool {
	i = c.SkipBlanks(i)
	if c.EndsInTag(i) {
		return true
	}
	next, ok := c.TagAt(i)
	switch {
	case !ok:
		return c.Text[i] != '<' && c.endsCall(i, "")
	case next.Closing && b.inArguments && slices.Contains(argumentsElements, next.Name):
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

// endsCallAfter reports whether the end tag of the call is at i and the text after it may follow a call; see
// endsCall.
func (c *cursor) endsCallAfter(b *callBody, i int) bool {
	t, ok := c.TagAt(c.SkipBlanks(i))
	isEnd := t.Name == b.tag || b.tag == "" && slices.Contains(callElements, t.Name) || b.name != "" && t.Written == b.name
	return ok && t.Closing && isEnd && c.endsCall(t.End, t.Written)
}

// isKey reports whether t is the tag <arg_key> of an argument that is written as
// <arg_key>name</arg_key><arg_value>.
func (c *cursor) isKey(t scan.Tag) bool {
	end := c.Index("</arg_key>", t.End)
	if end > t.End+longestLabel || strings.ContainsAny(c.Text[t.End:end], "<\n") {
		return false
	}
	value := c.SkipBlanks(end + len("</arg_key>"))
	return value >= c.End || strings.HasPrefix(c.Text[value:], "<arg_value>") || c.EndsInTag(value)
}

// endsCall reports whether the text at i may follow the end tag of a call. It may be the end of
// the text, the end of an element around calls, another call, or a result, but not a second end tag
// with the same name.
func (c *cursor) endsCall(i int, tag string) bool {
	for range maxWrappers {
		if i = c.SkipBlanks(i); i >= c.End || c.EndsInTag(i) || c.fenceRun(i) != "" {
			return true
		}
		if _, ok := markAt(c.Text, i); ok {
			return true
		}
		if end := c.tokenEnd(i); end > 0 && opensToken(c.Text[i:]) {
			i = end
			continue
		}
		if opensThoughtMark(c.Text[i:]) {
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

// opensThoughtMark reports whether text starts with the opening or closing mark of a thought.
func opensThoughtMark(text string) bool {
	return slices.ContainsFunc(thoughtMarks, func(e scan.ThoughtMarks) bool {
		return strings.HasPrefix(text, e.Open) || endsOpenThought(e) && strings.HasPrefix(text, e.Close)
	})
}

// maxWrappers is the maximum number of tags and tokens that endsCall skips.
const maxWrappers = 8

// isLost reports whether the text at c.Pos seems to be inside a call: the next end tag belongs to a call or an
// argument, and no other call begins before it.
func (c *cursor) isLost() bool {
	end := c.Index("</", c.Pos)
	t, ok := c.TagAt(end)
	return ok && (slices.Contains(callElements, t.Name) || isArgumentTag(t.Name)) &&
		end < min(c.Index("<function=", c.Pos), c.Index("<invoke", c.Pos), c.Index("<tool_call", c.Pos))
}
