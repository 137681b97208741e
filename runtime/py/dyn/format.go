package dyn

import (
	"encoding/json"
	"math/big"
	"strings"
	"unicode"

	"github.com/aiongen/aiongen/runtime/py"
)

// Format is template.format(*args, **named). The template may contain fields such as {}, {0} and {name}. A field
// may have a conversion, !r or !s, and a format specification that contains no fields itself.
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
		width, err := f.writeField(rest)
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
	counted int  // number of fields without a number
	manual  bool // there is a field with a number
}

func valueError(format string, args ...any) error { return py.Errorf("ValueError", format, args...) }

// writeField writes the field at the start of rest and returns its width.
func (f *formatter) writeField(rest string) (width int, err error) {
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
	name, conversion, converts := strings.Cut(name, "!")
	if strings.ContainsAny(name, ".[{") || strings.Contains(spec, "{") || converts && conversion != "r" && conversion != "s" {
		return 0, valueError("lambdas do not support the field {%s}: write {}, {0} or {name}", name)
	}
	v, err := f.fieldValue(name)
	if err != nil {
		return 0, err
	}
	switch conversion {
	case "r":
		v, err = Repr(v)
	case "s":
		v, err = Text(v)
	}
	if err != nil {
		return 0, err
	}
	text, err := FormatValue(v, spec)
	f.out.WriteString(text)
	return end + 1, err
}

// fieldValue returns the argument that a field names.
func (f *formatter) fieldValue(name string) (any, error) {
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

// maxDigits is Python's limit for conversions between integers and text.
const maxDigits = 4300

// FormatValue is format(v, spec).
func FormatValue(v any, spec string) (string, error) {
	v = plainValue(v)
	if spec == "" {
		return Text(v)
	}
	name := typeName(v)
	switch v.(type) {
	case string, bool, int, json.Number, float64:
	default:
		return "", typeError("unsupported format string passed to %s.__format__", name)
	}
	f, err := py.ParseFormat(spec, name)
	if err != nil {
		return "", err
	}
	switch v := v.(type) {
	case string:
		return f.Text(v), nil
	case float64:
		return f.Float(v), nil
	case json.Number:
		if len(strings.TrimPrefix(string(v), "-")) > maxDigits {
			return "", valueError("Exceeds the limit (%d digits) for integer string conversion", maxDigits)
		}
		n, _ := new(big.Int).SetString(string(v), 10)
		return f.Int(n)
	}
	n, _ := asInt(v)
	return f.Int(big.NewInt(int64(n)))
}

// PercentOperand converts v to a number for a conversion code of Python's operator % for strings, such as d in
// "%d" % v.
func PercentOperand(v any, code string) (any, error) {
	v = plainValue(v)
	x, isFloat := v.(float64)
	_, isInt := asInt(v)
	switch isInt = isInt || isLarge(v); {
	case strings.Contains("diu", code):
		if isFloat {
			return py.Trunc(x)
		}
		if !isInt {
			return nil, typeError("%%%s format: a real number is required, not %s", code, typeName(v))
		}
	case strings.Contains("oxX", code):
		if !isInt {
			return nil, typeError("%%%s format: an integer is required, not %s", code, typeName(v))
		}
	case !isInt && !isFloat:
		return nil, typeError("must be real number, not %s", typeName(v))
	}
	return v, nil
}
