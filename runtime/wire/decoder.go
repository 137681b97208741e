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

	names []string // names that were requested from the objects that are being read; those of the outermost come first

	inserted map[int][]insertedMember // by index of the object on the tape
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
