package wire

import (
	"fmt"

	"github.com/aiongen/aiongen/runtime/wire/internal/slab"
	"github.com/aiongen/aiongen/runtime/wire/internal/tape"
	"github.com/aiongen/aiongen/runtime/wire/internal/write"
)

// Decoder holds the arguments of one call while they are read: their text, the
// tape of its values, and the faults that were found. Its zero value is ready for
// [Decoder.Read], and so is one after [Decoder.Done].
type Decoder struct {
	tape  tape.Tape
	texts slab.Strings

	vars     Variables // nil if nothing can be referred to
	referred bool      // a variable was read

	faults []Fault
	count  int // of all faults, also those beyond maxFaults

	// missed are the names that were asked for in vain in the objects that
	// are being read now; a message about an unknown key suggests them.
	missed []string
}

// maxFaults bounds how many faults are described. Describing one can cost as much as
// reading all arguments.
const maxFaults = 64

// Read scans the arguments of a call, {} for none. The root is absent if they are
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

// scan puts a text on the tape. If it is no JSON, that is the one fault, and false
// is returned.
func (d *Decoder) scan(text string, depth int) bool {
	if b := d.tape.Scan(text, depth); b != nil {
		d.count++
		d.add(b.Pointer, b.Expected, b.Found)
		return false
	}
	return true
}

// simple returns the JSON of a variable that has no parts, "" of others.
func (d *Decoder) simple(name string) string {
	value, _ := d.vars.Lookup(name)
	text := write.Simple(value)
	if text != "" {
		d.referred = true
	}
	return text
}

// Done returns the faults that were found, the first 64 of them and the count of
// all, and whether a variable was read. The values must not be used any more.
func (d *Decoder) Done() (faults []Fault, count int, referred bool) {
	faults, count, referred = d.faults, d.count, d.referred
	d.tape.Reset()
	if d.vars != nil || d.count > 0 {
		d.vars, d.referred, d.faults, d.count = nil, false, nil, 0
	}
	d.missed = d.missed[:0]
	return faults, count, referred
}

// Check returns what is wrong with a result that somebody else wrote, and the JSON
// Pointer of where; nil if it is JSON of at most so many bytes.
func Check(result []byte, limit int) (pointer string, err error) {
	if len(result) > limit {
		return "", &LongError{Length: len(result), Limit: limit}
	}
	var d Decoder
	if d.scan(string(result), maxOutputDepth) {
		return "", nil
	}
	f := d.faults[0]
	return f.Pointer, fmt.Errorf("expected %s, found %s", f.Expected, f.Found)
}
