package lambda_test

import (
	"strings"
	"testing"
)

// TestFormatFaults checks the messages for formats that do not fit their values.
func TestFormatFaults(t *testing.T) {
	for text, want := range map[string]string{
		"f'{x:d}'":           "the format :d takes an int, but parameter x is float",
		"f'{s:05d}'":         "the format :05d takes an int, but parameter s is str",
		"f'{s:.2f}'":         "the format :.2f takes a number, but parameter s is str",
		"f'{a:s}'":           "the format :s takes a str, but parameter a is int",
		"f'{p:>5s}'":         "the format :>5s takes a str, but parameter p is bool",
		"f'{xs:>10}'":        "the format :>10 takes a str or a number, but parameter xs is list",
		"f'{u.boss:>10}'":    "the format :>10 takes a str or a number",
		"f'{s:=5}'":          "the format :=5 is invalid: '=' alignment not allowed in string format specifier",
		"f'{a:.3d}'":         "the format :.3d is invalid: Precision not allowed in integer format specifier",
		"f'{v:xyz}'":         "the format :xyz is invalid: Invalid format specifier 'xyz' for object of type 'int'",
		"f'{a:,x}'":          "the format :,x is invalid: Cannot specify ',' with 'x'.",
		"f'{a:99999}'":       "the format :99999 makes a string longer than 1100 characters",
		"f'{x:.2000f}'":      "the format :.2000f makes a string longer than 1100 characters",
		"format(s, a)":       "a format must be str, but parameter a is int",
		"format()":           "format() takes a value and a format",
		"format(a, 'd', 1)":  "format() takes a value and a format",
		"f'{a:{b}}'":         "",
		"'%d' % s":           "the format %d takes a number, but parameter s is str",
		"'%x' % x":           "the format %x takes an int, but parameter x is float",
		"'%.1f' % xs":        "the format %f takes a number, but parameter xs is list",
		"'%d' % (a, b)":      "not all arguments converted during string formatting: there are 2, but the template takes 1",
		"'%d %d' % a":        "not enough arguments for format string: it takes more than 1",
		"'%(a)s' % d":        "lambdas do not support the format %( in a text",
		"s % a":              "lambdas do not support the formatting of strings with %",
		"'{:{}}'.format(a)":  "the template has a field inside the format of another",
		"'{!x}'.format(a)":   "the template has the conversion !x, but the conversions are !r and !s",
		"[*a]":               "a starred element takes a list, a str or a dict, but parameter a is int",
		"{**xs}":             "** in a dict takes a dict, but parameter xs is list",
		"{y: 1 for y in xs}": "the keys of a dict are strings, but an element of parameter xs is int",
		"a | b":              "lambdas do not support the operator |",
		"d | a":              "the operator | does not take dict",
	} {
		_, faults := translate(t, text)
		switch err := faults.Err(); {
		case want == "" && err != nil:
			t.Errorf("%s: %v", text, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%s: want %s, got %v", text, want, err)
		}
	}
}

// TestFormatGrowth checks that a comprehension measures texts that a format makes much longer.
func TestFormatGrowth(t *testing.T) {
	for text, want := range map[string]bool{
		"[f'{y:>5}' for y in ws]":              false,
		"[f'{y:>500}' for y in ws]":            true,
		"[f'{y:>{a}}' for y in ws]":            true,
		"[format(y, s) for y in ws]":           true,
		"['{:>900}'.format(y) for y in ws]":    true,
		"{y: f'{y:900}' for y in ws}":          true,
		"[[*ws, y] for y in ws]":               true,
		"{y: {**d, 'a': 1} for y in ws}":       true,
		"{y: y for y in ws}":                   false,
		"[d | {'a': y} for y in ws]":           true,
		"['%500s' % y for y in ws]":            true,
		"['%5s' % y for y in ws]":              false,
		"[format(y, '>5') for y in ws]":        false,
		"{f'{y:900}': 1 for y in ws}":          true,
		"[{'a': 1} | {'b': 2} for y in ws]":    false,
		"['%d' % len(y) for y in ws if y]":     false,
		"[f'{len(y):05d}' for y in ws if y]":   false,
		"[f'{len(y):0500d}' for y in ws if y]": true,
	} {
		code, faults := translate(t, text)
		if faults.Err() != nil {
			t.Errorf("%s: %v", text, faults)
		} else if got := strings.Contains(code, "dyn.Grow"); got != want {
			t.Errorf("%s measures its size: %v, want %v", text, got, want)
		}
	}
}
