package scan

import (
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// Longest is the maximum length, in bytes, of a word or a number that a lookahead recognizes.
const Longest = 64

// ParseWord returns the kind and the JSON of unquoted text if it is a number or a word for a value. The words are
// those of JSON, Python and JavaScript, such as None. NaN and infinities become null.
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
// underscores between digits, and other bases. It rejects a number in another base with more than 64 bits,
// because that is probably an address or a digest.
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

// CompleteWord completes unquoted text that was cut off: "tr" becomes "true", and "1.5e" becomes "1.5". If
// nothing is left of a number such as "-", it returns "". It returns other text unchanged.
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

// BooleanWords maps words for true and false to their JSON.
var BooleanWords = map[string]string{
	"true": "true", "yes": "true", "on": "true", "1": "true",
	"false": "false", "no": "false", "off": "false", "0": "false",
}
