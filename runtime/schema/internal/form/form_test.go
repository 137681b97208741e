package form_test

import (
	"fmt"
	"testing"

	"github.com/aiongen/aiongen/runtime/schema/internal/form"
	"github.com/aiongen/aiongen/runtime/schema/internal/tree"
)

func Example() {
	sizes := &form.Form{Kind: form.Pairs} // a map is written as a list
	neutral, _ := tree.Parse([]byte(`{"a":1,"b":2}`))
	written := sizes.Encode(neutral)
	fmt.Println(string(tree.Raw(written)))
	fmt.Println(string(tree.Raw(sizes.Raise(written))))
	// Output:
	// [{"key":"a","value":1},{"key":"b","value":2}]
	// {"a":1,"b":2}
}

// TestRaiseOthers: what is not of the form is left as it is.
func TestRaiseOthers(t *testing.T) {
	text := &form.Form{Kind: form.Text}
	for _, test := range []struct {
		f                *form.Form
		written, neutral string
	}{
		{nil, `{"a":[1]}`, `{"a":[1]}`},
		{text, `"[1]"`, `[1]`},
		{text, `"no JSON"`, `"no JSON"`},
		{text, `7`, `7`},
		{&form.Form{Kind: form.List, Elem: text}, `["1",2]`, `[1,2]`},
		{&form.Form{Kind: form.List, Elem: text}, `"1"`, `"1"`},
		{&form.Form{Kind: form.Pairs, Elem: text}, `{"a":"1"}`, `{"a":1}`},
		{&form.Form{Kind: form.Pairs}, `[{"key":1,"value":2}]`, `[{"key":1,"value":2}]`},
		{&form.Form{Kind: form.Pairs}, `[{"key":"a","value":2,"more":3}]`, `[{"key":"a","value":2,"more":3}]`},
		{&form.Form{Kind: form.Table, Values: []form.Value{{Neutral: tree.Null, Wire: "null"}}}, `"NULL"`, `null`},
		{&form.Form{Kind: form.Table, Values: []form.Value{{Neutral: tree.True, Wire: "x"}, {Neutral: tree.False, Wire: "X"}}}, `"x"`, `true`},
		{&form.Form{Kind: form.Member, Elem: text}, `{"arguments":"1"}`, `1`},
		{&form.Form{Kind: form.Member, Elem: text}, `{"arguments":"1","more":2}`, `{"arguments":"1","more":2}`},
	} {
		v, err := tree.Parse([]byte(test.written))
		if err != nil {
			t.Fatal(err)
		}
		if got := string(tree.Raw(test.f.Raise(v))); got != test.neutral {
			t.Errorf("%s is raised as %s, want %s", test.written, got, test.neutral)
		}
	}
}
