package lambda

import (
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/gen/internal/lambda/ir"
	"github.com/aiongen/aiongen/gen/internal/lambda/pysyntax"
	"github.com/aiongen/aiongen/runtime/py"
)

// maxFormatSize limits the width and the precision of a format that is known at compile time. No float64 has more
// digits.
const maxFormatSize = 1100

// formatTypes maps each kind of value that can have a format specification to its name in Python.
var formatTypes = map[ir.Kind]string{ir.Str: "str", ir.Int: "int", ir.Bool: "bool", ir.Float: "float"}

// formatValue applies a conversion to a value and then formats it as spec specifies. The result is a str, or an int
// that still has to be written in decimal.
func (o *valueBuilder) formatValue(v *ir.Value, conversion pysyntax.Conversion, spec *ir.Value, at pysyntax.Place) *ir.Value {
	v = o.convertPiece(v, conversion, at)
	if ir.HasBad(v, spec) {
		return ir.NewBad()
	}
	text, isConstant := spec.Constant.(string)
	switch {
	case isConstant && text == "" && v.Kind() == ir.Int:
		return v
	case isConstant && text == "":
		return o.toText(v, at)
	case !isConstant && v.Kind() != ir.Object:
		return o.formatDynamicValue(v, o.toText(spec, at), at)
	}
	v = o.dereference(v, at, "TypeError: unsupported format string passed to NoneType.__format__")
	if !o.checkFormatSpec(v, text, at) {
		return ir.NewBad()
	}
	return o.formatChecked(v, text, spec, at)
}

// formatChecked formats a value with a specification that checkFormatSpec has accepted. text is the value of spec.
func (o *valueBuilder) formatChecked(v *ir.Value, text string, spec *ir.Value, at pysyntax.Place) *ir.Value {
	if v.Kind() == ir.Bool {
		v = o.toNumber(v, at)
	}
	switch code := text[len(text)-1]; {
	case v.Kind() == ir.Any, v.Kind() == ir.Int && code == 'c':
		return o.formatDynamicValue(v, spec, at)
	case v.Kind() == ir.Int && text == "d":
		return v
	case v.Kind() == ir.Int && strings.IndexByte("eEfFgG%", code) < 0:
		return o.CallPure(ir.GoString, ir.PyRef("FormatInt"), v, spec)
	case v.IsNumber():
		return o.formatFloat(o.toGoFloat(v), text, spec)
	case text == "s":
		return o.toText(v, at)
	}
	return o.CallPure(ir.GoString, ir.PyRef("FormatText"), o.toPlain(v), spec)
}

// formatDynamicValue formats a value whose type or format is known only at run time.
func (o *valueBuilder) formatDynamicValue(v, spec *ir.Value, at pysyntax.Place) *ir.Value {
	return o.callHelper("text", ir.GoString, at, ir.DynRef("FormatValue"), o.toDynamic(v), spec)
}

func (o *valueBuilder) formatFloat(x *ir.Value, text string, spec *ir.Value) *ir.Value {
	digits, fixed := strings.CutPrefix(strings.TrimSuffix(text, "f"), ".")
	if n, err := strconv.ParseUint(digits, 10, 16); fixed && err == nil && strings.HasSuffix(text, "f") {
		return o.CallPure(ir.GoString, ir.PyRef("Fixed"), x, o.IntLiteral(int64(n)))
	}
	return o.CallPure(ir.GoString, ir.PyRef("FormatFloat"), x, spec)
}

// checkFormatSpec reports whether a format specification is valid for the type of a value, and adds a fault if not.
// For an any, it accepts every specification that is valid for some type.
func (o *valueBuilder) checkFormatSpec(v *ir.Value, spec string, at pysyntax.Place) bool {
	names := []string{formatTypes[v.Kind()]}
	if v.Kind() == ir.Any {
		names = []string{"str", "float", "int"}
	}
	var err error
	for _, name := range names {
		if name == "" {
			o.addWrongType(v, at, "the format :%s takes a str or a number", spec).WithHelp("write !s before the colon, or str(…) around the value")
			return false
		}
		var f py.Format
		if f, err = py.ParseFormat(spec, name); err == nil {
			if f.Size() > maxFormatSize {
				o.addFault("too-large", at, "the format :%s makes a string longer than %d characters", spec, maxFormatSize)
				return false
			}
			return true
		}
	}
	o.reportFormat(v, spec, err, at)
	return false
}

// formatTakes maps groups of format codes to the type that they format.
var formatTakes = map[string]string{"bcdoxXn": "an int", "s": "a str", "eEfFgG%": "a number"}

// reportFormat reports a format that is invalid for a value. err is the error that Python raises.
func (o *valueBuilder) reportFormat(v *ir.Value, spec string, err error, at pysyntax.Place) {
	var failed *py.Error
	if !errors.As(err, &failed) {
		return
	}
	code := spec[len(spec)-1:]
	if strings.HasPrefix(failed.Message, "Unknown format code") {
		for codes, takes := range formatTakes {
			if !strings.Contains(codes, code) {
				continue
			}
			d := o.addWrongType(v, at, "the format :%s takes %s", spec, takes)
			switch {
			case takes == "an int" && v.Kind() == ir.Float:
				d.WithHelp("use :.0f, or wrap it in int(…)")
			case v.Kind() == ir.Str:
				d.WithHelp("wrap it in int(…) or float(…)")
			case code == "s":
				d.WithHelp("leave out the s, or write !s before the colon")
			}
			return
		}
	}
	o.addMismatch(at, "the format :%s is invalid: %s", spec, failed.Message)
}

// convertPiece applies a conversion to a value, such as !r in {x!r}.
func (o *valueBuilder) convertPiece(v *ir.Value, conversion pysyntax.Conversion, at pysyntax.Place) *ir.Value {
	switch {
	case v.IsBad() || conversion == 0:
		return v
	case conversion == 's':
		return o.toText(v, at)
	case conversion == 'r':
		return o.toRepr(v, at)
	}
	return o.toPercentOperand(v, string(rune(conversion)), at)
}

// toRepr translates repr(v).
func (o *valueBuilder) toRepr(v *ir.Value, at pysyntax.Place) *ir.Value {
	switch k := v.Kind(); {
	case k == ir.Str:
		if s, ok := v.Constant.(string); ok {
			return o.StrLiteral(py.Quote(s))
		}
		return o.CallPure(ir.GoString, ir.PyRef("Quote"), o.toPlain(v))
	case k == ir.Any, k == ir.Optional:
		return o.callHelper("text", ir.GoString, at, ir.DynRef("Repr"), o.toDynamic(v))
	}
	return o.toText(v, at)
}

// toPercentOperand converts a value to the number that a directive of the operator % formats, such as %d.
func (o *valueBuilder) toPercentOperand(v *ir.Value, code string, at pysyntax.Place) *ir.Value {
	message, takes := "must be real number, not ", "a number"
	truncates := strings.Contains("diu", code)
	switch {
	case truncates:
		message = "%" + code + " format: a real number is required, not "
	case strings.Contains("oxX", code):
		message, takes = "%"+code+" format: an integer is required, not ", "an int"
	}
	v = o.dereference(v, at, "TypeError: %s", message+"NoneType")
	switch k := v.Kind(); {
	case k == ir.Any:
		return o.callHelper("number", ir.GoAny, at, ir.DynRef("PercentOperand"), v, o.StrLiteral(code))
	case k == ir.Float && truncates:
		return o.callHelper("number", ir.GoInt, at, ir.PyRef("Trunc"), o.toGoFloat(v))
	case v.IsInteger(), k == ir.Float && takes == "a number":
		return v
	}
	d := o.addWrongType(v, at, "the format %%%s takes %s", code, takes)
	if v.Kind() == ir.Str {
		d.WithHelp("write %%s, or wrap it in int(…) or float(…)")
	}
	return ir.NewBad()
}

// checkFString checks a formatted string.
func (c *checker) checkFString(e *pysyntax.FString) *ir.Value {
	values, specs := make([]*ir.Value, len(e.Parts)), make([]*ir.Value, len(e.Parts))
	pieces := make([]textPiece, len(e.Parts))
	format := func(i int) {
		if part := e.Parts[i]; part.Value != nil {
			pieces[i].Value = c.formatValue(values[i], part.Conversion, specs[i], part.Value.Location())
		}
	}
	for i, part := range e.Parts {
		pieces[i].Text = part.Text
		if part.Value != nil {
			values[i], specs[i] = c.checkSingle(part.Value, nil), c.StrLiteral("")
		}
		if part.Spec != nil {
			specs[i] = c.toNumberedArgument(c.checkSingle(part.Spec, nil), "format", 2, part.Spec.Location(), "a format")
		}
		if !e.ValuesFirst {
			format(i)
		}
	}
	for i := range e.Parts {
		if e.ValuesFirst {
			format(i)
		}
	}
	return c.joinPieces(pieces)
}

// checkFormatCall checks format(x) and format(x, spec).
func (c pythonCall) checkFormatCall([]*ir.Value) *ir.Value {
	part := pysyntax.Part{}
	for i, a := range c.Args {
		switch {
		case a.Star || a.Name != "" || i > 1:
			c.addFault("lambda-call", a.Place, "format() takes a value and a format, as in format(x, '.2f')")
			return ir.NewBad()
		case i == 0:
			part.Value = a.Value
		default:
			part.Spec = a.Value
		}
	}
	if part.Value == nil {
		c.addFault("lambda-call", c.Location(), "format() takes a value and a format, as in format(x, '.2f')")
		return ir.NewBad()
	}
	return c.checkFString(&pysyntax.FString{Place: c.Location(), Parts: []pysyntax.Part{part}})
}

// padsValues reports whether formats may make a formatted string much longer than its values.
func padsValues(e *pysyntax.FString) bool {
	return slices.ContainsFunc(e.Parts, func(p pysyntax.Part) bool { return p.Spec != nil && mayWiden(p.Spec) })
}

// mayWiden reports whether formatting with a specification may add many characters, because its width or precision
// is large or known only at run time.
func mayWiden(spec pysyntax.Expr) bool {
	text, ok := spec.(*pysyntax.Str)
	return !ok || longNumber.MatchString(text.Value)
}

var longNumber = regexp.MustCompile(`[0-9]{3}`)
