package values

import (
	"testing"
)

// TestLimits checks which values each limit allows.
func TestLimits(t *testing.T) {
	number, text := func(s string) Literal { return Literal{Text: s} }, func(s string) Literal { return Literal{s, true} }
	for _, tt := range []struct {
		limits Limits
		kind   Kind
		value  Literal
		want   string
	}{
		{Limits{Max: "9007199254740992"}, IntKind, number("9007199254740993"), "is more than the maximum 9007199254740992"},
		{Limits{Max: "9007199254740992"}, IntKind, number("9007199254740992"), ""},
		{Limits{Min: "0.1"}, FloatKind, number("0.09999999999999999999"), "is less than the minimum 0.1"},
		{Limits{Above: "1"}, FloatKind, number("1.0"), "is not more than 1"},
		{Limits{Below: "1"}, FloatKind, number("10e-1"), "is not less than 1"},
		{Limits{Enum: []Literal{number("1"), number("2")}}, IntKind, number("3"), "is not one of the values 1, 2"},
		{Limits{Enum: []Literal{number("1")}}, FloatKind, number("1.0"), ""},
		{Limits{Enum: []Literal{text("1")}}, StringKind, text("1.0"), "is not one of the values '1'"},
		{Limits{Min: "3"}, StringKind, text("äö"), "has the length 2, less than the minimum 3"},
		{Limits{Min: "1"}, ListKind, Literal{Text: "[]"}, "has no elements, less than the minimum 1"},
		{Limits{Min: "1"}, IntKind, Literal{Text: "none"}, ""},
	} {
		if got := tt.limits.CheckValue(tt.kind, tt.value); got != tt.want {
			t.Errorf("%+v of %v: %q, want %q", tt.limits, tt.value, got, tt.want)
		}
	}
	if got, want := (Limits{Min: "9007199254740993", Max: "9007199254740992"}).CheckBounds(), "the minimum 9007199254740993 is more than the maximum 9007199254740992"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
