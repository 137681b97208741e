package redact

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"html"
	"math/bits"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/aiongen/aiongen/internal/jsontext"
)

const (
	minLength = 6  // bytes; shorter values are not recognized, because they occur by chance
	longText  = 48 // bytes; values of this length or more are stored as blocks, so that their parts are recognized
	block     = 24 // bytes of a block
)

// Set is a set of values that OccursIn finds in texts. The zero Set is empty. OccursIn is safe for
// concurrent use, but not together with Add.
type Set struct {
	loose index // values as normalizeText returns them
	exact index // values that are mostly punctuation, as withoutSpace returns them
}

// Len returns the number of stored values. A long value is stored, and counted, as several parts.
func (s *Set) Len() int { return len(s.loose.values) + len(s.exact.values) }

// Texts returns the texts to add to a Set so that it recognizes a value: the value itself, its decoded
// text if it is escaped or encoded, and the numbers and words in it that identify something.
func Texts(value string) []string { return append(decodedSpellings(value), identifiersIn(value)...) }

// Add adds a text, or the parts of a long text. It ignores a text that is too short to be recognized. If
// the Set has reached the limit of values, it adds only some parts or nothing, and returns false.
func (s *Set) Add(text string, limit int) bool {
	value, target := normalizeText(text), &s.loose
	if len(value) < minLength {
		value, target = withoutSpace(text), &s.exact
	}
	switch {
	case len(value) < minLength:
		return true
	case len(value) < longText:
		return s.addTo(target, value, limit)
	}
	for i := 0; i+block <= len(value); i += block {
		if !s.addTo(target, value[i:i+block], limit) {
			return false
		}
	}
	return s.addTo(target, value[len(value)-block:], limit)
}

func (s *Set) addTo(target *index, value string, limit int) bool {
	if s.Len() >= limit {
		return false
	}
	target.addValue(value)
	return true
}

// OccursIn reports whether a text contains one of the values, in any of the encodings that the
// package comment lists.
func (s *Set) OccursIn(text string) bool {
	const maxDepth = 4 // the package comment promises three; the text itself may be escaped, too
	return s.Len() > 0 && s.findIn(text, maxDepth)
}

func (s *Set) findIn(text string, depth int) bool {
	normalized := normalizeText(text)
	if s.loose.occursIn(normalized) || len(s.exact.values) > 0 && s.exact.occursIn(withoutSpace(text)) {
		return true
	}
	if depth == 0 {
		return false
	}
	return slices.ContainsFunc(decodeText(text, normalized), func(plain string) bool { return s.findIn(plain, depth-1) })
}

// index finds values in texts. Each value has minLength to longText-1 bytes.
type index struct {
	values  map[string]struct{}
	lengths map[uint64]uint64 // by the first bytes of values; bit n is set if a value of n bytes begins with them
}

func (ix *index) addValue(value string) {
	if ix.values == nil {
		ix.values, ix.lengths = map[string]struct{}{}, map[uint64]uint64{}
	}
	ix.values[value] = struct{}{}
	ix.lengths[firstBytes(value)] |= 1 << len(value)
}

// firstBytes returns the first minLength bytes of s as a number.
func firstBytes(s string) (key uint64) {
	for i := range minLength {
		key = key<<8 | uint64(s[i])
	}
	return key
}

// occursIn reports whether the text contains one of the values.
func (ix *index) occursIn(text string) bool {
	if len(ix.values) == 0 {
		return false
	}
	for i := 0; i+minLength <= len(text); i++ {
		for lengths := ix.lengths[firstBytes(text[i:])]; lengths != 0; lengths &= lengths - 1 {
			end := i + bits.TrailingZeros64(lengths)
			if end > len(text) {
				continue
			}
			if _, ok := ix.values[text[i:end]]; ok {
				return true
			}
		}
	}
	return false
}

// normalizeText returns the letters and digits of a text in lower case, so that spaces, dashes,
// punctuation and case do not matter.
func normalizeText(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', '0' <= r && r <= '9':
			return r
		case 'A' <= r && r <= 'Z':
			return r + 'a' - 'A'
		case r < utf8.RuneSelf:
			return -1
		case '\uFF01' <= r && r <= '\uFF5E': // full-width ASCII
			return foldLetter(r - 0xFEE0)
		}
		return foldLetter(r)
	}, text)
}

func foldLetter(r rune) rune {
	if r == utf8.RuneError || !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) {
		return -1
	}
	return unicode.ToLower(unicode.ToUpper(r))
}

// withoutSpace returns a text in lower case, without white space, quotes, commas, brackets and
// backslashes. It normalizes values that consist mostly of punctuation.
func withoutSpace(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || r == utf8.RuneError || strings.ContainsRune("\"',[]\\", r) {
			return -1
		}
		return unicode.ToLower(r)
	}, text)
}

// decodeText returns the results of decoding a text, or parts of it, in each supported encoding.
func decodeText(text, normalized string) (all []string) {
	for _, plain := range []string{unescapeText(text), withoutTags(text), fromBase64(text), fromHex(normalized), fromBytes(text)} {
		if plain != "" && plain != text {
			all = append(all, plain)
		}
	}
	return all
}

// htmlTag matches a tag of HTML or XML, which may interrupt a value: sword<b>fish</b>.
var htmlTag = regexp.MustCompile(`</?[A-Za-z][^<>]{0,200}>`)

func withoutTags(text string) string {
	if !strings.Contains(text, ">") {
		return text
	}
	return htmlTag.ReplaceAllLiteralString(text, "")
}

// fromBytes returns the readable texts in lists of bytes, such as 104, 0x69, 33.
func fromBytes(text string) string {
	var found strings.Builder
	var list []byte
	words := strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	for word := range words {
		if b, err := strconv.ParseUint(word, 0, 8); err == nil {
			list = append(list, byte(b))
			continue
		}
		appendReadable(&found, list)
		list = list[:0]
	}
	appendReadable(&found, list)
	return found.String()
}

// unescapeText resolves one level of the escapes of JSON, Go, JavaScript, URLs and HTML.
func unescapeText(text string) string {
	if !strings.ContainsAny(text, `\%&`) {
		return text
	}
	text = strings.ReplaceAll(html.UnescapeString(text), "%u", `\u`)
	b := make([]byte, 0, len(text))
	for i := 0; i < len(text); {
		if c := text[i]; i+1 == len(text) || c != '%' && c != '\\' {
			b = append(b, c)
			i++
			continue
		}
		var size int
		b, size = appendEscaped(b, text[i:])
		i += size
	}
	return string(b)
}

// appendEscaped appends the character that the escape at the beginning of a text denotes, and returns
// the length of the escape.
func appendEscaped(b []byte, text string) ([]byte, int) {
	switch c := text[1]; {
	case text[0] == '%':
		if value, ok := parseDigits(text[1:], 2, 16); ok {
			return append(b, byte(value)), 3
		}
		return append(b, '%'), 1
	case c == 'x':
		if value, ok := parseDigits(text[2:], 2, 16); ok {
			return append(b, byte(value)), 4
		}
	case '0' <= c && c <= '3':
		if value, ok := parseDigits(text[1:], 3, 8); ok {
			return append(b, byte(value)), 4
		}
	case c == 'u' && strings.HasPrefix(text[2:], "{"):
		digits, _, closed := strings.Cut(text[3:min(len(text), len(`\u{10ffff}`))], "}")
		if value, ok := parseDigits("0"+digits, 1+len(digits), 16); ok && closed { // \u{} is U+0000
			return utf8.AppendRune(b, value), len(`\u{}`) + len(digits)
		}
	case c == 'U':
		if value, ok := parseDigits(text[2:], 8, 16); ok {
			return utf8.AppendRune(b, value), 10
		}
	}
	if r, size := jsontext.Unescape(text); size > 0 {
		return utf8.AppendRune(b, r), size
	}
	return append(b, ' '), 1
}

// parseDigits parses the first count bytes of a text as a number. ok is false if they are not all digits of the base.
func parseDigits(text string, count, base int) (value rune, ok bool) {
	if count > len(text) {
		return 0, false
	}
	n, err := strconv.ParseUint(text[:count], base, 32)
	return rune(n), err == nil
}

// standardBase64 converts base64 to the standard alphabet, without line breaks.
var standardBase64 = strings.NewReplacer("-", "+", "_", "/", "\r", "", "\n", "")

// fromBase64 decodes all parts of a text that may be base64, and returns the readable results. Base64
// may directly follow other letters, so it tries all four alignments.
func fromBase64(text string) string {
	const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	var found strings.Builder
	for part := range strings.FieldsFuncSeq(standardBase64.Replace(text), func(r rune) bool { return !strings.ContainsRune(digits, r) }) {
		for start := 0; start < 4 && len(part)-start >= minLength*4/3; start++ {
			b, _ := base64.RawStdEncoding.DecodeString(part[start:]) // the error is only about a single digit at the end
			appendReadable(&found, b)
		}
	}
	return found.String()
}

// fromHex decodes all parts of a normalized text that may be hexadecimal, and returns the readable
// results.
func fromHex(text string) string {
	var found strings.Builder
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return !strings.ContainsRune("0123456789abcdef", r) }) {
		for start := 0; start < 2 && len(part)-start >= 2*minLength; start++ {
			b, _ := hex.DecodeString(part[start:]) // the error is only about half a byte at the end
			appendReadable(&found, b)
		}
	}
	return found.String()
}

// appendReadable looks in decoded bytes for sequences of printable characters with at least minLength
// bytes. It appends each of them to out, followed by a line break.
func appendReadable(out *strings.Builder, b []byte) {
	b = bytes.ReplaceAll(b, []byte{0}, nil) // as in UTF-16 of ASCII
	start := 0
	for i := 0; i <= len(b); {
		r, size := utf8.DecodeRune(b[i:])
		if i < len(b) && (r != utf8.RuneError || size > 1) && (unicode.IsPrint(r) || r == '\n' || r == '\t') {
			i += size
			continue
		}
		if i-start >= minLength {
			out.Write(b[start:i])
			out.WriteByte('\n')
		}
		i++
		start = i
	}
}

var (
	// digitGroups matches numbers as people write them, such as the telephone number (020) 7946-0958.
	digitGroups = regexp.MustCompile(`\d(?:[ ().\-/]{0,2}\d){5,}`)

	// isoDate matches a date such as 2026-07-28, which does not identify anything by itself.
	isoDate = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}(?:$|T)`)
)

// identifiersIn returns the parts of a text that identify something: numbers, and words with a digit
// or an @.
func identifiersIn(text string) []string {
	words := strings.FieldsFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune("\"'`<>()[]{}|,;:?&=/", r)
	})
	return slices.DeleteFunc(append(words, digitGroups.FindAllString(text, -1)...), func(part string) bool {
		return part == text || !strings.ContainsAny(part, "0123456789@") || isoDate.MatchString(part)
	})
}

// decodedSpellings returns a value, and its decoded text if the whole value is escaped or encoded.
func decodedSpellings(value string) []string {
	all := []string{value}
	for range 2 {
		plain := unescapeText(all[len(all)-1])
		if plain == all[len(all)-1] {
			break
		}
		all = append(all, plain)
	}
	for _, plain := range []string{fromBase64(value), fromHex(normalizeText(value))} {
		first, _, _ := strings.Cut(plain, "\n")
		if 2*len(first) >= len(strings.TrimRight(value, "="))-2 && len(first) < len(value) { // otherwise a few letters decode by chance
			all = append(all, first)
		}
	}
	return all
}
