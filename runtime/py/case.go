package py

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Upper is s.upper().
func Upper(s string) string {
	var b strings.Builder
	for _, c := range s {
		if text, ok := upperTexts[c]; ok {
			b.WriteString(text)
		} else {
			b.WriteRune(unicode.ToUpper(c))
		}
	}
	return b.String()
}

// Lower is s.lower().
func Lower(s string) string {
	var b strings.Builder
	for at, c := range s {
		b.WriteString(lowerRune(s, at, c))
	}
	return b.String()
}

// Title is s.title(): the first letter of each word is a capital.
func Title(s string) string {
	var b strings.Builder
	inWord := false
	for at, c := range s {
		b.WriteString(titleRune(s, at, c, inWord))
		inWord = isCased(c)
	}
	return b.String()
}

// titleRune returns the character c, which is at an offset of s, in lower case if it is inside a word, otherwise in
// title case.
func titleRune(s string, at int, c rune, inWord bool) string {
	if inWord {
		return lowerRune(s, at, c)
	}
	return cmp.Or(titleTexts[c], string(unicode.ToTitle(c)))
}

// lowerRune returns the character c, which is at an offset of s, in lower case. A Greek sigma at the end of a word
// has a separate lower-case form.
func lowerRune(s string, at int, c rune) string {
	switch {
	case c == 'İ':
		return "i\u0307"
	case c == 'Σ' && endsWord(s[:at], s[at+len("Σ"):]):
		return "ς"
	}
	return string(unicode.ToLower(c))
}

func endsWord(before, after string) bool {
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRightFunc(before, isCaseIgnorable))
	first, _ := utf8.DecodeRuneInString(strings.TrimLeftFunc(after, isCaseIgnorable))
	return isCased(last) && !isCased(first) // isCased returns false if there is no character
}

func isCased(c rune) bool {
	return unicode.In(c, unicode.Lu, unicode.Ll, unicode.Lt, unicode.Other_Lowercase, unicode.Other_Uppercase)
}

// isCaseIgnorable reports whether c has Unicode's property Case_Ignorable, such as marks and punctuation
// inside words.
func isCaseIgnorable(c rune) bool {
	return unicode.In(c, unicode.Mn, unicode.Me, unicode.Cf, unicode.Lm, unicode.Sk) ||
		strings.ContainsRune("'.:\u00b7\u0387\u055f\u05f4\u2018\u2019\u2024\u2027\ufe13\ufe52\ufe55\uff07\uff0e\uff1a", c)
}

// upperTexts contains the upper case of each character for which it consists of several characters. It is taken
// from Unicode's SpecialCasing.txt.
var upperTexts = map[rune]string{
	0x00df: "\u0053\u0053", 0x0149: "\u02bc\u004e", 0x01f0: "\u004a\u030c", 0x0390: "\u0399\u0308\u0301",
	0x03b0: "\u03a5\u0308\u0301", 0x0587: "\u0535\u0552", 0x1e96: "\u0048\u0331", 0x1e97: "\u0054\u0308",
	0x1e98: "\u0057\u030a", 0x1e99: "\u0059\u030a", 0x1e9a: "\u0041\u02be", 0x1f50: "\u03a5\u0313",
	0x1f52: "\u03a5\u0313\u0300", 0x1f54: "\u03a5\u0313\u0301", 0x1f56: "\u03a5\u0313\u0342",
	0x1f80: "\u1f08\u0399", 0x1f81: "\u1f09\u0399", 0x1f82: "\u1f0a\u0399", 0x1f83: "\u1f0b\u0399",
	0x1f84: "\u1f0c\u0399", 0x1f85: "\u1f0d\u0399", 0x1f86: "\u1f0e\u0399", 0x1f87: "\u1f0f\u0399",
	0x1f88: "\u1f08\u0399", 0x1f89: "\u1f09\u0399", 0x1f8a: "\u1f0a\u0399", 0x1f8b: "\u1f0b\u0399",
	0x1f8c: "\u1f0c\u0399", 0x1f8d: "\u1f0d\u0399", 0x1f8e: "\u1f0e\u0399", 0x1f8f: "\u1f0f\u0399",
	0x1f90: "\u1f28\u0399", 0x1f91: "\u1f29\u0399", 0x1f92: "\u1f2a\u0399", 0x1f93: "\u1f2b\u0399",
	0x1f94: "\u1f2c\u0399", 0x1f95: "\u1f2d\u0399", 0x1f96: "\u1f2e\u0399", 0x1f97: "\u1f2f\u0399",
	0x1f98: "\u1f28\u0399", 0x1f99: "\u1f29\u0399", 0x1f9a: "\u1f2a\u0399", 0x1f9b: "\u1f2b\u0399",
	0x1f9c: "\u1f2c\u0399", 0x1f9d: "\u1f2d\u0399", 0x1f9e: "\u1f2e\u0399", 0x1f9f: "\u1f2f\u0399",
	0x1fa0: "\u1f68\u0399", 0x1fa1: "\u1f69\u0399", 0x1fa2: "\u1f6a\u0399", 0x1fa3: "\u1f6b\u0399",
	0x1fa4: "\u1f6c\u0399", 0x1fa5: "\u1f6d\u0399", 0x1fa6: "\u1f6e\u0399", 0x1fa7: "\u1f6f\u0399",
	0x1fa8: "\u1f68\u0399", 0x1fa9: "\u1f69\u0399", 0x1faa: "\u1f6a\u0399", 0x1fab: "\u1f6b\u0399",
	0x1fac: "\u1f6c\u0399", 0x1fad: "\u1f6d\u0399", 0x1fae: "\u1f6e\u0399", 0x1faf: "\u1f6f\u0399",
	0x1fb2: "\u1fba\u0399", 0x1fb3: "\u0391\u0399", 0x1fb4: "\u0386\u0399", 0x1fb6: "\u0391\u0342",
	0x1fb7: "\u0391\u0342\u0399", 0x1fbc: "\u0391\u0399", 0x1fc2: "\u1fca\u0399", 0x1fc3: "\u0397\u0399",
	0x1fc4: "\u0389\u0399", 0x1fc6: "\u0397\u0342", 0x1fc7: "\u0397\u0342\u0399", 0x1fcc: "\u0397\u0399",
	0x1fd2: "\u0399\u0308\u0300", 0x1fd3: "\u0399\u0308\u0301", 0x1fd6: "\u0399\u0342",
	0x1fd7: "\u0399\u0308\u0342", 0x1fe2: "\u03a5\u0308\u0300", 0x1fe3: "\u03a5\u0308\u0301",
	0x1fe4: "\u03a1\u0313", 0x1fe6: "\u03a5\u0342", 0x1fe7: "\u03a5\u0308\u0342", 0x1ff2: "\u1ffa\u0399",
	0x1ff3: "\u03a9\u0399", 0x1ff4: "\u038f\u0399", 0x1ff6: "\u03a9\u0342", 0x1ff7: "\u03a9\u0342\u0399",
	0x1ffc: "\u03a9\u0399", 0xfb00: "\u0046\u0046", 0xfb01: "\u0046\u0049", 0xfb02: "\u0046\u004c",
	0xfb03: "\u0046\u0046\u0049", 0xfb04: "\u0046\u0046\u004c", 0xfb05: "\u0053\u0054", 0xfb06: "\u0053\u0054",
	0xfb13: "\u0544\u0546", 0xfb14: "\u0544\u0535", 0xfb15: "\u0544\u053b", 0xfb16: "\u054e\u0546",
	0xfb17: "\u0544\u053d",
}

// titleTexts is like upperTexts for title case.
var titleTexts = map[rune]string{
	0x00df: "\u0053\u0073", 0x0149: "\u02bc\u004e", 0x01f0: "\u004a\u030c", 0x0390: "\u0399\u0308\u0301",
	0x03b0: "\u03a5\u0308\u0301", 0x0587: "\u0535\u0582", 0x1e96: "\u0048\u0331", 0x1e97: "\u0054\u0308",
	0x1e98: "\u0057\u030a", 0x1e99: "\u0059\u030a", 0x1e9a: "\u0041\u02be", 0x1f50: "\u03a5\u0313",
	0x1f52: "\u03a5\u0313\u0300", 0x1f54: "\u03a5\u0313\u0301", 0x1f56: "\u03a5\u0313\u0342",
	0x1fb2: "\u1fba\u0345", 0x1fb4: "\u0386\u0345", 0x1fb6: "\u0391\u0342", 0x1fb7: "\u0391\u0342\u0345",
	0x1fc2: "\u1fca\u0345", 0x1fc4: "\u0389\u0345", 0x1fc6: "\u0397\u0342", 0x1fc7: "\u0397\u0342\u0345",
	0x1fd2: "\u0399\u0308\u0300", 0x1fd3: "\u0399\u0308\u0301", 0x1fd6: "\u0399\u0342",
	0x1fd7: "\u0399\u0308\u0342", 0x1fe2: "\u03a5\u0308\u0300", 0x1fe3: "\u03a5\u0308\u0301",
	0x1fe4: "\u03a1\u0313", 0x1fe6: "\u03a5\u0342", 0x1fe7: "\u03a5\u0308\u0342", 0x1ff2: "\u1ffa\u0345",
	0x1ff4: "\u038f\u0345", 0x1ff6: "\u03a9\u0342", 0x1ff7: "\u03a9\u0342\u0345", 0xfb00: "\u0046\u0066",
	0xfb01: "\u0046\u0069", 0xfb02: "\u0046\u006c", 0xfb03: "\u0046\u0066\u0069", 0xfb04: "\u0046\u0066\u006c",
	0xfb05: "\u0053\u0074", 0xfb06: "\u0053\u0074", 0xfb13: "\u0544\u0576", 0xfb14: "\u0544\u0565",
	0xfb15: "\u0544\u056b", 0xfb16: "\u054e\u0576", 0xfb17: "\u0544\u056d",
}
