package outline_test

import (
	"fmt"
	"testing"

	"github.com/aiongen/aiongen/runtime/schema/internal/outline"
)

func Example_form() {
	sizes := &outline.Form{Kind: outline.Pairs} // a map is written as a list
	neutral, _ := outline.Parse([]byte(`{"a":1,"b":2}`))
	written := sizes.Encode(neutral)
	fmt.Println(string(outline.RawJSON(written)))
	fmt.Println(string(outline.RawJSON(sizes.Raise(written))))
	// Output:
	// [{"key":"a","value":1},{"key":"b","value":2}]
	// {"a":1,"b":2}
}

// TestRaiseOthers checks that Raise leaves values without the expected form unchanged.
func TestRaiseOthers(t *testing.T) {
	text := &outline.Form{Kind: outline.Text}
	for _, test := range []struct {
		f                *outline.Form
		written, neutral string
	}{
		{nil, `{"a":[1]}`, `{"a":[1]}`},
		{text, `"[1]"`, `[1]`},
		{text, `"no JSON"`, `"no JSON"`},
		{text, `7`, `7`},
		{&outline.Form{Kind: outline.List, Elem: text}, `["1",2]`, `[1,2]`},
		{&outline.Form{Kind: outline.List, Elem: text}, `"1"`, `"1"`},
		{&outline.Form{Kind: outline.Pairs, Elem: text}, `{"a":"1"}`, `{"a":1}`},
		{&outline.Form{Kind: outline.Pairs}, `[{"key":1,"value":2}]`, `[{"key":1,"value":2}]`},
		{&outline.Form{Kind: outline.Pairs}, `[{"key":"a","value":2,"more":3}]`, `[{"key":"a","value":2,"more":3}]`},
		{&outline.Form{Kind: outline.Table, Values: []outline.Value{{Neutral: outline.Null, Wire: "null"}}}, `"NULL"`, `null`},
		{&outline.Form{Kind: outline.Table, Values: []outline.Value{{Neutral: outline.True, Wire: "x"}, {Neutral: outline.False, Wire: "X"}}}, `"x"`, `true`},
		{&outline.Form{Kind: outline.Member, Name: outline.ArgumentMember, Elem: text}, `{"arguments":"1"}`, `1`},
		{&outline.Form{Kind: outline.Member, Name: outline.ArgumentMember, Elem: text}, `{"arguments":"1","more":2}`, `{"arguments":"1","more":2}`},
	} {
		v, err := outline.Parse([]byte(test.written))
		if err != nil {
			t.Fatal(err)
		}
		if got := string(outline.RawJSON(test.f.Raise(v))); got != test.neutral {
			t.Errorf("%s is raised as %s, want %s", test.written, got, test.neutral)
		}
	}
}
