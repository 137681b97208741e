package text

import (
	"regexp"
	"strconv"
	"sync"
	"unicode/utf16"
)

// Pattern is a regular expression.
type Pattern struct {
	Text     string
	compiled *regexp.Regexp
}

// Lazy is a regular expression in the syntax of package regexp that is compiled when it
// is used first. Programs that use none neither wait for it nor link package regexp.
type Lazy struct {
	Text     string // must compile
	once     sync.Once
	compiled *regexp.Regexp
}

// Get returns the regular expression.
func (l *Lazy) Get() *regexp.Regexp {
	l.once.Do(func() { l.compiled = regexp.MustCompile(l.Text) })
	return l.compiled
}

// Compile reads a regular expression of ECMA-262, as far as package regexp
// knows what it means; what both know means what it does there. There is no look
// ahead and no reference back.
func Compile(text string) (*Pattern, error) {
	compiled, err := regexp.Compile(text)
	if err != nil {
		if again, other := regexp.Compile(ofECMA.Get().ReplaceAllStringFunc(text, translate)); other == nil {
			compiled, err = again, nil
		}
	}
	return &Pattern{text, compiled}, err
}

// Match reports whether there is a match in a text.
func (p *Pattern) Match(text string) bool { return p.compiled.MatchString(text) }

// ofECMA finds what package regexp writes otherwise; and escaped backslashes, to
// pass them by.
var ofECMA = Lazy{Text: `\\\\|(?:\\u[0-9A-Fa-f]{4})+|\\u\{[0-9A-Fa-f]+\}|\\c[A-Za-z]|\[\^\]|\[\]`}

func translate(text string) (translated string) {
	switch {
	case text == `\\`:
		return text
	case text == `[^]`:
		return `[\x00-\x{10FFFF}]`
	case text == `[]`:
		return `[^\x00-\x{10FFFF}]`
	case text[1] == 'c':
		return `\x{` + strconv.FormatInt(int64(text[2]&31), 16) + `}`
	case text[2] == '{':
		return `\x` + text[2:]
	}
	var units []uint16
	for i := 0; i < len(text); i += 6 {
		unit, _ := strconv.ParseUint(text[i+2:i+6], 16, 16) // it is one
		units = append(units, uint16(unit))
	}
	for _, r := range utf16.Decode(units) {
		translated += `\x{` + strconv.FormatInt(int64(r), 16) + `}`
	}
	return translated
}
