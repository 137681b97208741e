package convert_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/wire/internal/convert"
)

func Example_number() {
	for _, text := range []string{"5.0", "300", "1.5"} {
		n, expected := convert.ParseSigned(text, 8)
		fmt.Printf("%d %q\n", n, expected)
	}
	// Output:
	// 5 ""
	// 0 "an integer of at most 127"
	// 0 "an integer"
}

func TestExpected(t *testing.T) {
	for _, tt := range []struct {
		text string
		read func(string) (any, string)
		want string
	}{
		{"-9223372036854775808", signed(64), "-9223372036854775808 "},
		{"9223372036854775808", signed(64), "0 an integer of at most 9223372036854775807"},
		{"255", unsigned(8), "255 "},
		{"-1", unsigned(8), "0 an integer of at least 0"},
		{"0.5", unsigned(64), "0 an integer"},
		{"1e400", float(64), "0 a number of at most 1.8e308"},
		{"1e39", float(32), "0 a number of at most 3.4e38"},
		{"1e-400", float(64), "0 "},
		{"-12e2", digits, "-1200 "},
		{"0.1", digits, " an integer"},
		{"1e10001", digits, " an integer of at most 10000 digits"},
	} {
		x, expected := tt.read(tt.text)
		if got := fmt.Sprint(x) + " " + expected; got != tt.want {
			t.Errorf("%s: %s, want %s", tt.text, got, tt.want)
		}
	}
}

func TestWhole(t *testing.T) {
	for _, tt := range []struct {
		text string
		want int64
		ok   bool
	}{
		{"7e0", 7, true},
		{"7.5", 0, false},
		{"1" + strings.Repeat("0", 30), math.MaxInt64, true},
		{"-1e99", math.MinInt64, true},
	} {
		if got, ok := convert.ParseComparable(tt.text); ok != tt.ok || ok && got != tt.want {
			t.Errorf("%s: %d, %t, want %d, %t", tt.text, got, ok, tt.want, tt.ok)
		}
	}
}

func signed(bits int) func(string) (any, string) {
	return func(text string) (any, string) { n, expected := convert.ParseSigned(text, bits); return n, expected }
}

func unsigned(bits int) func(string) (any, string) {
	return func(text string) (any, string) { n, expected := convert.ParseUnsigned(text, bits); return n, expected }
}

func float(bits int) func(string) (any, string) {
	return func(text string) (any, string) { x, expected := convert.ParseFloat(text, bits); return x, expected }
}

func digits(text string) (any, string) { s, expected := convert.ParseDigits(text); return s, expected }
