package wire

import (
	"fmt"

	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/internal/tape"
	"github.com/aiongen/aiongen/runtime/wire/internal/faults"
)

// Fault is one thing that is wrong with the arguments of a call. For its texts
// see [Fault.String].
type Fault struct {
	Pointer  string `json:"pointer"`  // JSON Pointer of the value, empty for the arguments themselves; overlong keys in it are cut
	Expected string `json:"expected"` // what should be there, such as "a string"
	Found    string `json:"found"`    // what is there, such as "the number 7", or "nothing"; cut where long
}

// String returns the fault as in "/query: expected a string, found the number 7".
func (f Fault) String() string {
	pointer := f.Pointer
	if pointer == "" {
		pointer = "arguments"
	}
	return pointer + ": expected " + f.Expected + ", found " + f.Found
}

func (d *Decoder) add(s faults.Spot, pointer, expected, there string) {
	d.faults.Add(s, faults.Fault{Pointer: pointer, Expected: expected, Found: there})
}

// fault records that something else was expected in the place of a value.
func (d *Decoder) fault(at int, expected string) { d.faultOf(faults.Of(at), expected) }

func (d *Decoder) faultOf(s faults.Spot, expected string) {
	if d.faults.Counts() {
		d.add(s, d.tape.Pointer(s.At), expected, d.found(s.At))
	}
}

// missing records that the object at the given index has no member of a name.
func (d *Decoder) missing(at int, name string) {
	if d.faults.Counts() {
		d.add(faults.Missing(at, d.tape.End(at)), string(tape.AppendToken([]byte(d.tape.Pointer(at)), name)), words.Value, words.Nothing)
	}
}

// tooLong records that there are more bytes of something than may be.
func (d *Decoder) tooLong(what string, limit int, found string) {
	d.faults.Counts()
	d.add(faults.Of(0), "", fmt.Sprintf("%sat most %d bytes", what, limit), found)
}

// badKey records a fault of a key of the object at an index of the tape, unless one is
// known: the first is that it was there before.
func (d *Decoder) badKey(object, key int, expected string) {
	if d.faults.Has(faults.Of(key)) || !d.faults.Counts() {
		return
	}
	if d.tape.Repeats(object, key) {
		expected = words.EachKey
	}
	d.addKey(key, expected)
}

// addKey describes a fault of a key that was counted.
func (d *Decoder) addKey(key int, expected string) {
	there := "the key " + d.tape.Quoted(d.tape.At(key))
	if expected == words.EachKey {
		there += " again"
	}
	d.add(faults.Of(key), d.tape.Pointer(key+1), expected, there)
}

// found says in words what the value at an index of the tape is.
func (d *Decoder) found(at int) string {
	if d.tape.At(at).Kind != tape.Reference {
		return d.tape.Found(at)
	}
	name, _ := d.tape.Variable(at)
	if _, known := d.vars.Lookup(name); !known {
		return "a reference to a variable " + name + ", which there is not"
	}
	return "a reference to the variable " + name
}
