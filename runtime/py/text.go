package py

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// FloatText is str(f).
func FloatText(f float64) string {
	switch {
	case math.IsNaN(f):
		return "nan"
	case math.IsInf(f, 1):
		return "inf"
	case math.IsInf(f, -1):
		return "-inf"
	}
	if size := math.Abs(f); size != 0 && (size < 1e-4 || size >= 1e16) {
		return strconv.FormatFloat(f, 'e', -1, 64)
	}
	text := strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(text, ".") {
		text += ".0"
	}
	return text
}

// BoolText is str(b).
func BoolText(b bool) string {
	if b {
		return "True"
	}
	return "False"
}

// Fixed formats f with a number of digits after the point: with 2 digits, it is format(f, ".2f").
func Fixed(f float64, digits int) string {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return FloatText(f)
	}
	return strconv.FormatFloat(f, 'f', digits, 64)
}

// digitValue returns the value of a decimal digit. The digits of a script are consecutive, starting
// with 0.
func digitValue(c rune) rune {
	if c < utf8.RuneSelf {
		return c - '0'
	}
	zero := c
	for unicode.IsDigit(zero-1) && c-zero < 9 {
		zero--
	}
	if c >= 0x1d7ce && c <= 0x1d7ff { // five adjacent sets of mathematical digits
		zero = 0x1d7ce + (c-0x1d7ce)/10*10
	}
	return c - zero
}

// Space is the white space that strip removes by default.
const Space = "\t\n\v\f\r\x1c\x1d\x1e\x1f \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a" +
	"\u2028\u2029\u202f\u205f\u3000"

// IsSpace reports whether Python treats a character as white space.
func IsSpace(c rune) bool {
	return unicode.IsSpace(c) || 0x1c <= c && c <= 0x1f
}

// CharAt is s[i].
func CharAt(s string, i int) (string, error) {
	if i < 0 {
		i += utf8.RuneCountInString(s)
	}
	for at := range s {
		if i == 0 {
			_, size := utf8.DecodeRuneInString(s[at:])
			return s[at : at+size], nil
		}
		i--
	}
	return "", Errorf("IndexError", "string index out of range")
}

// Substring is s[start:stop].
func Substring(s string, start, stop int) string {
	n := utf8.RuneCountInString(s)
	start, stop = clampBound(start, n), clampBound(stop, n)
	if start >= stop {
		return ""
	}
	from := byteOffset(s, start)
	return s[from : from+byteOffset(s[from:], stop-start)]
}

// SubstringStep is s[start:stop:step].
func SubstringStep(s string, start, stop, step int) (string, error) {
	chars, err := SliceStep([]rune(s), start, stop, step)
	return string(chars), err
}

// byteOffset returns the byte offset of code point i.
func byteOffset(s string, i int) int {
	for at := range s {
		if i == 0 {
			return at
		}
		i--
	}
	return len(s)
}

// Chr is chr(n). It fails for half of a surrogate pair, which Go's strings cannot hold.
func Chr(n int) (string, error) {
	switch {
	case n != int(int32(n)):
		return "", Errorf("OverflowError", "Python int too large to convert to C int")
	case n < 0 || n > utf8.MaxRune:
		return "", Errorf("ValueError", "chr() arg not in range(0x110000)")
	case !utf8.ValidRune(rune(n)):
		return "", Errorf("ValueError", "chr() arg is half of a surrogate pair")
	}
	return string(rune(n)), nil
}

// Ord is ord(s).
func Ord(s string) (int, error) {
	c, width := utf8.DecodeRuneInString(s)
	if width == 0 || width < len(s) {
		return 0, Errorf("TypeError", "ord() expected a character, but string of length %d found", utf8.RuneCountInString(s))
	}
	return int(c), nil
}

// Chars is list(s): the code points of s.
func Chars(s string) []string {
	chars := make([]string, 0, len(s))
	for _, c := range s {
		chars = append(chars, string(c))
	}
	return chars
}

// Repeat is s * n.
func Repeat(s string, n int) (string, error) {
	if n <= 0 || s == "" {
		return "", nil
	}
	if n > MaxSize/len(s) {
		return "", TooLarge("text")
	}
	return strings.Repeat(s, n), nil
}

// Replace is s.replace(old, new, limit). A negative limit replaces all occurrences.
func Replace(s, old, new string, limit int) (string, error) {
	count := strings.Count(s, old)
	if limit >= 0 {
		count = min(count, limit)
	}
	if added := len(new) - len(old); added > 0 && count > 0 && count > (MaxSize-len(s))/added {
		return "", TooLarge("text")
	}
	return strings.Replace(s, old, new, limit), nil
}

// Join is separator.join(list).
func Join(list []string, separator string) (string, error) {
	size := 0
	for _, s := range list {
		if size += len(separator) + len(s); size > MaxSize {
			return "", TooLarge("text")
		}
	}
	return strings.Join(list, separator), nil
}

// Fields is s.split(None, limit): it splits at white space, at most limit times unless limit is
// negative.
func Fields(s string, limit int) []string {
	fields := []string{}
	for s = strings.TrimLeftFunc(s, IsSpace); s != ""; s = strings.TrimLeftFunc(s, IsSpace) {
		end := strings.IndexFunc(s, IsSpace)
		if end < 0 || limit == 0 {
			return append(fields, s)
		}
		fields = append(fields, s[:end])
		s = s[end:]
		limit--
	}
	return fields
}

// Split is s.split(separator, limit): it splits at most limit times unless limit is negative.
func Split(s, separator string, limit int) ([]string, error) {
	if separator == "" {
		return nil, errEmptySeparator()
	}
	if limit < 0 || limit >= len(s) {
		return strings.Split(s, separator), nil
	}
	return strings.SplitN(s, separator, limit+1), nil
}

func errEmptySeparator() error { return Errorf("ValueError", "empty separator") }

// Find is s.find(sub): an index of code points, or -1.
func Find(s, sub string) int {
	at := strings.Index(s, sub)
	if at < 0 {
		return -1
	}
	return utf8.RuneCountInString(s[:at])
}

// boundedPart returns s[start:stop] and the index of its start. The methods find, count, startswith and endswith
// search this part of s if they have bounds. boundedPart returns false if start is after stop.
func boundedPart(s string, start, stop int) (part string, index int, ok bool) {
	n := utf8.RuneCountInString(s)
	if start < 0 {
		start = max(0, start+n)
	}
	if stop = clampBound(stop, n); start > stop {
		return "", 0, false
	}
	return Substring(s, start, stop), start, true
}

// FindIn is s.find(sub, start, stop).
func FindIn(s, sub string, start, stop int) int {
	part, index, ok := boundedPart(s, start, stop)
	if at := Find(part, sub); ok && at >= 0 {
		return index + at
	}
	return -1
}

// CountIn is s.count(sub, start, stop).
func CountIn(s, sub string, start, stop int) int {
	if part, _, ok := boundedPart(s, start, stop); ok {
		return strings.Count(part, sub)
	}
	return 0
}

// StartsWithIn is s.startswith(prefix, start, stop).
func StartsWithIn(s, prefix string, start, stop int) bool {
	part, _, ok := boundedPart(s, start, stop)
	return ok && strings.HasPrefix(part, prefix)
}

// EndsWithIn is s.endswith(suffix, start, stop).
func EndsWithIn(s, suffix string, start, stop int) bool {
	part, _, ok := boundedPart(s, start, stop)
	return ok && strings.HasSuffix(part, suffix)
}

// Quote is repr(s). It uses double quotes if s contains single quotes but no double quotes, and otherwise single
// quotes.
func Quote(s string) string {
	quote := '\''
	if strings.Contains(s, "'") && !strings.Contains(s, `"`) {
		quote = '"'
	}
	var b strings.Builder
	b.WriteRune(quote)
	for _, c := range s {
		switch {
		case c == quote || c == '\\':
			b.WriteByte('\\')
			b.WriteRune(c)
		case c == '\n':
			b.WriteString(`\n`)
		case c == '\r':
			b.WriteString(`\r`)
		case c == '\t':
			b.WriteString(`\t`)
		case unicode.IsPrint(c):
			b.WriteRune(c)
		case c <= 0xff:
			fmt.Fprintf(&b, `\x%02x`, c)
		case c <= 0xffff:
			fmt.Fprintf(&b, `\u%04x`, c)
		default:
			fmt.Fprintf(&b, `\U%08x`, c)
		}
	}
	b.WriteRune(quote)
	return b.String()
}
