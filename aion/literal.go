package aion

import (
	"fmt"
	"math"
	"strconv"
	"strings"
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

// parseLiteral reads a literal, or says what is wrong with it.
func parseLiteral(text string) (l Literal, problem string) {
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
	case isNumber(text):
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

// isNumber reports whether a text is a number of JSON.
func isNumber(text string) bool {
	text, ok := cutDigits(strings.TrimPrefix(text, "-"))
	if fraction, dot := strings.CutPrefix(text, "."); ok && dot {
		text, ok = cutDigits(fraction)
	}
	if ok && text != "" && (text[0] == 'e' || text[0] == 'E') {
		text = text[1:]
		if text != "" && (text[0] == '+' || text[0] == '-') {
			text = text[1:]
		}
		text, ok = cutDigits(text)
	}
	return ok && text == ""
}

// cutDigits removes the digits at the start, of which there must be one.
func cutDigits(text string) (rest string, ok bool) {
	rest = strings.TrimLeft(text, "0123456789")
	return rest, len(rest) < len(text)
}

// mismatch says why a literal is no value of a kind, or nothing. None is one of
// every kind: it is the absence of a value.
func (l Literal) mismatch(k Kind) string {
	if l.Kind == NoneLiteral {
		return ""
	}
	switch k {
	case IntKind:
		return l.integerMismatch()
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

func (l Literal) integerMismatch() string {
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

// contradictions holds the options against the kind of the type, and against
// each other.
func (n *noteReader) contradictions(k Kind) {
	if !n.boundsFit(k) {
		return
	}
	limits := n.limits()
	bounds := limits
	bounds.Enum = nil
	for _, l := range n.Enum {
		problem := bounds.Refuse(k, l)
		if wrong := l.mismatch(k); wrong != "" {
			problem = fmt.Sprintf("%s, but the type is %q", wrong, n.Type)
		}
		if problem != "" {
			n.bad("bad-enum", n.given["enum="], "the enum value %v %s", l, problem)
			return
		}
	}
	if n.Default != nil {
		n.checkDefault(k, *n.Default, limits)
	}
}

// limits are what the options allow.
func (n *noteReader) limits() (l Limits) {
	if !n.Open {
		l.Enum = n.Enum
	}
	if n.Min != nil {
		l.Min = n.Min.Text
	}
	if n.Max != nil {
		l.Max = n.Max.Text
	}
	return l
}

// boundsFit checks min and max: numbers have them, and so have lengths.
func (n *noteReader) boundsFit(k Kind) bool {
	for _, name := range []string{"min=", "max="} {
		bound := n.Min
		if name == "max=" {
			bound = n.Max
		}
		switch {
		case bound == nil:
		case k == BoolKind || k == DictKind || k == NoneKind:
			n.bad("bad-bound", n.given[name], "a %q has no min or max", n.Type).
				WithHelp("they bound numbers and the length of strings and lists")
			return false
		case (k == StringKind || k == ListKind) && (bound.integerMismatch() != "" || bound.Text[0] == '-'):
			n.bad("bad-bound", n.given[name], "the bound %v is no length of a %q", bound, n.Type)
			return false
		}
	}
	if problem := n.limits().Crossed(); problem != "" {
		n.bad("bad-bound", n.given["max="], "%s", problem)
		return false
	}
	return true
}

// checkDefault checks the default against type, enum and bounds.
func (n *noteReader) checkDefault(k Kind, d Literal, limits Limits) {
	if problem := d.mismatch(k); problem != "" {
		report := n.bad("bad-default", n.given["default="], "the default %v %s, but the type is %q", d, problem, n.Type)
		if d.Kind == QuotedLiteral && (Literal{Text: d.Text}).bare().mismatch(k) == "" {
			report.WithHelp("a quoted default is a string: write default=%s", d.Text)
		}
	} else if problem := limits.Refuse(k, d); problem != "" {
		n.bad("bad-default", n.given["default="], "the default %v %s", d, problem)
	}
}

// bare is the literal that the text is without quotes.
func (l Literal) bare() Literal {
	literal, _ := parseLiteral(l.Text)
	return literal
}
