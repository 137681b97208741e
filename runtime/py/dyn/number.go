package dyn

import (
	"encoding/json"
	"reflect"
	"strings"

	"github.com/aiongen/aiongen/runtime/py"
)

// operator is an arithmetic operator with its implementations for integers and floats.
type operator struct {
	symbol string
	ints   func(a, b int) (any, error)
	floats func(a, b float64) (float64, error)
}

func intOperator[T any](f func(a, b int) (T, error)) func(a, b int) (any, error) {
	return func(a, b int) (any, error) { return f(a, b) }
}

var (
	add      = operator{"+", intOperator(py.Add), func(a, b float64) (float64, error) { return a + b, nil }}
	sub      = operator{"-", intOperator(py.Sub), func(a, b float64) (float64, error) { return a - b, nil }}
	mul      = operator{"*", intOperator(py.Mul), func(a, b float64) (float64, error) { return a * b, nil }}
	div      = operator{"/", intOperator(py.Div), py.DivFloat}
	floorDiv = operator{"//", intOperator(py.FloorDiv), py.FloorDivFloat}
	mod      = operator{"%", intOperator(py.Mod), py.ModFloat}
	pow      = operator{"** or pow()", powInts, py.PowFloat}
)

// powInts is a ** b, which is a float if b is negative.
func powInts(a, b int) (any, error) {
	if b < 0 {
		return py.PowFloat(float64(a), float64(b))
	}
	return py.Pow(a, b)
}

// applyTo applies the operator to two numbers.
func (o operator) applyTo(a, b any) (any, error) {
	if _, large := a.(json.Number); large || isLarge(b) {
		return nil, overflowError()
	}
	m, mInt := asInt(a)
	n, nInt := asInt(b)
	if mInt && nInt {
		return o.ints(m, n)
	}
	x, xFloat := asFloat(a)
	y, yFloat := asFloat(b)
	if !xFloat || !yFloat {
		return nil, typeError("unsupported operand type(s) for %s: '%s' and '%s'", o.symbol, typeName(a), typeName(b))
	}
	return o.floats(x, y)
}

func isLarge(v any) bool {
	_, large := v.(json.Number)
	return large
}

// asInt converts an int or a bool to an int.
func asInt(v any) (int, bool) {
	switch v := v.(type) {
	case int:
		return v, true
	case bool:
		return py.Bool(v), true
	}
	return 0, false
}

// asFloat converts a number to a float64.
func asFloat(v any) (float64, bool) {
	if n, ok := asInt(v); ok {
		return float64(n), true
	}
	f, ok := v.(float64)
	return f, ok
}

// Add is a + b.
func Add(a, b any) (any, error) {
	a, b = plainValue(a), plainValue(b)
	switch x := a.(type) {
	case string:
		if y, ok := b.(string); ok {
			if len(x)+len(y) > py.MaxSize {
				return nil, py.TooLarge("text")
			}
			return x + y, nil
		}
		return nil, typeError(`can only concatenate str (not "%s") to str`, typeName(b))
	case []any:
		return extendList(append([]any{}, x...), b) // never nil, because nil would be None
	}
	return add.applyTo(a, b)
}

// extendList appends the elements of another list to a list.
func extendList(list []any, more any) (any, error) {
	elements, ok := plainValue(more).([]any)
	switch {
	case !ok:
		return nil, typeError(`can only concatenate list (not "%s") to list`, typeName(plainValue(more)))
	case len(list)+len(elements) > py.MaxSize:
		return nil, py.TooLarge("list")
	}
	return append(list, elements...), nil
}

// Mul is a * b.
func Mul(a, b any) (any, error) {
	a, b = plainValue(a), plainValue(b)
	if isSequence(b) && !isSequence(a) {
		a, b = b, a
	}
	if !isSequence(a) {
		return mul.applyTo(a, b)
	}
	n, ok := asInt(b)
	switch {
	case isLarge(b):
		return nil, overflowError()
	case !ok:
		return nil, typeError("can't multiply sequence by non-int of type '%s'", typeName(b))
	}
	if s, ok := a.(string); ok {
		return py.Repeat(s, n)
	}
	return RepeatList(a.([]any), n)
}

// RepeatList is list * n for a list of any values. It fails if the size of all values in the result, at all
// levels, exceeds [py.MaxSize].
func RepeatList[T any](list []T, n int) ([]T, error) {
	if size := measureSize(reflect.ValueOf(list), py.MaxSize, 0) - 1; n > 0 && size > py.MaxSize/n { // without the list itself
		return nil, py.TooLarge("list")
	}
	return py.RepeatList(list, n)
}

// Grow adds the size of v to *size, the size of the list that a comprehension builds. It fails if the list
// becomes too large.
func Grow(size *int, v any) error {
	if *size += measureSize(reflect.ValueOf(v), py.MaxSize-*size, 0); *size > py.MaxSize {
		return py.TooLarge("list")
	}
	return nil
}

// measureSize returns the size of v: the number of values in it, including v, plus the number of bytes of texts.
// It stops counting when the size exceeds limit. If v is nested too deeply, it returns more than limit.
func measureSize(v reflect.Value, limit, depth int) int {
	size := 1
	if depth > maxDepth {
		return limit + 1
	}
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		return measureSize(v.Elem(), limit, depth+1)
	case reflect.String:
		return 1 + v.Len()
	case reflect.Slice, reflect.Array:
		for i := 0; i < v.Len() && size <= limit; i++ {
			size += measureSize(v.Index(i), limit-size, depth+1)
		}
	case reflect.Map:
		for _, value := range v.Seq2() {
			if size += measureSize(value, limit-size, depth+1); size > limit {
				break
			}
		}
	}
	return size
}

func isSequence(v any) bool {
	switch v.(type) {
	case string, []any:
		return true
	}
	return false
}

// Sub is a - b.
func Sub(a, b any) (any, error) { return sub.applyTo(plainValue(a), plainValue(b)) }

// Div is a / b.
func Div(a, b any) (any, error) { return div.applyTo(plainValue(a), plainValue(b)) }

// FloorDiv is a // b.
func FloorDiv(a, b any) (any, error) { return floorDiv.applyTo(plainValue(a), plainValue(b)) }

// Mod is a % b. It rejects strings, which Python would format.
func Mod(a, b any) (any, error) {
	a, b = plainValue(a), plainValue(b)
	if _, ok := a.(string); ok {
		return nil, typeError("lambdas do not support %% for formatting strings: use format()")
	}
	return mod.applyTo(a, b)
}

// Pow is a ** b.
func Pow(a, b any) (any, error) { return pow.applyTo(plainValue(a), plainValue(b)) }

// Or is a | b: the dict with the entries of both, or the bits of both integers.
func Or(a, b any) (any, error) {
	a, b = plainValue(a), plainValue(b)
	m, mDict := a.(map[string]any)
	n, nDict := b.(map[string]any)
	x, xInt := asInt(a)
	y, yInt := asInt(b)
	_, xBool := a.(bool)
	_, yBool := b.(bool)
	switch {
	case mDict && nDict:
		return py.Merge(m, n), nil
	case xBool && yBool:
		return x|y != 0, nil
	case xInt && yInt:
		return x | y, nil
	case (xInt || isLarge(a)) && (yInt || isLarge(b)):
		return nil, overflowError()
	}
	return nil, typeError("unsupported operand type(s) for |: '%s' and '%s'", typeName(a), typeName(b))
}

// Neg is -v.
func Neg(v any) (any, error) {
	return applyUnary(v, "bad operand type for unary -: '%s'", func(f float64) (any, error) { return -f, nil }, py.Neg)
}

// Pos is +v.
func Pos(v any) (any, error) {
	return applyUnary(v, "bad operand type for unary +: '%s'", func(f float64) (any, error) { return f, nil }, sameInt)
}

// Abs is abs(v).
func Abs(v any) (any, error) {
	return applyUnary(v, "bad operand type for abs(): '%s'", func(f float64) (any, error) { return max(f, -f), nil }, py.Abs)
}

// Round is round(v).
func Round(v any) (any, error) {
	return applyUnary(v, "type %s doesn't define __round__ method", func(f float64) (any, error) { return py.Round(f) }, sameInt)
}

func sameInt(n int) (int, error) { return n, nil }

// applyUnary applies one of two functions to a number. complaint is the text of the error for another value, as for
// intOperand.
func applyUnary(v any, complaint string, floats func(float64) (any, error), ints func(int) (int, error)) (any, error) {
	v = plainValue(v)
	if f, ok := v.(float64); ok {
		return floats(f)
	}
	n, err := intOperand(v, complaint)
	if err != nil {
		return nil, err
	}
	return ints(n)
}

// intOperand returns v as the operand of an operation on one integer. If v is not an integer, the text of the
// error is complaint, in which the type of v replaces %s.
func intOperand(v any, complaint string) (int, error) {
	n, ok := asInt(v)
	switch {
	case isLarge(v):
		return 0, overflowError()
	case !ok:
		return 0, operandError(complaint, v)
	}
	return n, nil
}

// operandError returns a TypeError. It replaces %s in complaint with the type of the plain value v.
func operandError(complaint string, v any) error {
	return typeError("%s", strings.Replace(complaint, "%s", typeName(v), 1))
}

// Integer returns an integer argument of a Python function.
func Integer(v any) (int, error) {
	return intOperand(plainValue(v), "'%s' object cannot be interpreted as an integer")
}

// RoundTo is round(v, digits). digits may be None.
func RoundTo(v, digits any) (any, error) {
	v, digits = plainValue(v), plainValue(digits)
	f, isFloat := v.(float64)
	n, isInt := asInt(v)
	if digits == nil || !isFloat && !isInt {
		return Round(v)
	}
	places, err := Integer(digits)
	switch {
	case err != nil:
		return nil, err
	case isFloat:
		return py.RoundTo(f, places)
	}
	return py.RoundInt(n, places)
}

// Int is int(v).
func Int(v any) (int, error) {
	v = plainValue(v)
	switch v := v.(type) {
	case float64:
		return py.Trunc(v)
	case string:
		return py.ParseInt(v)
	}
	return intOperand(v, "int() argument must be a string, a bytes-like object or a real number, not '%s'")
}

// Float is float(v).
func Float(v any) (float64, error) {
	v = plainValue(v)
	switch n := v.(type) {
	case string:
		return py.ParseFloat(n)
	case json.Number:
		f, err := n.Float64()
		if err != nil {
			return 0, py.Errorf("OverflowError", "int too large to convert to float")
		}
		return f, nil
	}
	f, ok := asFloat(v)
	if !ok {
		return 0, typeError("float() argument must be a string or a real number, not '%s'", typeName(v))
	}
	return f, nil
}

// Sum is sum(list, start).
func Sum(list []any, start any) (sum any, err error) {
	sum = plainValue(start)
	switch first := sum.(type) {
	case string:
		return nil, typeError("sum() can't sum strings [use ''.join(seq) instead]")
	case []any:
		return joinLists(list, first)
	}
	if numbers, ok := asInts(list); ok {
		if first, ok := asInt(sum); ok {
			return py.SumInts(numbers, first)
		}
	}
	for _, v := range list {
		if sum, err = Add(sum, v); err != nil {
			return nil, err
		}
	}
	return sum, nil
}

// joinLists is sum(lists, start). It appends all lists to one result, so that it takes linear time.
func joinLists(lists, start []any) (any, error) {
	sum := any(append([]any{}, start...))
	for _, v := range lists {
		var err error
		if sum, err = extendList(sum.([]any), v); err != nil {
			return nil, err
		}
	}
	return sum, nil
}

// asInts converts a list of integers and bools to ints.
func asInts(list []any) ([]int, bool) {
	numbers := make([]int, len(list))
	for i, v := range list {
		var ok bool
		if numbers[i], ok = asInt(plainValue(v)); !ok {
			return nil, false
		}
	}
	return numbers, true
}
