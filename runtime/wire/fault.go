package wire

import (
	"fmt"

	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/internal/jsontape"
)

// Fault is an error in the arguments of a call.
type Fault struct {
	Pointer  string `json:"pointer"`  // JSON Pointer of the value, empty for the arguments as a whole; long keys in it are shortened
	Expected string `json:"expected"` // what was expected, such as "a string"
	Found    string `json:"found"`    // what was found, such as "the number 7" or "nothing"; long values are shortened
}

// String returns the fault, as in "/query: expected a string, found the number 7".
func (f Fault) String() string {
	pointer := f.Pointer
	if pointer == "" {
		pointer = "arguments"
	}
	return pointer + ": expected " + f.Expected + ", found " + f.Found
}

func (d *Decoder) addFault(s faultPlace, pointer, expected, found string) {
	d.faults.addFault(s, Fault{Pointer: pointer, Expected: expected, Found: found})
}

// recordFault records a fault of the value at an index of the tape.
func (d *Decoder) recordFault(at int, expected string) { d.recordFaultAt(placeOf(at), expected) }

func (d *Decoder) recordFaultAt(s faultPlace, expected string) {
	if d.faults.countFault() {
		d.addFault(s, d.tape.Pointer(s.index), expected, d.describeFound(s.index))
	}
}

// recordMissing records that the object at an index has no member with a name, and what was expected there.
func (d *Decoder) recordMissing(at int, name, expected string) {
	if d.faults.countFault() {
		d.addFault(missingPlace(at, d.tape.EndOf(at)), string(jsontape.AppendToken([]byte(d.tape.Pointer(at)), name)), expected, words.Nothing)
	}
}

// recordTooLong records that a text has more bytes than the limit. what is "", or the name of the text followed
// by a space.
func (d *Decoder) recordTooLong(what string, limit int, found string) {
	d.faults.countFault()
	d.addFault(placeOf(0), "", fmt.Sprintf("%sat most %d bytes", what, limit), found)
}

// recordBadKey records a fault of a key of an object, unless the key has a fault already. object and key are
// indexes on the tape. If the object has an earlier key with the same text, the fault is that the key is
// repeated.
func (d *Decoder) recordBadKey(object, key int, expected string) {
	if d.faults.hasFaultAt(placeOf(key)) || !d.faults.countFault() {
		return
	}
	if d.tape.HasEarlierKey(object, key) {
		expected = words.EachKey
	}
	d.addKeyFault(key, expected)
}

// addKeyFault adds a fault of a key. The caller must have counted the fault.
func (d *Decoder) addKeyFault(key int, expected string) {
	found := "the key " + d.tape.QuotedString(d.tape.EntryAt(key))
	if expected == words.EachKey {
		found += " again"
	}
	d.addFault(placeOf(key), d.tape.Pointer(key+1), expected, found)
}

// describeFound describes the value at an index of the tape.
func (d *Decoder) describeFound(at int) string {
	if d.tape.EntryAt(at).Kind != jsontape.Reference {
		return d.tape.DescribeValue(at)
	}
	name, _ := d.tape.Variable(at)
	if _, known := d.variables.LookupVariable(name); !known {
		return "a reference to a variable " + name + ", which does not exist"
	}
	return "a reference to the variable " + name
}
