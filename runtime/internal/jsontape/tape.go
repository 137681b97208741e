package jsontape

import (
	"iter"
	"math"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// Kind is the JSON type of a value.
type Kind uint8

// The kinds of values.
const (
	Null Kind = iota
	False
	True
	Number
	String
	Array
	Object
	Reference // to a variable; only [Tape.Resolve] makes references
)

// Entry is one value on a tape. The elements of an array follow its entry. The members of an object follow as
// pairs of a string, the key, and a value.
type Entry struct {
	start, end int32 // text of the value, including quotes and brackets
	Next       int32 // index after the value and everything in it; 0 while it is open
	Count      int32 // elements or members
	Kind       Kind
	escaped    bool // a string that contains a backslash
	Taken      bool // for the reader: the key was requested
	Replaced   bool // the entry refers to inserted text
}

// Tape holds the values of one text. The zero Tape is ready for [Tape.Scan], as is a Tape after [Tape.Reset].
type Tape struct {
	text    string
	depth   int // limit of nested containers
	entries []Entry
	fault   *ScanFault // why the text is not JSON

	appended  []byte         // text inserted for references
	variables map[int]string // names of the variables whose text was inserted, by index
}

// maxKept limits the values of a tape that is reused for the next text.
const maxKept = 1024

// Reset clears the tape.
func (t *Tape) Reset() {
	if cap(t.entries) > maxKept {
		t.entries = nil
	}
	t.text, t.entries = "", t.entries[:0]
	if t.fault != nil || t.appended != nil {
		t.fault, t.appended, t.variables = nil, nil, nil
	}
}

// EntryAt returns the value at an index.
func (t *Tape) EntryAt(i int) *Entry { return &t.entries[i] }

// EndOf returns the index after the value at an index. A value that is still open, or not there yet, ends
// after all others.
func (t *Tape) EndOf(at int) int {
	if at < len(t.entries) && t.entries[at].Next != 0 {
		return int(t.entries[at].Next)
	}
	return math.MaxInt
}

// Keys returns the indices of the keys of an object. The value of a key is at the next index.
func (t *Tape) Keys(object int) iter.Seq[int] {
	return func(yield func(int) bool) {
		key, end := object+1, t.EndOf(object)
		for key < end && yield(key) {
			key = t.EndOf(key + 1)
		}
	}
}

// HasEarlierKey reports whether an object has a key with the same text before the given one.
func (t *Tape) HasEarlierKey(object, key int) bool {
	name := t.Str(t.EntryAt(key))
	for before := range t.Keys(object) {
		if before == key {
			break
		}
		if t.HasText(t.EntryAt(before), name) {
			return true
		}
	}
	return false
}

// FindKey returns the index of the key with a name in an object, or -1. It starts at the key at cursor.
func (t *Tape) FindKey(object, cursor int, name string) (key int) {
	for range t.entries[object].Count {
		if t.HasText(&t.entries[cursor], name) {
			return cursor
		}
		cursor = t.NextKey(object, cursor)
	}
	return -1
}

// NextKey returns the index of the key after another one, and the first key after the last: models write
// members in the order of the schema, and generated code reads them in that order.
func (t *Tape) NextKey(object, key int) int {
	if next := t.entries[key+1].Next; next != t.entries[object].Next {
		return int(next)
	}
	return object + 1
}

// Text returns the text of e as it was written.
func (t *Tape) Text(e *Entry) string { return t.text[e.start:e.end] }

// shareBelow is the size in bytes below which strings share the memory of the text. A short string must not
// keep a long text alive.
const shareBelow = 4 << 10

// Str returns the value of the string e.
func (t *Tape) Str(e *Entry) string {
	s := t.text[e.start+1 : e.end-1]
	if e.escaped {
		return string(jsontext.AppendUnquoted(nil, s))
	}
	return t.OwnedText(s)
}

// OwnedText returns s, a part of the text, for the caller to keep.
func (t *Tape) OwnedText(s string) string {
	if len(t.text) < shareBelow {
		return s
	}
	return strings.Clone(s)
}

// HasText reports whether the value of the string e is s.
func (t *Tape) HasText(e *Entry, s string) bool {
	if e.escaped {
		return t.hasEscapedText(e, s)
	}
	return t.text[e.start+1:e.end-1] == s
}

// hasEscapedText is HasText for strings with escapes. An escape has at most six bytes for each byte of its
// value, so the cost is bounded by the length of s.
func (t *Tape) hasEscapedText(e *Entry, s string) bool {
	quoted := t.text[e.start+1 : e.end-1]
	if len(quoted) > 6*len(s) {
		return false
	}
	var room [128]byte
	return string(jsontext.AppendUnquoted(room[:0], quoted)) == s
}
