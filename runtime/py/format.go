package py

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Format is a parsed format specification, such as `>10,.2f`.
type Format struct {
	fill      rune
	align     byte // '<', '>', '^' or '='
	sign      byte // '+', '-', ' ' or 0
	noNegZero bool // "z": write -0 as 0
	alternate bool // "#": write the prefix of a base, or always a decimal point
	width     int
	group     byte // ',', '_' or 0
	precision int  // -1 if omitted
	verb      rune // 0 if omitted, which is possible only for floats
}

// ParseFormat parses a format specification for a value of the Python type str, int, bool or float. If the
// specification is invalid for the type, it returns the same error as Python's format.
func ParseFormat(spec, typeName string) (Format, error) {
	f := Format{fill: ' ', align: '>', precision: -1}
	switch typeName {
	case "str":
		f.align, f.verb = '<', 's'
	case "int", "bool":
		f.verb = 'd'
	}
	rest, err := f.parseSize(f.parseAlignment(spec))
	if err != nil {
		return f, err
	}
	verb, size := utf8.DecodeRuneInString(rest)
	switch {
	case size < len(rest):
		return f, Errorf("ValueError", "Invalid format specifier '%s' for object of type '%s'", spec, typeName)
	case size > 0:
		f.verb = verb
	}
	if err := f.checkGroup(); err != nil {
		return f, err
	}
	return f, f.checkType(typeName)
}

// parseAlignment parses the part of a specification before the width and returns the rest.
func (f *Format) parseAlignment(spec string) (rest string) {
	_, size := utf8.DecodeRuneInString(spec)
	isAlign := func(i int) bool { return i < len(spec) && strings.IndexByte("<>=^", spec[i]) >= 0 }
	defaultAlign, filled := f.align, false
	switch {
	case size > 0 && isAlign(size):
		f.fill, _ = utf8.DecodeRuneInString(spec)
		f.align, filled = spec[size], true
		spec = spec[size+1:]
	case isAlign(0):
		f.align = spec[0]
		spec = spec[1:]
		defaultAlign = 0
	}
	if spec != "" && strings.IndexByte("+- ", spec[0]) >= 0 {
		f.sign, spec = spec[0], spec[1:]
	}
	spec, f.noNegZero = strings.CutPrefix(spec, "z")
	spec, f.alternate = strings.CutPrefix(spec, "#")
	if rest, zero := strings.CutPrefix(spec, "0"); zero && !filled {
		f.fill, spec = '0', rest
		if defaultAlign == '>' {
			f.align = '='
		}
	}
	return spec
}

// parseSize parses the width, the separator and the precision and returns the rest.
func (f *Format) parseSize(spec string) (rest string, err error) {
	f.width, spec, err = leadingNumber(spec)
	if err != nil {
		return "", err
	}
	comma, underscore := false, false
	spec, comma = strings.CutPrefix(spec, ",")
	spec, underscore = strings.CutPrefix(spec, "_")
	switch {
	case underscore && (comma || strings.HasPrefix(spec, ",")):
		return "", Errorf("ValueError", "Cannot specify both ',' and '_'.")
	case comma:
		f.group = ','
	case underscore:
		f.group = '_'
	}
	if digits, dot := strings.CutPrefix(spec, "."); dot {
		f.precision, spec, err = leadingNumber(digits)
		if err == nil && len(spec) == len(digits) {
			err = Errorf("ValueError", "Format specifier missing precision")
		}
	}
	return spec, err
}

// leadingNumber reads the decimal digits at the start of a text.
func leadingNumber(text string) (n int, rest string, err error) {
	for i, c := range text {
		if !unicode.IsDigit(c) {
			return n, text[i:], nil
		}
		digit := int(digitValue(c))
		if n > (math.MaxInt-digit)/10 {
			return 0, "", Errorf("ValueError", "Too many decimal digits in format string")
		}
		n = n*10 + digit
	}
	return n, "", nil
}

// checkGroup checks that the thousands separator is allowed for the verb.
func (f *Format) checkGroup() error {
	switch {
	case f.group == 0, f.verb == 0, strings.ContainsRune("defgEG%F", f.verb), f.group == '_' && strings.ContainsRune("boxX", f.verb):
		return nil
	}
	return Errorf("ValueError", "Cannot specify '%c' with '%s'.", f.group, verbText(f.verb))
}

// verbText formats a verb as Python does in messages.
func verbText(verb rune) string {
	if verb > ' ' && verb < 0x80 {
		return string(verb)
	}
	return fmt.Sprintf(`\x%x`, verb)
}

// checkType checks that a format is allowed for a type.
func (f *Format) checkType(typeName string) error {
	isInt := typeName == "int" || typeName == "bool"
	message := ""
	switch {
	case typeName == "str" && f.verb == 's':
		message = f.textProblem()
	case isInt && f.verb != 0 && strings.ContainsRune("bcdoxXn", f.verb):
		message = f.integerProblem()
	case typeName != "str" && f.isFloat(), typeName == "float" && (f.verb == 0 || f.verb == 'n'):
		if f.precision > math.MaxInt32 {
			message = "precision too big"
		}
	default:
		message = fmt.Sprintf("Unknown format code '%s' for object of type '%s'", verbText(f.verb), typeName)
	}
	switch {
	case message != "":
		return Errorf("ValueError", "%s", message)
	case f.width > MaxSize, f.precision > MaxSize && f.verb != 's':
		return TooLarge("text")
	}
	return nil
}

// textProblem returns what is invalid in a format of a text, or "".
func (f *Format) textProblem() string {
	switch {
	case f.sign == ' ':
		return "Space not allowed in string format specifier"
	case f.sign != 0:
		return "Sign not allowed in string format specifier"
	case f.noNegZero:
		return "Negative zero coercion (z) not allowed in string format specifier"
	case f.alternate:
		return "Alternate form (#) not allowed in string format specifier"
	case f.align == '=':
		return "'=' alignment not allowed in string format specifier"
	}
	return ""
}

// integerProblem returns what is invalid in a format for an integer that is not converted to a float, or "".
func (f *Format) integerProblem() string {
	switch {
	case f.precision >= 0:
		return "Precision not allowed in integer format specifier"
	case f.noNegZero:
		return "Negative zero coercion (z) not allowed in integer format specifier"
	case f.verb == 'c' && f.sign != 0:
		return "Sign not allowed with integer format specifier 'c'"
	case f.verb == 'c' && f.alternate:
		return "Alternate form (#) not allowed with integer format specifier 'c'"
	}
	return ""
}

// isFloat reports whether the verb writes a float.
func (f *Format) isFloat() bool { return f.verb != 0 && strings.ContainsRune("eEfFgG%", f.verb) }

// Size returns the width or the precision, whichever is larger.
func (f *Format) Size() int { return max(f.width, f.precision) }

// Text formats a string.
func (f *Format) Text(s string) string {
	if f.precision >= 0 {
		s = s[:byteOffset(s, f.precision)]
	}
	return f.pad("", s, f.width-utf8.RuneCountInString(s))
}

// pad adds n fill characters to head and text. head is the sign and the prefix of a number.
func (f *Format) pad(head, text string, n int) string {
	if n <= 0 {
		return head + text
	}
	fill := func(n int) string { return strings.Repeat(string(f.fill), n) }
	switch f.align {
	case '<':
		return head + text + fill(n)
	case '^':
		return fill(n/2) + head + text + fill(n-n/2)
	case '=':
		return head + fill(n) + text
	}
	return fill(n) + head + text
}

// number formats a number from its parts: the sign, the prefix such as 0x, the digits before the point, and the
// rest. It adds separators to the digits.
func (f *Format) number(negative bool, prefix, digits, rest string) string {
	head := prefix
	switch {
	case negative:
		head = "-" + prefix
	case f.sign == '+' || f.sign == ' ':
		head = string(f.sign) + prefix
	}
	minWidth := 0
	if f.fill == '0' && f.align == '=' {
		minWidth = f.width - len(head) - len(rest)
	}
	if digits != "" && f.group != 0 {
		digits = f.groupDigits(digits, minWidth)
	}
	text := digits + rest
	return f.pad(head, text, f.width-len(head)-len(text))
}

// groupDigits inserts separators between groups of digits. It adds leading zeros until the text has at least
// minWidth characters and does not begin with a separator.
func (f *Format) groupDigits(digits string, minWidth int) string {
	size := 3
	if strings.ContainsRune("boxX", f.verb) {
		size = 4
	}
	var groups []string // the last one first
	for {
		width := min(size, max(len(digits), minWidth, 1))
		from := max(0, len(digits)-width)
		groups = append(groups, strings.Repeat("0", max(0, width-len(digits)))+digits[from:])
		digits = digits[:from]
		if minWidth -= width; digits == "" && minWidth <= 0 {
			break
		}
		minWidth-- // for the separator
	}
	slices.Reverse(groups)
	return strings.Join(groups, string(f.group))
}

// Int formats an integer. It fails if the integer is too large for a float or not the code of a
// character.
func (f *Format) Int(n *big.Int) (string, error) {
	if f.isFloat() {
		x, _ := new(big.Float).SetInt(n).Float64()
		if math.IsInf(x, 0) {
			return "", Errorf("OverflowError", "int too large to convert to float")
		}
		return f.Float(x), nil
	}
	if f.verb == 'c' {
		if !n.IsInt64() {
			return "", Errorf("OverflowError", "Python int too large to convert to C long")
		}
		if n.Sign() < 0 || n.Int64() > unicode.MaxRune {
			return "", Errorf("OverflowError", "%%c arg not in range(0x110000)")
		}
		text := string(rune(n.Int64()))
		return f.pad("", text, f.width-1), nil
	}
	base, prefix := 10, ""
	switch f.verb {
	case 'b':
		base, prefix = 2, "0b"
	case 'o':
		base, prefix = 8, "0o"
	case 'x', 'X':
		base, prefix = 16, "0x"
	}
	if !f.alternate {
		prefix = ""
	}
	digits := new(big.Int).Abs(n).Text(base)
	if f.verb == 'X' {
		prefix, digits = strings.ToUpper(prefix), strings.ToUpper(digits)
	}
	return f.number(n.Sign() < 0, prefix, digits, ""), nil
}

// Float formats a float.
func (f *Format) Float(x float64) string {
	percent := ""
	if f.verb == '%' {
		x, percent = x*100, "%"
	}
	text := f.floatText(math.Abs(x))
	negative := math.Signbit(x) && !math.IsNaN(x)
	if f.noNegZero && strings.Trim(text, "0.eE+") == "" {
		negative = false
	}
	end := len(text) - len(strings.TrimLeft(text, "0123456789"))
	return f.number(negative, "", text[:end], text[end:]+percent)
}

// floatText formats a float that is not negative, without padding and separators.
func (f *Format) floatText(x float64) string {
	precision := f.precision
	if precision < 0 {
		precision = 6
	}
	text := ""
	switch {
	case math.IsNaN(x), math.IsInf(x, 0), f.verb == 0 && f.precision < 0:
		text = FloatText(x)
	case strings.ContainsRune("fF%", f.verb):
		text = strconv.FormatFloat(x, 'f', precision, 64)
	case strings.ContainsRune("eE", f.verb):
		text = strconv.FormatFloat(x, 'e', precision, 64)
	default:
		text = f.generalText(x, max(1, precision))
	}
	if f.alternate && !strings.Contains(text, ".") && text[0] <= '9' { // not inf and nan
		mantissa, exponent, hasExponent := strings.Cut(text, "e")
		text = mantissa + "."
		if hasExponent {
			text += "e" + exponent
		}
	}
	if strings.ContainsRune("EFG", f.verb) {
		text = strings.ToUpper(text)
	}
	return text
}

// generalText formats a float with as many significant digits as precision says, in scientific notation if it is
// very large or small.
func (f *Format) generalText(x float64, precision int) string {
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(x, 'e', precision-1, 64), "e")
	power, _ := strconv.Atoi(exponent) // always valid, because FormatFloat wrote it
	digits := strings.Replace(mantissa, ".", "", 1)
	if !f.alternate {
		digits = digits[:1] + strings.TrimRight(digits[1:], "0")
	}
	point := power + 1 // the number of digits before the point
	maxPoint := precision
	if f.verb == 0 { // at least one digit follows the point
		maxPoint--
	}
	switch {
	case point <= -4 || point > maxPoint:
		if len(digits) > 1 {
			digits = digits[:1] + "." + digits[1:]
		}
		return digits + "e" + exponent
	case point <= 0:
		return "0." + strings.Repeat("0", -point) + digits
	case len(digits) > point:
		return digits[:point] + "." + digits[point:]
	}
	text := digits + strings.Repeat("0", point-len(digits))
	if f.verb == 0 {
		text += ".0"
	}
	return text
}

// mustParseFormat parses a specification that the compiler has checked.
func mustParseFormat(spec, typeName string) Format {
	f, err := ParseFormat(spec, typeName)
	if err != nil {
		panic(err)
	}
	return f
}

// FormatInt is format(n, spec). It panics if the specification is invalid for an int, or if it has the verb c and n is
// not the code of a character.
func FormatInt[T Integer](n T, spec string) string {
	f := mustParseFormat(spec, "int")
	number := new(big.Int).SetUint64(uint64(n))
	if n < 0 {
		number.SetInt64(int64(n))
	}
	text, err := f.Int(number)
	if err != nil {
		panic(err)
	}
	return text
}

// FormatFloat is format(x, spec). It panics if the specification is invalid for a float.
func FormatFloat(x float64, spec string) string {
	f := mustParseFormat(spec, "float")
	return f.Float(x)
}

// FormatText is format(s, spec). It panics if the specification is invalid for a str.
func FormatText(s, spec string) string {
	f := mustParseFormat(spec, "str")
	return f.Text(s)
}
