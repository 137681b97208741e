package tool

import (
	"math"
	"strings"
	"sync"
)

// decoder holds the arguments of one call while they are read: their text, the
// tape of its values, and the faults that were found.
type decoder struct {
	text     string
	maxDepth int
	tape     []entry
	stopped  int // where the text is broken

	scope    *Scope         // nil if nothing can be referred to
	referred bool           // a variable was read
	simple   map[int]string // names of the variables that were put in by resolve, by their places on the tape
	more     []byte         // of the text, that resolve puts in

	faults []Fault
	count  int // of all faults, also those beyond maxFaults

	// missed are the names that were asked for in vain in the objects that
	// are being read now; a message about an unknown key suggests them.
	missed []string
}

const (
	// maxFaults bounds how many faults are described. Describing one can
	// cost as much as reading all arguments.
	maxFaults = 64

	// shareBelow is the size of arguments, in bytes, below which strings
	// that are read from them share their memory. A short string must not
	// keep long arguments alive.
	shareBelow = 4 << 10

	// A decoder with a longer tape does not go back to the pool.
	keptTape = 1024 // values
)

var decoders = sync.Pool{New: func() any { return new(decoder) }}

// newDecoder scans the arguments. The root is absent if they are no JSON, or
// beyond a limit; that is recorded as the only fault.
func newDecoder(arguments []byte, l *limits, s *Scope) (d *decoder, root Value) {
	d = decoders.Get().(*decoder)
	if len(arguments) > l.arguments {
		d.tooLong(len(arguments), l.arguments)
		return d, Value{}
	}
	d.text, d.maxDepth = string(arguments), l.depth
	if len(arguments) == 0 {
		d.text = "{}"
	}
	if !d.scan() {
		return d, Value{}
	}
	if s != nil {
		d.scope = s
		if !d.resolve(0, l.output) {
			return d, Value{}
		}
		d.text += string(d.more)
	}
	return d, Value{d: d}
}

// release gives the decoder back. No value of it may be used after that.
func (d *decoder) release() {
	if cap(d.tape) > keptTape {
		return
	}
	if d.scope != nil || d.count > 0 {
		*d = decoder{tape: d.tape, missed: d.missed}
	}
	d.text, d.tape, d.missed = "", d.tape[:0], d.missed[:0]
	decoders.Put(d)
}

// str returns the text of the string e.
func (d *decoder) str(e *entry) string {
	s := d.text[e.start+1 : e.end-1]
	if e.escaped {
		return string(unquote(nil, s))
	}
	return d.own(s)
}

// own returns s, a part of the text, to be kept by the caller.
func (d *decoder) own(s string) string {
	if len(d.text) < shareBelow {
		return s
	}
	return strings.Clone(s)
}

// reads tells whether the string e has the text s.
func (d *decoder) reads(e *entry, s string) bool {
	return d.text[e.start+1:e.end-1] == s || e.escaped && d.unquotes(e, s)
}

// unquotes tells whether the string e, which has escapes, has the text s. An
// escape is at most six bytes for each that it stands for, so that the answer
// costs no more than s is long.
func (d *decoder) unquotes(e *entry, s string) bool {
	quoted := d.text[e.start+1 : e.end-1]
	if len(quoted) > 6*len(s) {
		return false
	}
	var room [128]byte
	return string(unquote(room[:0], quoted)) == s
}

// ends returns the index behind the value at the given one. A value that is
// open, or yet to come, ends behind everything.
func (d *decoder) ends(at int) int {
	if at < len(d.tape) && d.tape[at].next != 0 {
		return int(d.tape[at].next)
	}
	return math.MaxInt
}
