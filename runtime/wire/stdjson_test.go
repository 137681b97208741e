package wire

import (
	"encoding/json"
	"errors"
	"testing"
)

type pickyDay struct{}

func (pickyDay) UnmarshalJSON([]byte) error { return errors.New("an odd day") }

// TestDecodeJSON checks what is expected instead of a text that encoding/json rejects.
func TestDecodeJSON(t *testing.T) {
	for _, tt := range []struct {
		text string
		into any
		want string
	}{
		{`{"x": 1}`, &struct{ X int }{}, ""},
		{`{"x": 1}`, &struct{}{}, `no key "x"`},
		{`{"x": 1, "y": "2"}`, &struct{ X, Y int }{}, "an integer that fits as Y"},
		{`1`, new(bool), "a boolean (true or false)"}, {`true`, new(float64), "a number"}, {`1`, new(string), "a string"},
		{`1`, &map[string]int{}, "an object"}, {`1`, new([]byte), "a string in base64"}, {`1`, new([]int), "an array"},
		{`1`, new([2]int), "an array"}, {`300`, new(uint8), "an integer that fits"}, {`1`, new(chan int), "another value"},
		{`1`, new(pickyDay), "another value (an odd day)"},
	} {
		if got := decodeJSON(tt.text, tt.into); got != tt.want {
			t.Errorf("%s into %T: expected %q, want %q", tt.text, tt.into, got, tt.want)
		}
	}
}

// TestAppendLevels checks that output has at most the maximum nesting, and is UTF-8.
func TestAppendLevels(t *testing.T) {
	for _, tt := range []struct {
		text   string
		levels int
		want   string
	}{
		{`[ [1], {"[": "\"["} ]`, 2, `[[1],{"[":"\"["}]`},
		{`[[1]]`, 1, ""},
		{"\"\xff\"", 0, "\"\uFFFD\""},
		{`[`, 9, ""},
	} {
		b, err := appendCompact([]byte("x"), json.RawMessage(tt.text), tt.levels)
		if (err != nil) != (tt.want == "") || string(b) != "x"+tt.want {
			t.Errorf("%s: %s, %v", tt.text, b, err)
		}
	}
	if b, err := appendJSON([]byte(`{"html":`), "<b>", 10); err != nil || string(b) != `{"html":"<b>"` {
		t.Errorf("%s, %v", b, err)
	}
	if _, err := appendJSON(nil, func() {}, 9); err == nil {
		t.Error("a function is JSON")
	}
}
