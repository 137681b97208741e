package repair

import (
	"encoding/json"
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/tool"
)

// ErrNoCall is the error of [Requests] for a text that calls no tool, also one
// that only talks about calls.
var ErrNoCall error = &Error{code: "no_call", Message: "there is no tool call in the text"}

// Requests returns the calls of tools in a text that a model wrote, in its
// order: in the tags and tokens of their vendors, in JSON of many shapes, fenced
// or in prose, in Python, and as "Action:" and "Action Input:". Calls that are
// written twice are two calls.
//
// The definitions, which need not be given, are those of the tools that the
// model was offered. They tell calls from what looks like some, and give values
// that have no types, as in XML, those of the schema. An object with nothing but the
// name of one of them and an object that is arguments of it is a call, whatever the
// members are called. Names of other tools are returned too: the registry knows what
// to say of them.
//
// Text that only talks about calls has none: what is in quotes or backticks within
// a line, in a quoted line or a comment, in a fence that is a program, or in a block
// of Python. Nor has what follows a result, for the model made that up. What may be
// a call, or a part of a string, is refused.
//
// If the text was cut off, all calls in it have Truncated set. Text without marks
// around it, as behind "Action Input:", does not show that; the finish reason of the
// reply does. An error is [ErrNoCall], or about each call that cannot be read and
// each schema that was needed and cannot be used, and then comes with the calls
// that could be read.
func Requests(text string, definitions ...tool.Definition) ([]tool.Request, error) {
	if len(text) > maxSize {
		return nil, errorOf(tooLong, text)
	}
	requests, text, failures := readCalls(text, definitions)
	if len(requests) == 0 && len(failures) == 0 {
		return nil, ErrNoCall
	}
	all := make([]error, len(failures))
	for i, f := range failures {
		all[i] = errorOf(f, text)
	}
	return requests, errors.Join(all...)
}

// readCalls returns the calls in a text, and why others cannot be read: the places
// of that are in the text that is returned.
func readCalls(text string, definitions []tool.Definition) ([]tool.Request, string, []*failure) {
	for _, mark := range []string{"<escape>", `<|"|>`} { // FunctionGemma, Gemma 4
		text = requoted(text, mark)
	}
	c := newCaller(text, definitions)
	c.read()
	if len(c.requests) == 0 && len(c.broken) == 0 {
		return nil, text, nil
	}
	c.cut = c.cut || endsInMark(text)
	for i := range c.requests {
		c.requests[i].Truncated = c.cut
	}
	return c.requests, text, append(c.unusable, c.broken...)
}

// read reads the calls in envelopes; if there are none, those that are JSON; if
// there are none, those of Python.
func (c *caller) read() {
	start := c.pos
	for _, read := range []func(){c.enveloped, c.values, c.lines} {
		c.pos, c.cut = start, false
		if read(); len(c.requests) > 0 || len(c.broken) > 0 {
			return
		}
	}
}

// requoted returns text with JSON strings instead of text between marks.
func requoted(text, mark string) string {
	parts := strings.Split(text, mark)
	if last := len(parts) - 1; len(parts)%2 == 0 { // it was cut off
		parts[last] = strings.TrimSuffix(jsontext.Quote(parts[last]), `"`)
	}
	for i := 1; i < len(parts)-1; i += 2 {
		parts[i] = jsontext.Quote(parts[i])
	}
	return strings.Join(parts, "")
}

// caller finds calls in a text.
type caller struct {
	*reader
	offered  map[string]*offer // by name
	requests []tool.Request
	broken   []*failure
	data     *quotation          // where marks may be none; nil as long as there were no marks
	aside    []jsontext.Span     // what is not said to the program
	unusable []*failure          // why schemas that were needed cannot be used
	check    *jsonschema.Checker // of arguments against schemas; nil before
}

// An offer is what is known of a tool. Its schema is read when it is needed: most
// calls are JSON, which has types.
type offer struct {
	input      json.RawMessage
	schema     *jsonschema.Schema
	parameters []string // in the order of the schema
}

func newCaller(text string, definitions []tool.Definition) *caller {
	c := &caller{reader: newReader(text, afterThoughts(text), len(text)), offered: map[string]*offer{}}
	for _, d := range definitions {
		c.offered[d.Name] = &offer{input: d.Input}
	}
	return c
}

// mostBroken bounds how many calls that cannot be read are reported.
const mostBroken = 16

// reject records a call that cannot be read.
func (c *caller) reject(at int, message string) {
	if len(c.broken) < mostBroken {
		c.broken = append(c.broken, &failure{code: codeBroken, at: at, message: message})
	}
}

// add adds a call. No arguments are none; where one of them is missing, the call
// cannot be read.
func (c *caller) add(id, name string, arguments *jsontext.Node) {
	request := tool.Request{ID: id, Name: c.name(name)}
	if arguments != nil {
		if hole := holeIn(arguments); hole != nil {
			c.reject(int(hole.Start), "in the arguments of a call of "+cut(name)+", "+missingAt(hole))
			return
		}
		request.Arguments = arguments.Append(nil)
	}
	c.requests = appended(c.requests, request)
}

// name returns the name of a tool without what models add to it, unless the
// tool is called so.
func (c *caller) name(name string) string {
	if c.offered[name] != nil {
		return name
	}
	name = strings.TrimPrefix(strings.TrimPrefix(name, "call:"), "default_api.") // Gemma, Gemini
	name = strings.TrimSuffix(name, ".call")                                     // Llama
	i := strings.LastIndexByte(name, ':')
	numbered := i > 0 && i+1 < len(name) && strings.Trim(name[i+1:], "0123456789") == "" // Kimi
	if numbered {
		name = name[:i]
	}
	short := strings.TrimPrefix(name, "functions.")
	if numbered || c.offered[short] != nil {
		return short
	}
	return name
}

// knows tells whether a tool was offered.
func (c *caller) knows(name string) bool { return c.offered[c.name(name)] != nil }

// offer returns what is known of a tool: nothing, if it was not offered.
func (c *caller) offer(name string) offer {
	o := c.offered[c.name(name)]
	if o == nil {
		return offer{}
	}
	if o.input != nil {
		s, bad := parseSchema(o.input)
		switch {
		case bad != nil:
			bad.message = cut(name) + ": " + bad.message
			c.unusable = append(c.unusable, bad)
		case s != nil && s.Properties != nil:
			for _, p := range s.Properties {
				o.parameters = append(o.parameters, p.Name)
			}
		}
		o.schema, o.input = s, nil
	}
	return *o
}

// isName tells whether a tool may be called so.
func isName(name string) bool {
	return len(name) <= 256 && strings.ContainsFunc(name, unicode.IsLetter) && !strings.ContainsAny(name, " \t\r\n\"'`<>{}()[],;=")
}

// unsaid returns the end of what is not said to the program, if that begins at i;
// else 0.
func (c *caller) unsaid(i int) int {
	if e, ok := markAt(c.text, i); ok && e.aside {
		return c.behind(e, i)
	}
	return 0
}

// behind returns the end of an envelope that opens at i.
func (c *caller) behind(e envelope, i int) int {
	if e.close == "" {
		return c.end
	}
	return min(c.end, c.index(e.close, i)+len(e.close))
}

// enveloped reads the calls in envelopes.
func (c *caller) enveloped() {
	for c.pos < c.end {
		switch e, ok := c.opened(); {
		case !ok:
			c.pos++
		case e.aside:
			end := c.behind(e, c.pos)
			c.aside = append(c.aside, jsontext.Span{Start: int32(c.pos), End: int32(end)})
			c.pos = end
		case within(c.quotation().doubtful, c.pos):
			c.reject(c.pos, "what "+e.open+" begins may be a call, or a part of the string before it")
			c.pos++
		default:
			c.envelope(e)
		}
	}
}

// opened returns the envelope that opens at c.pos, if it is not talked about and
// no data.
func (c *caller) opened() (e envelope, ok bool) {
	if !opensMark[c.text[c.pos]] {
		return envelope{}, false
	}
	if e, ok = markAt(c.text, c.pos); !ok {
		e, ok = c.toolMark(c.pos)
	}
	quoted := !e.aside && c.isQuoted(e) || e.list && c.byteAt(c.pos+len(e.open)) != '['
	return e, ok && !quoted && !within(c.quotation().certain, c.pos)
}

// envelope reads the calls in an envelope that opens at c.pos.
func (c *caller) envelope(e envelope) {
	start, requests, broken := c.pos, len(c.requests), len(c.broken)
	if !e.kept {
		c.pos += len(e.open)
	}
	c.payload(e)
	c.pos = max(c.pos, start+1)
	end := c.pos
	if strings.HasPrefix(c.text[end:], e.close) {
		end += len(e.close)
	}
	if c.isMentioned(start, end) {
		c.requests, c.broken = c.requests[:requests], c.broken[:broken]
		c.aside = append(c.aside, jsontext.Span{Start: int32(start), End: int32(end)})
	}
}

// toolMark returns the envelope that opens at i if it is an element that is called
// like a tool: <get_weather><city>…
func (c *caller) toolMark(i int) (envelope, bool) {
	if len(c.offered) == 0 {
		return envelope{}, false
	}
	t, ok := c.tagAt(i)
	if !ok || t.closing || t.value != "" || c.offered[t.written] == nil {
		return envelope{}, false
	}
	b, closing := c.byteAt(c.blank(t.end)), "</"+t.written+">"
	if b != '<' && b != '{' || c.index(closing, t.end) == c.end {
		return envelope{}, false // it is only talked about
	}
	return envelope{open: c.text[i:t.end], close: closing, kept: true}, true
}

// quotation returns the strings of values and of calls.
func (c *caller) quotation() *quotation {
	if c.data == nil {
		var steps int
		c.data, steps = quotationOf(c.text, c.offered)
		c.steps += steps
	}
	return c.data
}

// isQuoted tells whether the mark at c.pos is in backticks: it is talked about.
func (c *caller) isQuoted(e envelope) bool {
	return c.pos > 0 && c.text[c.pos-1] == '`' && c.byteAt(c.pos+len(e.open)) == '`'
}

// values reads the calls in the JSON values of the text.
func (c *caller) values() {
	f := newFinder(c.text, c.pos, nil)
	f.find()
	c.steps += f.steps
	for _, d := range f.found {
		if within(c.aside, d.from) || c.isMentioned(d.from, d.to) {
			continue
		}
		if c.shape(d.value, false) || d.to == c.end { // it was to become one
			c.cut = c.cut || d.cut
		}
	}
	requests := len(c.requests)
	if bad := f.failed; bad.failure != nil && bad.value != nil && c.shape(bad.value, false) { // as far as it was read
		c.requests = c.requests[:requests]
		c.reject(bad.failure.at, bad.failure.message)
	}
}

// isMentioned tells whether text[from:to] is in quotes or backticks within a line,
// or in a line that is quoted: it is talked about.
func (c *caller) isMentioned(from, to int) bool {
	line := strings.TrimRight(c.text[:from], "> \t")
	if strings.Contains(c.text[len(line):from], ">") && (line == "" || line[len(line)-1] == '\n') {
		return true
	}
	_, size := utf8.DecodeLastRuneInString(c.text[:from])
	q, end := c.quoteAt(from-size), c.quoteAt(to)
	if size == 0 || q.size == 0 || end.size == 0 || !q.class.closedBy(end.class) {
		return false
	}
	before := strings.TrimRight(c.text[:from-size], " \t`")
	behind := strings.TrimLeft(c.text[to+end.size:], " \t\r`")
	return before != "" && before[len(before)-1] != '\n' || behind != "" && behind[0] != '\n'
}
