package values

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
)

// Limits say which values of a type are allowed. Notes set them, and so do the
// tags and types of Go; they mean the same everywhere. Bounds are numbers of JSON,
// "" where there is none, and hold for the length of texts and lists. They are
// compared digit by digit: 9007199254740993 is more than 9007199254740992.
type Limits struct {
	Enum         []Literal // none allows all
	Min, Max     string
	Above, Below string // bounds that are not allowed themselves
}

// Crossed says what is wrong with bounds that leave nothing, or nothing.
func (l Limits) Crossed() string {
	least, most := cmp.Or(l.Min, l.Above), cmp.Or(l.Max, l.Below)
	if least != "" && most != "" && compareNumbers(least, most) > 0 {
		return fmt.Sprintf("the minimum %s is more than the maximum %s", least, most)
	}
	return ""
}

// Refuse says why a value of a kind is not allowed, or nothing.
func (l Limits) Refuse(k Kind, v Literal) string {
	if FormOf(v) == NoneForm {
		return ""
	}
	same := func(allowed Literal) bool {
		return allowed.Text == v.Text || k != StringKind && equalNumbers(allowed, v)
	}
	if len(l.Enum) > 0 && !slices.ContainsFunc(l.Enum, same) {
		return "is none of the values " + listed(l.Enum)
	}
	size, is := v.Text, "is"
	switch {
	case k == StringKind:
		size = strconv.Itoa(utf8.RuneCountInString(v.Text))
		is = "has the length " + size + ","
	case k == ListKind:
		size, is = "0", "has no elements," // [] is the only list
	case FormOf(v) != NumberForm:
		return ""
	}
	switch {
	case l.Min != "" && compareNumbers(size, l.Min) < 0:
		return is + " less than the minimum " + l.Min
	case l.Max != "" && compareNumbers(size, l.Max) > 0:
		return is + " more than the maximum " + l.Max
	case l.Above != "" && compareNumbers(size, l.Above) <= 0:
		return is + " not more than " + l.Above
	case l.Below != "" && compareNumbers(size, l.Below) >= 0:
		return is + " not less than " + l.Below
	}
	return ""
}

// listed shows values in a message, at most eight.
func listed(values []Literal) string {
	var texts []string
	for _, v := range values {
		texts = append(texts, v.String())
	}
	return words.Join(texts, ", ", 8)
}

func equalNumbers(a, b Literal) bool {
	return FormOf(a) == NumberForm && FormOf(b) == NumberForm && compareNumbers(a.Text, b.Text) == 0
}

func compareNumbers(a, b string) int {
	return jsontext.ParseDecimal(a).Compare(jsontext.ParseDecimal(b))
}
