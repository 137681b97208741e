package wire

import (
	"fmt"
	"strconv"
	"unicode/utf8"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
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

// Texts in faults are cut to these many bytes, lists to these many items: the
// model shall see what it wrote, not read all of it again.
const (
	longestFound = 64
	longestKey   = 256
	longestList  = 16
)

// counts counts a fault and tells whether it is to be described.
func (d *Decoder) counts() bool {
	d.count++
	return d.count <= maxFaults
}

func (d *Decoder) add(pointer, expected, found string) {
	d.faults = append(d.faults, Fault{Pointer: pointer, Expected: expected, Found: found})
}

// fault records that something else was expected in the place of a value.
func (d *Decoder) fault(at int, expected string) {
	if d.counts() {
		d.add(d.pointer(at), expected, d.found(at))
	}
}

// missing records that the object at the given index has no member of a name.
func (d *Decoder) missing(at int, name string) {
	if d.counts() {
		d.add(string(appendToken([]byte(d.pointer(at)), name)), words.Value, words.Nothing)
	}
}

// tooLong records that the arguments were not read for their length in bytes.
func (d *Decoder) tooLong(length, limit int) {
	d.count++
	d.add("", fmt.Sprintf("at most %d bytes", limit), fmt.Sprintf("%d bytes", length))
}

// broken records that the text is no JSON, for what is at the given place. It
// returns -1.
func (d *Decoder) broken(pos int, expected string) int {
	d.stopped = pos
	found := "the end of the text"
	if pos < len(d.text) {
		r, size := utf8.DecodeRuneInString(d.text[pos:])
		found = strconv.QuoteRune(r)
		if r == utf8.RuneError && size == 1 {
			found = fmt.Sprintf("the byte 0x%02x", d.text[pos])
		}
	}
	d.count++
	d.add(d.pointer(len(d.tape)), fmt.Sprintf("%s at byte %d", expected, pos), found)
	return -1
}

// pointer returns the JSON Pointer of the value at an index of the tape. One
// behind its end stands for what would have come next.
func (d *Decoder) pointer(at int) string {
	var b []byte
	for i := 0; i < at && d.ends(i) > at; {
		switch d.tape[i].kind {
		case kindObject:
			key := i + 1
			for key < at && d.ends(key+1) <= at {
				key = d.ends(key + 1)
			}
			if key >= at {
				return string(b) // the fault is in the object, at none of its values
			}
			b = appendToken(b, d.str(&d.tape[key]))
			i = key + 1
		case kindArray:
			index := 0
			for i++; i < at && d.ends(i) <= at; i = d.ends(i) {
				index++
			}
			b = strconv.AppendInt(append(b, '/'), int64(index), 10)
		}
	}
	return string(b)
}

// appendToken appends a key to a JSON Pointer.
func appendToken(b []byte, key string) []byte {
	b = append(b, '/')
	for _, c := range []byte(words.Cut(key, longestKey)) {
		switch c {
		case '~':
			b = append(b, "~0"...)
		case '/':
			b = append(b, "~1"...)
		default:
			b = append(b, c)
		}
	}
	return b
}

// found describes the value at an index of the tape.
func (d *Decoder) found(at int) string {
	e := &d.tape[at]
	switch e.kind {
	case kindObject:
		return "an object"
	case kindArray:
		return "an array"
	case kindString:
		return "the string " + d.quoted(e)
	case kindNumber:
		return "the number " + words.Cut(d.text[e.start:e.end], longestFound)
	case kindReference:
		name, _ := reference(d.str(e))
		if _, known := d.vars.Lookup(name); !known {
			return "a reference to a variable " + name + ", which there is not"
		}
		return "a reference to the variable " + name
	default:
		return d.text[e.start:e.end]
	}
}

// quoted returns the string e in quotes, as it was written but cut.
func (d *Decoder) quoted(e *entry) string {
	s := d.text[e.start+1 : e.end-1]
	if !e.escaped || len(s) <= longestFound {
		return `"` + words.Cut(s, longestFound) + `"`
	}
	end := 0
	for end < longestFound { // not within an escape
		_, size := jsontext.Unescape(s[end:])
		if s[end] != '\\' {
			_, size = utf8.DecodeRuneInString(s[end:])
		}
		end += size
	}
	return `"` + s[:end] + `…"`
}
