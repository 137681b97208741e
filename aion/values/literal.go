// Package values says what values a note allows: kinds of types, literals as they are
// written, limits, and whether one fits another.
//
// Its layers, from top to bottom:
//
//	limits, literal  what is allowed, and what is written
//	types            types in words
package values

import (
	"math"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// A Literal is a value in a note. What it is depends on the type that it is for:
// only for a string, `5` is the text "5".
type Literal struct {
	Kind LiteralKind
	Text string // as written, without the quotes of a QuotedLiteral
}

// A LiteralKind is the form in which a literal is written.
type LiteralKind int

// The forms of literals.
const (
	WordLiteral   LiteralKind = iota // bare text
	QuotedLiteral                    // 'text', always a string
	NumberLiteral                    // as in JSON
	BoolLiteral                      // true or false, in any case
	NoneLiteral                      // none or null, in any case
	ListLiteral                      // [], the empty list
)

// Parse reads a literal, or says what is wrong with it.
func Parse(text string) (l Literal, problem string) {
	switch lower := strings.ToLower(text); {
	case text == "":
		return l, "is missing"
	case text[0] == '\'':
		return quotedLiteral(text)
	case lower == "true" || lower == "false":
		return Literal{BoolLiteral, text}, ""
	case lower == "none" || lower == "null":
		return Literal{NoneLiteral, text}, ""
	case text == "[]":
		return Literal{ListLiteral, text}, ""
	case jsontext.IsNumber(text):
		return Literal{NumberLiteral, text}, ""
	}
	return Literal{WordLiteral, text}, ""
}

func quotedLiteral(text string) (l Literal, problem string) {
	content, behind, closed := strings.Cut(text[1:], "'")
	switch {
	case !closed:
		return l, "starts with a quote that is not closed"
	case behind != "":
		return l, "goes on behind its closing quote with " + strconv.Quote(strings.TrimLeft(behind, " \t\r\n"))
	}
	return Literal{QuotedLiteral, content}, ""
}

// Mismatch says why a literal is no value of a kind, or nothing. None is one of
// every kind: it is the absence of a value.
func (l Literal) Mismatch(k Kind) string {
	if l.Kind == NoneLiteral {
		return ""
	}
	switch k {
	case IntKind:
		return l.IntegerMismatch()
	case FloatKind:
		if l.Kind != NumberLiteral {
			return "is not a number"
		}
		if f, _ := strconv.ParseFloat(l.Text, 64); math.IsInf(f, 0) {
			return "is out of the range of a 64-bit number"
		}
	case BoolKind:
		if l.Kind != BoolLiteral {
			return "is neither true nor false"
		}
	case ListKind:
		if l.Kind != ListLiteral {
			return "is neither [] nor none"
		}
	case DictKind, NoneKind:
		return "is not none"
	}
	return ""
}

// IntegerMismatch says why a literal is no integer of 64 bits, or nothing.
func (l Literal) IntegerMismatch() string {
	if l.Kind != NumberLiteral || strings.ContainsAny(l.Text, ".eE") {
		return "is not an integer"
	}
	_, errInt := strconv.ParseInt(l.Text, 10, 64)
	_, errUint := strconv.ParseUint(l.Text, 10, 64)
	if errInt != nil && errUint != nil {
		return "is out of the range of a 64-bit integer"
	}
	return ""
}

// String is the literal as a note has it.
func (l Literal) String() string {
	if l.Kind == QuotedLiteral {
		return "'" + l.Text + "'"
	}
	return l.Text
}

// Bare is the literal that the text is without quotes.
func (l Literal) Bare() Literal {
	literal, _ := Parse(l.Text)
	return literal
}
