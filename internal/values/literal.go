// Package values says what values a note allows: kinds of types, literals as they are
// written, limits, and whether one fits another; and which words a note has for it.
//
// Its layers, from top to bottom:
//
//	limits, literal  what is allowed, and what is written
//	types, words     types in words; words for types, and options
package values

import (
	"math"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// A Literal is a value in a note. What it is depends on the type that it is for:
// only for a string, 5 without quotes is a text.
type Literal struct {
	Text   string // as written, without quotes around it
	Quoted bool   // it stands in quotes: always a string
}

// String is the literal as a note has it.
func (l Literal) String() string {
	if l.Quoted {
		return "'" + l.Text + "'"
	}
	return l.Text
}

// A Form is what a literal looks like.
type Form int

// The forms of literals.
const (
	WordForm   Form = iota // any text without quotes that has no other form
	QuotedForm             // 'text'
	NumberForm             // as in JSON
	BoolForm               // true or false, in any case
	NoneForm               // none or null, in any case
	ListForm               // [], the empty list
)

// FormOf is the form of a literal.
func FormOf(l Literal) Form {
	switch lower := strings.ToLower(l.Text); {
	case l.Quoted:
		return QuotedForm
	case lower == "true" || lower == "false":
		return BoolForm
	case lower == "none" || lower == "null":
		return NoneForm
	case l.Text == "[]":
		return ListForm
	case jsontext.IsNumber(l.Text):
		return NumberForm
	}
	return WordForm
}

// Parse reads a literal, or says what is wrong with it.
func Parse(text string) (l Literal, problem string) {
	switch {
	case text == "":
		return l, "is missing"
	case text[0] == '\'':
		return quotedLiteral(text)
	}
	return Literal{Text: text}, ""
}

func quotedLiteral(text string) (l Literal, problem string) {
	content, behind, closed := strings.Cut(text[1:], "'")
	switch {
	case !closed:
		return l, "starts with a quote that is not closed"
	case behind != "":
		return l, "goes on behind its closing quote with " + strconv.Quote(strings.TrimLeft(behind, " \t\r\n"))
	}
	return Literal{content, true}, ""
}

// Mismatch says why a literal is no value of a kind, or nothing. None is one of
// every kind: it is the absence of a value.
func Mismatch(l Literal, k Kind) string {
	form := FormOf(l)
	if form == NoneForm {
		return ""
	}
	switch k {
	case IntKind:
		return IntegerMismatch(l)
	case FloatKind:
		if form != NumberForm {
			return "is not a number"
		}
		if f, _ := strconv.ParseFloat(l.Text, 64); math.IsInf(f, 0) {
			return "is out of the range of a 64-bit number"
		}
	case BoolKind:
		if form != BoolForm {
			return "is neither true nor false"
		}
	case ListKind:
		if form != ListForm {
			return "is neither [] nor none"
		}
	case DictKind, NoneKind:
		return "is not none"
	}
	return ""
}

// IntegerMismatch says why a literal is no integer of 64 bits, or nothing.
func IntegerMismatch(l Literal) string {
	if FormOf(l) != NumberForm || strings.ContainsAny(l.Text, ".eE") {
		return "is not an integer"
	}
	_, errInt := strconv.ParseInt(l.Text, 10, 64)
	_, errUint := strconv.ParseUint(l.Text, 10, 64)
	if errInt != nil && errUint != nil {
		return "is out of the range of a 64-bit integer"
	}
	return ""
}
