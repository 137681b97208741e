package repair

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Result is a value that was read, and what was changed for it.
type Result = tool.Reading

// Edit is one change. Its kind is one of those that the documentation of this
// package lists; [Position] tells its line and column.
type Edit = tool.Edit

// Error says why a text has no value, or none that can be relied upon.
type Error struct {
	code    string
	Offset  int          // where in the text, in bytes
	Line    int          // the same, from 1; 0 if it is about no place
	Column  int          // the same, in characters from 1
	Message string       // what is wrong
	Faults  []tool.Fault // what of arguments does not fit the schema, at most 64
}

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
	at      int
	message string
}

// of returns the error about a text.
func (f *failure) of(text string) *Error {
	line, column := Position(text, f.at)
	return &Error{code: f.code, Offset: f.at, Line: line, Column: column, Message: f.message}
}

// Error tells the place and what is wrong there.
func (e *Error) Error() string {
	if e.Line == 0 {
		return e.Message
	}
	return fmt.Sprintf("%d:%d: %s", e.Line, e.Column, e.Message)
}

// Code returns the reason: no_value, no_call, broken_call, unreadable, ambiguous, too_deep,
// too_long, invalid_arguments or schema.
func (e *Error) Code() string { return e.code }

// Retryable returns false.
func (e *Error) Retryable() bool { return false }

// Position returns the line and the column, in characters, of an offset in
// bytes. Both count from 1.
func Position(text string, offset int) (line, column int) {
	before := text[:max(0, min(offset, len(text)))]
	start := strings.LastIndexByte(before, '\n') + 1
	return strings.Count(before, "\n") + 1, utf8.RuneCountInString(before[start:]) + 1
}

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
	after    int32 // what was read instead begins there in reader.made
	size     uint8 // of that, as far as it is shown
	kind     editKind
}

// change returns an edit in the making.
func (r *reader) change(kind editKind, from, to int, after string) change {
	after = cut(after)
	if !strings.HasSuffix(r.made.String(), after) {
		r.join(after)
	}
	return change{int32(from), int32(to), int32(r.made.Len() - len(after)), uint8(len(after)), kind}
}

// join returns parts as one text, which is kept with all that is made.
func (r *reader) join(parts ...string) string {
	start, size := r.made.Len(), 0
	for _, part := range parts {
		size += len(part)
	}
	if r.made.Cap()-start < size {
		r.made.Grow(size) // to twice the size, or more
	}
	for _, part := range parts {
		r.made.WriteString(part)
	}
	return r.made.String()[start:]
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
