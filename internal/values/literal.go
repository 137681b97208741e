// Package values defines the values and the options of notes. Parse parses a literal, Mismatch
// checks it against the kind of a type, and Limits checks it against limits. WordOf parses
// a type that is written in words, such as list[int]. Options lists the options.
package values

import (
	"math"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// A Literal is a value in a note. Its meaning depends on the type of the argument: 5 without quotes is a
// text if the type is string, and otherwise a number.
type Literal struct {
	Text   string // as written, without quotes
	Quoted bool   // it is in quotes, so it is always a string
}

// String returns the literal as it is written in a note.
func (l Literal) String() string {
	if l.Quoted {
		return "'" + l.Text + "'"
	}
	return l.Text
}

// A Form is the syntactic form of a literal.
type Form int

// The forms of literals.
const (
	WordForm   Form = iota // any text without quotes that has no other form
	QuotedForm             // 'text'
	NumberForm             // as in JSON
	BoolForm               // true or false, in upper or lower case
	NoneForm               // none or null, in upper or lower case
	ListForm               // [], the empty list
)

// FormOf returns the form of a literal.
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

// Parse parses a literal. If it is invalid, Parse returns the problem as a phrase, such as "is missing".
func Parse(text string) (l Literal, problem string) {
	switch {
	case text == "":
		return l, "is missing"
	case text[0] == '\'':
		return parseQuoted(text)
	}
	return Literal{Text: text}, ""
}

func parseQuoted(text string) (l Literal, problem string) {
	content, rest, closed := strings.Cut(text[1:], "'")
	switch {
	case !closed:
		return l, "starts with a quote that is not closed"
	case rest != "":
		return l, "continues after its closing quote with " + strconv.Quote(strings.TrimLeft(rest, " \t\r\n"))
	}
	return Literal{content, true}, ""
}

// Mismatch returns the reason why a literal is not a value of a kind, or "". "none" is valid for every
// kind: it means that there is no value.
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

// IntegerMismatch returns the reason why a literal is not a 64-bit integer, or "".
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
