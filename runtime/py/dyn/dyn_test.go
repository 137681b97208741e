package dyn_test

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/py/dyn"
)

func Example() {
	row := map[string]any{"price": json.Number("2.5"), "count": json.Number("4")}
	price, _ := dyn.Index(row, "price")
	count, _ := dyn.Index(row, "count")
	total, _ := dyn.Mul(price, count)
	_, err := dyn.Add(total, "EUR")
	fmt.Println(dyn.Text(total), dyn.Text(row))
	fmt.Println(err)
	// Output:
	// 10.0 {'count': 4, 'price': 2.5}
	// TypeError: unsupported operand type(s) for +: 'float' and 'str'
}

// A count is a type of Go that no value of JSON has.
type count int8

// TestGoTypes gives values of Go types that are not those of JSON.
func TestGoTypes(t *testing.T) {
	n, missing := 3, (*int)(nil)
	for _, tt := range []struct {
		value any
		want  string
	}{
		{count(3), "3"}, {uint64(math.MaxUint64), "18446744073709551615"}, {float32(0.5), "0.5"}, {&n, "3"}, {missing, "None"}, {json.Number("1e2"), "100.0"},
		{[]count{1, 2}, "[1, 2]"}, {[2]bool{true}, "[True, False]"}, {map[string]count{"b": 1, "a": 2}, "{'a': 2, 'b': 1}"}, {struct{}{}, "<struct {} object>"},
		{map[int]string{}, "<map[int]string object>"}, {json.Number("123456789012345678901"), "123456789012345678901"},
	} {
		if got := dyn.Text(tt.value); got != tt.want {
			t.Errorf("str(%#v) = %s, want %s", tt.value, got, tt.want)
		}
	}
	if sum, err := dyn.Add(count(100), count(100)); sum != 200 || err != nil {
		t.Errorf("100 + 100 = %v, %v", sum, err)
	}
	if list, err := dyn.ToList([]count{1}); len(list) != 1 || err != nil {
		t.Errorf("a list is %v, %v", list, err)
	}
}

// TestLarge checks that integers which int cannot hold are handed on and written,
// but not reckoned with.
func TestLarge(t *testing.T) {
	large := json.Number("9223372036854775808")
	if !dyn.Truth(large) || !dyn.Equal(large, large) || dyn.Equal(large, 1) {
		t.Error("it is not true, or not equal to itself alone")
	}
	calls := map[string]func() (any, error){
		"+":   func() (any, error) { return dyn.Add(large, 1) },
		"*":   func() (any, error) { return dyn.Mul("x", large) },
		"-":   func() (any, error) { return dyn.Neg(large) },
		"<":   func() (any, error) { return dyn.Less(1, large) },
		"[]":  func() (any, error) { return dyn.Index([]any{1}, large) },
		"int": func() (any, error) { return dyn.Int(large) },
		"to":  func() (any, error) { return dyn.ToInt(large) },
	}
	for name, call := range calls {
		if v, err := call(); err == nil || !strings.HasPrefix(err.Error(), "OverflowError: ") {
			t.Errorf("%s: %v, %v", name, v, err)
		}
	}
	if f, err := dyn.Float(large); f != 1<<63 || err != nil {
		t.Errorf("as a float it is %v, %v", f, err)
	}
}

// FuzzOperators checks that no operation on values from JSON panics.
func FuzzOperators(f *testing.F) {
	for _, text := range []string{`[1, 2.5]`, `["a", [1]]`, `[{"a": 1}, null]`, `[true, 1e400]`, `[[3, "x"], -1]`, `[123456789012345678901, 0]`} {
		f.Add(text)
	}
	operators := []func(a, b any) (any, error){
		dyn.Add, dyn.Sub, dyn.Mul, dyn.Div, dyn.FloorDiv, dyn.Mod, dyn.Pow, dyn.Index,
		func(a, b any) (any, error) { return dyn.Less(a, b) },
		func(a, b any) (any, error) { return dyn.GreaterEqual(a, b) },
		func(a, b any) (any, error) { return dyn.In(a, b) },
		func(a, b any) (any, error) { return dyn.Slice(a, b, nil, nil) },
		func(a, b any) (any, error) { return dyn.Slice(a, nil, nil, b) },
		func(a, b any) (any, error) { return dyn.Equal(a, b), nil },
		func(a, _ any) (any, error) { return dyn.Neg(a) },
		func(a, _ any) (any, error) { return dyn.Abs(a) },
		func(a, _ any) (any, error) { return dyn.RoundTo(a, -1) },
		func(a, _ any) (any, error) { return dyn.Len(a) },
		func(a, _ any) (any, error) { return dyn.Int(a) },
		func(a, _ any) (any, error) { return dyn.Strings(a) },
		func(a, b any) (any, error) { return dyn.Sorted([]any{a, b}, true) },
		func(a, b any) (any, error) { return dyn.Max([]any{a, b}) },
		func(a, b any) (any, error) { return dyn.Sum([]any{a}, b) },
		func(a, _ any) (any, error) { return dyn.Fixed(a, 2) },
		func(a, _ any) (any, error) { return dyn.Digits(a) },
	}
	f.Fuzz(func(t *testing.T, text string) {
		decoder := json.NewDecoder(strings.NewReader(text))
		decoder.UseNumber()
		var values []any
		if decoder.Decode(&values) != nil || len(values) < 2 || len(text) > 200 {
			return
		}
		for _, v := range values[:2] {
			if n, err := dyn.ToFloat(v); err == nil && math.Abs(n) > 1000 && math.Abs(n) < 1e7 {
				return // a list times so much is nothing but slow
			}
		}
		for i, operator := range operators {
			v, err := operator(values[0], values[1])
			if err != nil && !strings.Contains(err.Error(), "Error: ") {
				t.Errorf("operator %d fails with %v", i, err)
			}
			if err == nil && len(dyn.Text(v)) == 0 && v != "" {
				t.Errorf("operator %d makes %v", i, v)
			}
		}
	})
}

// TestTooLarge asks for texts and lists that small values would make large.
func TestTooLarge(t *testing.T) {
	text, list := strings.Repeat("a", 1<<21), make([]any, 1<<21)
	for name, call := range map[string]func() (any, error){
		"+":            func() (any, error) { return dyn.Add(text, text+"a") },
		"lists +":      func() (any, error) { return dyn.Add(list, append(list, 1)) },
		"*":            func() (any, error) { return dyn.Mul("ab", 1e9) },
		"int *":        func() (any, error) { return dyn.Mul("ab", 1<<30) },
		"list *":       func() (any, error) { return dyn.Mul([]any{[]any{text}}, 3) },
		"lists *":      func() (any, error) { return dyn.RepeatList([][]int{make([]int, 3000)}, 3000) },
		"dicts *":      func() (any, error) { return dyn.RepeatList([]map[string]any{{"a": text}}, 3) },
		"format":       func() (any, error) { return dyn.Format("{0}{0}{0}{0}{0}", []any{text}, nil) },
		"format, wide": func() (any, error) { return dyn.Format("{:.999999999f}", []any{1.5}, nil) },
	} {
		if v, err := call(); err == nil || !strings.Contains(err.Error(), "Error: ") {
			t.Errorf("%s: %T, %v", name, v, err)
		}
	}
}
