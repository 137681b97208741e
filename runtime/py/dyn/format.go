package dyn

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/aiongen/aiongen/runtime/py"
)

// Format is template.format(*args, **named). The fields of the template are {}, {0}
// and {name}, with the formats of lambdas, d, s, f and .2f with any number of digits.
func Format(template string, args []any, named map[string]any) (string, error) {
	f := formatter{args: args, named: named}
	for rest := template; rest != ""; {
		brace := strings.IndexAny(rest, "{}")
		if brace < 0 {
			f.out.WriteString(rest)
			break
		}
		f.out.WriteString(rest[:brace])
		if f.out.Len() > py.MaxSize {
			return "", py.TooLarge("text")
		}
		rest = rest[brace:]
		if len(rest) > 1 && rest[1] == rest[0] {
			f.out.WriteByte(rest[0])
			rest = rest[2:]
			continue
		}
		width, err := f.field(rest)
		if err != nil {
			return "", err
		}
		rest = rest[width:]
	}
	return f.out.String(), nil
}

type formatter struct {
	args    []any
	named   map[string]any
	out     strings.Builder
	counted int  // fields without a number
	manual  bool // there are fields with numbers
}

func valueError(format string, args ...any) error { return py.Errorf("ValueError", format, args...) }

// field writes the field that rest starts with, and returns its width.
func (f *formatter) field(rest string) (width int, err error) {
	end := strings.IndexByte(rest, '}')
	switch {
	case rest[0] == '}':
		return 0, valueError("Single '}' encountered in format string")
	case rest == "{":
		return 0, valueError("Single '{' encountered in format string")
	case end < 0:
		return 0, valueError("expected '}' before end of string")
	}
	name, spec, _ := strings.Cut(rest[1:end], ":")
	if strings.ContainsAny(name, ".[!{") {
		return 0, valueError("the field {%s} is no field of a lambda: write {}, {0} or {name}", name)
	}
	v, err := f.value(name)
	if err != nil {
		return 0, err
	}
	text, err := formatted(v, spec)
	f.out.WriteString(text)
	return end + 1, err
}

// value is the argument that a field names.
func (f *formatter) value(name string) (any, error) {
	index, err := py.ParseInt(name)
	switch {
	case name == "":
		index = f.counted
		f.counted++
	case strings.TrimFunc(name, unicode.IsDigit) == "":
		if err != nil {
			return nil, valueError("Too many decimal digits in format string")
		}
		f.manual = true
	default:
		v, ok := f.named[name]
		if !ok {
			return nil, py.Errorf("KeyError", "%s", py.Quote(name))
		}
		return v, nil
	}
	switch {
	case f.manual && f.counted > 0 && name == "":
		return nil, valueError("cannot switch from manual field specification to automatic field numbering")
	case f.manual && f.counted > 0:
		return nil, valueError("cannot switch from automatic field numbering to manual field specification")
	case index >= len(f.args):
		return nil, py.Errorf("IndexError", "Replacement index %d out of range for positional args tuple", index)
	}
	return f.args[index], nil
}

// formatted is a value in a format.
func formatted(v any, spec string) (string, error) {
	switch spec {
	case "":
		return Text(v)
	case "d":
		return Digits(v)
	case "s":
		return PlainText(v)
	case "f":
		return Fixed(v, 6)
	}
	digits, dot := strings.CutPrefix(strings.TrimSuffix(spec, "f"), ".")
	if n, err := strconv.ParseUint(digits, 10, 10); dot && strings.HasSuffix(spec, "f") && err == nil {
		return Fixed(v, int(n))
	}
	return "", valueError("the format %s is none of a lambda: write d, s, f or .2f", spec)
}
