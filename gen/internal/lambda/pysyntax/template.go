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

// formatPercent turns template % y, such as '%d items' % n, into a formatted string. y is a value or a tuple of
// values.
func (p *parser) formatPercent(template *Str, y Expr, at Place) Expr {
	values := []Expr{y}
	if tuple, ok := y.(*List); ok && tuple.Brackets == Round {
		values = tuple.Elems
	}
	f := &FString{Place: at, ValuesFirst: true}
	used := 0
	for rest := template.Value; rest != ""; {
		text, after, found := strings.Cut(rest, "%")
		if text != "" {
			f.Parts = append(f.Parts, Part{Text: text})
		}
		if !found {
			break
		}
		directive, width, problem := parsePercent(after)
		rest = after[width:]
		switch {
		case problem.message != "":
			p.addFault(Unsupported, template.Place, "%s", problem.message).WithHelp("%s", problem.help)
			return p.newBad(at)
		case directive.code == '%':
			f.Parts = append(f.Parts, Part{Text: "%"})
			continue
		case used == len(values):
			p.addSyntax(at, "not enough arguments for format string: it takes more than %d", len(values))
			return p.newBad(at)
		}
		f.Parts = append(f.Parts, directive.part(values[used]))
		used++
	}
	if used < len(values) {
		p.addSyntax(at, "not all arguments converted during string formatting: there are %d, but the template takes %d", len(values), used)
		return p.newBad(at)
	}
	f.Parts = mergeParts(f.Parts)
	return f
}

// percentDirective is a directive such as %-10s in the template of the operator %.
type percentDirective struct {
	flags            string
	width, precision string // precision with its dot
	code             byte
}

// percentProblem describes a directive that is not supported.
type percentProblem struct{ message, help string }

// parsePercent parses the directive at the start of text, which begins after the percent sign, and returns its width in
// bytes.
func parsePercent(text string) (d percentDirective, width int, problem percentProblem) {
	rest := text
	take := func(chars string) string {
		n := len(rest) - len(strings.TrimLeft(rest, chars))
		taken := rest[:n]
		rest = rest[n:]
		return taken
	}
	const digits = "0123456789"
	d.flags, d.width = take("-+ #0"), take(digits)
	if strings.HasPrefix(rest, ".") {
		rest = rest[1:]
		d.precision = "." + take(digits)
	}
	if d.precision == "." {
		d.precision = ".0"
	}
	if rest != "" && strings.IndexByte("hlL", rest[0]) >= 0 {
		rest = rest[1:]
	}
	width = len(text) - len(rest) + 1
	switch {
	case rest == "":
		return d, 0, percentProblem{"the template ends inside the format %" + text, "write %% for a percent sign"}
	case strings.IndexByte("(*", rest[0]) >= 0:
		return d, 0, percentProblem{"lambdas do not support the format %" + text[:width] + " in a text", "write a formatted string: f'{x:>{width}}'"}
	case rest[0] == '%' && width > 1, strings.IndexByte("diuoxXeEfFgGrs%", rest[0]) < 0:
		_, size := utf8.DecodeRuneInString(rest)
		return d, 0, percentProblem{"lambdas do not support the format %" + text[:width-1+size], "the formats of % are d, x, o, f, e, g, s and r; write %% for a percent sign"}
	case d.precision != "" && strings.IndexByte("diuoxX", rest[0]) >= 0:
		return d, 0, percentProblem{"lambdas do not support a precision of an integer, %" + text[:width], "write %0" + d.precision[1:] + rest[:1] + " to add zeros"}
	}
	d.code = rest[0]
	return d, width, percentProblem{}
}

// part returns a part of a formatted string that formats value as the directive does. For %-10s, for example, the
// format specification is <10.
func (d percentDirective) part(value Expr) Part {
	part := Part{Value: value, Conversion: Conversion(d.code)}
	spec := ""
	alignLeft := strings.Contains(d.flags, "-")
	if alignLeft {
		spec = "<"
	}
	if d.code == 's' || d.code == 'r' {
		if d.width != "" && !alignLeft {
			spec = ">"
		}
		spec += d.width + d.precision
	} else {
		for _, sign := range []string{"+", " "} {
			if strings.Contains(d.flags, sign) {
				spec += sign
				break
			}
		}
		if strings.Contains(d.flags, "#") {
			spec += "#"
		}
		if strings.Contains(d.flags, "0") && !alignLeft {
			spec += "0"
		}
		spec += d.width + d.precision + strings.NewReplacer("i", "d", "u", "d").Replace(string(rune(d.code)))
	}
	if d.code == 's' && spec == "" {
		part.Conversion = 0
	}
	if spec != "" {
		part.Spec = &Str{value.Location(), spec}
	}
	return part
}
