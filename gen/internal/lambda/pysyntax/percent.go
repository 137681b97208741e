package pysyntax

import (
	"strings"
	"unicode/utf8"
)

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
