package outline

import (
	"slices"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// Endpoints that are compatible with OpenAI use engines such as XGrammar, which compile a schema to a
// grammar and let the model write only text of this grammar. The functions in this file recognize
// keywords that such engines get wrong: they prevent valid values, or reject the whole schema.

// grammarFormats are the formats for which engines accept all valid values, as written by encoding/json.
const grammarFormats = " date-time time date duration ipv4 ipv6 uuid "

// exactInteger is the largest integer that engines read exactly as a bound.
const exactInteger = 1 << 53

// WhyUnsupported returns why the target does not understand v, a keyword of the schema s, or "".
func (r *Rules) WhyUnsupported(s, v *jsontext.Node) string {
	if v.Name() == "pattern" && v.Is(jsontext.String) && IsGoOnly(v.Str()) {
		return "only Go understands its syntax"
	}
	if r.Grammars && !fitsGrammar(s, v) {
		return "some servers misread it"
	}
	return ""
}

// fitsGrammar reports whether engines that use grammars understand or ignore v, a keyword of the schema
// s.
func fitsGrammar(s, v *jsontext.Node) bool {
	switch v.Name() {
	case "minLength", "maxLength": // engines would not allow escapes in the string, such as \" and \n
		return !v.Is(jsontext.Number)
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum":
		return !v.Is(jsontext.Number) || fitsIntegers(s, v)
	case "format":
		return !v.Is(jsontext.String) || strings.Contains(grammarFormats, " "+v.Str()+" ")
	case "propertyNames": // engines would not check the values of the members
		return false
	case "patternProperties": // the patterns are read like other patterns
		return !slices.ContainsFunc(ItemsOf(v), func(property *jsontext.Node) bool { return !isPlainPattern(property.Name()) })
	case "pattern":
		return !v.Is(jsontext.String) || isPlainPattern(v.Str())
	}
	return true
}

// fitsIntegers reports whether engines understand the bound v in the schema s. They misread bounds that are not
// integers. A negative bound without a bound on the other side makes them refuse all negative integers.
func fitsIntegers(s, v *jsontext.Node) bool {
	if s.Member("type") == nil || slices.Contains(TypesOf(s), "number") || !isExactInteger(v) {
		return false
	}
	opposite := []string{"maximum", "exclusiveMaximum"}
	if slices.Contains(opposite, v.Name()) {
		opposite = []string{"minimum", "exclusiveMinimum"}
	}
	return !strings.HasPrefix(v.Text, "-") || slices.ContainsFunc(opposite, func(name string) bool { return isExactInteger(s.Member(name)) })
}

func isExactInteger(v *jsontext.Node) bool {
	if !v.Is(jsontext.Number) {
		return false
	}
	n, err := strconv.ParseInt(v.Text, 10, 64)
	return err == nil && -exactInteger <= n && n <= exactInteger
}

// isPlainPattern reports whether a pattern has anchors at both ends, matches only printable ASCII
// characters that JSON does not escape, and has simple syntax.
func isPlainPattern(pattern string) bool {
	rest, start := strings.CutPrefix(pattern, "^")
	rest, end := strings.CutSuffix(rest, "$")
	depth := 0
	for rest != "" {
		n := 1
		switch rest[0] {
		case '(':
			depth++
		case ')':
			depth--
		case '|':
			if depth == 0 {
				return false // the anchors belong to the first and last alternative
			}
		default:
			n = plainLength(rest)
		}
		if n < 0 || strings.HasPrefix(rest, "(?") {
			return false
		}
		rest = rest[n:]
	}
	return start && end
}

// plainLength returns the length of the character, class, escape or opening bracket of a quantifier at
// the start of a pattern, or -1 if it does not satisfy isPlainPattern.
func plainLength(pattern string) int {
	c, rest := pattern[0], pattern[1:]
	switch {
	case c == '[':
		if n := plainClass(rest); n >= 0 {
			return 1 + n
		}
	case c == '\\':
		if rest != "" && isPlainEscape(rest[0]) {
			return 2
		}
	case c == '{':
		if isCount(rest) {
			return 1
		}
	case strings.IndexByte(".^$", c) < 0 && isPlainByte(c):
		return 1
	}
	return -1
}

// plainClass returns the length of a character class without its opening bracket, or -1 if it may
// match characters that are not plain; see isPlainByte.
func plainClass(rest string) int {
	low := byte(0)
	for i := 0; i < len(rest); i++ {
		c := rest[i]
		switch {
		case c == ']':
			return i + 1
		case c == '^' && i == 0, c == '[':
			return -1
		case c == '\\':
			i++
			if i == len(rest) || !isPlainEscape(rest[i]) {
				return -1
			}
			c = rest[i]
		case c == '-' && low != 0 && i+1 < len(rest) && rest[i+1] != ']':
			if strings.IndexByte(`\[`, rest[i+1]) >= 0 || !isPlainRange(low, rest[i+1]) {
				return -1
			}
		case !isPlainByte(c):
			return -1
		}
		low = c
	}
	return -1
}

func isPlainRange(low, high byte) bool {
	for c := low; c <= high; c++ {
		if !isPlainByte(c) {
			return false
		}
	}
	return true
}

// isPlainByte reports whether a byte is a printable ASCII character that JSON strings do not escape.
func isPlainByte(c byte) bool { return ' ' <= c && c <= '~' && c != '"' && c != '\\' }

// isPlainEscape reports whether an escape in a pattern, such as \d or \., matches only plain
// characters.
func isPlainEscape(c byte) bool {
	if 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' {
		return c == 'd' || c == 'w'
	}
	return isPlainByte(c)
}

// isCount reports whether rest, the text after {, completes a quantifier such as {2} or {2,3}.
func isCount(rest string) bool {
	count, _, closed := strings.Cut(rest, "}")
	low, high, _ := strings.Cut(count, ",")
	return closed && low != "" && strings.Trim(low+high, "0123456789") == ""
}
