package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Codes of errors.
const (
	Nothing    = "no_value"   // there is no value in the text
	Unreadable = "unreadable" // something is in the text that has no reading
	Ambiguous  = "ambiguous"  // there are two readings
	TooDeep    = "too_deep"   // values are nested too deeply
	TooLong    = "too_long"   // the text is too long
	Schema     = "schema"     // the schema is none, or has more than can be checked
	Arguments  = "invalid_arguments"
	Broken     = "broken_call" // a call cannot be read
	Invented   = "invented"    // a repair says something else than the text
)

// A Failure is an error in the making.
type Failure struct {
	Code    string
	At      int // in the text, or nowhere
	Message string
	Faults  []tool.Fault // of arguments
}

// Nowhere is the place of failures that are about none.
const Nowhere = -1

// LongestShown bounds what edits and messages show of a text, in bytes.
const LongestShown = 64

// Cut shortens text to what is shown of it, between characters.
func Cut(text string) string { return words.Cut(text, LongestShown) }

// Kind is the kind of an edit; the documentation of the package says what each
// one means.
type Kind uint8

const (
	Bracket Kind = iota
	Colon
	Comma
	Comment
	CutOff
	Ellipsis
	Escape
	List
	Literal
	Number
	Quotes
	Space
	Text
	Value

	Absent
	Enum
	Name
	Type
	Unknown
	Wrapper
)

var Kinds = [...]string{
	"bracket", "colon", "comma", "comment", "cut", "ellipsis", "escape", "list", "literal", "number", "quotes", "space", "text", "value",
	"absent", "enum", "name", "type", "unknown", "wrapper",
}

// A Change is an edit in the making: something was read instead of text[from:to].
// Hostile texts need one for every few bytes, so it is small, and without
// pointers.
type Change struct {
	From, To int32
	after    int32 // what was read instead begins there in what was made
	size     uint8 // of that, as far as it is shown
	Kind     Kind
}

// Log are the edits in the making of a text.
type Log struct {
	Editing bool             // edits are wanted
	Made    *strings.Builder // what edits and literals say that the text does not, one after another
	Edits   []Change
	Kept    int // how many edits are those of values before
}

// Edit records that after was read instead of text[from:to]. What is left out in
// a row is one change.
func (l *Log) Edit(kind Kind, from, to int, after string) {
	if !l.Editing {
		return
	}
	if n := len(l.Edits); n > l.Kept && after == "" {
		if last := &l.Edits[n-1]; last.Kind == kind && last.size == 0 && int(last.To) == from {
			last.To = int32(to)
			return
		}
	}
	l.Edits = appended(l.Edits, l.Change(kind, from, to, after))
}

// Change returns an edit in the making.
func (l *Log) Change(kind Kind, from, to int, after string) Change {
	after = Cut(after)
	if !strings.HasSuffix(l.Made.String(), after) {
		l.Join(after)
	}
	return Change{int32(from), int32(to), int32(l.Made.Len() - len(after)), uint8(len(after)), kind}
}

// Join returns parts as one text, which is kept with all that is made.
func (l *Log) Join(parts ...string) string {
	start, size := l.Made.Len(), 0
	for _, part := range parts {
		size += len(part)
	}
	if l.Made.Cap()-start < size {
		l.Made.Grow(size) // to twice the size, or more
	}
	for _, part := range parts {
		l.Made.WriteString(part)
	}
	return l.Made.String()[start:]
}

// InOrder returns the edits of a text in its order.
func InOrder(text, made string, changes []Change) []tool.Edit {
	if len(changes) == 0 {
		return nil
	}
	byPlace := func(a, b Change) int { return cmp.Or(int(a.From-b.From), int(a.To-b.To)) }
	if !slices.IsSortedFunc(changes, byPlace) {
		slices.SortStableFunc(changes, byPlace)
	}
	edits := make([]tool.Edit, len(changes))
	for i, c := range changes {
		edits[i] = tool.Edit{Kind: Kinds[c.Kind], Offset: int(c.From), Before: Cut(text[c.From:c.To]), After: made[c.after:][:c.size]}
	}
	return edits
}

// appended appends to a list that may become long: append would copy it more
// often.
func appended[T any](list []T, one T) []T {
	if len(list) == cap(list) {
		list = slices.Grow(list, max(8, len(list)))
	}
	return append(list, one)
}
