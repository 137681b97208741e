// Package redact takes out of events, logs and traces what must not leave a run. The
// rule is one value, a [Func], that all of them take: events by [Func.Events] around a
// sink, such as that of package cyclelog; package toollog and whoever traces calls by
// [Func.Call] and [Func.Request].
//
// A rule goes by tool and place, and so do calls, however a model wrote them: in text,
// in other spellings, wrapped, repaired, as steps of a plan. What cannot be told apart
// is withheld whole, and in its place stands the text "redacted": arguments and results
// of tools that there are not, arguments in which there is no telling which is which,
// texts that seem to have a call that nobody can read, names that are none, errors that
// may quote what was hidden, pieces of an answer, and events of types that this package
// does not know.
//
// What is hidden in a run is not told by later events of it either, wherever it went: as a
// result that arguments refer to, in what another tool returned, in the words of a model.
// Names of members are hidden with it unless a schema of a tool has them.
// That holds for what one sink has seen since its process began with the run, and for
// texts and numbers of 6 bytes or more, 256 of a run, of the 4,096 runs that came last; of
// a single word, where it stands alone.
//
// What else a model says in its own words, the rule is asked about as a whole. Names and
// IDs of runs, steps and calls are told as they are. The journal of a run holds everything
// in clear.
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
//	memory    what was hidden in a run
package redact

import (
	"context"
	"encoding/json"

	"github.com/aiongen/aiongen/runtime/run/record"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Func returns what is told in the place of a value: the value itself, or other JSON. It
// is asked about every value, those in a value only if that itself may be told, by the
// name of the tool that it belongs to, if it belongs to one, and a JSON Pointer:
//
//	/arguments…   arguments of a call, as the tool has them
//	/output…      what a call came to
//	/error        the text of an error, of a call or of the run
//	/approval     that a call was made with
//	/meta…        of a call, by name
//	/answers…     that a call was made with, by number
//	/questions…   that its function asks, by number
//	/progress     what it says of how far it is
//	/log          what else it says meanwhile
//	/content…     what it attaches to its result, by number
//	/reply…       what it replies to who called, by name
//	/note         beside an output, for the model
//	/description  of a step of a plan
//	/goal         of a plan
//	/text…        what a model said; in a step that no tool does, what the step came to
//	/reasoning    what it thought
//	/answer…      of a run
//	/message      that was said to a run
//
// It must be safe for concurrent use. A nil Func tells everything.
type Func func(tool, pointer string, value json.RawMessage) json.RawMessage

// Withheld is what events tell in the place of what is of a type that is not known here.
type Withheld struct{ Type string }

// Events returns a sink that hands events on to another one, with what may be told. The
// events that it gets stay as they are.
func (f Func) Events(sink func(context.Context, record.Event)) func(context.Context, record.Event) {
	if f == nil || sink == nil {
		return sink
	}
	runs := &memories{byRun: map[string]*memory{}}
	return func(ctx context.Context, e record.Event) {
		e.What = f.event(e, runs.of(e.Run))
		if ends(e.What) {
			runs.forget(e.Run)
		}
		sink(ctx, e)
	}
}

func (f Func) event(e record.Event, m *memory) any {
	m.mu.Lock()
	defer m.mu.Unlock()
	return (&redactor{f: f, tools: e.Tools, memory: m}).what(e.What)
}

// Call returns the record of a call with what may be told of it. The definition is that
// of its tool, empty if there is none.
func (f Func) Call(c *tool.Call, d tool.Definition) *tool.Call {
	if f == nil || c == nil {
		return c
	}
	return (&redactor{f: f, tools: []tool.Definition{d}, memory: &memory{}}).call(c)
}

// Request returns a request with what may be told of it; else it is as [Func.Call].
func (f Func) Request(r tool.Request, d tool.Definition) tool.Request {
	if f == nil {
		return r
	}
	return (&redactor{f: f, tools: []tool.Definition{d}, memory: &memory{}}).request(r)
}
