package wire

import (
	"github.com/aiongen/aiongen/runtime/internal/tape"
	"github.com/aiongen/aiongen/runtime/wire/internal/faults"
	"github.com/aiongen/aiongen/runtime/wire/internal/slab"
	"github.com/aiongen/aiongen/runtime/wire/internal/write"
)

// Decoder holds the arguments of one call while they are read: their text, the
// tape of its values, and the faults that were found.
type Decoder struct {
	tape  tape.Tape
	texts slab.Strings

	vars     Variables // nil if nothing can be referred to
	referred bool      // a variable was read

	faults   faults.List
	inString bool // the text is in a string of another one, see [Quoted]

	// missed are the names that were asked for in vain in the objects that
	// are being read now; a message about an unknown key suggests them.
	missed []asked
}

// scan puts a text on the tape. If it is no JSON, that is the one fault, and false
// is returned.
func (d *Decoder) scan(text string, depth int) bool {
	if b := d.tape.Scan(text, depth); b != nil {
		d.faults.Counts()
		d.add(faults.Of(0), b.Pointer, b.Expected, b.Found)
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
