package failure

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/ask"
	"github.com/aiongen/aiongen/runtime/wire"
)

// Record is an error in JSON. The names are stable.
type Record struct {
	Type      string       `json:"type"` // in Go, without the package if it is one of package tool
	Code      string       `json:"code,omitempty"`
	Text      string       `json:"text"`
	ModelText string       `json:"model_text,omitempty"` // where that is another
	Retryable bool         `json:"retryable,omitempty"`
	Tool      string       `json:"tool,omitempty"`
	Nearest   []string     `json:"nearest,omitempty"`
	Packages  []string     `json:"packages,omitempty"` // that have a tool of one name
	Faults    []wire.Fault `json:"faults,omitempty"`
	Count     int          `json:"count,omitempty"`   // of faults
	Pointer   string       `json:"pointer,omitempty"` // of what could not be written
	Variable  string       `json:"variable,omitempty"`
	Value     string       `json:"value,omitempty"` // of a panic
	Stack     string       `json:"stack,omitempty"`
	Context   string       `json:"context,omitempty"` // code of the error of package context that it wraps
	Cause     *Record      `json:"cause,omitempty"`

	Questions []ask.Question `json:"questions,omitempty"`
	Given     []ask.Answer   `json:"given,omitempty"`  // to other questions
	Nobody    bool           `json:"nobody,omitempty"` // answers
}

// longestKept bounds, in bytes, what is kept of a text of others: that an error is long must
// not keep anybody from knowing what came of a call.
const longestKept = 64 << 10

// contextErrors are found again with errors.Is.
var contextErrors = []error{context.Canceled, context.DeadlineExceeded}

// Record returns the record of an error; nil of none.
func (t Types) Record(err error) *Record {
	if err == nil {
		return nil
	}
	if e, ok := err.(*restored); ok {
		return e.record
	}
	r := &Record{Type: fmt.Sprintf("%T", err), Code: t.Code(err), Text: words.Cut(err.Error(), longestKept), Retryable: t.Retryable(err)}
	f, ok := t.Of(err)
	if !ok {
		if told := words.Cut(ownText(err), longestKept); told != r.Text {
			r.ModelText = told
		}
		if i := slices.IndexFunc(contextErrors, func(target error) bool { return errors.Is(err, target) }); i >= 0 {
			r.Context = t.Code(contextErrors[i])
		}
		return r
	}
	r.Type, r.Tool, r.Nearest, r.Faults, r.Count = kinds[f.Kind].name, f.Tool, f.Nearest, f.Faults, f.Count
	r.Pointer, r.Variable, r.Stack, r.Cause = f.Pointer, f.Variable, string(f.Stack), t.Record(f.Cause)
	r.Questions, r.Given, r.Nobody = f.Questions, f.Given, f.Nobody
	if f.Packages != [2]string{} {
		r.Packages = f.Packages[:]
	}
	if f.Kind == Panic {
		r.Value, r.ModelText = words.Cut(fmt.Sprint(f.Value), longestKept), f.Says
	}
	return r
}

// Error returns the error that was recorded; nil if r is nil. One whose type is known
// only where it was made is one with the same text, code and so on.
func (t Types) Error(r *Record) error {
	if r == nil {
		return nil
	}
	for kind := range kinds {
		if kind == 0 || kinds[kind].name != r.Type {
			continue
		}
		f := Failure{
			Kind: Kind(kind), Tool: r.Tool, Nearest: r.Nearest, Faults: r.Faults, Count: r.Count, Pointer: r.Pointer, Variable: r.Variable,
			Value: r.Value, Stack: []byte(r.Stack), Says: r.ModelText, Cause: t.Error(r.Cause),
			Questions: r.Questions, Given: r.Given, Nobody: r.Nobody,
		}
		copy(f.Packages[:], r.Packages)
		if f.Cause == nil && f.Kind != Argument && f.Kind != Ask && f.Kind != UnknownOutcome { // the record may not come from here
			f.Cause = t.restore(r)
		}
		return t.Make(f)
	}
	return t.restore(r)
}

// restore returns an error that says and tells what the recorded one did.
func (t Types) restore(r *Record) error {
	e := &restored{record: r}
	for _, target := range contextErrors {
		if r.Context == t.Code(target) {
			if r.Text == target.Error() {
				return target
			}
			e.cause = target
		}
	}
	return e
}

// restored stands for an error whose type is known only where it was made.
type restored struct {
	record *Record
	cause  error // of package context, if it wrapped one
}

func (e *restored) Error() string   { return e.record.Text }
func (e *restored) Code() string    { return e.record.Code }
func (e *restored) Retryable() bool { return e.record.Retryable }
func (e *restored) Unwrap() error   { return e.cause }

// ModelText returns what the recorded error told a model.
func (e *restored) ModelText() string { return cmp.Or(e.record.ModelText, e.record.Text) }
