package wire

// Decoder holds the arguments of one call while they are read: their text, the
// tape of its values, and the faults that were found. Its zero value is ready for
// [Decoder.Read], and so is one after [Decoder.Done].
type Decoder struct {
	text     string
	maxDepth int
	tape     []entry
	stopped  int // where the text is broken

	vars     Variables      // nil if nothing can be referred to
	toValues bool           // also where JSON could carry a value
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

	// A longer tape is not kept for the arguments of the next call.
	keptTape = 1024 // values
)

// Read scans the arguments of a call, {} for none. The root is absent if they are
// no JSON, or beyond a limit; that is recorded as the only fault. Without
// variables, nothing is a reference; toValues lets references stand also for what
// JSON could carry.
func (d *Decoder) Read(arguments []byte, l *Limits, vars Variables, toValues bool) (root Value) {
	if len(arguments) > l.Arguments {
		d.tooLong(len(arguments), l.Arguments)
		return Value{}
	}
	d.text, d.maxDepth = string(arguments), l.Depth
	if len(arguments) == 0 {
		d.text = "{}"
	}
	if !d.scan() {
		return Value{}
	}
	if vars != nil {
		d.vars, d.toValues = vars, toValues
		if !d.resolve(0, l.Output) {
			return Value{}
		}
		d.text += string(d.more)
	}
	return Value{d: d}
}

// Done returns the faults that were found, the first 64 of them and the count of
// all, and whether a variable was read. The values must not be used any more.
func (d *Decoder) Done() (faults []Fault, count int, referred bool) {
	faults, count, referred = d.faults, d.count, d.referred
	if cap(d.tape) > keptTape {
		d.tape = nil
	}
	if d.vars != nil || d.count > 0 {
		*d = Decoder{tape: d.tape, missed: d.missed}
	}
	d.text, d.tape, d.missed = "", d.tape[:0], d.missed[:0]
	return faults, count, referred
}

// Check returns what is wrong with a result that somebody else wrote, nil if it is
// JSON of at most so many bytes.
func Check(result []byte, limit int) *Fault {
	d := Decoder{text: string(result), maxDepth: maxOutputDepth}
	if len(result) > limit {
		d.tooLong(len(result), limit)
	} else if d.scan() {
		return nil
	}
	return &d.faults[0]
}
