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

// Limits are the limits of a value, which notes, struct tags and Go types can set. Bounds
// are JSON numbers, or "" if there is no bound. For texts and lists, they apply to the length.
// Bounds are compared as decimals, without rounding.
type Limits struct {
	Enum         []Literal // the allowed values; empty allows all
	Min, Max     string
	Above, Below string // exclusive bounds
}

// CheckBounds describes the problem if the bounds allow no value; otherwise it returns "".
func (l Limits) CheckBounds() string {
	least, most := cmp.Or(l.Min, l.Above), cmp.Or(l.Max, l.Below)
	if least != "" && most != "" && compareNumbers(least, most) > 0 {
		return fmt.Sprintf("the minimum %s is more than the maximum %s", least, most)
	}
	return ""
}

// CheckValue returns the reason why a value of a kind is not allowed, or "".
func (l Limits) CheckValue(k Kind, v Literal) string {
	if FormOf(v) == NoneForm {
		return ""
	}
	same := func(allowed Literal) bool {
		return allowed.Text == v.Text || k != StringKind && equalNumbers(allowed, v)
	}
	if len(l.Enum) > 0 && !slices.ContainsFunc(l.Enum, same) {
		return "is not one of the values " + listValues(l.Enum)
	}
	size, verb := v.Text, "is"
	switch {
	case k == StringKind:
		size = strconv.Itoa(utf8.RuneCountInString(v.Text))
		verb = "has the length " + size + ","
	case k == ListKind:
		size, verb = "0", "has no elements," // [] is the only list
	case FormOf(v) != NumberForm:
		return ""
	}
	if problem := l.checkSize(size); problem != "" {
		return verb + " " + problem
	}
	return ""
}

// checkSize returns a description of the bound that size violates, such as "less than the minimum 1", or "". size
// is a number, or the length of a text or list.
func (l Limits) checkSize(size string) string {
	switch {
	case l.Min != "" && compareNumbers(size, l.Min) < 0:
		return "less than the minimum " + l.Min
	case l.Max != "" && compareNumbers(size, l.Max) > 0:
		return "more than the maximum " + l.Max
	case l.Above != "" && compareNumbers(size, l.Above) <= 0:
		return "not more than " + l.Above
	case l.Below != "" && compareNumbers(size, l.Below) >= 0:
		return "not less than " + l.Below
	}
	return ""
}

// listValues lists at most eight values for a message.
func listValues(values []Literal) string {
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
