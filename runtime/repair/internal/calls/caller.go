package calls

import (
	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/repair/internal/reader"
	"github.com/aiongen/aiongen/runtime/tool"
)

// callReader finds calls in a text.
type callReader struct {
	cursor
	requests     []tool.Request
	failures     []*reader.Failure
	elements     int                 // number of requests in a format without escapes, such as XML elements
	interrupted  int                 // position of the first text that followed calls, or nowhere
	doubtful     int                 // before this position, an apparent call may be part of a value
	reread       int                 // steps spent on rereading text before doubtful
	inElement    bool                // the current call is in a format without escapes
	afterThought bool                // skipThought skipped the end of a thought that began before the text
	inLine       bool                // there is a call before c.Pos in its line
	block        int                 // indentation of the open block of Python
	list         int                 // indentation of the open list item
	fence        string              // mark of the open fence
	beforeFence  [3]int              // numbers of requests, failures and elements before the fence
	noFence      int                 // no fence with this many backticks ends after c.Pos; 0 if unknown
	repaired     bool                // a malformed value was repaired
	foundBefore  int                 // number of requests and failures before the payload
	inFence      bool                // a fence is open in the payload
	program      bool                // the open fence contains something besides calls
	check        *jsonschema.Checker // checks arguments against schemas; nil before its first use
}

func newCallReader(text string, from int, tools *offeredTools) *callReader {
	return &callReader{cursor: cursor{Reader: reader.New(text, from, len(text)), offeredTools: tools}, interrupted: nowhere, block: noBlock, list: noBlock}
}

// maxBroken is the maximum number of unreadable calls that are reported.
const maxBroken = 16

// rejectCall records a call that cannot be read.
func (c *callReader) rejectCall(at int, message string) {
	if len(c.failures) < maxBroken {
		c.failures = append(c.failures, &reader.Failure{Code: reader.Broken, At: at, Message: message})
	}
}

// addCall adds a call; arguments is nil if there are none. It rejects a call with a repeated or missing argument.
func (c *callReader) addCall(id, name string, arguments *jsontext.Node) {
	request := tool.Request{ID: id, Name: c.plainName(name)}
	if arguments != nil {
		if twice := arguments.FirstRepeated(); twice != nil {
			c.rejectCall(int(twice.KeySpan.Start), "in a call of "+reader.CutShown(name)+", the argument "+reader.CutShown(twice.Name())+" is given twice")
			return
		}
		if hole := reader.HoleIn(arguments); hole != nil {
			c.rejectCall(int(hole.Start), "in the arguments of a call of "+reader.CutShown(name)+", "+reader.DescribeHole(hole))
			return
		}
		request.Arguments = arguments.Append(nil)
	}
	c.requests = append(c.requests, request)
}

// dropMentioned drops the calls so far because text follows them, so that they are only mentioned. It keeps the
// failures: the end of an unreadable call is unknown, so the text may belong to that call.
func (c *callReader) dropMentioned() {
	if len(c.requests) > 0 && c.interrupted == nowhere {
		c.interrupted = c.Pos
	}
	c.requests, c.elements = c.requests[:0], 0
	c.Cut = false
}

// nowhere is the position of something that is not in the text.
const nowhere = -1

// dropAll drops everything that was read so far, because it turned out to be a thought of the model.
func (c *callReader) dropAll() {
	c.requests, c.failures, c.elements = nil, nil, 0
	c.Cut, c.inLine, c.interrupted, c.doubtful, c.block = false, false, nowhere, 0, noBlock
	c.list = noBlock
	c.fence, c.program = "", false
}
