package dyn_test

import (
	"encoding/json"
	"fmt"
	"math"
	"runtime"
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
	fmt.Println(total)
	fmt.Println(dyn.Text(row))
	fmt.Println(err)
	// Output:
	// 10
	// {'count': 4, 'price': 2.5} <nil>
	// TypeError: unsupported operand type(s) for +: 'float' and 'str'
}

// A count is a Go type that no JSON value has.
type count int8

// TestGoTypes checks values of Go types other than those of JSON.
func TestGoTypes(t *testing.T) {
	n, missing := 3, (*int)(nil)
	for _, tt := range []struct {
		value any
		want  string
	}{
		{count(3), "3"}, {uint64(math.MaxUint64), "18446744073709551615"}, {float32(0.5), "0.5"}, {&n, "3"}, {missing, "None"}, {json.Number("1e2"), "100.0"},
		{[]count{1, 2}, "[1, 2]"}, {[2]bool{true}, "[True, False]"}, {map[string]count{"b": 1, "a": 2}, "{'a': 2, 'b': 1}"}, {struct{}{}, "<struct {} object>"},
		{map[int]string{}, "{}"}, {map[count]string{2: "b", -1: "a"}, "{-1: 'a', 2: 'b'}"}, {map[uint64]int{math.MaxUint64: 1}, "{18446744073709551615: 1}"},
		{map[bool]int{}, "<map[bool]int object>"}, {json.Number("123456789012345678901"), "123456789012345678901"},
	} {
		if got, err := dyn.Text(tt.value); got != tt.want || err != nil {
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

// TestLarge checks that integers that do not fit into int can be passed on and written, but not used
// in arithmetic.
func TestLarge(t *testing.T) {
	large := json.Number("9223372036854775808")
	if !dyn.Truth(large) || !equal(t, large, large) || equal(t, large, 1) {
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
		func(a, b any) (any, error) { return dyn.Equal(a, b) },
		func(a, _ any) (any, error) { return dyn.Neg(a) },
		func(a, _ any) (any, error) { return dyn.Abs(a) },
		func(a, _ any) (any, error) { return dyn.RoundTo(a, -1) },
		func(a, _ any) (any, error) { return dyn.Len(a) },
		func(a, _ any) (any, error) { return dyn.Int(a) },
		func(a, _ any) (any, error) { return dyn.Strings(a) },
		func(a, b any) (any, error) { return dyn.Sorted([]any{a, b}, true) },
		func(a, b any) (any, error) { return dyn.Max([]any{a, b}) },
		func(a, b any) (any, error) { return dyn.Sum([]any{a}, b) },
		func(a, _ any) (any, error) { return dyn.FormatValue(a, ".2f") },
		func(a, _ any) (any, error) { return dyn.FormatValue(a, "d") },
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
				return // multiplying a list so often would only be slow
			}
		}
		for i, operator := range operators {
			v, err := operator(values[0], values[1])
			if err != nil && !strings.Contains(err.Error(), "Error: ") {
				t.Errorf("operator %d fails with %v", i, err)
			}
			if text, _ := dyn.Text(v); err == nil && text == "" && v != "" {
				t.Errorf("operator %d makes %v", i, v)
			}
		}
	})
}

// TestTooLarge tries to create large texts and lists from small values.
func TestTooLarge(t *testing.T) {
	text, list := strings.Repeat("a", 1<<21), make([]any, 1<<21)
	for name, call := range map[string]func() (any, error){
		"+":       func() (any, error) { return dyn.Add(text, text+"a") },
		"lists +": func() (any, error) { return dyn.Add(list, append(list, 1)) },
		"*":       func() (any, error) { return dyn.Mul("ab", 1e9) },
		"int *":   func() (any, error) { return dyn.Mul("ab", 1<<30) },
		"list *":  func() (any, error) { return dyn.Mul([]any{[]any{text}}, 3) },
		"lists *": func() (any, error) { return dyn.RepeatList([][]int{make([]int, 3000)}, 3000) },
		"dicts *": func() (any, error) { return dyn.RepeatList([]map[string]any{{"a": text}}, 3) },
		"sum":     func() (any, error) { return dyn.Sum([]any{list, list, []any{1}}, []any{}) },
		"comprehension": func() (any, error) {
			size := 0
			for range 3 {
				if err := dyn.Grow(&size, text); err != nil {
					return nil, err
				}
			}
			return nil, nil
		},
		"format":       func() (any, error) { return dyn.Format("{0}{0}{0}{0}{0}", []any{text}, nil) },
		"format, wide": func() (any, error) { return dyn.Format("{:.999999999f}", []any{1.5}, nil) },
	} {
		if v, err := call(); err == nil || !strings.Contains(err.Error(), "Error: ") {
			t.Errorf("%s: %T, %v", name, v, err)
		}
	}
}

func equal(t *testing.T, a, b any) bool {
	t.Helper()
	same, err := dyn.Equal(a, b)
	if err != nil {
		t.Errorf("%v == %v: %v", a, b, err)
	}
	return same
}

type point struct {
	X    int
	tags []string
}

// TestEqual compares values that only Go functions return.
func TestEqual(t *testing.T) {
	type numbers = map[int]string
	type pair struct{ a, b int }
	p, missing := &point{1, nil}, (*point)(nil)
	for _, tt := range []struct {
		a, b any
		want bool
	}{
		{numbers{1: "a"}, map[int64]any{1: "a"}, true}, {numbers{1: "a"}, numbers{2: "a"}, false}, {numbers{1: "a"}, numbers{}, false},
		{[]any{numbers{1: "a"}}, []any{numbers{1: "a"}}, true}, {numbers{}, map[string]int{}, true}, {numbers{1: "a"}, map[string]any{"1": "a"}, false},
		{pair{1, 2}, pair{1, 2}, true}, {pair{1, 2}, pair{2, 1}, false}, {point{1, []string{"a"}}, point{1, []string{"a"}}, true}, {point{1, nil}, pair{}, false},
		{[]pair{{1, 2}}, []any{pair{1, 2}}, true}, {map[string]any{"p": pair{1, 2}}, map[string]pair{"p": {1, 2}}, true}, {p, p, true}, {p, &point{1, nil}, false},
		{missing, nil, true}, {nil, []any{}, false}, {pair{}, nil, false}, {pair{}, 0, false},
	} {
		if equal(t, tt.a, tt.b) != tt.want || equal(t, tt.b, tt.a) != tt.want {
			t.Errorf("%v == %v is not %v", tt.a, tt.b, tt.want)
		}
	}
}

// TestNumbered uses a map with integer keys as a dict.
func TestNumbered(t *testing.T) {
	dict := map[uint8]string{2: "b", 1: "a"}
	list, err := dyn.Elements(dict)
	if !equal(t, list, []any{1, 2}) || err != nil {
		t.Errorf("its keys are %v, %v", list, err)
	}
	for _, key := range []any{1, true, 1.0, json.Number("1")} {
		in, err := dyn.In(key, dict)
		if v, _ := dyn.Index(dict, key); v != "a" || !in || err != nil {
			t.Errorf("of %v it has %v, %v, %v", key, v, in, err)
		}
	}
	for key, want := range map[any]string{3: "KeyError: 3", "1": "KeyError: '1'", 1.5: "KeyError: 1.5"} {
		in, err := dyn.In(key, dict)
		if _, missing := dyn.Index(dict, key); in || err != nil || missing == nil || missing.Error() != want {
			t.Errorf("of %v it has %v, %v: %v", key, in, err, missing)
		}
	}
	if n, err := dyn.Len(dict); n != 2 || err != nil || !dyn.Truth(dict) || dyn.Truth(map[int]int{}) {
		t.Errorf("its length is %d, %v", n, err)
	}
}

// TestNone checks which Go values are None.
func TestNone(t *testing.T) {
	for _, v := range []any{nil, (*point)(nil), (func())(nil), (chan int)(nil)} {
		if !dyn.IsNone(v) || dyn.Object(v) != nil {
			t.Errorf("%T is not None", v)
		}
	}
	for _, v := range []any{0, "", []int(nil), &point{}, map[string]int(nil)} {
		if dyn.IsNone(v) {
			t.Errorf("%T is None", v)
		}
	}
}

// TestDeep checks values that contain themselves.
func TestDeep(t *testing.T) {
	list, dict := []any{nil}, map[string]any{}
	list[0], dict["a"] = list, dict
	for _, v := range []any{list, dict} {
		for name, call := range map[string]func() (any, error){
			"str": func() (any, error) { return dyn.Text(v) },
			"==":  func() (any, error) { return dyn.Equal(v, v) },
			"in":  func() (any, error) { return dyn.In(v, []any{v}) },
			"<":   func() (any, error) { return dyn.Less([]any{v}, []any{v}) },
			"{}":  func() (any, error) { return dyn.Format("{}", []any{v}, nil) },
		} {
			if _, err := call(); err == nil || !strings.HasPrefix(err.Error(), "RecursionError: maximum recursion depth exceeded ") {
				t.Errorf("%s: %v", name, err)
			}
		}
		if _, err := dyn.Mul([]any{v}, 2); err == nil || !strings.HasPrefix(err.Error(), "MemoryError: ") {
			t.Errorf("*: %v", err)
		}
	}
}

// TestWhole converts values that contain themselves, some of them several times.
func TestWhole(t *testing.T) {
	type lists []lists
	typed := lists{nil, nil}
	typed[1] = typed
	if made := dyn.FillNil(typed); made[0] == nil || made[1][1][0] == nil {
		t.Errorf("a list in itself is %v", made)
	}
	list, dict := []any{nil, nil, []string(nil)}, map[string]any{"b": []int(nil)}
	list[0], list[1], dict["a"] = list, list, dict
	for _, v := range []any{list, dict, []any{dict, list}} {
		if dyn.IsNone(dyn.FillNil(v)) {
			t.Errorf("%T became None", v)
		}
	}
	if inner, ok := dyn.FillNil(list)[1].([]any)[2].([]string); !ok || inner == nil {
		t.Errorf("in a list in itself is %v", inner)
	}
	var none any
	if made, raw := dyn.FillNil(none), dyn.FillNil(any(json.RawMessage(nil))); made != nil || raw.(json.RawMessage) != nil {
		t.Errorf("nothing became %v, bytes %v", made, raw)
	}
	if list[2].([]string) != nil {
		t.Error("the value of Go was changed")
	}
}

// TestSumIsLinear joins many lists. The memory must be proportional to the number of elements, not to
// that of all intermediate lists.
func TestSumIsLinear(t *testing.T) {
	const n = 5000
	lists := make([]any, n)
	for i := range lists {
		lists[i] = []any{i}
	}
	before, after := new(runtime.MemStats), new(runtime.MemStats)
	runtime.ReadMemStats(before)
	sum, err := dyn.Sum(lists, []any{})
	runtime.ReadMemStats(after)
	if list, ok := sum.([]any); !ok || len(list) != n || err != nil {
		t.Fatalf("the sum is %T, %v", sum, err)
	}
	if bytes := after.TotalAlloc - before.TotalAlloc; bytes > 1000*n {
		t.Errorf("it takes %d bytes", bytes)
	}
	start := make([]any, 1, 10)
	if _, err := dyn.Sum([]any{[]any{"a"}}, start); err != nil || start[:2][1] != nil {
		t.Errorf("the list that it starts with has %v behind it, %v", start[:2][1], err)
	}
}
