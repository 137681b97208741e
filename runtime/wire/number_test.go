package wire

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// TestParseNumbers checks the number that is read, and what is expected instead of a number that is not.
func TestParseNumbers(t *testing.T) {
	for _, tt := range []struct {
		text string
		read func(string) (any, string)
		want string
	}{
		{"5.0", signedReader(8), "5 "},
		{"300", signedReader(8), "0 an integer of at most 127"},
		{"1.5", signedReader(8), "0 an integer"},
		{"-9223372036854775808", signedReader(64), "-9223372036854775808 "},
		{"9223372036854775808", signedReader(64), "0 an integer of at most 9223372036854775807"},
		{"255", unsignedReader(8), "255 "},
		{"-1", unsignedReader(8), "0 an integer of at least 0"},
		{"0.5", unsignedReader(64), "0 an integer"},
		{"1e400", floatReader(64), "0 a number of at most 1.8e308"},
		{"1e39", floatReader(32), "0 a number of at most 3.4e38"},
		{"1e-400", floatReader(64), "0 "},
		{"-12e2", readDigits, "-1200 "},
		{"0.1", readDigits, " an integer"},
		{"1e10001", readDigits, " an integer of at most 10000 digits"},
	} {
		x, expected := tt.read(tt.text)
		if got := fmt.Sprint(x) + " " + expected; got != tt.want {
			t.Errorf("%s: %s, want %s", tt.text, got, tt.want)
		}
	}
}

func TestComparableInteger(t *testing.T) {
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
		var d Decoder
		if got, ok := d.Read([]byte(tt.text), &Limits{Arguments: 100}, nil, false).comparableInteger(); ok != tt.ok || ok && got != tt.want {
			t.Errorf("%s: %d, %t, want %d, %t", tt.text, got, ok, tt.want, tt.ok)
		}
	}
}

func signedReader(bits int) func(string) (any, string) {
	return func(text string) (any, string) { n, expected := parseSigned(text, bits); return n, expected }
}

func unsignedReader(bits int) func(string) (any, string) {
	return func(text string) (any, string) { n, expected := parseUnsigned(text, bits); return n, expected }
}

func floatReader(bits int) func(string) (any, string) {
	return func(text string) (any, string) { x, expected := parseFloat(text, bits); return x, expected }
}

func readDigits(text string) (any, string) { s, expected := parseDigits(text); return s, expected }
