package text

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

// Pattern is a regular expression.
type Pattern struct {
	Text     string
	Size     int // of its program, in instructions
	compiled *regexp.Regexp
}

// Unmatched says what is expected in the place of a string, "" if it matches.
func Unmatched(r *lazyregexp.Regexp, s string) string {
	if r.Get().MatchString(s) {
		return ""
	}
	return Matching(r.Text, s)
}

// Compile reads a regular expression of ECMA-262, as far as package regexp
// knows what it means; what both know means what it does there. There is no look
// ahead and no reference back. Its program has at most so many instructions.
func Compile(text string, most int) (*Pattern, error) {
	expression, tree, err := parse(text)
	if err != nil {
		return nil, err
	}
	size := instructions(tree)
	if size > most {
		return nil, errors.New("it is too long with its repeats")
	}
	compiled, err := regexp.Compile(expression)
	return &Pattern{text, size, compiled}, err
}

// Size returns the size of the program of a regular expression without compiling it, and an
// error if [Compile] cannot read it.
func Size(text string) (int, error) {
	_, tree, err := parse(text)
	if err != nil {
		return 0, err
	}
	return instructions(tree), nil
}

// instructions is how many a program has, about: what is repeated is there as often.
func instructions(tree *syntax.Regexp) int {
	size := 1
	if tree.Op == syntax.OpLiteral {
		size = len(tree.Rune)
	}
	for _, part := range tree.Sub {
		size += instructions(part)
	}
	if tree.Op == syntax.OpRepeat {
		size *= max(tree.Min, tree.Max, 1)
	}
	return size
}

// parse returns a regular expression as package regexp writes it.
func parse(text string) (expression string, tree *syntax.Regexp, err error) {
	if tree, err = syntax.Parse(text, syntax.Perl); err == nil {
		return text, tree, nil
	}
	expression = ofECMA.Get().ReplaceAllStringFunc(text, translate)
	if again, other := syntax.Parse(expression, syntax.Perl); other == nil {
		return expression, again, nil
	}
	return "", nil, err
}

// isPattern reports whether s is what Compile reads. To compile it would take long where
// repeats are counted.
func isPattern(s string) bool { _, _, err := parse(s); return err == nil }

// The patterns of generated schemas: of the keys of maps, and of basic values in
// strings.
const (
	IntegerKey    = `^[+-]?[0-9]+$`
	NaturalKey    = `^[0-9]+$`
	QuotedNatural = `^(0|[1-9][0-9]*)$`
	QuotedInteger = `^(0|-?[1-9][0-9]*)$`
	QuotedNumber  = `^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`
	QuotedString  = `^"([^"\\\x00-\x1f]|\\["\\/bfnrt]|\\u[0-9A-Fa-f]{4})*"$`
)

// The patterns of generated schemas for what types of Go read from text.
const (
	Address  = `^([0-9]{1,3}(\.[0-9]{1,3}){3}|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*(%[\s\S]+)?)?$`
	AddrPort = `^(([0-9.]+|\[[0-9A-Fa-f:.]+(%[\s\S]+)?\]):[0-9]+)?$`
	Prefix   = `^([0-9A-Fa-f:.]+/[0-9]{1,3})?$`
	BigFloat = `^[+-]?([Ii]nf|[0-9.][0-9A-Za-z_.+-]*)$`
	BigRat   = `^[+-]?[0-9.][0-9A-Za-z_.+-]*(/[0-9A-Za-z_]+)?$`
	Decimal  = `^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$`
)

// parsed are the types, the patterns of their schemas, and what they are in words.
var parsed = [...]struct{ goType, pattern, words string }{
	{"netip.Addr", Address, "an IP address"},
	{"net.IP", Address, "an IP address"},
	{"netip.AddrPort", AddrPort, "an IP address with a port such as 10.0.0.1:80"},
	{"netip.Prefix", Prefix, "an IP prefix such as 10.0.0.0/8"},
	{"big.Float", BigFloat, "a number in a string"},
	{"big.Rat", BigRat, "a number or a fraction such as 1/3 in a string"},
	{"decimal.Decimal", Decimal, "a decimal such as 12.50 in a string"},
	{"uuid.UUID", "", words.UUID}, // which has a format
}

// Parsed says what a type of Go reads from text, as package reflect calls it; "" of
// one that is not known.
func Parsed(goType string) string {
	for _, p := range parsed {
		if p.goType == goType {
			return p.words
		}
	}
	return ""
}

// Quoted says what a string that matches holds, if the pattern is one of those of
// generated schemas.
func Quoted(pattern string) string {
	switch pattern {
	case QuotedNatural, QuotedInteger:
		return words.Quoted("an integer")
	case QuotedNumber:
		return words.Quoted("a number")
	case QuotedString:
		return words.Quoted("a string")
	}
	return ""
}

// Matching says what a string that matches a pattern is, in the place of another.
func Matching(pattern, s string) string {
	if digits, negative := strings.CutPrefix(s, "-"); pattern == QuotedNatural && negative && strings.Trim(digits, "0123456789") == "" && digits > "0" && digits[0] != '0' {
		return words.Quoted("an integer of at least 0")
	}
	for _, p := range parsed {
		if p.pattern == pattern {
			return p.words
		}
	}
	return cmp.Or(Quoted(pattern), "a string that matches "+words.Cut(pattern, longestPattern))
}

const longestPattern = 256

// Cost is how many steps a match in a text of so many bytes is worth. All of a program
// may be looked at for each character, and counted repeats make a long one of a few bytes.
func (p *Pattern) Cost(size int) int {
	return int(min(1+int64(size)*int64(4+p.Size)>>6, math.MaxInt32)) // which an int of 32 bits holds
}

// Match reports whether there is a match in a text.
func (p *Pattern) Match(text string) bool { return p.compiled.MatchString(text) }

// ofECMA finds what package regexp may write otherwise: classes and escapes. A class without
// an end goes to that of the text, which is not looked at again for each bracket in it.
var (
	ofECMA  = lazyregexp.Regexp{Text: `\[\^?\]|\[(?s:\\.|[^\]\\])*(?:\]|\\?\z)|` + escape}
	escapes = lazyregexp.Regexp{Text: escape}
)

const escape = `\\[^uc]|(?:\\u[0-9A-Fa-f]{4})+|\\u\{[0-9A-Fa-f]+\}|\\c[A-Za-z]`

func translate(text string) string {
	switch {
	case text == `[^]`:
		return `[\x00-\x{10FFFF}]`
	case text == `[]`:
		return `[^\x00-\x{10FFFF}]`
	case text[0] == '[': // in which another [ is itself
		return escapes.Get().ReplaceAllStringFunc(text, translate)
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
		unit, _ := strconv.ParseUint(text[i+2:i+6], 16, 16) // it is one
		units = append(units, uint16(unit))
	}
	for _, r := range utf16.Decode(units) {
		translated.WriteString(`\x{` + strconv.FormatInt(int64(r), 16) + `}`)
	}
	return translated.String()
}
