package wire_test

import (
	"net/netip"
	"net/url"
	"testing"

	"github.com/aiongen/aiongen/runtime/wire"
)

var lower = wire.Pattern{Text: "^[a-z]+$"}

func TestBounds(t *testing.T) {
	type check = func(wire.Value) wire.Value
	least := func(n int64) check { return func(v wire.Value) wire.Value { return v.Min(n) } }
	most := func(n int64) check { return func(v wire.Value) wire.Value { return v.Max(n) } }
	for _, tt := range []struct {
		name, arguments string
		check           check
		fault           string
	}{
		{"on the bound", `3`, least(3), ""},
		{"below", `2.0`, least(3), "arguments: expected an integer of at least 3, found the number 2.0"},
		{"above", `4`, most(3), "arguments: expected an integer of at most 3, found the number 4"},
		{"far above", `1e30`, most(3), "arguments: expected an integer of at most 3, found the number 1e30"},
		{"far below", `-99999999999999999999`, least(-3), "arguments: expected an integer of at least -3, found the number -99999999999999999999"},
		{"no integer", `2.5`, least(3), ""},
		{"no number", `"2"`, least(3), ""},
		{"float", `0.5`, func(v wire.Value) wire.Value { return v.MinFloat(0.5).MaxFloat(1) }, ""},
		{"float below", `0.49`, func(v wire.Value) wire.Value { return v.MinFloat(0.5) }, "arguments: expected a number of at least 0.5, found the number 0.49"},
		{"float above", `1e999`, func(v wire.Value) wire.Value { return v.MaxFloat(1) }, "arguments: expected a number of at most 1, found the number 1e999"},
		{"float of many digits", `1e7`, func(v wire.Value) wire.Value { return v.MaxFloat(1234567) }, "arguments: expected a number of at most 1234567, found the number 1e7"},
		{"float, a string", `"x"`, func(v wire.Value) wire.Value { return v.MinFloat(1).MaxFloat(0) }, ""},
		{"characters", `"äö\u00fc"`, func(v wire.Value) wire.Value { return v.MinChars(3).MaxChars(3) }, ""},
		{"too short", `"ä"`, func(v wire.Value) wire.Value { return v.MinChars(2) }, `arguments: expected at least 2 characters, found the string "ä"`},
		{"too long", `[1,2]`, func(v wire.Value) wire.Value { return v.MaxItems(1) }, "arguments: expected at most 1 element, found an array"},
		{"too few", `[]`, func(v wire.Value) wire.Value { return v.MinItems(1) }, "arguments: expected at least 1 element, found an array"},
		{"characters, an array", `[1,2]`, func(v wire.Value) wire.Value { return v.MinChars(3).MaxChars(1) }, ""},
		{"elements, a string", `"ab"`, func(v wire.Value) wire.Value { return v.MinItems(3).MaxItems(1) }, ""},
		{"strictly above", `0.1`, func(v wire.Value) wire.Value { return v.Above(0.09).Below(0.11) }, ""},
		{"on a strict bound", `1.0`, func(v wire.Value) wire.Value { return v.Above(1) }, "arguments: expected a number above 1, found the number 1.0"},
		{"on a strict bound above", `1`, func(v wire.Value) wire.Value { return v.Below(1) }, "arguments: expected a number below 1, found the number 1"},
		{"multiple", `0.3`, func(v wire.Value) wire.Value { return v.MultipleOf("0.1") }, ""},
		{"multiple of many", `-18446744073709551615`, func(v wire.Value) wire.Value { return v.MultipleOf("5") }, ""},
		{"multiple with exponents", `12e300`, func(v wire.Value) wire.Value { return v.MultipleOf("0.3e1") }, ""},
		{"zero", `-0.0e9`, func(v wire.Value) wire.Value { return v.MultipleOf("7") }, ""},
		{"no multiple", `0.35`, func(v wire.Value) wire.Value { return v.MultipleOf("0.1") }, "arguments: expected a multiple of 0.1, found the number 0.35"},
		{"no multiple of tens", `5`, func(v wire.Value) wire.Value { return v.MultipleOf("1e1") }, "arguments: expected a multiple of 1e1, found the number 5"},
		{"multiple beyond all", `1e999999999`, func(v wire.Value) wire.Value { return v.MultipleOf("3") }, "arguments: expected a multiple of 3, found the number 1e999999999"},
		{"match", `"\u0061b"`, func(v wire.Value) wire.Value { return v.Match(&lower) }, ""},
		{"no match", `"B"`, func(v wire.Value) wire.Value { return v.Match(&lower) }, `arguments: expected a string that matches ^[a-z]+$, found the string "B"`},
		{"no string to match", `1`, func(v wire.Value) wire.Value { return v.Match(&lower) }, ""},
		{"unique", `[1,"1",true,null,{},[],{"a":1},[1]]`, wire.Value.Unique, ""},
		{"unique, no array", `{"a":1}`, wire.Value.Unique, ""},
		{"twice", `[{"a":[1],"b":"\u0061"},{"b":"a","a":[10e-1]}]`, wire.Value.Unique, "/1: expected each element once, found an object"},
		{"two faults", `5`, func(v wire.Value) wire.Value { return v.Max(3).Min(7) }, "arguments: expected an integer of at most 3, found the number 5\narguments: expected an integer of at least 7, found the number 5"},
		{"a bound, and the kind", `300`, func(v wire.Value) wire.Value { v.Max(199).Uint8(); return v }, "arguments: expected an integer of at most 199, found the number 300"},
		{"the kind, and a step", `301`, func(v wire.Value) wire.Value { v.MultipleOf("2").Uint8(); return v }, "arguments: expected an integer of at most 255, found the number 301\narguments: expected a multiple of 2, found the number 301"},
		{"no integer", `1.5`, func(v wire.Value) wire.Value { v.Max(0).MultipleOf("2").Int(); return v }, "arguments: expected an integer, found the number 1.5"},
		{"a list and its elements", `[1,1,"x"]`, func(v wire.Value) wire.Value { wire.Slice(v.MaxItems(1).Unique(), wire.Value.Int); return v }, `arguments: expected at most 1 element, found an array
/1: expected each element once, found the number 1
/2: expected an integer, found the string "x"`},
		{"an array and its elements", `["x"]`, func(v wire.Value) wire.Value { wire.Array(v, make([]int, 2), wire.Value.Int); return v }, `arguments: expected an array of length 2, found one of length 1
/0: expected an integer, found the string "x"`},
	} {
		_, err := decode(tt.arguments, func(v wire.Value) bool { return tt.check(v).Ok() })
		if got := faults(t, err); got != tt.fault {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.fault)
		}
	}
}

// TestUniqueReferences checks that a reference differs from a string with the same text.
func TestUniqueReferences(t *testing.T) {
	for arguments, want := range map[string]int{`["<<var:x>>","<<<var:x>>"]`: 0, `["<<var:x>>","<<var:x>>"]`: 1, `["<<<var:x>>","<<<var:x>>"]`: 1, `[["<<var:x>>"],["<<<var:x>>"]]`: 0, `[{"a":"<<var:x>>"},{"a":"<<var:x>>"}]`: 1} {
		var d wire.Decoder
		d.Read([]byte(arguments), &wire.Limits{Arguments: 100, Depth: 2, Output: 100}, numbers{}, true).Unique()
		if _, count, _ := d.Done(); count != want {
			t.Errorf("%s: %d faults, want %d", arguments, count, want)
		}
	}
}

func TestOr(t *testing.T) {
	read := func(v wire.Value) int {
		o := v.Object()
		n := wire.ReadOr(o.Opt("n"), wire.Value.Int, 7)
		o.Done()
		return n
	}
	for arguments, want := range map[string]int{`{}`: 7, `{"n":null}`: 7, `{"n":0}`: 0} {
		if got, err := decode(arguments, read); got != want || err != nil {
			t.Errorf("%s: got %d, %v; want %d", arguments, got, err, want)
		}
	}
	if _, err := decode(`{"n":"x"}`, read); faults(t, err) != `/n: expected an integer, found the string "x"` {
		t.Errorf("got %v", err)
	}
}

func TestFromText(t *testing.T) {
	if got, err := decode(`"10.0.0.1"`, wire.FromText[netip.Addr]); got != netip.MustParseAddr("10.0.0.1") || err != nil {
		t.Errorf("got %v, %v", got, err)
	}
	if _, err := decode(`"10.0.0"`, wire.FromText[netip.Addr]); faults(t, err) == "" {
		t.Error("half an address is no fault")
	}
	if _, err := decode(`10`, wire.FromText[netip.Addr]); faults(t, err) != "arguments: expected a string, found the number 10" {
		t.Errorf("got %v", err)
	}
	for text, want := range map[string]string{
		`"https://a.example/b"`:      "",
		`"?b"`:                       "",
		`"http://[::1]/"`:            "",
		`"http://a%25b/"`:            "",
		`1`:                          `expected a string, found the number 1`,
		`":"`:                        `expected a URI or a relative reference, found the string ":"`,
		`"?\\b"`:                     `expected a URI or a relative reference, found the string "?\\b"`,
		`"http://[fe80::1%25eth0]/"`: `expected a URI or a relative reference, found the string "http://[fe80::1%25eth0]/"`,
	} {
		got, err := decode(text, func(v wire.Value) url.URL { return wire.URL(v, url.Parse) })
		if want != "" && faults(t, err) != "arguments: "+want || want == "" && (err != nil || `"`+got.String()+`"` != text) {
			t.Errorf("%s is read as %v, %v", text, &got, err)
		}
	}
	got, err := encode(func(e *wire.Encoder) { e.Text("", netip.MustParseAddr("::1")) })
	if got != `"::1"` || err != nil {
		t.Errorf("got %s, %v", got, err)
	}
	if _, err := encode(func(e *wire.Encoder) { e.Text("", silent{}) }); err == nil {
		t.Error("a text that cannot be made is no error")
	}
}

// silent has no text.
type silent struct{}

func (silent) MarshalText() ([]byte, error) { return nil, url.InvalidHostError("silent") }
