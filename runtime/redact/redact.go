// Package redact keeps values out of events, logs and traces. Write a [Rule] that says
// which values to hide, make one [Redactor] of it with [New], and give that to everything
// that writes:
//
//	r := redact.New(rule)
//	orchestrator.Events(r.Events(sink))           // events
//	orchestrator.Events(cyclelog.New(file, r, nil)) // the log of cycles
//	tool.Use(toollog.Redacted(logger, r.Call))    // the log of calls
//
// The rule goes by tool and place, and the Redactor finds the places in calls however a
// model wrote them: in text, misspelled, wrapped, repaired, as steps of a plan. It replaces
// what it cannot read by the text "redacted": arguments and results of unknown tools,
// arguments that have no clear place, texts that seem to contain a call that nobody can
// read, implausible names, errors that may quote something hidden, pieces of an answer,
// media, and events of unknown types.
//
// A value that is hidden in one place is hidden in all others, too. A Redactor remembers
// the hidden values of each run, for all that share it. It first collects everything that
// an event hides and then writes the event, so the order within an event does not matter.
// When a process goes on with a run, the Redactor collects the values again from what the
// journal has of the run ([record.Claimed]).
//
// It recognizes a value that has at least 6 bytes of letters and digits, also
//
//   - in another case, or with other spaces, dashes and punctuation
//   - as a number instead of a text, or the other way around
//   - inside a longer text or a name
//   - escaped as in JSON, Go, JavaScript, URLs or HTML; with tags in it; in base64 or
//     hexadecimal; as a list of bytes or of pieces; and in three layers of these
//
// It recognizes parts of a hidden text where they identify something (numbers, words with
// a digit or an @) and where they are long: 47 letters and digits in a row of a text that
// has at least 48. A text or name that contains a hidden value is replaced as a whole.
//
// It does not recognize
//
//   - values with fewer than 6 bytes of letters and digits, unless they have 6 bytes of
//     punctuation; true and false
//   - paraphrases, translations, other parts of a value, values that are spread over
//     several members or texts, other accents, and other encodings and encryptions
//   - values in IDs of runs, steps and calls, which are always shown
//   - what was written before the rule first hid the value. An event that says "my number
//     is 445550100" is not taken back when a later result hides the number. Package
//     cyclelog writes a cycle when it ends, and hides what was hidden until then.
//
// A Redactor remembers 65,536 values of a run, where a text of more than 48 bytes counts
// for each 24, and replaces all texts and numbers of a run that has more. It remembers the
// 4,096 runs that were used last, and 262,144 values in all. Calls that are of no run share
// a memory, which starts again when it is full.
//
// The journal of a run, its result and state, and what models see are not redacted.
//
// Its layers, from top to bottom:
//
//	redact    what takes a rule
//	event     what events tell
//	plan      plans
//	call      calls, and what went wrong
//	exchange  what functions say and are told beside that
//	said      what models wrote
//	argument  arguments, by the schemas of tools
//	value     values, from the outside in
//	suspect   what is hidden in what nobody can read
//	rule      a rule, and what was hidden before
//	collect   what is hidden in values
//	memory    what was hidden in a run
//	catalog   what is known of the tools
package redact

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/runtime/run/record"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Rule returns what to show instead of a value: the value itself, or other JSON. It is
// called for every value, and for the values in it only if it returns the value itself. It
// gets the name of the tool that the value belongs to, if there is one, and a JSON Pointer:
//
//	/arguments…   arguments of a call, as the tool has them
//	/output…      result of a call
//	/error        text of an error, of a call or of the run
//	/approval     approval that a call was made with
//	/meta…        of a call, by name
//	/answers…     answers that a call was made with, by number
//	/questions…   questions that its function asks, by number
//	/progress     what a function reports of its progress
//	/log          what a function logs
//	/content…     what a function attaches to its result, by number
//	/reply…       what a function replies to its caller, by name
//	/note         note to the model beside an output
//	/description  of a step of a plan
//	/goal         of a plan
//	/text…        what a model said, also as the result of a step without a tool
//	/reasoning    what a model thought
//	/answer…      of a run
//	/message      message to a run
//
// If it returns a text for a text, the words that both have are not hidden elsewhere; nor
// are texts that it leaves in a value. If it panics, the value is hidden. A rule may be
// called several times for the same value, and must be safe for concurrent use.
type Rule func(tool, pointer string, value json.RawMessage) json.RawMessage

// Redactor applies a rule to everything that leaves a program, and remembers the hidden
// values of each run. It is safe for concurrent use. A nil Redactor hides nothing.
type Redactor struct {
	rule     Rule
	memories memories
	catalogs catalogs
}

// New returns a Redactor for a rule; nil if the rule is nil.
func New(rule Rule) *Redactor {
	if rule == nil {
		return nil
	}
	return &Redactor{rule: rule}
}

// Withheld is shown instead of an event of a type that this package does not know.
type Withheld struct{ Type string }

// Events returns a sink that passes events on to another one as [Redactor.Event] returns
// them.
func (r *Redactor) Events(sink func(context.Context, record.Event)) func(context.Context, record.Event) {
	if r == nil || sink == nil {
		return sink
	}
	return func(ctx context.Context, e record.Event) { sink(ctx, r.Event(e)) }
}

// Event returns an event without what must be hidden, after Learn. It does not change e.
func (r *Redactor) Event(e record.Event) record.Event {
	if r == nil {
		return e
	}
	x := r.newPass(e.Run, e.Tools)
	x.learn(e)
	e.What = x.what(e.What)
	return e
}

// Learn remembers what the rule hides in an event. Sinks that keep events and write them
// later, with Event, hide what became known in between.
func (r *Redactor) Learn(e record.Event) {
	if r != nil {
		r.newPass(e.Run, e.Tools).learn(e)
	}
}

// Call returns the record of a call without what must be hidden. The definition is that of
// its tool, and empty if there is none. The run is that of the context of the call, or else
// the one that the ID of the call names. Call does not change c.
func (r *Redactor) Call(ctx context.Context, c *tool.Call, d tool.Definition) *tool.Call {
	if r == nil || c == nil {
		return c
	}
	x := r.ofCall(ctx, c.ID, d)
	x.collect(func() { x.call(c) })
	return x.call(c)
}

// Request returns a request without what must be hidden, and else does what
// [Redactor.Call] does.
func (r *Redactor) Request(ctx context.Context, request tool.Request, d tool.Definition) tool.Request {
	if r == nil {
		return request
	}
	x := r.ofCall(ctx, request.ID, d)
	x.collect(func() { x.request(request) })
	return x.request(request)
}

func (r *Redactor) newPass(run string, tools []tool.Definition) *pass {
	return &pass{rule: r.rule, catalog: r.catalogs.of(tools), memory: r.memories.of(run)}
}

func (r *Redactor) ofCall(ctx context.Context, id string, d tool.Definition) *pass {
	e, ok := record.EventFrom(ctx)
	if !ok {
		e.Run = runOf(id)
	}
	tools := e.Tools
	if d.Name != "" && !slices.ContainsFunc(tools, func(of tool.Definition) bool { return of.Name == d.Name }) {
		tools = append([]tool.Definition{d}, tools...)
	}
	return r.newPass(e.Run, tools)
}

// runOf returns the run that the ID of a call names: it is run/step/number.
func runOf(id string) string {
	for range 2 {
		i := strings.LastIndexByte(id, '/')
		id = id[:max(i, 0)]
	}
	return id
}

// learn collects what an event hides, and what the events hide that came before a worker
// claimed the run.
func (x *pass) learn(e record.Event) {
	if claimed, ok := e.What.(record.Claimed); ok && x.memory.reads(claimed.Earlier) {
		for _, earlier := range claimed.Earlier {
			y := &pass{rule: x.rule, catalog: x.catalog, memory: x.memory}
			y.collect(func() { y.what(earlier.What) })
		}
	}
	x.collect(func() { x.what(e.What) })
}

// collect has walk collect what it meets, instead of hiding it.
func (x *pass) collect(walk func()) {
	x.collecting = true
	walk()
	x.collecting = false
}
