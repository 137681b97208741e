package scan

import (
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// Longest is the length in bytes up to which a lookahead searches for words and numbers.
const Longest = 64

// ParseWord returns the value that unquoted text stands for: a number, or a word of JSON, Python or
// JavaScript. NaN and infinities become null.
func ParseWord(text string) (k jsontext.Kind, lit string, ok bool) {
	switch text {
	case "true", "True", "TRUE":
		return jsontext.Bool, "true", true
	case "false", "False", "FALSE":
		return jsontext.Bool, "false", true
	case "null", "Null", "NULL", "None", "nil", "undefined", "NaN", "nan", "Infinity", "+Infinity", "-Infinity", "inf", "-inf":
		return jsontext.Null, "null", true
	}
	lit, ok = normalizeNumber(text)
	return jsontext.Number, lit, ok
}

// normalizeNumber returns a number in JSON. It accepts a plus sign, missing digits before or after the point,
// underscores between digits, and other bases. A number in another base with more than 64 bits is an address
// or a digest, and not accepted.
func normalizeNumber(text string) (lit string, ok bool) {
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

// CompleteWord completes unquoted text that was cut off: a word from its beginning, a number as far as it
// goes. It returns "" if nothing is left.
func CompleteWord(text string) string {
	for _, w := range []string{"true", "false", "null", "True", "False", "None"} {
		if strings.HasPrefix(w, text) {
			return w
		}
	}
	digits := strings.TrimRight(text, "eE+-.")
	if _, ok := normalizeNumber(digits); ok || digits == "" {
		return digits
	}
	return text
}

// ParseAmount returns the number in a text, which may have commas between groups of three digits and a
// currency sign.
func ParseAmount(text string) (lit string, ok bool) {
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
	return normalizeNumber(strings.ReplaceAll(text, ",", ""))
}

// BooleanWords are the texts that stand for true and false.
var BooleanWords = map[string]string{
	"true": "true", "yes": "true", "on": "true", "1": "true",
	"false": "false", "no": "false", "off": "false", "0": "false",
}
