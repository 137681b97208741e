package py

import (
	"strings"
	"unicode"
)

// AllNumeric is s.isnumeric().
func AllNumeric(s string) bool {
	return allRunes(s, func(c rune) bool { return unicode.IsNumber(c) || strings.ContainsRune(numericLetters, c) })
}

// numericLetters are the letters, such as Chinese numerals, that have a numeric value in Unicode.
const numericLetters = "\u3405\u3483\u382a\u3b4d\u4e00\u4e03\u4e07\u4e09\u4e5d\u4e8c\u4e94\u4e96\u4ebf\u4ec0\u4edf\u4ee8" +
	"\u4f0d\u4f70\u5104\u5146\u5169\u516b\u516d\u5341\u5343\u5344\u5345\u534c\u53c1\u53c2\u53c3\u53c4" +
	"\u56db\u58f1\u58f9\u5e7a\u5efe\u5eff\u5f0c\u5f0d\u5f0e\u5f10\u62fe\u634c\u67d2\u6f06\u7396\u767e" +
	"\u8086\u842c\u8cae\u8cb3\u8d30\u9621\u9646\u964c\u9678\u96f6\uf96b\uf973\uf978\uf9b2\uf9d1\uf9d3" +
	"\uf9fd\U00020001\U00020064\U000200e2\U00020121\U0002092a\U00020983\U0002098c\U0002099c\U00020aea" +
	"\U00020afd\U00020b19\U00022390\U00022998\U00023b1b\U0002626d\U0002f890"

// IsTitle is s.istitle(): each word begins with a capital and continues in lower case.
func IsTitle(s string) bool {
	found, inWord := false, false
	for _, c := range s {
		capital := isUppercase(c) || unicode.Is(unicode.Lt, c)
		cased := capital || isLowercase(c)
		if cased && capital == inWord {
			return false
		}
		found, inWord = found || cased, cased
	}
	return found
}

// IsIdentifier is s.isidentifier().
func IsIdentifier(s string) bool {
	for at, c := range s {
		if at == 0 && !startsIdentifier(c) || !continuesIdentifier(c) {
			return false
		}
	}
	return s != ""
}

func startsIdentifier(c rune) bool {
	letter := unicode.In(c, unicode.L, unicode.Nl, unicode.Other_ID_Start) || c == '_'
	return letter && c != '\u0e33' && c != '\u0eb3' && c != '\uff9e' && c != '\uff9f' && !unicode.Is(notNormal, c)
}

func continuesIdentifier(c rune) bool {
	part := unicode.In(c, unicode.L, unicode.Nl, unicode.Other_ID_Start, unicode.Mn, unicode.Mc, unicode.Nd, unicode.Pc, unicode.Other_ID_Continue)
	return part && !unicode.Is(notNormal, c)
}

// notNormal are the letters that no identifier may contain, because their normal forms (NFKC) contain characters that
// are not allowed in identifiers.
var notNormal = &unicode.RangeTable{R16: []unicode.Range16{
	{Lo: 0x37a, Hi: 0x37a, Stride: 1}, {Lo: 0x309b, Hi: 0x309c, Stride: 1}, {Lo: 0xfc5e, Hi: 0xfc63, Stride: 1},
	{Lo: 0xfdfa, Hi: 0xfdfb, Stride: 1}, {Lo: 0xfe70, Hi: 0xfe7e, Stride: 2},
}}

// ExpandTabs is s.expandtabs(size).
func ExpandTabs(s string, size int) (string, error) {
	var b strings.Builder
	column := 0
	for _, c := range s {
		switch {
		case c == '\n', c == '\r':
			b.WriteRune(c)
			column = 0
		case c != '\t':
			b.WriteRune(c)
			column++
		case size > 0:
			n := size - column%size
			if n > MaxSize-b.Len() {
				return "", TooLarge("text")
			}
			b.WriteString(strings.Repeat(" ", n))
			column += n
		}
	}
	return b.String(), nil
}
