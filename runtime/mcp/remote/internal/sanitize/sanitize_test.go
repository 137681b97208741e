package sanitize

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestText checks that invisible characters are removed, except joiners that scripts and emoji need.
func TestText(t *testing.T) {
	for _, unseen := range []string{
		"\x00", "\x1b", "\x7f", "\u0085", "\u009b", "\r", "\u00ad", "\u200b", "\u200e", "\u2028", "\u202e", "\u2060", "\u2066", "\ufeff",
		"\u034f", "\u115f", "\u3164", "\u2800", "\ufe00", "\U000e0001", "\U000e0041", "\U000e007f", "\U000e0100", "\ue000", "\U000f0000",
		"\u200c", "\u200d", "\ufe0f", // between ASCII letters
	} {
		if got := Text("a" + unseen + "b"); got != "a b" {
			t.Errorf("%+q becomes %+q", unseen, got)
		}
	}
	for _, text := range []string{"a\n\tb", "naïve 東京", "می‌خواهم", "👩‍👩‍👧", "❤️‍🔥", "क्‍ष"} {
		if got := Text(text); got != text {
			t.Errorf("%+q becomes %+q", text, got)
		}
	}
	if got := Text("é\u200d\u200d\u200c\u200d"); got != "é\u200d   " {
		t.Errorf("a row of joiners becomes %+q", got)
	}
}

// TestInput checks that texts are sanitized everywhere, that values and names that would change are
// left out, and that a schema without any usable part is an error.
func TestInput(t *testing.T) {
	const bad = `x\u001b[2Jy`
	for _, test := range []struct{ schema, want, err string }{
		{`{"description":"` + bad + `","title":"\u202ea","$comment":"\udb40\udc41","x-` + bad + `":["` + bad + `"]}`, `{"$comment":" ","description":"x [2Jy","title":" a","x-x [2Jy":["x [2Jy"]}`, ""},
		{`{"enum":["a","` + bad + `",7],"enumNames":["A","B","C\u200b"]}`, `{"enum":["a",7],"enumNames":["A","C "]}`, ""},
		{`{"enum":["a"],"enumNames":["A\u200b"]}`, `{"enum":["a"],"enumNames":["A "]}`, ""},
		{`{"enum":["東京\u3000都","a\u00a0b"]}`, "{\"enum\":[\"東京\u3000都\",\"a\u00a0b\"]}", ""},
		{`{"enum":["` + bad + `"]}`, "", "/enum: no value that can be displayed"},
		{`{"const":"` + bad + `"}`, "", "/const: no value"},
		{`{"default":"` + bad + `","examples":["a","` + bad + `"],"pattern":"[\u0001-\u0002]"}`, `{"examples":["a"]}`, ""},
		{`{"properties":{"a":{"description":"` + bad + `"},"` + bad + `":{}},"required":["a"]}`, `{"properties":{"a":{"description":"x [2Jy"}},"required":["a"]}`, ""},
		{`{"properties":{"` + bad + `":{}},"required":["` + bad + `"]}`, "", "a required property cannot be displayed"},
		{`{"properties":{"a":{"enum":["` + bad + `"]},"b":{}},"required":["b"]}`, `{"properties":{"b":{}},"required":["b"]}`, ""},
		{`{"properties":{"a":{"enum":["` + bad + `"]}},"required":["a"]}`, "", "a required property cannot be displayed"},
		{`{"oneOf":[{"const":"a"},{"const":"` + bad + `"}]}`, `{"oneOf":[{"const":"a"}]}`, ""},
		{`{"anyOf":[{"const":"` + bad + `"}]}`, "", "/anyOf: no value"},
		{`{"items":{"allOf":[{"not":{"description":"` + bad + `"}}]},"maximum":1e400}`, `{"items":{"allOf":[{"not":{"description":"x [2Jy"}}]},"maximum":1e400}`, ""},
		{`{"properties":{"enum":{"type":"string","description":"` + bad + `"}}}`, `{"properties":{"enum":{"description":"x [2Jy","type":"string"}}}`, ""},
	} {
		value, err := Decode(json.RawMessage(test.schema))
		if err != nil {
			t.Fatal(err)
		}
		_, err = CheckInput(value)
		if test.err != "" {
			if err == nil || !strings.Contains(err.Error(), test.err) {
				t.Errorf("%s: got %v, want %s", test.schema, err, test.err)
			}
			continue
		}
		if got := string(Encode(value)); err != nil || got != test.want {
			t.Errorf("%s:\ngot  %s, %v\nwant %s", test.schema, got, err, test.want)
		}
	}
}

// TestLosses checks that everything that is left out is reported in displayable words.
func TestLosses(t *testing.T) {
	value, err := Decode(json.RawMessage(`{"properties":{"a\u001b":{},"b":{"enum":["\u200b","b"]}}}`))
	if err != nil {
		t.Fatal(err)
	}
	losses, err := CheckInput(value)
	if got, want := strings.Join(losses, "\n"), "/properties/a : left out because its name cannot be displayed\n/properties/b/enum/0: left out because it cannot be displayed"; err != nil || got != want {
		t.Errorf("got %q, %v", got, err)
	}
	if IsExact(value) != true {
		t.Error("the sanitized schema is not exact")
	}
}

// TestJSON checks that all texts in other JSON are sanitized.
func TestJSON(t *testing.T) {
	if got, want := string(JSON(json.RawMessage(`{"a\u001b":["\u202e",1e400,{"b":null}]}`))), `{"a ":[" ",1e400,{"b":null}]}`; got != want {
		t.Errorf("got %s", got)
	}
	if got := string(JSON(json.RawMessage(`{`))); got != "null" {
		t.Errorf("got %s", got)
	}
}
