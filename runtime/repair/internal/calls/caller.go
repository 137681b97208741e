package calls

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/repair/internal/reader"
	"github.com/aiongen/aiongen/runtime/repair/internal/report"
	"github.com/aiongen/aiongen/runtime/repair/internal/scan"
	"github.com/aiongen/aiongen/runtime/repair/internal/tree"
	"github.com/aiongen/aiongen/runtime/tool"
)

// caller finds calls in a text.
type caller struct {
	*reader.Reader
	*offers
	requests []tool.Request
	broken   []*report.Failure
	data     *reader.Quotation   // where marks may be none; nil as long as there were no marks
	aside    []jsontext.Span     // what is not said to the program
	taken    []jsontext.Span     // what is calls, thoughts or made up
	check    *jsonschema.Checker // of arguments against schemas; nil before
}

func newCaller(text string, from int, tools *offers) *caller {
	return &caller{Reader: reader.New(text, from, len(text)), offers: tools}
}

// mostBroken bounds how many calls that cannot be read are reported.
const mostBroken = 16

// reject records a call that cannot be read.
func (c *caller) reject(at int, message string) {
	if len(c.broken) < mostBroken {
		c.broken = append(c.broken, &report.Failure{Code: report.Broken, At: at, Message: message})
	}
}

// add adds a call. No arguments are none; where one of them is missing, the call
// cannot be read.
func (c *caller) add(id, name string, arguments *jsontext.Node) {
	request := tool.Request{ID: id, Name: c.name(name)}
	if arguments != nil {
		if hole := tree.HoleIn(arguments); hole != nil {
			c.reject(int(hole.Start), "in the arguments of a call of "+report.Cut(name)+", "+tree.Missing(hole))
			return
		}
		request.Arguments = arguments.Append(nil)
	}
	c.requests = append(c.requests, request)
}

// unsaid returns the end of what is not said to the program, if that begins at i;
// else 0.
func (c *caller) unsaid(i int) int {
	if e, ok := markAt(c.Text, i); ok && e.aside {
		return c.behind(e, i)
	}
	return 0
}

// behind returns the end of an envelope that opens at i.
func (c *caller) behind(e envelope, i int) int {
	if e.close == "" {
		return c.End
	}
	return min(c.End, c.Index(e.close, i)+len(e.close))
}

// isMentioned tells whether text[from:to] is in quotes or backticks within a line,
// or in a line that is quoted: it is talked about.
func (c *caller) isMentioned(from, to int) bool {
	line := strings.TrimRight(c.Text[:from], "> \t")
	if strings.Contains(c.Text[len(line):from], ">") && (line == "" || line[len(line)-1] == '\n') {
		return true
	}
	_, size := utf8.DecodeLastRuneInString(c.Text[:from])
	q, end := c.QuoteAt(from-size), c.QuoteAt(to)
	if size == 0 || q.Size == 0 || end.Size == 0 || !q.Class.ClosedBy(end.Class) {
		return false
	}
	before := strings.TrimRight(c.Text[:from-size], " \t`")
	behind := strings.TrimLeft(c.Text[to+end.Size:], " \t\r`")
	return before != "" && before[len(before)-1] != '\n' || behind != "" && behind[0] != '\n'
}

// take notes that text[from:to] is no more than calls, or not said.
func (c *caller) take(from, to int) {
	c.taken = append(c.taken, jsontext.Span{Start: int32(from), End: int32(to)})
}

// isAlone tells whether there is nothing from a place on but what was taken, and marks.
func (c *caller) isAlone(from int) bool {
	taken := merged(c.taken)
	for i := from; i < c.End; {
		if len(taken) > 0 && i >= int(taken[0].Start) {
			i = max(i, int(taken[0].End))
			taken = taken[1:]
			continue
		}
		switch b := c.Text[i]; {
		case b == '<' && c.TagEnd(i) > 0:
			i = c.TagEnd(i)
		case b == '`' || b == '~':
			for i < c.End && (c.Text[i] == b || scan.IsWord(c.Text[i])) { // with the label of a fence
				i++
			}
		case scan.IsBlank(b) || strings.IndexByte(",;[]", b) >= 0:
			i++
		default:
			return false
		}
	}
	return true
}

// line returns the rest of the line at i.
func (c *caller) line(i int) string { return c.Text[i:max(i, c.Index("\n", i))] }

// opensCall tells whether the call of a function is at i.
func (c *caller) opensCall(i int) bool {
	start := i
	for i < c.End && (scan.IsWord(c.Text[i]) && c.Text[i] < 0x80 || c.Text[i] == '.') {
		i++
	}
	c.Steps += i - start + 1
	return i > start && !scan.IsDigit(c.Text[start]) && i < c.End && c.Text[i] == '(' && isName(c.Text[start:i])
}

// opensOffered tells whether the call of a tool that was offered is at i.
func (c *caller) opensOffered(i int) bool {
	return c.opensCall(i) && c.knows(c.Text[i:i+strings.IndexByte(c.Text[i:], '(')])
}

// within tells whether a place is in one of several spans, in their order.
func within(spans []jsontext.Span, place int) bool {
	i, _ := slices.BinarySearchFunc(spans, place, func(s jsontext.Span, place int) int { return int(s.End) - place - 1 })
	return i < len(spans) && int(spans[i].Start) <= place
}

// merged returns spans in their order, those that overlap as one.
func merged(spans []jsontext.Span) []jsontext.Span {
	slices.SortFunc(spans, func(a, b jsontext.Span) int { return cmp.Or(int(a.Start-b.Start), int(a.End-b.End)) })
	merged := spans[:0]
	for _, s := range spans {
		if last := len(merged) - 1; last >= 0 && s.Start < merged[last].End {
			merged[last].End = max(merged[last].End, s.End)
		} else {
			merged = append(merged, s)
		}
	}
	return merged
}
