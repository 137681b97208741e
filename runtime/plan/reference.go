package plan

import (
	"fmt"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
)

// Reference names a value in the result of a step, as arguments of later steps do:
// <<step:1/customer/id>>. What is the whole of a string stands for the value, of
// whatever type; within a longer text for its text. One more < in front, as in
// <<<step:1>>, makes it the text <<step:1>>. There is no way to write >> in it.
type Reference struct {
	Step    string // its ID, in which / is written ~1 and ~ is written ~0
	Pointer string // JSON Pointer in the result of the step; empty for all of it
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

// ReferenceError says that the value that an argument refers to cannot be put in.
type ReferenceError struct {
	Pointer   string // of the argument, in the arguments
	Reference string // as it is written
	Reason    string
}

// Error names the reference, where it is, and the reason.
func (e *ReferenceError) Error() string {
	return fmt.Sprintf("%s in %s has no value: %s", cut(e.Reference), words.Cut("arguments"+e.Pointer, 256), e.Reason)
}

// Code returns "step_reference".
func (e *ReferenceError) Code() string { return "step_reference" }

// Retryable returns false.
func (e *ReferenceError) Retryable() bool { return false }

// A part of a string is text, or a reference.
type part struct {
	text   string // as it is meant, of a reference as it was written
	refers bool
	to     Reference
	broken bool // it begins as a reference does, and is none
}

// parts reads a string from left to right. What it is made of is text unless it
// refers.
func parts(s string) (all []part) {
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
		if i > 0 && s[i-1] == '<' { // the literal: one < less
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

// readReference reads the reference that a text begins with.
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

// isWhole reports whether a string is one reference and nothing else.
func isWhole(all []part) bool { return len(all) == 1 && all[0].refers }

// mayRefer is a quick answer to whether a string has parts that refer.
func mayRefer(s string) bool { return strings.Contains(s, referenceOpen) }
