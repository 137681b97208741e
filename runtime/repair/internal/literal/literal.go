package literal

import (
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// Longest is more than any word or number that stands for a value is likely
// to have; longer ones are found too, but not by looking ahead.
const Longest = 64

// Word returns the value that text stands for where it has no quotes, if any: a
// number, or a word of JSON, Python or JavaScript. There is no JSON for numbers
// that are none.
func Word(text string) (k jsontext.Kind, lit string, ok bool) {
	switch text {
	case "true", "True", "TRUE":
		return jsontext.Bool, "true", true
	case "false", "False", "FALSE":
		return jsontext.Bool, "false", true
	case "null", "Null", "NULL", "None", "nil", "undefined", "NaN", "nan", "Infinity", "+Infinity", "-Infinity", "inf", "-inf":
		return jsontext.Null, "null", true
	}
	lit, ok = number(text)
	return jsontext.Number, lit, ok
}

// number returns a number as JSON writes it: also one with a plus, without
// digits before or behind the point, with underscores between digits, or of
// another base: what has more than 64 bits there is an address or a digest.
func number(text string) (lit string, ok bool) {
	if text == "" || strings.IndexByte("+-.0123456789", text[0]) < 0 {
		return "", false
	}
	if jsontext.IsNumber(text) {
		return text, true
	}
	sign, digits := "", strings.TrimPrefix(text, "+")
	if rest, negative := strings.CutPrefix(digits, "-"); negative {
		sign, digits = "-", rest
	}
	if len(digits) > 2 && digits[0] == '0' && strings.IndexByte("xXoObB", digits[1]) >= 0 {
		n, err := strconv.ParseUint(digits, 0, 64)
		return sign + strconv.FormatUint(n, 10), err == nil
	}
	if strings.HasPrefix(digits, ".") && digits != "." {
		digits = "0" + digits
	}
	if strings.HasSuffix(digits, ".") {
		digits += "0"
	}
	if strings.IndexByte(digits, '_') > 0 && !strings.Contains(digits, "__") {
		digits = strings.ReplaceAll(digits, "_", "")
	}
	lit = sign + digits
	return lit, jsontext.IsNumber(lit)
}

// Completed returns what text without quotes was to become that was cut off at
// its end: a word is known by its beginning, a number is what was there of it.
// It is empty if nothing was.
func Completed(text string) string {
	for _, w := range []string{"true", "false", "null", "True", "False", "None"} {
		if strings.HasPrefix(w, text) {
			return w
		}
	}
	digits := strings.TrimRight(text, "eE+-.")
	if _, ok := number(digits); ok || digits == "" {
		return digits
	}
	return text
}

// Amount returns the number that a text says, also with commas between groups
// of three digits and a sign of a currency before it.
func Amount(text string) (lit string, ok bool) {
	for _, currency := range []string{"$", "€", "£", "¥"} {
		if rest, found := strings.CutPrefix(text, currency); found {
			text = strings.TrimLeft(rest, " ")
			break
		}
	}
	whole, fraction, _ := strings.Cut(text, ".")
	groups := strings.Split(whole, ",")
	for i, group := range groups[1:] {
		if first := strings.TrimLeft(groups[0], "+-"); len(group) != 3 || i == 0 && (len(first) == 0 || len(first) > 3 || first[0] == '0') {
			return "", false
		}
	}
	if strings.Contains(fraction, ",") {
		return "", false
	}
	return number(strings.ReplaceAll(text, ",", ""))
}

// Truths are the texts that stand for true and false.
var Truths = map[string]string{
	"true": "true", "yes": "true", "on": "true", "1": "true",
	"false": "false", "no": "false", "off": "false", "0": "false",
}
