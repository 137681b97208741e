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
	Reference // reference to a variable; only [Tape.Resolve] creates this kind
)

// Entry is one value or key on a tape. The entries of an array's elements follow the entry of the array. After
// the entry of an object, the entries of its members follow: the key of each member, which is a String, and
// then its value.
type Entry struct {
	start, end int32 // offsets of the value in the text, including quotes and brackets
	Next       int32 // index of the entry after the value and everything in it; 0 while it is being scanned
	Count      int32 // number of elements or members
	Kind       Kind
	escaped    bool // the entry is a string that contains a backslash
	Taken      bool // a decoder sets it when it has read the member with this key
	Replaced   bool // Resolve has replaced the value
}

// Tape holds the values of one text. The zero Tape is ready for [Tape.Scan], as is a Tape after [Tape.Reset].
type Tape struct {
	text    string
	depth   int // limit of nesting
	entries []Entry
	fault   *ScanFault // why the text is not JSON; nil if it is

	appended  []byte         // JSON that replaced references
	variables map[int]string // names of the variables whose JSON was inserted, by index
}

// maxReused is the capacity above which Reset releases the memory of the entries.
const maxReused = 1024

// Reset clears the tape.
func (t *Tape) Reset() {
	if cap(t.entries) > maxReused {
		t.entries = nil
	}
	t.text, t.entries = "", t.entries[:0]
	if t.fault != nil || t.appended != nil {
		t.fault, t.appended, t.variables = nil, nil, nil
	}
}

// EntryAt returns the value at an index.
func (t *Tape) EntryAt(i int) *Entry { return &t.entries[i] }

// EndOf returns the index of the entry after the value at an index and everything in it. It returns
// math.MaxInt for a value that is still being scanned or has not been reached.
func (t *Tape) EndOf(index int) int {
	if index < len(t.entries) && t.entries[index].Next != 0 {
		return int(t.entries[index].Next)
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

// FindKey returns the index of the key with a name in an object, or -1. It searches all keys, beginning with
// the key at cursor.
func (t *Tape) FindKey(object, cursor int, name string) (key int) {
	for range t.entries[object].Count {
		if t.HasText(&t.entries[cursor], name) {
			return cursor
		}
		cursor = t.NextKey(object, cursor)
	}
	return -1
}

// NextKey returns the index of the key that follows key in an object, or of the first key if key is the last
// one. Models usually write members in the order in which generated code reads them, so a search that begins
// at the next key usually finds its key at once.
func (t *Tape) NextKey(object, key int) int {
	if next := t.entries[key+1].Next; next != t.entries[object].Next {
		return int(next)
	}
	return object + 1
}

// Text returns the text of e as it was written.
func (t *Tape) Text(e *Entry) string { return t.text[e.start:e.end] }

// shareBelow is the size of a text, in bytes, below which its strings share its memory. Strings of longer
// texts are copied, because a short string would keep the whole text alive.
const shareBelow = 4 << 10

// Str returns the value of the string e.
func (t *Tape) Str(e *Entry) string {
	s := t.text[e.start+1 : e.end-1]
	if e.escaped {
		return string(jsontext.AppendUnquoted(nil, s))
	}
	return t.OwnedText(s)
}

// OwnedText returns s, a substring of the text, or a copy that does not keep a long text alive.
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
// value, so a string of more than 6*len(s) bytes cannot be equal to s and need not be decoded.
func (t *Tape) hasEscapedText(e *Entry, s string) bool {
	quoted := t.text[e.start+1 : e.end-1]
	if len(quoted) > 6*len(s) {
		return false
	}
	var buffer [128]byte
	return string(jsontext.AppendUnquoted(buffer[:0], quoted)) == s
}
