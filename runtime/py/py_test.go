package py

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/aiongen/aiongen/runtime/tool"
)

func ExampleFloorDiv() {
	quotient, _ := FloorDiv(-7, 2)
	remainder, _ := Mod(-7, 2)
	_, err := FloorDiv(1, 0)
	fmt.Println(quotient, remainder, err)
	// Output: -4 1 ZeroDivisionError: integer division or modulo by zero
}

func ExampleSubstring() {
	fmt.Println(Substring("naïve", -3, End), Substring("naïve", 0, 2))
	// Output: ïve na
}

func ExampleAt() {
	_, err := ParseInt("ten")
	err = At("users.aion:4:31", err)
	var failed *Error
	fmt.Println(errors.As(err, &failed), failed.Type, failed.Place)
	fmt.Println(err)
	// Output:
	// true ValueError users.aion:4:31
	// ValueError: invalid literal for int() with base 10: 'ten' (users.aion:4:31)
}

// TestAt checks that errors of Go functions are passed on, and that the first position is kept.
func TestAt(t *testing.T) {
	other := errors.New("other")
	if At("here", nil) != nil || At("here", other) != other {
		t.Error("errors of others changed")
	}
	if err := At("there", At("here", NoAttribute("x"))); err.Error() != "AttributeError: 'NoneType' object has no attribute 'x' (here)" {
		t.Error(err)
	}
	failed := &tool.ToolError{Tool: "t", Err: At("users.aion:4:31", NoAttribute("x"))}
	if told := tool.ModelText(failed); told != "t failed: AttributeError: 'NoneType' object has no attribute 'x'" {
		t.Errorf("a model is told %s", told)
	}
}

// TestParseNumbers compares with Python, which counts only the digits before the first other character.
func TestParseNumbers(t *testing.T) {
	long := strings.Repeat("1", maxDigits+1)
	for _, tt := range []struct {
		parse func(string) (any, error)
		text  string
		want  string
	}{
		{parseAs(ParseInt), "\u00a0-1_0\n", "-10"},
		{parseAs(ParseInt), "१२", "12"},
		{parseAs(ParseInt), "\x1c1", "ValueError: invalid literal for int() with base 10: '\\x1c1'"},
		{parseAs(ParseInt), "1__0", "ValueError: invalid literal for int() with base 10: '1__0'"},
		{parseAs(ParseInt), "0x1", "ValueError: invalid literal for int() with base 10: '0x1'"},
		{parseAs(ParseInt), long + "x", "ValueError: Exceeds the limit (4300 digits) for integer string conversion: value has 4301 digits; use sys.set_int_max_str_digits() to increase the limit"},
		{parseAs(ParseFloat), " 1_0.5_0e1_0 ", "1.05e+11"},
		{parseAs(ParseFloat), "٣.٥", "3.5"},
		{parseAs(ParseFloat), "-NaN", "NaN"},
		{parseAs(ParseFloat), "-Infinity", "-Inf"},
		{parseAs(ParseFloat), "1e400", "+Inf"},
		{parseAs(ParseFloat), "1_.5", "ValueError: could not convert string to float: '1_.5'"},
		{parseAs(ParseFloat), "0x1p2", "ValueError: could not convert string to float: '0x1p2'"},
		{parseAs(ParseFloat), "+-1", "ValueError: could not convert string to float: '+-1'"},
	} {
		value, err := tt.parse(tt.text)
		got := fmt.Sprint(value)
		if err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("%.20q: got %s, want %s", tt.text, got, tt.want)
		}
	}
}

func parseAs[T any](parse func(string) (T, error)) func(string) (any, error) {
	return func(s string) (any, error) { return parse(s) }
}

// TestInts compares integer arithmetic with that of big.Int near the limits of int.
func TestInts(t *testing.T) {
	edges := []int{0, 1, -1, 2, -2, 3, -3, 7, 10, -10, math.MaxInt32, math.MinInt32, math.MaxInt, math.MinInt, math.MaxInt - 1, math.MinInt + 1, math.MaxInt / 2, math.MinInt / 2}
	for _, op := range []struct {
		name string
		ints func(a, b int) (int, error)
		bigs func(x, y *big.Int) *big.Int // nil where it is not defined
	}{
		{"+", Add, func(x, y *big.Int) *big.Int { return new(big.Int).Add(x, y) }},
		{"-", Sub, func(x, y *big.Int) *big.Int { return new(big.Int).Sub(x, y) }},
		{"*", Mul, func(x, y *big.Int) *big.Int { return new(big.Int).Mul(x, y) }},
		{"//", FloorDiv, func(x, y *big.Int) *big.Int {
			if y.Sign() == 0 {
				return nil
			}
			quotient, rest := new(big.Int).QuoRem(x, y, new(big.Int))
			if rest.Sign()*y.Sign() < 0 {
				quotient.Sub(quotient, big.NewInt(1))
			}
			return quotient
		}},
		{"%", Mod, func(x, y *big.Int) *big.Int {
			if y.Sign() == 0 {
				return nil
			}
			rest := new(big.Int).Rem(x, y)
			if rest.Sign()*y.Sign() < 0 {
				rest.Add(rest, y)
			}
			return rest
		}},
		{"**", Pow, func(x, y *big.Int) *big.Int {
			if y.Sign() < 0 || x.CmpAbs(big.NewInt(1)) > 0 && y.BitLen() > 7 {
				return nil
			}
			if y.BitLen() > 7 { // of 0, 1 and -1
				y = new(big.Int).Add(new(big.Int).And(y, big.NewInt(1)), big.NewInt(2))
			}
			return new(big.Int).Exp(x, y, nil)
		}},
	} {
		for _, a := range edges {
			for _, b := range edges {
				want := op.bigs(big.NewInt(int64(a)), big.NewInt(int64(b)))
				got, err := op.ints(a, b)
				fits := want != nil && want.IsInt64() && int64(int(want.Int64())) == want.Int64()
				if fits != (err == nil) || fits && int64(got) != want.Int64() {
					t.Errorf("%d %s %d = %d, %v; want %v", a, op.name, b, got, err, want)
				}
			}
		}
	}
}

func TestCompare(t *testing.T) {
	for _, tt := range []struct {
		a    int64
		b    float64
		want float64
	}{
		{1, 1, 0}, {1, 1.5, -1}, {-1, -1.5, 1}, {1 << 53, 1 << 53, 0}, {1<<53 + 1, 1 << 53, 1}, {math.MaxInt64, 1 << 63, -1},
		{math.MinInt64, -1 << 63, 0}, {math.MinInt64, -1.1e19, 1}, {0, math.Inf(1), -1}, {0, math.Inf(-1), 1}, {0, -0.5, 1}, {0, 5e-324, -1},
	} {
		a := int(tt.a)
		if int64(a) != tt.a {
			continue // where an int has 32 bits
		}
		got := Compare(a, tt.b)
		if got < 0 != (tt.want < 0) || got > 0 != (tt.want > 0) {
			t.Errorf("Compare(%d, %g) = %g", a, tt.b, got)
		}
	}
	if nan := Compare(0, math.NaN()); nan == nan {
		t.Error("an integer compares with no number")
	}
}

func TestRoundTo(t *testing.T) {
	for _, tt := range []struct {
		f      float64
		digits int
		want   float64
	}{
		{2.675, 2, 2.67}, {0.5, 0, 0}, {1.5, 0, 2}, {2.5, 0, 2}, {1234.5, -2, 1200}, {1250, -2, 1200}, {1350, -2, 1400}, {50, -2, 0}, {51, -2, 100}, {-51, -2, -100},
		{49, -3, 0}, {1e300, 300, 1e300}, {1.5, 400, 1.5}, {1.5, -400, 0}, {math.Inf(1), 1, math.Inf(1)},
	} {
		if got, err := RoundTo(tt.f, tt.digits); got != tt.want || err != nil {
			t.Errorf("round(%g, %d) = %g, %v; want %g", tt.f, tt.digits, got, err, tt.want)
		}
	}
	if _, err := RoundTo(1.7e308, -308); err == nil {
		t.Error("2e308 was no error")
	}
}

// TestPowFloat tests powers halfway between two floats, powers close to 1, and infinite and
// undefined ones.
func TestPowFloat(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, tt := range []struct{ a, b, want float64 }{
		{7, 19, 11398895185373144}, {-14, 19, -5.976303958948915e21}, {10.25, 10, 13422659310152400.0 / (1 << 20)}, {3, 34, 16677181699666568}, {0.5, 30, 0x1p-30},
		{1 + 0x1p-52, 0.7, 1 + 0x1p-52}, {1 - 0x1p-53, 0.7, 1 - 0x1p-53}, {1, nan, 1}, {nan, 0, 1}, {-1, inf, 1}, {-1, -inf, 1}, {-1, 4, 1}, {inf, -1, 0}, {2, 0.5, math.Sqrt2},
		{247839 * 247839, 1.5, 15223304849050720}, {1625 * 1625 * 1625 * 1625, 1.25, 11330963134765624},
	} {
		if got, err := PowFloat(tt.a, tt.b); got != tt.want || err != nil {
			t.Errorf("%g ** %g = %g, %v; want %g", tt.a, tt.b, got, err, tt.want)
		}
	}
}

// TestCaseOfMany converts many letters whose case depends on their neighbors.
func TestCaseOfMany(t *testing.T) {
	const n = 1 << 18
	if got := Lower(strings.Repeat("aΣ'", n)); got != strings.Repeat("aσ'", n-1)+"aς'" {
		t.Errorf("%.20q… is %.20q…", "aΣ'", got)
	}
}

func TestCase(t *testing.T) {
	for _, tt := range []struct{ s, upper, lower, title string }{
		{"straße", "STRASSE", "straße", "Straße"},
		{"ﬁn ΑΣ ΑΣΑ Σ", "FIN ΑΣ ΑΣΑ Σ", "ﬁn ας ασα σ", "Fin Ας Ασα Σ"},
		{"İx ǆ it's", "İX Ǆ IT'S", "i̇x ǆ it's", "İx ǅ It'S"},
	} {
		if u, l, c := Upper(tt.s), Lower(tt.s), Title(tt.s); u != tt.upper || l != tt.lower || c != tt.title {
			t.Errorf("%s becomes %s, %s, %s", tt.s, u, l, c)
		}
	}
}

// FuzzText checks that text functions do not panic and agree with slices of code points.
func FuzzText(f *testing.F) {
	f.Add("naïve café", "é", 1, -1, 2)
	f.Add("  a  b ", "", -3, 100, -1)
	f.Add("1_000", "0", math.MinInt, math.MaxInt, math.MinInt)
	f.Fuzz(func(t *testing.T, s, sub string, i, j, step int) {
		if !utf8.ValidString(s) || !utf8.ValidString(sub) || len(s) > 1000 {
			return
		}
		chars := []rune(s)
		if got, want := Substring(s, i, j), string(Slice(chars, i, j)); got != want {
			t.Errorf("%q[%d:%d] = %q, want %q", s, i, j, got, want)
		}
		if step == 1 {
			if got, _ := SubstringStep(s, i, j, 1); got != Substring(s, i, j) {
				t.Errorf("%q[%d:%d:1] = %q", s, i, j, got)
			}
		}
		if _, err := SubstringStep(s, i, j, step); (err != nil) != (step == 0) {
			t.Errorf("a step of %d: %v", step, err)
		}
		char, err := CharAt(s, i)
		if element, missing := Index(chars, i); (err != nil) != (missing != nil) || err == nil && char != string(element) {
			t.Errorf("%q[%d] = %q, %v", s, i, char, err)
		}
		if at := Find(s, sub); at >= 0 && !strings.HasPrefix(Substring(s, at, End), sub) {
			t.Errorf("%q.find(%q) = %d", s, sub, at)
		}
		if at := FindIn(s, sub, i, j); at >= 0 && !StartsWithIn(s, sub, at, End) {
			t.Errorf("%q.find(%q, %d, %d) = %d", s, sub, i, j, at)
		}
		if strings.Join(Fields(s, -1), "") != strings.Join(strings.FieldsFunc(s, IsSpace), "") {
			t.Errorf("%q.split() = %q", s, Fields(s, -1))
		}
		if slices.Contains(Fields(s, -1), "") {
			t.Errorf("%q has an empty field", s)
		}
		for _, text := range []string{Upper(s), Lower(s), Title(s), Quote(s)} {
			if !utf8.ValidString(text) {
				t.Errorf("%q became %q", s, text)
			}
		}
		_, _ = ParseInt(s)
		_, _ = ParseFloat(s)
		_, _ = Split(s, sub, step)
		_, _ = Repeat(s, j)
		CountIn(s, sub, i, j)
		EndsWithIn(s, sub, i, j)
	})
}

// TestTooLarge tries to create large texts and lists from small arguments.
func TestTooLarge(t *testing.T) {
	thousand := strings.Repeat("a", 1000)
	texts := slices.Repeat([]string{thousand}, 5000)
	for name, call := range map[string]func() error{
		"text * n":       func() error { _, err := Repeat("x", 1e9); return err },
		"text * n, wide": func() error { _, err := Repeat(thousand, math.MaxInt); return err },
		"list * n":       func() error { _, err := RepeatList([]int{0}, 1e9); return err },
		"replace":        func() error { _, err := Replace(strings.Repeat("a", 1e5), "a", thousand, -1); return err },
		"replace empty":  func() error { _, err := Replace(strings.Repeat("a", 1e5), "", thousand, -1); return err },
		"join":           func() error { _, err := Join(texts, ""); return err },
		"join, wide":     func() error { _, err := Join(make([]string, 5000), thousand); return err },
	} {
		if err, ok := call().(*Error); !ok || err.Type != "MemoryError" {
			t.Errorf("%s: %v", name, err)
		}
	}
	if s, err := Replace("aaa", "a", "bb", 2); s != "bbbba" || err != nil {
		t.Errorf("replaced is %q, %v", s, err)
	}
	if s, err := Replace(strings.Repeat("ab", MaxSize), "ab", "a", -1); len(s) != MaxSize || err != nil {
		t.Errorf("what became smaller has %d bytes, %v", len(s), err)
	}
	if s, err := Replace(strings.Repeat("a", MaxSize+1), "b", "bb", -1); len(s) != MaxSize+1 || err != nil {
		t.Errorf("where nothing is replaced it has %d bytes, %v", len(s), err)
	}
	if _, err := Pow(3, math.MaxInt); err == nil {
		t.Error("a huge power is no error")
	}
}

// TestCharAtNoUTF8 checks texts from Go functions that are not UTF-8. Each invalid byte is a
// character, as for Substring.
func TestCharAtNoUTF8(t *testing.T) {
	for _, s := range []string{"\xff", "\xffab", "a\xff", "é\xe2\x82", "\ufffd"} {
		for i := range utf8.RuneCountInString(s) {
			if char, err := CharAt(s, i); err != nil || char != Substring(s, i, i+1) {
				t.Errorf("%q[%d] is %q, %v; want %q", s, i, char, err, Substring(s, i, i+1))
			}
		}
	}
}
