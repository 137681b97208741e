// Package redact hides values in events, logs and traces. Write a [Rule] that says which values to
// hide, make one [Redactor] of it with [New], and give that to everything that writes:
//
//	r := redact.New(rule)
//	orchestrator.Events(r.Events(sink))           // events
//	orchestrator.Events(orchestrator.CycleLog(file, r, nil)) // the log of cycles
//	tool.Use(middleware.LogRedacted(logger, r.Call))    // the log of calls
//
// The rule decides by tool and place. The Redactor finds these places in a call however a
// model wrote it: in text, misspelled, wrapped, repaired, or as a step of a plan. It
// replaces everything that it cannot read with the text "redacted": arguments and results
// of unknown tools, arguments without a clear place, texts that seem to contain an
// unreadable call, implausible names, errors that may quote a hidden value, pieces of an
// answer, media, and events of unknown types.
//
// A value that is hidden in one place is hidden in all others, too. A Redactor remembers
// the hidden values of each run, for all that share it. It first collects everything that
// an event hides and then writes the event, so the order within an event does not matter.
// When another process continues a run, its Redactor collects the values again from the
// journal of the run ([run.RunClaimed]).
//
// It recognizes a value that has at least 6 bytes of letters and digits, also
//
//   - in another case, or with other spaces, dashes and punctuation
//   - as a number instead of a text, or the other way around
//   - inside a longer text or a name
//   - escaped as in JSON, Go, JavaScript, URLs or HTML; with tags in it; in base64 or
//     hexadecimal; as a list of bytes or of pieces; and in up to three of these forms,
//     one inside the other
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
//   - values that were written before the rule first hid them. An event that contains "my
//     number is 445550100" is not taken back when a later result hides the number. A log
//     of cycles writes a cycle when it ends, and hides every value hidden until then.
//
// A Redactor remembers 65,536 values of a run, where a text of more than 48 bytes counts once for
// each 24, and replaces all texts and numbers of a run that has more. It remembers the 4,096 runs
// that were used last, and 262,144 values in all. Calls outside of a run share one memory, which is
// cleared when it is full.
//
// The journal of a run, its result and state, and what models see are not redacted.
package redact

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/runtime/run"
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
//	/note         note to the model about an output
//	/description  of a step of a plan
//	/goal         of a plan
//	/text…        what a model said, also as the result of a step without a tool
//	/reasoning    what a model thought
//	/answer…      of a run
//	/message      message to a run; in a prompt, also a line and a quoted value
//
// If it replaces a text with a text, the words that both contain are not hidden elsewhere; nor
// are texts that it leaves unchanged in a value. If it panics, the value is hidden. A rule may be
// called several times for the same value, and must be safe for concurrent use.
type Rule func(tool, pointer string, value json.RawMessage) json.RawMessage

// Redactor applies a rule to everything that leaves a program, and remembers the hidden
// values of each run. It is safe for concurrent use. A nil Redactor hides nothing.
type Redactor struct {
	rule     Rule
	memories memories
	catalogs catalogs
}

// New returns a Redactor for a rule, or nil if the rule is nil.
func New(rule Rule) *Redactor {
	if rule == nil {
		return nil
	}
	return &Redactor{rule: rule}
}

// Withheld replaces an event of an unknown type.
type Withheld struct{ Type string }

// Events returns a sink that redacts events with [Redactor.Event] and passes them on.
func (r *Redactor) Events(sink func(context.Context, run.Event)) func(context.Context, run.Event) {
	if r == nil || sink == nil {
		return sink
	}
	return func(ctx context.Context, e run.Event) { sink(ctx, r.Event(e)) }
}

// Event returns an event without what must be hidden, after Learn. It does not change e.
func (r *Redactor) Event(e run.Event) run.Event {
	if r == nil {
		return e
	}
	x := r.newPass(e.Run, e.Tools)
	r.learnEvent(x, e)
	e.What = x.redactEvent(e.What)
	return e
}

// Learn remembers what the rule hides in an event. Sinks that keep events and write them
// later, with Event, hide what became known in between.
func (r *Redactor) Learn(e run.Event) {
	if r != nil {
		r.learnEvent(r.newPass(e.Run, e.Tools), e)
	}
}

// Call returns a redacted copy of a call. The definition is that of its tool, and empty if there
// is none. The run is that of the call's context, or otherwise the one in the ID of the call.
func (r *Redactor) Call(ctx context.Context, c *tool.Call, d tool.Definition) *tool.Call {
	if r == nil || c == nil {
		return c
	}
	x := r.passForCall(ctx, c.ID, d)
	x.collectHidden(func() { x.redactCall(c) })
	return x.redactCall(c)
}

// Request returns a redacted copy of a request, in the same way as [Redactor.Call].
func (r *Redactor) Request(ctx context.Context, request tool.Request, d tool.Definition) tool.Request {
	if r == nil {
		return request
	}
	x := r.passForCall(ctx, request.ID, d)
	x.collectHidden(func() { x.redactRequest(request) })
	return x.redactRequest(request)
}

// Questions returns redacted copies of questions that the function of a call asks. The definition is that of
// its tool.
func (r *Redactor) Questions(ctx context.Context, request tool.Request, d tool.Definition, questions []tool.Question) []tool.Question {
	if r == nil {
		return questions
	}
	x := r.passForCall(ctx, request.ID, d)
	x.collectHidden(func() { x.redactQuestions(request.Name, questions) })
	return x.redactQuestions(request.Name, questions)
}

func (r *Redactor) newPass(run string, tools []tool.Definition) *pass {
	return &pass{rule: r.rule, catalog: r.catalogs.catalogFor(tools), memory: r.memories.memoryFor(run)}
}

func (r *Redactor) passForCall(ctx context.Context, id string, d tool.Definition) *pass {
	e, ok := run.EventFrom(ctx)
	if !ok {
		e.Run = runIDOf(id)
	}
	tools := e.Tools
	if d.Name != "" && !slices.ContainsFunc(tools, func(of tool.Definition) bool { return of.Name == d.Name }) {
		tools = append([]tool.Definition{d}, tools...)
	}
	return r.newPass(e.Run, tools)
}

// runIDOf returns the run in the ID of a call, or "" if the call belongs to no run. A run ID has no
// slash.
func runIDOf(id string) string {
	of, _, inRun := strings.Cut(id, "/")
	if !inRun {
		return ""
	}
	return of
}

// learnEvent collects what an event hides. If a worker claims the run, it also collects what the
// earlier events hide.
func (r *Redactor) learnEvent(x *pass, e run.Event) {
	if claimed, ok := e.What.(run.RunClaimed); ok && x.memory.markRead(claimed.Earlier) {
		for _, earlier := range claimed.Earlier {
			y := &pass{rule: x.rule, catalog: x.catalog, memory: x.memory}
			if earlier.Tools != nil { // of an agent
				y.catalog = r.catalogs.catalogFor(earlier.Tools)
			}
			y.collectHidden(func() { y.redactEvent(earlier.What) })
		}
	}
	x.collectHidden(func() { x.redactEvent(e.What) })
}

// collectHidden calls walk in collecting mode, in which values are remembered instead of hidden.
func (x *pass) collectHidden(walk func()) {
	x.collecting = true
	walk()
	x.collecting = false
}
