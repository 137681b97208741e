package wire

import (
	"encoding/json"
	"fmt"

	"github.com/aiongen/aiongen/runtime/wire/internal/faults"
)

// This file has what package tool alone calls, beside [Fits]: generated code gets its
// root [Value] and its [Encoder] from a tool.Invocation.

// Limits bound what reading arguments and writing a result costs.
type Limits struct {
	Arguments int // bytes
	Depth     int // of arguments
	Output    int // bytes
}

// Read scans the arguments of a call, {} for none, with a Decoder that is zero or done. The root is absent if they are
// no JSON, or beyond a limit; that is recorded as the only fault. Without
// variables, nothing is a reference; toValues lets references stand also for what
// JSON could carry.
func (d *Decoder) Read(arguments []byte, l *Limits, vars Variables, toValues bool) (root Value) {
	if len(arguments) > l.Arguments {
		d.tooLong("", l.Arguments, fmt.Sprintf("%d bytes", len(arguments)))
		return Value{}
	}
	text := "{}"
	if len(arguments) > 0 {
		text = d.texts.Copy(arguments)
	}
	if !d.scan(text, l.Depth) {
		return Value{}
	}
	if vars != nil {
		d.vars = vars
		var simple func(string) string
		if toValues {
			simple = d.simple
		}
		if !d.tape.Resolve(l.Output, simple) {
			d.tooLong("references to variables of ", l.Output, "more")
			return Value{}
		}
	}
	return Value{place{d: d}}
}

// Done returns the faults that were found, the first 64 of them in the order of the text,
// and the count of all, and whether a variable was read. The values must not be used any more.
func (d *Decoder) Done() (found []Fault, count int, referred bool) {
	if count, referred = d.faults.Count(), d.referred; count > 0 {
		for _, f := range d.faults.Sorted() {
			found = append(found, Fault(f))
		}
	}
	d.tape.Reset()
	if d.vars != nil || count > 0 {
		d.vars, d.referred, d.faults = nil, false, faults.List{}
	}
	d.missed = d.missed[:0]
	return found, count, referred
}

// Start begins a result of at most so many bytes; vars keep what JSON cannot carry.
func (e *Encoder) Start(limit int, vars Variables) {
	e.text.Start(limit)
	if e.vars != vars {
		e.vars = vars
	}
}

// Done returns a copy of what was written, or the error that it cannot be with
// the JSON Pointer of where.
func (e *Encoder) Done() (output json.RawMessage, pointer string, err error) { return e.text.Done() }
