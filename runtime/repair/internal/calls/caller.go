package calls

import (
	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/repair/internal/reader"
	"github.com/aiongen/aiongen/runtime/repair/internal/report"
	"github.com/aiongen/aiongen/runtime/repair/internal/tree"
	"github.com/aiongen/aiongen/runtime/tool"
)

// caller finds calls in a text.
type caller struct {
	cursor
	requests     []tool.Request
	broken       []*report.Failure
	elements     int                 // how many of the requests have arguments without escapes
	interrupted  int                 // place of the text that follows calls, or nowhere
	doubtful     int                 // before this place, what looks like a call may be part of a value
	reread       int                 // steps spent on reading again before doubtful
	inElement    bool                // the arguments of the call that is being read have no escapes
	afterThought bool                // thought skipped the end of a thought that began before the text
	inLine       bool                // a call comes before c.Pos in the line
	block        int                 // indentation of the block of Python that is open
	list         int                 // indentation of the list item that is open
	fence        string              // the fence that is open
	fenced       [3]int              // requests, failures and elements before it
	noFence      int                 // fences with this many backticks have no end after c.Pos; 0 if unknown
	loose        bool                // a malformed value was repaired
	payloadStart int                 // requests and failures before the payload
	inFence      bool                // a fence is open in the payload
	program      bool                // the open fence has something other than calls
	check        *jsonschema.Checker // of arguments against schemas; nil before
}

func newCaller(text string, from int, tools *offers) *caller {
	return &caller{cursor: cursor{Reader: reader.New(text, from, len(text)), offers: tools}, interrupted: nowhere, block: noBlock, list: noBlock}
}

// mostBroken bounds how many calls that cannot be read are reported.
const mostBroken = 16

// reject records a call that cannot be read.
func (c *caller) reject(at int, message string) {
	if len(c.broken) < mostBroken {
		c.broken = append(c.broken, &report.Failure{Code: report.Broken, At: at, Message: message})
	}
}

// dropDoubtful drops the calls if one of them has arguments without escapes or was repaired,
// because what could not be read may belong to it.
func (c *caller) dropDoubtful() {
	if c.elements > 0 || c.loose {
		c.requests = nil
	}
}

// add adds a call. No arguments are none; where one of them is missing, the call
// cannot be read.
func (c *caller) add(id, name string, arguments *jsontext.Node) {
	request := tool.Request{ID: id, Name: c.name(name)}
	if arguments != nil {
		if twice := arguments.Repeated(); twice != nil {
			c.reject(int(twice.KeySpan.Start), "in a call of "+report.Cut(name)+", the argument "+report.Cut(twice.Name())+" is given twice")
			return
		}
		if hole := tree.HoleIn(arguments); hole != nil {
			c.reject(int(hole.Start), "in the arguments of a call of "+report.Cut(name)+", "+tree.Missing(hole))
			return
		}
		request.Arguments = arguments.Append(nil)
	}
	c.requests = append(c.requests, request)
}

// mention drops the calls so far: text follows them. It keeps the reports of those that
// cannot be read: nobody knows where they end.
func (c *caller) mention() {
	if len(c.requests) > 0 && c.interrupted == nowhere {
		c.interrupted = c.Pos
	}
	c.requests, c.elements = c.requests[:0], 0
	c.Cut = false
}

// nowhere is the place of what is not in the text.
const nowhere = -1

// forget drops all that was read: it was a thought.
func (c *caller) forget() {
	c.requests, c.broken, c.elements = nil, nil, 0
	c.Cut, c.inLine, c.interrupted, c.doubtful, c.block = false, false, nowhere, 0, noBlock
	c.list = noBlock
	c.fence, c.program = "", false
}
