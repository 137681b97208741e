package reader

import (
	"cmp"
	"slices"

	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Codes of errors.
const (
	Nothing    = "no_value"   // the text has no value
	Unreadable = "unreadable" // a part of the text has no reading
	Ambiguous  = "ambiguous"  // there are two readings
	TooDeep    = "too_deep"   // values are nested too deeply
	TooLong    = "too_long"   // the text is too long
	Schema     = "schema"     // the schema is invalid or too complex
	Arguments  = "invalid_arguments"
	Broken     = "broken_call" // a call cannot be read
	Invented   = "invented"    // a repair contains something that is not in the text
)

// A Failure is an error before its position is converted to line and column.
type Failure struct {
	Code    string
	At      int // offset in the text, or Nowhere
	Message string
	Faults  []tool.Fault // faults of arguments
}

// Nowhere is the position of failures that do not concern a position in the text.
const Nowhere = -1

// longestShown is the maximum length of text in edits and messages, in bytes.
const longestShown = 64

// CutShown shortens text for edits and messages. It does not split a character.
func CutShown(text string) string { return words.Cut(text, longestShown) }

// EditKind is the kind of an edit; the documentation of package repair explains the kinds.
type EditKind uint8

// These are the kinds of edits: first those of reading a text, then those of fitting its values to a schema.
const (
	Bracket EditKind = iota
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

// EditKinds are the names of the kinds.
var EditKinds = [...]string{
	"bracket", "colon", "comma", "comment", "cut", "ellipsis", "escape", "list", "literal", "number", "quotes", "space", "text", "value",
	"absent", "enum", "name", "type", "unknown", "wrapper",
}

// A Change is an edit that replaces text[From:To].
type Change struct {
	From, To  int32
	Kind      EditKind
	tentative bool   // the change is dropped if an object turns out to be a set
	After     string // the replacement, shortened for edits
}

// NewChange returns a change.
func NewChange(kind EditKind, from, to int, after string) Change {
	return Change{From: int32(from), To: int32(to), Kind: kind, After: CutShown(after)}
}

// Log collects the edits of a text.
type Log struct {
	Editing   bool // edits are recorded
	Edits     []Change
	Committed int // number of edits that belong to earlier values
}

// Edit records that after replaces text[from:to]. It merges adjacent deletions into one change.
func (l *Log) Edit(kind EditKind, from, to int, after string) {
	if !l.Editing {
		return
	}
	if n := len(l.Edits); n > l.Committed && after == "" {
		if last := &l.Edits[n-1]; last.Kind == kind && last.After == "" && int(last.To) == from {
			last.To = int32(to)
			return
		}
	}
	l.Edits = append(l.Edits, NewChange(kind, from, to, after))
}

// editTentatively records an edit that dropTentative removes.
func (l *Log) editTentatively(kind EditKind, from, to int, after string) {
	if l.Editing {
		c := NewChange(kind, from, to, after)
		c.tentative = true
		l.Edits = append(l.Edits, c)
	}
}

// dropTentative removes the tentative edits from index first on.
func (l *Log) dropTentative(first int) {
	kept := slices.DeleteFunc(l.Edits[first:], func(c Change) bool { return c.tentative })
	l.Edits = l.Edits[:first+len(kept)]
}

// SortEdits converts changes of text to edits, sorted by position.
func SortEdits(text string, changes []Change) []tool.Edit {
	byPosition := func(a, b Change) int { return cmp.Or(int(a.From-b.From), int(a.To-b.To)) }
	if !slices.IsSortedFunc(changes, byPosition) {
		slices.SortStableFunc(changes, byPosition)
	}
	edits := make([]tool.Edit, len(changes))
	for i, c := range changes {
		edits[i] = tool.Edit{Kind: EditKinds[c.Kind], Offset: int(c.From), Before: CutShown(text[c.From:c.To]), After: c.After}
	}
	return edits
}
