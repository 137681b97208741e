package plan

import (
	"fmt"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
)

// Reference is a reference to a value in the result of a step, such as <<step:1/customer/id>> in an argument. If
// a string consists of one reference, the value replaces the string, whatever its type. In a longer text, the
// value's text replaces the reference. A third < escapes the reference: <<<step:1>> becomes the text <<step:1>>.
// A reference cannot contain >>.
type Reference struct {
	Step    string // the ID of the step; the text of a reference contains ~1 for / in it, and ~0 for ~
	Pointer string // JSON Pointer in the result of the step; empty for the whole result
}

const (
	referenceOpen  = "<<step:"
	referenceClose = ">>"
	literalOpen    = "<" + referenceOpen
)

// String returns the reference as it is written.
func (r Reference) String() string {
	return referenceOpen + jsontext.Token(r.Step) + r.Pointer + referenceClose
}

// ReferenceError reports that a referenced value cannot be filled in.
type ReferenceError struct {
	Pointer   string // JSON Pointer of the string with the reference, relative to the arguments
	Reference string // the text of the reference
	Reason    string
}

// Error returns the reference, its pointer and the reason.
func (e *ReferenceError) Error() string {
	return fmt.Sprintf("%s in %s has no value: %s", cutText(e.Reference), words.Cut("arguments"+e.Pointer, 256), e.Reason)
}

// Code returns "step_reference".
func (e *ReferenceError) Code() string { return "step_reference" }

// Retryable returns false.
func (e *ReferenceError) Retryable() bool { return false }

// part is a part of a string: a text or a reference.
type part struct {
	text   string // a text without its escapes, or a reference as it is written
	refers bool   // the part is a reference
	to     Reference
	broken bool // the reference is invalid
}

// splitReferences splits a string into texts and references.
func splitReferences(s string) (all []part) {
	var text strings.Builder
	flush := func() {
		if text.Len() > 0 {
			all = append(all, part{text: text.String()})
			text.Reset()
		}
	}
	for s != "" {
		i := strings.Index(s, referenceOpen)
		if i < 0 {
			text.WriteString(s)
			break
		}
		if i > 0 && s[i-1] == '<' { // an escaped reference: remove one <
			text.WriteString(s[:i-1])
			text.WriteString(referenceOpen)
			s = s[i+len(referenceOpen):]
			continue
		}
		text.WriteString(s[:i])
		flush()
		p := readReference(s[i:])
		all = append(all, p)
		s = s[i+len(p.text):]
	}
	flush()
	return all
}

// readReference reads the reference at the beginning of s.
func readReference(s string) part {
	inside, _, closed := strings.Cut(s[len(referenceOpen):], referenceClose)
	if !closed {
		return part{text: s, refers: true, broken: true}
	}
	id, pointer := inside, ""
	if i := strings.IndexByte(inside, '/'); i >= 0 {
		id, pointer = inside[:i], inside[i:]
	}
	return part{
		text:   s[:len(referenceOpen)+len(inside)+len(referenceClose)],
		refers: true,
		to:     Reference{jsontext.Name(id), pointer},
		broken: id == "" || !jsontext.IsPointer("/"+id) || !jsontext.IsPointer(pointer),
	}
}

// isSingleReference reports whether a string consists of one reference.
func isSingleReference(all []part) bool { return len(all) == 1 && all[0].refers }

// mayRefer reports whether a string may contain references. It is a quick check that need not split the string.
func mayRefer(s string) bool { return strings.Contains(s, referenceOpen) }
