package py

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Capitalize is s.capitalize().
func Capitalize(s string) string {
	var b strings.Builder
	for at, c := range s {
		b.WriteString(titleRune(s, at, c, at > 0))
	}
	return b.String()
}

// SwapCase is s.swapcase().
func SwapCase(s string) string {
	var b strings.Builder
	for at, c := range s {
		switch {
		case isUppercase(c):
			b.WriteString(lowerRune(s, at, c))
		case isLowercase(c):
			b.WriteString(Upper(string(c)))
		default:
			b.WriteRune(c)
		}
	}
	return b.String()
}

// CaseFold is s.casefold().
func CaseFold(s string) string {
	var b strings.Builder
	for _, c := range s {
		switch {
		case c == 'ı':
			b.WriteRune(c)
		case c == 'ẞ':
			b.WriteString("ss")
		case unicode.Is(unicode.Cherokee, c): // Unicode folds Cherokee to upper case
			b.WriteRune(unicode.ToUpper(c))
		default:
			for _, upper := range Upper(string(c)) {
				b.WriteString(Lower(string(upper)))
			}
		}
	}
	return b.String()
}

func isUppercase(c rune) bool { return unicode.In(c, unicode.Lu, unicode.Other_Uppercase) }
func isLowercase(c rune) bool { return unicode.In(c, unicode.Ll, unicode.Other_Lowercase) }

// allRunes reports whether s is not empty and the function is returns true for each character of s.
func allRunes(s string, is func(rune) bool) bool {
	return s != "" && strings.IndexFunc(s, func(c rune) bool { return !is(c) }) < 0
}

// AllLetters is s.isalpha().
func AllLetters(s string) bool { return allRunes(s, unicode.IsLetter) }

// AllDecimals is s.isdecimal().
func AllDecimals(s string) bool { return allRunes(s, unicode.IsDigit) }

// AllDigits is s.isdigit().
func AllDigits(s string) bool {
	return allRunes(s, func(c rune) bool { return unicode.IsDigit(c) || unicode.Is(otherDigits, c) })
}

// AllAlphanumeric is s.isalnum().
func AllAlphanumeric(s string) bool {
	return allRunes(s, func(c rune) bool { return unicode.IsLetter(c) || unicode.IsNumber(c) })
}

// AllSpaces is s.isspace().
func AllSpaces(s string) bool { return allRunes(s, IsSpace) }

// otherDigits are the characters that Unicode lists as digits but that are not in the category Nd, such as ².
var otherDigits = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0xb2, Hi: 0xb3, Stride: 1}, {Lo: 0xb9, Hi: 0xb9, Stride: 1}, {Lo: 0x1369, Hi: 0x1371, Stride: 1},
		{Lo: 0x19da, Hi: 0x19da, Stride: 1}, {Lo: 0x2070, Hi: 0x2070, Stride: 1}, {Lo: 0x2074, Hi: 0x2079, Stride: 1},
		{Lo: 0x2080, Hi: 0x2089, Stride: 1}, {Lo: 0x2460, Hi: 0x2468, Stride: 1}, {Lo: 0x2474, Hi: 0x247c, Stride: 1},
		{Lo: 0x2488, Hi: 0x2490, Stride: 1}, {Lo: 0x24ea, Hi: 0x24ea, Stride: 1}, {Lo: 0x24f5, Hi: 0x24fd, Stride: 1},
		{Lo: 0x24ff, Hi: 0x24ff, Stride: 1}, {Lo: 0x2776, Hi: 0x277e, Stride: 1}, {Lo: 0x2780, Hi: 0x2788, Stride: 1},
		{Lo: 0x278a, Hi: 0x2792, Stride: 1},
	},
	R32: []unicode.Range32{
		{Lo: 0x10a40, Hi: 0x10a43, Stride: 1}, {Lo: 0x10e60, Hi: 0x10e68, Stride: 1},
		{Lo: 0x11052, Hi: 0x1105a, Stride: 1}, {Lo: 0x1f100, Hi: 0x1f10a, Stride: 1},
	},
	LatinOffset: 2,
}

// IsUpper is s.isupper().
func IsUpper(s string) bool { return isInCase(s, isUppercase, isLowercase) }

// IsLower is s.islower().
func IsLower(s string) bool { return isInCase(s, isLowercase, isUppercase) }

// isInCase reports whether s has a letter in one case and none in the other case or in title case.
func isInCase(s string, one, other func(rune) bool) bool {
	isOther := func(c rune) bool { return other(c) || unicode.Is(unicode.Lt, c) }
	return strings.IndexFunc(s, one) >= 0 && strings.IndexFunc(s, isOther) < 0
}

// ZeroFill is s.zfill(width).
func ZeroFill(s string, width int) (string, error) {
	missing, err := countMissing(s, width, 1)
	if err != nil || missing == 0 {
		return s, err
	}
	digits := strings.TrimLeft(s, "+-")
	if len(s)-len(digits) > 1 {
		digits = s[1:]
	}
	return s[:len(s)-len(digits)] + strings.Repeat("0", missing) + digits, nil
}

// countMissing returns how many characters must be added to a text so that it has the given width. It fails if
// the result would be too large. Each added character has size bytes.
func countMissing(s string, width, size int) (int, error) {
	missing := max(0, width-utf8.RuneCountInString(s))
	if missing > MaxSize/size {
		return 0, TooLarge("text")
	}
	return missing, nil
}

// pad returns the fill characters that must be added to a text so that it has the given width.
func pad(s string, width int, fill string) (string, error) {
	if utf8.RuneCountInString(fill) != 1 {
		return "", Errorf("TypeError", "The fill character must be exactly one character long")
	}
	missing, err := countMissing(s, width, len(fill))
	return strings.Repeat(fill, missing), err
}

// PadRight is s.ljust(width, fill).
func PadRight(s string, width int, fill string) (string, error) {
	padding, err := pad(s, width, fill)
	return s + padding, err
}

// PadLeft is s.rjust(width, fill).
func PadLeft(s string, width int, fill string) (string, error) {
	padding, err := pad(s, width, fill)
	return padding + s, err
}

// Center is s.center(width, fill).
func Center(s string, width int, fill string) (string, error) {
	padding, err := pad(s, width, fill)
	missing := utf8.RuneCountInString(padding)
	left := (missing/2 + missing&width&1) * len(fill)
	return padding[:left] + s + padding[left:], err
}

// lineEnds are the characters after which splitlines splits.
const lineEnds = "\n\r\v\f\x1c\x1d\x1e\u0085\u2028\u2029"

// Lines is s.splitlines(keep).
func Lines(s string, keep bool) []string {
	lines := []string{}
	for s != "" {
		end := strings.IndexAny(s, lineEnds)
		if end < 0 {
			return append(lines, s)
		}
		_, size := utf8.DecodeRuneInString(s[end:])
		if strings.HasPrefix(s[end:], "\r\n") {
			size = 2
		}
		if keep {
			lines = append(lines, s[:end+size])
		} else {
			lines = append(lines, s[:end])
		}
		s = s[end+size:]
	}
	return lines
}

// FieldsRight is s.rsplit(None, limit).
func FieldsRight(s string, limit int) []string {
	fields := []string{}
	for s = strings.TrimRightFunc(s, IsSpace); s != ""; s = strings.TrimRightFunc(s, IsSpace) {
		start := strings.LastIndexFunc(s, IsSpace)
		if start < 0 || limit == 0 {
			fields = append(fields, s)
			break
		}
		_, size := utf8.DecodeRuneInString(s[start:])
		fields = append(fields, s[start+size:])
		s = s[:start]
		limit--
	}
	slices.Reverse(fields)
	return fields
}

// SplitRight is s.rsplit(separator, limit).
func SplitRight(s, separator string, limit int) ([]string, error) {
	if separator == "" {
		return nil, errEmptySeparator()
	}
	parts := []string{}
	for ; limit != 0; limit-- {
		start := strings.LastIndex(s, separator)
		if start < 0 {
			break
		}
		parts = append(parts, s[start+len(separator):])
		s = s[:start]
	}
	parts = append(parts, s)
	slices.Reverse(parts)
	return parts, nil
}

// Partition is list(s.partition(separator)).
func Partition(s, separator string) ([]string, error) {
	if separator == "" {
		return nil, errEmptySeparator()
	}
	before, after, found := strings.Cut(s, separator)
	if !found {
		separator = ""
	}
	return []string{before, separator, after}, nil
}

// PartitionRight is list(s.rpartition(separator)).
func PartitionRight(s, separator string) ([]string, error) {
	if separator == "" {
		return nil, errEmptySeparator()
	}
	at := strings.LastIndex(s, separator)
	if at < 0 {
		return []string{"", "", s}, nil
	}
	return []string{s[:at], separator, s[at+len(separator):]}, nil
}

// FindLast is s.rfind(sub, start, stop).
func FindLast(s, sub string, start, stop int) int {
	part, index, ok := boundedPart(s, start, stop)
	if at := strings.LastIndex(part, sub); ok && at >= 0 {
		return index + utf8.RuneCountInString(part[:at])
	}
	return -1
}

// Locate is s.index(sub, start, stop).
func Locate(s, sub string, start, stop int) (int, error) {
	return found(FindIn(s, sub, start, stop))
}

// LocateLast is s.rindex(sub, start, stop).
func LocateLast(s, sub string, start, stop int) (int, error) {
	return found(FindLast(s, sub, start, stop))
}

func found(at int) (int, error) {
	if at < 0 {
		return 0, Errorf("ValueError", "substring not found")
	}
	return at, nil
}

// StartsWithAny is s.startswith(tuple(prefixes), start, stop).
func StartsWithAny(s string, prefixes []string, start, stop int) bool {
	part, _, ok := boundedPart(s, start, stop)
	return ok && slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(part, prefix) })
}

// EndsWithAny is s.endswith(tuple(suffixes), start, stop).
func EndsWithAny(s string, suffixes []string, start, stop int) bool {
	part, _, ok := boundedPart(s, start, stop)
	return ok && slices.ContainsFunc(suffixes, func(suffix string) bool { return strings.HasSuffix(part, suffix) })
}
