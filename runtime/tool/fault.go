package tool

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
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
func (d *decoder) counts() bool {
	d.count++
	return d.count <= maxFaults
}

func (d *decoder) add(pointer, expected, found string) {
	d.faults = append(d.faults, Fault{Pointer: pointer, Expected: expected, Found: found})
}

// fault records that something else was expected in the place of a value.
func (d *decoder) fault(at int, expected string) {
	if d.counts() {
		d.add(d.pointer(at), expected, d.found(at))
	}
}

// missing records that the object at the given index has no member of a name.
func (d *decoder) missing(at int, name string) {
	if d.counts() {
		d.add(string(appendToken([]byte(d.pointer(at)), name)), "a value", "nothing")
	}
}

// tooLong records that the arguments were not read for their length in bytes.
func (d *decoder) tooLong(length, limit int) {
	d.count++
	d.add("", fmt.Sprintf("at most %d bytes", limit), fmt.Sprintf("%d bytes", length))
}

// broken records that the text is no JSON, for what is at the given place. It
// returns -1.
func (d *decoder) broken(pos int, expected string) int {
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
func (d *decoder) pointer(at int) string {
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
	for _, c := range []byte(cut(key, longestKey)) {
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
func (d *decoder) found(at int) string {
	e := &d.tape[at]
	switch e.kind {
	case kindObject:
		return "an object"
	case kindArray:
		return "an array"
	case kindString:
		return "the string " + d.quoted(e)
	case kindNumber:
		return "the number " + cut(d.text[e.start:e.end], longestFound)
	case kindReference:
		name, _ := reference(d.str(e))
		if _, known := d.scope.lookup(name); !known {
			return "a reference to a variable " + name + ", which there is not"
		}
		return "a reference to the variable " + name
	default:
		return d.text[e.start:e.end]
	}
}

// quoted returns the string e in quotes, as it was written but cut.
func (d *decoder) quoted(e *entry) string {
	s := d.text[e.start+1 : e.end-1]
	if !e.escaped || len(s) <= longestFound {
		return `"` + cut(s, longestFound) + `"`
	}
	end := 0
	for end < longestFound { // not within an escape
		_, size := unescape(s[end:])
		if s[end] != '\\' {
			_, size = utf8.DecodeRuneInString(s[end:])
		}
		end += size
	}
	return `"` + s[:end] + `…"`
}

// cut shortens s to at most limit bytes, between characters. Names of tools and
// parts of results come here too, so s need not be UTF-8: no more is given up
// for the sake of a whole character than one can be long.
func cut(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	end := limit
	for end > max(0, limit-utf8.UTFMax) && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + "…"
}

// list joins words as in "a, b or c". Words that would not stand out are quoted,
// many are cut short.
func list(words []string, last string) string {
	var b strings.Builder
	for i, word := range words {
		switch {
		case i == 0:
		case i == longestList:
			fmt.Fprintf(&b, " and %d more", len(words)-i)
			return b.String()
		case i == len(words)-1:
			b.WriteString(last)
		default:
			b.WriteString(", ")
		}
		if word = cut(word, longestFound); word == "" || strings.ContainsAny(word, " \t\r\n\",") {
			word = strconv.Quote(word)
		}
		b.WriteString(word)
	}
	return b.String()
}
