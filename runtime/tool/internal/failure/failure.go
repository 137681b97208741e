// Package failure says what the errors of calls are called, what they tell people and
// a model, and what they look like in JSON: see [Failure] and its table. Package tool
// has their types; each is one Failure, and is made of one again.
//
// Its layers, from top to bottom:
//
//	record           errors as they are in JSON
//	tell             what is told of errors, also of those that are no failures
//	failure, inside  the table; what of a panic nobody is told
package failure

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/ask"
	"github.com/aiongen/aiongen/runtime/internal/result"
	"github.com/aiongen/aiongen/runtime/wire"
)

// Failure is what an error of package tool has in it. Which fields it has is for its
// Kind.
type Failure struct {
	Kind     Kind
	Tool     string    // its name
	Variable string    // its name
	Nearest  []string  // names of tools that may have been meant
	Packages [2]string // import paths of those that have a tool of the name; "" is none
	Faults   []wire.Fault
	Count    int    // of all faults
	Pointer  string // of what could not be written
	Value    any    // of a panic
	Stack    []byte
	Says     string // what a model may be told of a panic
	Cause    error

	Questions []ask.Question // that have no answer
	Given     []ask.Answer   // to others
	Nobody    bool           // nobody answers
}

// Kind is which of the errors it is. The zero Kind is none.
type Kind uint8

// The kinds of errors.
const (
	UnknownTool Kind = iota + 1
	Duplicate
	Argument
	Truncated
	Tool
	Denied
	Approval
	Scope
	Panic
	Output
	Definition
	Ask
	UnknownOutcome
)

// kinds has the name of the type of each kind, and its code; both are stable.
var kinds = [...]struct{ name, code string }{
	UnknownTool: {"UnknownToolError", "unknown_tool"},
	Duplicate:   {"DuplicateError", "duplicate_tool"},
	Argument:    {"ArgumentError", "invalid_arguments"},
	Truncated:   {"TruncatedError", "truncated"},
	Tool:        {"ToolError", "tool_failed"},
	Denied:      {"DeniedError", "denied"},
	Approval:    {"ApprovalError", "needs_approval"},
	Scope:       {"ScopeError", "scope"},
	Panic:       {"PanicError", "panic"},
	Output:      {"OutputError", "invalid_output"},
	Definition:  {"DefinitionError", "invalid_definition"},
	Ask:         {"AskError", "needs_answer"},

	UnknownOutcome: {"UnknownOutcomeError", "unknown_outcome"},
}

// longestName is how much of a name that somebody wrote is told again, in bytes.
const longestName = 64

// Text is what the error says to people.
func (f Failure) Text() string {
	switch f.Kind {
	case UnknownTool:
		text := "unknown tool " + strconv.Quote(words.Cut(f.Tool, longestName))
		if len(f.Nearest) > 0 {
			text += ", did you mean " + words.List(f.Nearest, " or ") + "?"
		}
		return text
	case Duplicate:
		return f.duplicate()
	case Argument:
		text := f.Tool + ": wrong arguments"
		if faults := strings.Join(f.faults(), "; "); faults != "" {
			text += ": " + faults
		}
		if f.Cause != nil {
			text += "; no repair: " + f.Cause.Error()
		}
		return text
	case Truncated:
		return f.Tool + ": the request was cut off, its arguments may be incomplete"
	case Tool:
		return f.Tool + ": " + f.Cause.Error()
	case Denied:
		return f.Tool + ": the call is not allowed"
	case Approval:
		return f.Tool + ": the call needs the approval of a person"
	case Scope:
		if f.Variable == "" {
			return f.Cause.Error()
		}
		return "variable " + strconv.Quote(words.Cut(f.Variable, longestName)) + ": " + f.Cause.Error()
	case Panic:
		return f.Tool + ": panic: " + fmt.Sprint(f.Value)
	case Output:
		place := f.Pointer
		if place != "" {
			place += ": "
		}
		return f.Tool + ": the result cannot be written: " + place + f.Cause.Error()
	case Definition:
		return fmt.Sprintf("tool %q cannot be registered: %s", f.Tool, strings.ReplaceAll(f.Cause.Error(), "\n", "; "))
	case Ask:
		return f.asks()
	case UnknownOutcome:
		return f.unknownOutcome()
	}
	return ""
}

func (f Failure) duplicate() string {
	text := "a tool " + strconv.Quote(f.Tool) + " is registered already"
	first, second := f.Packages[0], f.Packages[1]
	switch {
	case first != second:
		return text + ": by " + cmp.Or(first, "hand") + ", and now by " + cmp.Or(second, "hand") + "; tool.Prefix and tool.Rename give other names"
	case first != "":
		return text + ", by " + first
	}
	return text
}

// asks says what is asked, and of whom nobody answers, if that is so.
func (f Failure) asks() string {
	switch {
	case !f.Nobody:
		return f.Tool + ": waits for an answer: " + f.questions()
	case f.Cause != nil:
		return f.Tool + ": nobody answers: " + f.questions() + ": " + f.Cause.Error()
	}
	return f.Tool + ": there is nobody to answer: " + f.questions()
}

// longestQuestion bounds what is told of a question that has no answer, in bytes.
const longestQuestion = 1000

// questions says each of them, quoted, for whoever wrote it: it may have text of others.
func (f Failure) questions() string {
	texts := make([]string, len(f.Questions))
	for i, q := range f.Questions {
		texts[i] = strconv.Quote(words.Cut(q.String(), longestQuestion))
	}
	return strings.Join(texts, " and ")
}

// unknownOutcome says that nobody knows whether the call ran, and why.
func (f Failure) unknownOutcome() string {
	const text = "it is not known whether the call ran"
	if f.Cause == nil {
		return text
	}
	return text + ": " + f.Cause.Error()
}

// bullet is between lines of what a model is told.
const bullet = "\n- "

// faults says each of them, and how many more there are.
func (f Failure) faults() []string {
	texts := make([]string, len(f.Faults))
	for i, fault := range f.Faults {
		texts[i] = fault.String()
	}
	return words.First(texts, f.Count)
}

// told is what a model is told of the error: what was wrong, and what to do instead.
// What comes of its cause, or of a panic, is in says. It is "" for what is no failure
// of a call.
func (f Failure) told(says string) string {
	switch f.Kind {
	case UnknownTool:
		text := fmt.Sprintf("There is no tool %q.", words.Cut(f.Tool, longestName))
		if len(f.Nearest) > 0 {
			return text + " Did you mean " + words.List(f.Nearest, " or ") + "?"
		}
		return text + " Call only tools that you were offered, by their exact names."
	case Argument:
		return "The arguments of " + f.Tool + " were wrong, and it did not run. Send the call again with all arguments, and these mended:" + bullet + strings.Join(f.faults(), bullet)
	case Truncated:
		return "The call of " + f.Tool + " was cut off, and it did not run. Send it again, whole; keep the arguments short."
	case Denied:
		return "You may not call " + f.Tool + ". Do not call it again; go on without it, or say that it is needed."
	case Approval:
		return "The call of " + f.Tool + " waits for the approval of a person. Do not call it again until it is given."
	case Ask:
		return f.toldAsking(says)
	case UnknownOutcome:
		return "It is not known whether the call ran" + says + ". Do not repeat it unless running it twice does no harm; check first whether it ran."
	case Scope:
		if f.Variable == "" {
			return "The call failed since there is no place for a variable that it needs. Do not call it again."
		}
		return fmt.Sprintf("The variable %q cannot be used for this.", words.Cut(f.Variable, longestName))
	case Tool:
		return f.Tool + " failed" + says
	case Panic:
		if says != "" {
			return f.Tool + " failed: " + says + "\nThe same call again will not help; call it with other arguments, or go on without it."
		}
		return f.Tool + " failed" + ownFault
	case Output:
		return f.Tool + f.noOutput()
	}
	return ""
}

// toldAsking is what a model is told of a question without an answer: whom it is to, and
// what is to be done without.
func (f Failure) toldAsking(says string) string {
	if !f.Nobody {
		return f.Tool + " asks: " + f.questions() + ". The call waits for the answer, which is not for you to give. Do not call it again until it is there."
	}
	return f.Tool + " asked: " + f.questions() + ". Nobody can answer that here" + says + ". The same call again will not help; go on without it, or say that the answer is needed."
}

// ownFault is what is told where there is nothing that may be.
const ownFault = " by a fault of its own. The same call again will not help; go on without it."

// noOutput is what a model is told of a result that there is not.
func (f *Failure) noOutput() string {
	switch {
	case result.IsLong(f.Cause):
		return " ran, but its result is too long: " + f.Cause.Error() + ". Do not call it again with the same arguments; ask for less."
	case result.IsNothing(f.Cause):
		return " ran without an error, and returned nothing: there may be nothing of what its arguments say. The same call again will not help."
	}
	return " ran, but its result could not be passed on. Do not call it again with the same arguments."
}
