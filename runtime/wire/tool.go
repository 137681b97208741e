package wire

import (
	"encoding/json"
	"fmt"
)

// Only package tool calls the functions in this file. Generated code gets its root [Value] and its [Encoder]
// from a tool.Invocation.

// Limits limit the cost of reading arguments and writing a result.
type Limits struct {
	Arguments int // bytes
	Depth     int // of arguments
	Output    int // bytes
}

// Read scans the arguments of a call; empty arguments count as {}. The Decoder must be zero or done. The root
// is absent if the arguments are not JSON or exceed a limit, which is then the only fault. Without variables,
// nothing is a reference. If toValues is true, references may also replace values that JSON can carry.
func (d *Decoder) Read(arguments []byte, l *Limits, vars Variables, toValues bool) (root Value) {
	if len(arguments) > l.Arguments {
		d.recordTooLong("", l.Arguments, fmt.Sprintf("%d bytes", len(arguments)))
		return Value{}
	}
	text := "{}"
	if len(arguments) > 0 {
		text = d.texts.copyText(arguments)
	}
	if !d.scanText(text, l.Depth) {
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

// Done returns the first 64 faults in the order of the text, the number of all faults, and whether a variable
// was read or a value converted, so that encoding/json may not write the arguments as they were. The values
// must not be used afterward.
func (d *Decoder) Done() (found []Fault, count int, opaque bool) {
	if count, opaque = d.faults.countAll(), d.readOpaque; count > 0 {
		found = d.faults.sortedFaults()
	}
	d.tape.Reset()
	if d.variables != nil || count > 0 || opaque {
		d.variables, d.readOpaque, d.faults = nil, false, faultList{}
	}
	d.missingNames, d.inserted = d.missingNames[:0], nil
	return found, count, opaque
}

// Start begins a result of at most limit bytes; vars store what JSON cannot carry.
func (e *Encoder) Start(limit int, vars Variables) {
	e.text.start(limit)
	e.variant = "" // a writer may have panicked
	if e.variables != vars {
		e.variables = vars
	}
}

// Done returns a copy of the result, or the error with the JSON Pointer of its value.
func (e *Encoder) Done() (output json.RawMessage, pointer string, err error) { return e.text.done() }
