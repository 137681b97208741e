package ops

import (
	"go/token"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/gen/internal/python/code"
	"github.com/aiongen/aiongen/gen/internal/python/kind"
	"github.com/aiongen/aiongen/gen/internal/python/syntax"
)

// Text is str(v).
func (o *Values) Text(v *code.Value, at syntax.Place) *code.Value {
	switch known := v.Known.(type) {
	case int64:
		return o.Str(strconv.FormatInt(known, 10))
	case string:
		return o.Str(known)
	}
	switch v.Kind() {
	case kind.Invalid:
		return v
	case kind.None:
		return o.Str("None")
	case kind.Str:
		return o.plain(v).As(kind.GoString)
	case kind.Int:
		if kind.IsUnsigned(v.Type) { // which may not fit an int
			return o.Made(kind.GoString, code.Std("strconv", "FormatUint"), o.Made(nil, code.Go("uint64"), v), o.Int(10))
		}
		return o.Made(kind.GoString, code.Std("strconv", "Itoa"), o.Number(v, at))
	case kind.Float:
		return o.Made(kind.GoString, code.Py("FloatText"), o.float(v))
	case kind.Bool:
		return o.Made(kind.GoString, code.Py("BoolText"), o.plain(v))
	case kind.List, kind.Dict, kind.Any, kind.Optional:
		return o.Do("text", kind.GoString, at, code.Dyn("Text"), o.dynamic(v))
	}
	return o.objectText(v, at)
}

// objectText is the text of an object that says itself what its text is.
func (o *Values) objectText(v *code.Value, at syntax.Place) *code.Value {
	if path, obj := o.Member(v.Type, "String"); obj != nil && !kind.HasNil(v.Type) {
		if _, sig := kind.Function(obj); sig != nil && sig.Params().Len() == 0 && sig.Results().Len() == 1 && kind.Of(sig.Results().At(0).Type()) == kind.Str {
			return o.Read(kind.GoString, o.Select(obj.Type(), v, path...).Step)
		}
	}
	d := o.Unfit(at, []*code.Value{v}, "%s has no text", o.Name(v.Type))
	for _, name := range []string{"String", "Error"} {
		if _, method := o.Member(v.Type, name); method != nil {
			d.WithHelp("it may be None: call its method, .%s()", goname.Snake(name))
			return code.Bad()
		}
	}
	d.WithHelp("give its type a method String() string, or write a field of it")
	return code.Bad()
}

// Formatted is a value in a format, as a str or an int.
func (o *Values) Formatted(v *code.Value, f syntax.Format, at syntax.Place) *code.Value {
	switch {
	case v.Bad() || f.Verb == 0 && v.Kind() == kind.Int:
		return v
	case f.Verb == 0:
		return o.Text(v, at)
	}
	v = o.Deref(v, at, "TypeError: unsupported format string passed to NoneType.__format__")
	switch k := v.Kind(); {
	case k == kind.Any:
		format := code.Dyn(map[byte]string{'d': "Digits", 's': "PlainText", 'f': "Fixed"}[f.Verb])
		args := []*code.Value{v}
		if f.Verb == 'f' {
			args = append(args, o.Int(int64(f.Precision)))
		}
		return o.Do("text", kind.GoString, at, format, args...)
	case f.Verb == 'd' && k == kind.Int:
		return v
	case f.Verb == 'd' && k == kind.Bool:
		return o.Number(v, at)
	case f.Verb == 's' && k == kind.Str:
		return o.Text(v, at)
	case f.Verb == 'f' && v.IsNumber():
		return o.Made(kind.GoString, code.Py("Fixed"), o.float(o.Number(v, at)), o.Int(int64(f.Precision)))
	}
	takes := map[byte]string{'d': "an int", 's': "a str", 'f': "a number"}[f.Verb]
	d := o.Wrong(v, at, "the format :%c takes %s", f.Verb, takes)
	switch {
	case f.Verb == 'd' && v.Kind() == kind.Float:
		d.WithHelp("write :.0f, or int(…) around it")
	case v.Kind() == kind.Str:
		d.WithHelp("write int(…) or float(…) around it")
	}
	return code.Bad()
}

// A Piece of a text is fixed or, where Value is not nil, computed: a str or an int.
type Piece struct {
	Text  string
	Value *code.Value
}

// Joined puts the pieces of a text together: with + where all are texts, else with
// fmt.Sprintf.
func (o *Values) Joined(pieces []Piece) *code.Value {
	pieces = merged(pieces)
	values, allText := 0, true
	for _, p := range pieces {
		if p.Value == nil {
			continue
		}
		if p.Value.Bad() {
			return code.Bad()
		}
		values++
		allText = allText && p.Value.Kind() == kind.Str
	}
	switch {
	case len(pieces) == 0:
		return o.Str("")
	case values == 0:
		return o.Str(pieces[0].Text)
	case len(pieces) == 1:
		return o.Text(pieces[0].Value, syntax.Place{})
	case allText:
		return o.sum(pieces)
	}
	return o.sprintf(pieces)
}

// merged puts what is known into the text around it.
func merged(pieces []Piece) []Piece {
	var list []Piece
	for _, p := range pieces {
		if p.Value != nil {
			switch known := p.Value.Known.(type) {
			case string:
				p = Piece{Text: known}
			case int64:
				p = Piece{Text: strconv.FormatInt(known, 10)}
			}
		}
		if n := len(list); p.Value == nil && n > 0 && list[n-1].Value == nil {
			list[n-1].Text += p.Text
		} else if p.Value != nil || p.Text != "" {
			list = append(list, p)
		}
	}
	return list
}

func (o *Values) sum(pieces []Piece) *code.Value {
	var sum *code.Value
	for _, p := range pieces {
		x := p.Value
		if x == nil {
			x = o.Str(p.Text)
		}
		if sum == nil {
			sum = x
		} else {
			sum = o.Binary(kind.GoString, sum, token.ADD, x)
		}
	}
	return sum
}

func (o *Values) sprintf(pieces []Piece) *code.Value {
	format := ""
	args := []*code.Value{nil}
	for _, p := range pieces {
		switch {
		case p.Value == nil:
			format += strings.ReplaceAll(p.Text, "%", "%%")
			continue
		case p.Value.Kind() == kind.Int:
			format += "%d"
		default:
			format += "%s"
		}
		args = append(args, p.Value)
	}
	args[0] = o.Str(format)
	return o.Made(kind.GoString, code.Std("fmt", "Sprintf"), args...)
}
