// Package redact hides values in events, logs and traces. Write a [Rule] that says which values to
// hide, make one [Redactor] of it with [New], and give that to everything that writes:
//
//	r := redact.New(rule)
//	orchestrator.Events(r.Events(sink))           // events
//	orchestrator.Events(orchestrator.CycleLog(file, r, nil)) // the log of cycles
//	tool.Use(middleware.LogRedacted(logger, r.Call))    // the log of calls
//
// The rule decides by the name of the tool and a JSON Pointer to the value, such as
// /arguments/phone. The Redactor finds these values however a model wrote the call: in text,
// misspelled, wrapped, repaired, or as a step of a plan. It replaces everything that it cannot
// read with the text "redacted": arguments and results of unknown tools, arguments that match
// no parameter, texts that seem to contain an unreadable call, implausible names, errors that
// may quote a hidden value, chunks of a streamed answer, media, and events of unknown types.
//
// A value that is hidden once is hidden wherever else it occurs in the run. A Redactor remembers
// the hidden values of each run, so give the same Redactor to all writers. It first collects all
// values that the rule hides in an event and then redacts the event, so the order within an event
// does not matter. When another process continues a run, its Redactor collects the values again
// from the journal of the run ([run.RunClaimed]).
//
// The Redactor recognizes a hidden value that has at least 6 bytes of letters and digits, even if
// it occurs
//
//   - in another case, or with other spaces, dashes and punctuation
//   - as a number instead of a text, or the other way around
//   - inside a longer text or a name
//   - escaped as in JSON, Go, JavaScript, URLs or HTML
//   - with HTML tags in it, in base64 or hexadecimal, or as a list of bytes or substrings
//   - in up to three of these encodings, one inside the other
//
// It also recognizes parts of a hidden text: numbers, words with a digit or an @, and, if the text
// has at least 48 letters and digits, any 47 of them in a row. A text or name that contains a hidden
// value is replaced as a whole.
//
// It does not recognize
//
//   - the values true and false
//   - values with fewer than 6 bytes of letters and digits, unless they have at least 6 bytes
//     together with their punctuation
//   - paraphrases, translations and other parts of a value, values that are spread over several
//     members or texts, values with other accents (Jose instead of José), and other encodings
//     and encryptions
//   - values in IDs of runs, steps and calls, which are always shown
//   - values that were written before the rule first hid them. For example, an event that
//     contains "my number is 445550100" stays as it was written even if the rule later hides
//     that number in a result. A log of cycles writes each cycle at its end, so it also hides
//     values that the rule first hid during the cycle.
//
// A Redactor remembers up to 65,536 values of a run, and replaces all texts and numbers of a run
// that has more. A text of 48 bytes or more counts as one value for each 24 bytes. A Redactor
// remembers the 4,096 most recently used runs, and 262,144 values in total. Calls outside of a run
// share one memory, which is cleared when it is full.
//
// The journal of a run, its result and state, and the input of models are not redacted.
package redact

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Rule returns the JSON to show in place of a value: the value itself, or other JSON. It is called
// for every value. If it returns an object or array unchanged, it is also called for the values in
// it. It receives the name of the tool, which is empty for values that belong to no tool, and a JSON
// Pointer to the value:
//
//	/arguments…   arguments of a call, with the names that the tool declares
//	/output…      result of a call
//	/error        text of an error of a call or of the run
//	/approval     approval of a call
//	/meta…        metadata of a call, by key
//	/answers…     answers that a call received to its questions, by index
//	/questions…   questions that the function of a tool asks, by index
//	/progress     progress message of a function
//	/log          log message of a function
//	/content…     attachments of a result, by index
//	/reply…       metadata that a function returns to its caller, by key
//	/note         note to the model about a result
//	/description  description of a step of a plan
//	/goal         goal of a plan
//	/text…        text that a model wrote, or the result of a step without a tool
//	/reasoning    reasoning of a model
//	/answer…      answer of a run
//	/message      message to a run; in a prompt, also each line and each quoted value
//
// If the rule replaces a text with another text, the words that both contain are not hidden
// elsewhere. If it changes only parts of an object or array, the texts that it leaves there are not
// hidden elsewhere either. If it panics, the value is hidden. A rule may be called several times
// for the same value, and must be safe for concurrent use.
type Rule func(tool, pointer string, value json.RawMessage) json.RawMessage

// Redactor applies a rule to events, calls and prompts, and remembers the hidden values of each
// run. It is safe for concurrent use. A nil Redactor hides nothing.
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

// Withheld replaces the content of an event whose type this package does not know. Type is the name
// of that type.
type Withheld struct{ Type string }

// Events returns a sink that redacts events with [Redactor.Event] and passes them on.
func (r *Redactor) Events(sink func(context.Context, run.Event)) func(context.Context, run.Event) {
	if r == nil || sink == nil {
		return sink
	}
	return func(ctx context.Context, e run.Event) { sink(ctx, r.Event(e)) }
}

// Event calls [Redactor.Learn] and returns a redacted copy of an event. It does not change e.
func (r *Redactor) Event(e run.Event) run.Event {
	if r == nil {
		return e
	}
	x := r.newPass(e.Run, e.Tools)
	r.learnEvent(x, e)
	e.What = x.redactEvent(e.What)
	return e
}

// Learn remembers the values that the rule hides in an event. A sink that stores events, to redact
// them later with Event, should call Learn for each event at once. Event then also hides values that
// the rule first hid in a later event.
func (r *Redactor) Learn(e run.Event) {
	if r != nil {
		r.learnEvent(r.newPass(e.Run, e.Tools), e)
	}
}

// Call returns a redacted copy of a call. Pass the definition of the tool, or an empty one if the
// tool is unknown. Call finds the run in the context, or else in the ID of the call.
func (r *Redactor) Call(ctx context.Context, c *tool.Call, d tool.Definition) *tool.Call {
	if r == nil || c == nil {
		return c
	}
	x := r.passForCall(ctx, c.ID, d)
	x.collectHidden(func() { x.redactCall(c) })
	return x.redactCall(c)
}

// Request returns a redacted copy of a request. The arguments are the same as those of
// [Redactor.Call].
func (r *Redactor) Request(ctx context.Context, request tool.Request, d tool.Definition) tool.Request {
	if r == nil {
		return request
	}
	x := r.passForCall(ctx, request.ID, d)
	x.collectHidden(func() { x.redactRequest(request) })
	return x.redactRequest(request)
}

// Questions returns redacted copies of the questions that a tool's function asks during the call of
// a request. The other arguments are the same as those of [Redactor.Call].
func (r *Redactor) Questions(ctx context.Context, request tool.Request, d tool.Definition, questions []tool.Question) []tool.Question {
	if r == nil {
		return questions
	}
	x := r.passForCall(ctx, request.ID, d)
	x.collectHidden(func() { x.redactQuestions(request.Name, questions) })
	return x.redactQuestions(request.Name, questions)
}

// newPass returns a pass over an event or call of a run with these tools.
func (r *Redactor) newPass(run string, tools []tool.Definition) *pass {
	return &pass{rule: r.rule, catalog: r.catalogs.catalogFor(tools), memory: r.memories.memoryFor(run)}
}

func (r *Redactor) passForCall(ctx context.Context, id string, d tool.Definition) *pass {
	e, ok := run.EventFrom(ctx)
	if runID, _, inRun := strings.Cut(id, "/"); inRun && !ok { // the ID of a call of a run begins with that of the run
		e.Run = runID
	}
	tools := e.Tools
	if d.Name != "" && !slices.ContainsFunc(tools, func(other tool.Definition) bool { return other.Name == d.Name }) {
		tools = append([]tool.Definition{d}, tools...)
	}
	return r.newPass(e.Run, tools)
}

// learnEvent remembers the values that the rule hides in an event. A [run.RunClaimed] contains the
// earlier events of the run, whose hidden values it remembers, too.
func (r *Redactor) learnEvent(x *pass, e run.Event) {
	if claimed, ok := e.What.(run.RunClaimed); ok && x.memory.markRead(claimed.Earlier) {
		for _, earlier := range claimed.Earlier {
			y := &pass{rule: x.rule, catalog: x.catalog, memory: x.memory}
			if earlier.Tools != nil { // an agent that carried out a call has other tools
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
