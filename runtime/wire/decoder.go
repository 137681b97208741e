package wire

import (
	"github.com/aiongen/aiongen/runtime/internal/jsontape"
)

// Decoder holds the state while the arguments of one call are read: the faults, and the tape, which is the list
// of all values in the arguments.
type Decoder struct {
	tape  jsontape.Tape
	texts stringSlab

	variables  Variables // nil if there are no variables
	readOpaque bool      // a value was read, such as a variable, whose JSON by encoding/json may differ from that in the arguments

	faults   faultList
	inString bool // the text is the content of a string in another text, see [Quoted]

	// missingNames are the names that were requested from the objects that are being read, but not found in them.
	// Those of the outermost object come first.
	missingNames []requestedName

	inserted map[int][]insertedMember // by index of the object on the tape
}

// scanText scans a text into the tape. If the text is not JSON, scanText records the fault and
// returns false; the caller must then read no values.
func (d *Decoder) scanText(text string, depth int) bool {
	if b := d.tape.Scan(text, depth); b != nil {
		d.faults.countFault()
		d.addFault(placeOf(0), b.Pointer, b.Expected, b.Found)
		return false
	}
	return true
}

// formatVariable returns the JSON of a variable if it is a simple value, such as a text or a number, and "" otherwise.
func (d *Decoder) formatVariable(name string) string {
	value, _ := d.variables.LookupVariable(name)
	text := formatSimple(value)
	if text != "" {
		d.readOpaque = true
	}
	return text
}
