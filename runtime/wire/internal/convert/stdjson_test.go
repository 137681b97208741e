package convert_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/aiongen/aiongen/runtime/wire/internal/convert"
)

func Example_stdjson() {
	var point struct{ X, Y int }
	fmt.Println(convert.DecodeJSON(`{"x": 1, "y": "2"}`, &point))
	b, err := convert.AppendJSON([]byte(`{"html":`), "<b>", 10)
	fmt.Println(string(b), err)
	text, err := convert.PromptJSON([]int{})
	fmt.Println(text, err)
	// Output:
	// an integer that fits as Y
	// {"html":"<b>" <nil>
	// [] <nil>
}

type picky struct{}

func (picky) UnmarshalJSON([]byte) error { return errors.New("an odd day") }

func TestDecode(t *testing.T) {
	for _, tt := range []struct {
		text string
		into any
		want string
	}{
		{`{"x": 1}`, &struct{ X int }{}, ""},
		{`{"x": 1}`, &struct{}{}, `no key "x"`},
		{`1`, new(bool), "a boolean (true or false)"}, {`true`, new(float64), "a number"}, {`1`, new(string), "a string"},
		{`1`, &map[string]int{}, "an object"}, {`1`, new([]byte), "a string in base64"}, {`1`, new([]int), "an array"},
		{`1`, new([2]int), "an array"}, {`300`, new(uint8), "an integer that fits"}, {`1`, new(chan int), "another value"},
		{`1`, new(picky), "another value (an odd day)"},
	} {
		if got := convert.DecodeJSON(tt.text, tt.into); got != tt.want {
			t.Errorf("%s into %T: expected %q, want %q", tt.text, tt.into, got, tt.want)
		}
	}
}

// TestLevels checks that output has at most the maximum nesting, and is UTF-8.
func TestLevels(t *testing.T) {
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
		b, err := convert.AppendCompact([]byte("x"), json.RawMessage(tt.text), tt.levels)
		if (err != nil) != (tt.want == "") || string(b) != "x"+tt.want {
			t.Errorf("%s: %s, %v", tt.text, b, err)
		}
	}
	if _, err := convert.AppendJSON(nil, func() {}, 9); err == nil {
		t.Error("a function is JSON")
	}
}
