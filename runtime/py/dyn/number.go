package dyn

import (
	"encoding/json"
	"reflect"
	"strings"

	"github.com/aiongen/aiongen/runtime/py"
)

// An operator is one of arithmetic, with what it does to two integers and to two
// floats.
type operator struct {
	symbol string
	ints   func(a, b int) (any, error)
	floats func(a, b float64) (float64, error)
}

func ints[T any](f func(a, b int) (T, error)) func(a, b int) (any, error) {
	return func(a, b int) (any, error) { return f(a, b) }
}

var (
	add      = operator{"+", ints(py.Add), func(a, b float64) (float64, error) { return a + b, nil }}
	sub      = operator{"-", ints(py.Sub), func(a, b float64) (float64, error) { return a - b, nil }}
	mul      = operator{"*", ints(py.Mul), func(a, b float64) (float64, error) { return a * b, nil }}
	div      = operator{"/", ints(py.Div), py.DivFloat}
	floorDiv = operator{"//", ints(py.FloorDiv), py.FloorDivFloat}
	mod      = operator{"%", ints(py.Mod), py.ModFloat}
	pow      = operator{"** or pow()", powInts, py.PowFloat}
)

// powInts is a ** b, which here may be a float.
func powInts(a, b int) (any, error) {
	if b < 0 {
		return py.PowFloat(float64(a), float64(b))
	}
	return py.Pow(a, b)
}

// do applies the operator to two numbers.
func (o operator) do(a, b any) (any, error) {
	if _, large := a.(json.Number); large || isLarge(b) {
		return nil, tooLarge()
	}
	m, mInt := integer(a)
	n, nInt := integer(b)
	if mInt && nInt {
		return o.ints(m, n)
	}
	x, xFloat := float(a)
	y, yFloat := float(b)
	if !xFloat || !yFloat {
		return nil, typeError("unsupported operand type(s) for %s: '%s' and '%s'", o.symbol, typeName(a), typeName(b))
	}
	return o.floats(x, y)
}

func isLarge(v any) bool {
	_, large := v.(json.Number)
	return large
}

// integer returns an int or a bool as an int.
func integer(v any) (int, bool) {
	switch v := v.(type) {
	case int:
		return v, true
	case bool:
		return py.Bool(v), true
	}
	return 0, false
}

// float returns a number as a float.
func float(v any) (float64, bool) {
	if n, ok := integer(v); ok {
		return float64(n), true
	}
	f, ok := v.(float64)
	return f, ok
}

// Add is a + b.
func Add(a, b any) (any, error) {
	a, b = plain(a), plain(b)
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
		return extend(append([]any{}, x...), b) // never nil, which would be None
	}
	return add.do(a, b)
}

// extend appends the elements of a list to another.
func extend(list []any, more any) (any, error) {
	elements, ok := plain(more).([]any)
	switch {
	case !ok:
		return nil, typeError(`can only concatenate list (not "%s") to list`, typeName(plain(more)))
	case len(list)+len(elements) > py.MaxSize:
		return nil, py.TooLarge("list")
	}
	return append(list, elements...), nil
}

// Mul is a * b.
func Mul(a, b any) (any, error) {
	a, b = plain(a), plain(b)
	if isSequence(b) && !isSequence(a) {
		a, b = b, a
	}
	if !isSequence(a) {
		return mul.do(a, b)
	}
	n, ok := integer(b)
	switch {
	case isLarge(b):
		return nil, tooLarge()
	case !ok:
		return nil, typeError("can't multiply sequence by non-int of type '%s'", typeName(b))
	}
	if s, ok := a.(string); ok {
		return py.Repeat(s, n)
	}
	return RepeatList(a.([]any), n)
}

// RepeatList is list * n for a list that may hold others. All that is in it counts.
func RepeatList[T any](list []T, n int) ([]T, error) {
	if held := weight(reflect.ValueOf(list), py.MaxSize, 0) - 1; n > 0 && held > py.MaxSize/n { // without the list itself
		return nil, py.TooLarge("list")
	}
	return py.RepeatList(list, n)
}

// Grow adds what a value holds to the size of the list that is put together of it and
// others.
func Grow(size *int, v any) error {
	if *size += weight(reflect.ValueOf(v), py.MaxSize-*size, 0); *size > py.MaxSize {
		return py.TooLarge("list")
	}
	return nil
}

// weight counts what a value holds, and the bytes of texts, up to a limit, which it is
// beyond where it nests too deep.
func weight(v reflect.Value, limit, depth int) int {
	size := 1
	if depth > maxDepth {
		return limit + 1
	}
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		return weight(v.Elem(), limit, depth+1)
	case reflect.String:
		return 1 + v.Len()
	case reflect.Slice, reflect.Array:
		for i := 0; i < v.Len() && size <= limit; i++ {
			size += weight(v.Index(i), limit-size, depth+1)
		}
	case reflect.Map:
		for _, value := range v.Seq2() {
			if size += weight(value, limit-size, depth+1); size > limit {
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
func Sub(a, b any) (any, error) { return sub.do(plain(a), plain(b)) }

// Div is a / b.
func Div(a, b any) (any, error) { return div.do(plain(a), plain(b)) }

// FloorDiv is a // b.
func FloorDiv(a, b any) (any, error) { return floorDiv.do(plain(a), plain(b)) }

// Mod is a % b. Of a string, which Python would format, it is refused.
func Mod(a, b any) (any, error) {
	a, b = plain(a), plain(b)
	if _, ok := a.(string); ok {
		return nil, typeError("a string cannot be formatted with %% here: use format()")
	}
	return mod.do(a, b)
}

// Pow is a ** b.
func Pow(a, b any) (any, error) { return pow.do(plain(a), plain(b)) }

// Neg is -v.
func Neg(v any) (any, error) {
	v = plain(v)
	if f, ok := v.(float64); ok {
		return -f, nil
	}
	n, err := operand(v, "bad operand type for unary -: '%s'")
	if err != nil {
		return nil, err
	}
	return py.Neg(n)
}

// Pos is +v.
func Pos(v any) (any, error) {
	v = plain(v)
	if f, ok := v.(float64); ok {
		return f, nil
	}
	return operand(v, "bad operand type for unary +: '%s'")
}

// Abs is abs(v).
func Abs(v any) (any, error) {
	v = plain(v)
	if f, ok := v.(float64); ok {
		return max(f, -f), nil
	}
	n, err := operand(v, "bad operand type for abs(): '%s'")
	if err != nil {
		return nil, err
	}
	return py.Abs(n)
}

// operand returns the operand of an operation with one integer. The complaint may
// name its type.
func operand(v any, complaint string) (int, error) {
	n, ok := integer(v)
	switch {
	case isLarge(v):
		return 0, tooLarge()
	case !ok:
		return 0, complain(complaint, v)
	}
	return n, nil
}

// complain is a TypeError with the type of a plain value in the place of %s.
func complain(complaint string, v any) error {
	return typeError("%s", strings.Replace(complaint, "%s", typeName(v), 1))
}

// Integer returns the integer that a function of Python asks for.
func Integer(v any) (int, error) {
	return operand(plain(v), "'%s' object cannot be interpreted as an integer")
}

// Round is round(v).
func Round(v any) (any, error) {
	v = plain(v)
	if f, ok := v.(float64); ok {
		return py.Round(f)
	}
	return operand(v, "type %s doesn't define __round__ method")
}

// RoundTo is round(v, digits), where digits may be None.
func RoundTo(v, digits any) (any, error) {
	v, digits = plain(v), plain(digits)
	f, isFloat := v.(float64)
	n, isInt := integer(v)
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
	v = plain(v)
	switch v := v.(type) {
	case float64:
		return py.Trunc(v)
	case string:
		return py.ParseInt(v)
	}
	return operand(v, "int() argument must be a string, a bytes-like object or a real number, not '%s'")
}

// Float is float(v).
func Float(v any) (float64, error) {
	v = plain(v)
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
	f, ok := float(v)
	if !ok {
		return 0, typeError("float() argument must be a string or a real number, not '%s'", typeName(v))
	}
	return f, nil
}

// Sum is sum(list, start).
func Sum(list []any, start any) (sum any, err error) {
	sum = plain(start)
	switch first := sum.(type) {
	case string:
		return nil, typeError("sum() can't sum strings [use ''.join(seq) instead]")
	case []any:
		return join(list, first)
	}
	if numbers, ok := integers(list); ok {
		if first, ok := integer(sum); ok {
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

// join is the sum of lists. Nobody sees what it is on the way, so that it can grow.
func join(lists, start []any) (any, error) {
	sum := any(append([]any{}, start...))
	for _, v := range lists {
		var err error
		if sum, err = extend(sum.([]any), v); err != nil {
			return nil, err
		}
	}
	return sum, nil
}

// integers returns a list of integers and bools as ints.
func integers(list []any) ([]int, bool) {
	numbers := make([]int, len(list))
	for i, v := range list {
		var ok bool
		if numbers[i], ok = integer(plain(v)); !ok {
			return nil, false
		}
	}
	return numbers, true
}
