package syntax

import (
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Field is a replacement field of a template, by the number or the name of an
// argument, or text between them.
type Field struct {
	Text    string // the name, or the text
	IsValue bool
	Number  int // -1 for a name
	Format  Format
}

// Template takes a template of str.format apart, or says what is wrong.
func Template(template string) (fields []Field, problem string) {
	text, numbered, counted := "", false, 0
	for {
		at := strings.IndexAny(template, "{}")
		if at < 0 {
			return append(fields, Field{Text: text + template}), ""
		}
		brace := template[at : at+1]
		text, template = text+template[:at], template[at+1:]
		if strings.HasPrefix(template, brace) {
			text, template = text+brace, template[1:]
			continue
		}
		inner, rest, closed := strings.Cut(template, "}")
		if brace == "}" || !closed {
			return nil, "the text has a single " + brace + ": write it twice for a brace"
		}
		f, problem := templateField(inner)
		switch {
		case problem != "":
			return nil, problem
		case f.Text == "":
			f.Number = counted
			counted++
		case f.Number >= 0:
			numbered = true
		}
		if numbered && counted > 0 {
			return nil, "the text mixes fields with numbers and without"
		}
		fields = append(fields, Field{Text: text}, f)
		text, template = "", rest
	}
}

// templateField reads what stands between the braces of a replacement field.
func templateField(inner string) (f Field, problem string) {
	name, spec, _ := strings.Cut(inner, ":")
	f = Field{Text: name, IsValue: true, Number: -1}
	ok := false
	if f.Format, ok = ParseFormat(spec); !ok {
		return f, "the text has the format :" + spec + ", but the formats are :d, :s and :.2f with any number of digits"
	}
	foreign := func(c rune) bool { return c >= utf8.RuneSelf && unicode.IsDigit(c) }
	if strings.ContainsAny(name, ".[!{") || strings.TrimFunc(name, foreign) != name {
		return f, "the text has the field {" + name + "}, but a field is {}, a number or a name"
	}
	if name != "" && strings.Trim(name, "0123456789") == "" {
		f.Number = math.MaxInt // where there is no such argument
		if n, err := strconv.Atoi(name); err == nil {
			f.Number = n
		}
	}
	return f, ""
}
