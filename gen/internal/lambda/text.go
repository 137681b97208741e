package lambda

import (
	"go/token"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/gen/internal/lambda/ir"
	"github.com/aiongen/aiongen/gen/internal/lambda/pysyntax"
)

// toText translates str(v).
func (o *valueBuilder) toText(v *ir.Value, at pysyntax.Place) *ir.Value {
	switch constant := v.Constant.(type) {
	case int64:
		return o.StrLiteral(strconv.FormatInt(constant, 10))
	case string:
		return o.StrLiteral(constant)
	}
	switch v.Kind() {
	case ir.Invalid:
		return v
	case ir.None:
		return o.StrLiteral("None")
	case ir.Str:
		return o.toPlain(v).WithType(ir.GoString)
	case ir.Int:
		if ir.IsUnsigned(v.Type) { // may not fit an int
			return o.CallPure(ir.GoString, ir.PackageRef("strconv", "FormatUint"), o.CallPure(nil, ir.GoRef("uint64"), v), o.IntLiteral(10))
		}
		return o.CallPure(ir.GoString, ir.PackageRef("strconv", "Itoa"), o.toNumber(v, at))
	case ir.Float:
		return o.CallPure(ir.GoString, ir.PyRef("FloatText"), o.toGoFloat(v))
	case ir.Bool:
		return o.CallPure(ir.GoString, ir.PyRef("BoolText"), o.toPlain(v))
	case ir.List, ir.Dict, ir.Any, ir.Optional:
		return o.callHelper("text", ir.GoString, at, ir.DynRef("Text"), o.toDynamic(v))
	}
	return o.objectText(v, at)
}

// objectText calls the method String of an object, or reports that there is none.
func (o *valueBuilder) objectText(v *ir.Value, at pysyntax.Place) *ir.Value {
	if path, obj := o.Member(v.Type, "String"); obj != nil && !ir.HasNil(v.Type) {
		if _, sig := ir.FunctionOf(obj); sig != nil && sig.Params().Len() == 0 && sig.Results().Len() == 1 && ir.KindOf(sig.Results().At(0).Type()) == ir.Str {
			return o.CallInTurn(ir.GoString, o.SelectField(obj.Type(), v, path...).Step)
		}
	}
	d := o.addIncompatible(at, []*ir.Value{v}, "%s cannot be converted to a str", o.describeType(v.Type))
	for _, name := range []string{"String", "Error"} {
		if _, method := o.Member(v.Type, name); method != nil {
			d.WithHelp("it may be None: call its method, .%s()", goname.SnakeCase(name))
			return ir.NewBad()
		}
	}
	d.WithHelp("give its type a method String() string, or use one of its fields")
	return ir.NewBad()
}

// textPiece is a piece of a string: Text if Value is nil, otherwise the text of Value, a str or an int.
type textPiece struct {
	Text  string
	Value *ir.Value
}

// joinPieces joins pieces to a string: with + if all are strings, otherwise with fmt.Sprintf.
func (o *valueBuilder) joinPieces(pieces []textPiece) *ir.Value {
	pieces = mergePieces(pieces)
	values, allText := 0, true
	for _, p := range pieces {
		if p.Value == nil {
			continue
		}
		values++
		allText = allText && p.Value.Kind() == ir.Str
	}
	switch {
	case len(pieces) == 0:
		return o.StrLiteral("")
	case values == 0:
		return o.StrLiteral(pieces[0].Text)
	case len(pieces) == 1:
		return o.toText(pieces[0].Value, pysyntax.Place{})
	case allText:
		return o.addPieces(pieces)
	}
	return o.sprintfPieces(pieces)
}

// mergePieces merges constant values into the surrounding text.
func mergePieces(pieces []textPiece) []textPiece {
	var list []textPiece
	for _, p := range pieces {
		if p.Value != nil {
			switch constant := p.Value.Constant.(type) {
			case string:
				p = textPiece{Text: constant}
			case int64:
				p = textPiece{Text: strconv.FormatInt(constant, 10)}
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

func (o *valueBuilder) addPieces(pieces []textPiece) *ir.Value {
	var sum *ir.Value
	for _, p := range pieces {
		x := p.Value
		if x == nil {
			x = o.StrLiteral(p.Text)
		}
		if sum == nil {
			sum = x
		} else {
			sum = o.BinaryOp(ir.GoString, sum, token.ADD, x)
		}
	}
	return sum
}

func (o *valueBuilder) sprintfPieces(pieces []textPiece) *ir.Value {
	format := ""
	args := []*ir.Value{nil}
	for _, p := range pieces {
		switch {
		case p.Value == nil:
			format += strings.ReplaceAll(p.Text, "%", "%%")
			continue
		case p.Value.Kind() == ir.Int:
			format += "%d"
		default:
			format += "%s"
		}
		args = append(args, p.Value)
	}
	args[0] = o.StrLiteral(format)
	return o.CallPure(ir.GoString, ir.PackageRef("fmt", "Sprintf"), args...)
}
