package pysyntax

import (
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Field is a replacement field of a template for str.format, such as {0:.2f} or {name!r}, or the literal text
// between two of them.
type Field struct {
	Text       string // the name or number in the field, or the literal text
	IsValue    bool   // it is a replacement field
	Number     int    // index of the argument; -1 for a named field
	Conversion Conversion
	Spec       string // the format specification
}

// ParseTemplate splits a template of str.format into fields and text. It returns a description of the
// problem if the template is invalid.
func ParseTemplate(template string) (fields []Field, problem string) {
	text, hasNumbers, autoNumber := "", false, 0
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
			return nil, "the template has a single " + brace + ": double it to write a brace"
		}
		f, problem := parseTemplateField(inner)
		switch {
		case problem != "":
			return nil, problem
		case f.Text == "":
			f.Number = autoNumber
			autoNumber++
		case f.Number >= 0:
			hasNumbers = true
		}
		if hasNumbers && autoNumber > 0 {
			return nil, "the template mixes numbered fields with {}"
		}
		fields = append(fields, Field{Text: text}, f)
		text, template = "", rest
	}
}

// parseTemplateField reads the text between the braces of a replacement field.
func parseTemplateField(inner string) (f Field, problem string) {
	name, spec, _ := strings.Cut(inner, ":")
	name, conversion, converts := strings.Cut(name, "!")
	f = Field{Text: name, IsValue: true, Number: -1, Spec: spec}
	if converts {
		if conversion != "r" && conversion != "s" {
			return f, "the template has the conversion !" + conversion + ", but the conversions are !r and !s"
		}
		f.Conversion = Conversion(conversion[0])
	}
	if strings.Contains(spec, "{") {
		return f, "the template has a field inside the format of another: write a formatted string instead"
	}
	isOtherDigit := func(c rune) bool { return c >= utf8.RuneSelf && unicode.IsDigit(c) }
	if strings.ContainsAny(name, ".[{") || strings.TrimFunc(name, isOtherDigit) != name {
		return f, "the template has the field {" + name + "}, but a field is {}, a number or a name"
	}
	if name != "" && strings.Trim(name, "0123456789") == "" {
		f.Number = math.MaxInt // if the number is too large: there is no such argument
		if n, err := strconv.Atoi(name); err == nil {
			f.Number = n
		}
	}
	return f, ""
}
