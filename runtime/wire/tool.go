package wire

import (
	"encoding/json"
	"fmt"
)

// The functions in this file are for package tool. Generated code gets its root [Value] and its [Encoder]
// from a tool.Invocation.

// Limits limit the cost of reading arguments and writing a result.
type Limits struct {
	Arguments int // maximum length of the arguments, in bytes
	Depth     int // maximum depth of the arguments
	Output    int // maximum length of the result, in bytes
}

// Read scans the arguments of a call; empty arguments count as {}. The Decoder must be zero, or Done must have
// been called. If the arguments are not JSON or exceed a limit, Read records only that fault, and the root is
// absent. If vars is nil, nothing is a reference. If toValues is true, references may also replace values that
// JSON can represent.
func (d *Decoder) Read(arguments []byte, l *Limits, vars Variables, toValues bool) (root Value) {
	if len(arguments) > l.Arguments {
		d.recordTooLong("", l.Arguments, fmt.Sprintf("%d bytes", len(arguments)))
		return Value{}
	}
	text := "{}"
	if len(arguments) > 0 {
		text = d.texts.copyText(arguments)
	}
	if b := d.tape.Scan(text, l.Depth); b != nil {
		d.faults.countFault()
		d.addFault(placeOf(0), b.Pointer, b.Expected, b.Found)
		return Value{}
	}
	if vars != nil {
		d.variables = vars
		var simple func(string) string
		if toValues {
			simple = d.formatVariable
		}
		if !d.tape.Resolve(l.Output, simple) {
			d.recordTooLong("references to variables of ", l.Output, "more")
			return Value{}
		}
	}
	return Value{place{d: d}}
}

// Done returns the first 64 faults in the order of the text, and the number of all faults. opaque is true if
// encoding/json might write some value differently from the arguments, for example because it was converted or came
// from a variable. The values of the arguments must not be used afterward.
func (d *Decoder) Done() (found []Fault, count int, opaque bool) {
	if count, opaque = d.faults.countAll(), d.readOpaque; count > 0 {
		found = d.faults.sortedFaults()
	}
	d.tape.Reset()
	if d.variables != nil || count > 0 || opaque {
		d.variables, d.readOpaque, d.faults = nil, false, faultList{}
	}
	d.names, d.inserted = d.names[:0], nil
	return found, count, opaque
}

// Start begins a result of at most limit bytes; vars store values that JSON cannot represent.
func (e *Encoder) Start(limit int, vars Variables) {
	e.text.start(limit)
	e.variant = "" // it may be set if a writer panicked
	if e.variables != vars {
		e.variables = vars
	}
}

// Done returns a copy of the result, or the error and the JSON Pointer of the value that caused it.
func (e *Encoder) Done() (output json.RawMessage, pointer string, err error) { return e.text.done() }
