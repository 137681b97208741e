package jsonschema

import (
	"cmp"
	"errors"
	"math"
	"regexp"
	"regexp/syntax"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/aiongen/aiongen/internal/lazyregexp"
	"github.com/aiongen/aiongen/internal/words"
)

// Pattern is a compiled regular expression.
type Pattern struct {
	Text     string
	Size     int // number of instructions of its program
	compiled *regexp.Regexp
}

// ExpectedMatch describes what is expected instead of the string s if it does not match. It returns "" if s matches.
func ExpectedMatch(r *lazyregexp.Regexp, s string) string {
	if r.Get().MatchString(s) {
		return ""
	}
	return describePattern(r.Text, s)
}

// CompilePattern compiles a regular expression of ECMA-262. It returns an error for lookaround and
// backreferences, which package regexp does not support. Constructs that ECMA-262 and package regexp define
// differently have the meaning of package regexp. The compiled program may have at most maxInstructions
// instructions.
func CompilePattern(text string, maxInstructions int) (*Pattern, error) {
	expression, tree, err := parsePattern(text)
	if err != nil {
		return nil, err
	}
	size := countInstructions(tree)
	if size > maxInstructions {
		return nil, errors.New("it is too long with its repetitions")
	}
	compiled, err := regexp.Compile(expression)
	return &Pattern{text, size, compiled}, err
}

// PatternSize returns the number of instructions of a regular expression without compiling it.
// It returns an error if [CompilePattern] cannot compile the expression.
func PatternSize(text string) (int, error) {
	_, tree, err := parsePattern(text)
	if err != nil {
		return 0, err
	}
	return countInstructions(tree), nil
}

// countInstructions estimates the number of instructions of a regular expression. A repetition multiplies the number.
func countInstructions(tree *syntax.Regexp) int {
	size := 1
	if tree.Op == syntax.OpLiteral {
		size = len(tree.Rune)
	}
	for _, part := range tree.Sub {
		size += countInstructions(part)
	}
	if tree.Op == syntax.OpRepeat {
		size *= max(tree.Min, tree.Max, 1)
	}
	return size
}

// parsePattern translates a regular expression to the syntax of package regexp.
func parsePattern(text string) (expression string, tree *syntax.Regexp, err error) {
	if tree, err = syntax.Parse(text, syntax.Perl); err == nil {
		return text, tree, nil
	}
	expression = ecmaFinder.Get().ReplaceAllStringFunc(text, translateEscape)
	if translated, translatedErr := syntax.Parse(expression, syntax.Perl); translatedErr == nil {
		return expression, translated, nil
	}
	return "", nil, err
}

// isPattern reports whether CompilePattern supports s. It does not compile s, because compiling counted repetitions
// is slow.
func isPattern(s string) bool { _, _, err := parsePattern(s); return err == nil }

// The patterns that generated schemas use for the keys of maps, and for basic values in
// strings.
const (
	IntegerKeyPattern    = `^[+-]?[0-9]+$`
	NaturalKeyPattern    = `^[0-9]+$`
	QuotedNaturalPattern = `^(0|[1-9][0-9]*)$`
	QuotedIntegerPattern = `^(0|-?[1-9][0-9]*)$`
	QuotedNumberPattern  = `^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`
	QuotedStringPattern  = `^"([^"\\\x00-\x1f]|\\["\\/bfnrt]|\\u[0-9A-Fa-f]{4})*"$`
)

// The patterns that generated schemas use for Go types that unmarshal from text.
const (
	AddressPattern  = `^([0-9]{1,3}(\.[0-9]{1,3}){3}|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*(%[\s\S]+)?)?$`
	AddrPortPattern = `^(([0-9.]+|\[[0-9A-Fa-f:.]+(%[\s\S]+)?\]):[0-9]+)?$`
	PrefixPattern   = `^([0-9A-Fa-f:.]+/[0-9]{1,3})?$`
	BigFloatPattern = `^[+-]?([Ii]nf|[0-9.][0-9A-Za-z_.+-]*)$`
	BigRatPattern   = `^[+-]?[0-9.][0-9A-Za-z_.+-]*(/[0-9A-Za-z_]+)?$`
	DecimalPattern  = `^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$`
)

// textTypes lists Go types, each with the pattern in its schema and its description.
var textTypes = [...]struct{ goType, pattern, words string }{
	{"netip.Addr", AddressPattern, "an IP address"},
	{"net.IP", AddressPattern, "an IP address"},
	{"netip.AddrPort", AddrPortPattern, "an IP address with a port such as 10.0.0.1:80"},
	{"netip.Prefix", PrefixPattern, "an IP prefix such as 10.0.0.0/8"},
	{"big.Float", BigFloatPattern, "a number in a string"},
	{"big.Rat", BigRatPattern, "a number or a fraction such as 1/3 in a string"},
	{"decimal.Decimal", DecimalPattern, "a decimal such as 12.50 in a string"},
	{"uuid.UUID", "", words.UUID}, // its schema has a format instead of a pattern
}

// DescribeGoType describes the text of a Go type, given its name in package reflect. It
// returns "" for unknown types.
func DescribeGoType(goType string) string {
	for _, p := range textTypes {
		if p.goType == goType {
			return p.words
		}
	}
	return ""
}

// DescribeQuoted describes the strings that match one of the patterns of generated schemas.
func DescribeQuoted(pattern string) string {
	switch pattern {
	case QuotedNaturalPattern, QuotedIntegerPattern:
		return words.InString("an integer")
	case QuotedNumberPattern:
		return words.InString("a number")
	case QuotedStringPattern:
		return words.InString("a string")
	}
	return ""
}

// describePattern describes the strings that match a pattern, for a message about a string s that does not match.
func describePattern(pattern, s string) string {
	if digits, negative := strings.CutPrefix(s, "-"); pattern == QuotedNaturalPattern && negative && strings.Trim(digits, "0123456789") == "" && digits > "0" && digits[0] != '0' {
		return words.InString("an integer of at least 0")
	}
	for _, p := range textTypes {
		if p.pattern == pattern {
			return p.words
		}
	}
	return cmp.Or(DescribeQuoted(pattern), "a string that matches "+words.Cut(pattern, longestPattern))
}

const longestPattern = 256

// cost returns the number of steps for matching a text of the given size in bytes. It grows with the size of the
// program, because the whole program may run for each character. Counted repetitions, as in a{1000}, make
// programs long.
func (p *Pattern) cost(size int) int {
	return int(min(1+int64(size)*int64(4+p.Size)>>6, math.MaxInt32)) // an int may have 32 bits
}

// Match reports whether the pattern matches in a text.
func (p *Pattern) Match(text string) bool { return p.compiled.MatchString(text) }

// ecmaFinder matches the classes and escapes of ECMA-262, for which package regexp may have another syntax.
// escapeFinder matches only the escapes. An unclosed class extends to the end of the text, so that the search
// takes linear time.
var (
	ecmaFinder   = lazyregexp.Regexp{Text: `\[\^?\]|\[(?s:\\.|[^\]\\])*(?:\]|\\?\z)|` + escapePattern}
	escapeFinder = lazyregexp.Regexp{Text: escapePattern}
)

const escapePattern = `\\[^uc]|(?:\\u[0-9A-Fa-f]{4})+|\\u\{[0-9A-Fa-f]+\}|\\c[A-Za-z]`

func translateEscape(text string) string {
	switch {
	case text == `[^]`:
		return `[\x00-\x{10FFFF}]`
	case text == `[]`:
		return `[^\x00-\x{10FFFF}]`
	case text[0] == '[': // another [ in a class is a literal
		return escapeFinder.Get().ReplaceAllStringFunc(text, translateEscape)
	case text[1] != 'u' && text[1] != 'c':
		return text
	case text[1] == 'c':
		return `\x{` + strconv.FormatInt(int64(text[2]&31), 16) + `}`
	case text[2] == '{':
		return `\x` + text[2:]
	}
	var translated strings.Builder
	var units []uint16
	for i := 0; i < len(text); i += 6 {
		unit, _ := strconv.ParseUint(text[i+2:i+6], 16, 16) // four hexadecimal digits
		units = append(units, uint16(unit))
	}
	for _, r := range utf16.Decode(units) {
		translated.WriteString(`\x{` + strconv.FormatInt(int64(r), 16) + `}`)
	}
	return translated.String()
}
