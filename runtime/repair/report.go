package repair

import (
	"cmp"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Codes of errors.
const (
	codeNothing    = "no_value"   // there is no value in the text
	codeUnreadable = "unreadable" // something is in the text that has no reading
	codeAmbiguous  = "ambiguous"  // there are two readings
	codeTooDeep    = "too_deep"   // values are nested too deeply
	codeTooLong    = "too_long"   // the text is too long
	codeSchema     = "schema"     // the schema is none, or has more than can be checked
	codeArguments  = "invalid_arguments"
	codeBroken     = "broken_call" // a call cannot be read
)

// A failure is an error in the making.
type failure struct {
	code    string
	at      int // in the text, or nowhere
	message string
	faults  []tool.Fault // of arguments
}

// nowhere is the place of failures that are about none.
const nowhere = -1

// longestShown bounds what edits and messages show of a text, in bytes.
const longestShown = 64

// cut shortens text to what is shown of it, between characters.
func cut(text string) string { return words.Cut(text, longestShown) }

// editKind is the kind of an edit; the documentation of the package says what each
// one means.
type editKind uint8

const (
	editBracket editKind = iota
	editColon
	editComma
	editComment
	editCut
	editEllipsis
	editEscape
	editList
	editLiteral
	editNumber
	editQuotes
	editSpace
	editText
	editValue

	editAbsent
	editEnum
	editName
	editType
	editUnknown
	editWrapper
)

var editKinds = [...]string{
	"bracket", "colon", "comma", "comment", "cut", "ellipsis", "escape", "list", "literal", "number", "quotes", "space", "text", "value",
	"absent", "enum", "name", "type", "unknown", "wrapper",
}

// A change is an edit in the making: something was read instead of text[from:to].
// Hostile texts need one for every few bytes, so it is small, and without
// pointers.
type change struct {
	from, to int32
	after    int32 // what was read instead begins there in what was made
	size     uint8 // of that, as far as it is shown
	kind     editKind
}

// changes are the edits in the making of a text.
type changes struct {
	editing bool             // edits are wanted
	made    *strings.Builder // what edits and literals say that the text does not, one after another
	edits   []change
	kept    int // how many edits are those of values before
}

// edit records that after was read instead of text[from:to]. What is left out in
// a row is one change.
func (l *changes) edit(kind editKind, from, to int, after string) {
	if !l.editing {
		return
	}
	if n := len(l.edits); n > l.kept && after == "" {
		if last := &l.edits[n-1]; last.kind == kind && last.size == 0 && int(last.to) == from {
			last.to = int32(to)
			return
		}
	}
	l.edits = appended(l.edits, l.change(kind, from, to, after))
}

// change returns an edit in the making.
func (l *changes) change(kind editKind, from, to int, after string) change {
	after = cut(after)
	if !strings.HasSuffix(l.made.String(), after) {
		l.join(after)
	}
	return change{int32(from), int32(to), int32(l.made.Len() - len(after)), uint8(len(after)), kind}
}

// join returns parts as one text, which is kept with all that is made.
func (l *changes) join(parts ...string) string {
	start, size := l.made.Len(), 0
	for _, part := range parts {
		size += len(part)
	}
	if l.made.Cap()-start < size {
		l.made.Grow(size) // to twice the size, or more
	}
	for _, part := range parts {
		l.made.WriteString(part)
	}
	return l.made.String()[start:]
}

// inOrder returns the edits of a text in its order.
func inOrder(text, made string, changes []change) []Edit {
	if len(changes) == 0 {
		return nil
	}
	byPlace := func(a, b change) int { return cmp.Or(int(a.from-b.from), int(a.to-b.to)) }
	if !slices.IsSortedFunc(changes, byPlace) {
		slices.SortStableFunc(changes, byPlace)
	}
	edits := make([]Edit, len(changes))
	for i, c := range changes {
		edits[i] = Edit{Kind: editKinds[c.kind], Offset: int(c.from), Before: cut(text[c.from:c.to]), After: made[c.after:][:c.size]}
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
