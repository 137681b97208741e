package jsontext_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/aiongen/aiongen/internal/jsontext"
)

func Example() {
	n, err := jsontext.Parse(`{"b": 1.50, "a/b": [true, "\u00e9"]}`, 100)
	if err != nil {
		panic(err)
	}
	fmt.Println(n)
	fmt.Println(string(n.AppendCanonical(nil)))
	fmt.Println(n.At("/a~1b/1").Str(), jsontext.ParseDecimal("1e999999").IsMultiple(jsontext.ParseDecimal("64")))
	_, err = jsontext.Parse(`{"a": 01}`, 100)
	fmt.Println(err)
	// Output:
	// {"b":1.50,"a/b":[true,"\u00e9"]}
	// {"a/b":[true,"é"],"b":15e-1}
	// é true
	// expected a comma or a closing brace at byte 7, found '1'
}

var parseTexts = []string{
	`null`, `true`, `false`, `0`, `-0`, `1.5`, `-1e5`, `1E+05`, `""`, `"a"`, `"\n\u00e9\ud83d\ude00"`, `[]`, `{}`, ` [ 1 , [ ] , { } ] `, "\t{ \"a\" : 1 ,\r\n\"b\" : [ ] }",
	`{"a":{"a":1},"a":2}`, `"é😀"`, `"\/\"\\"`, `[[[]]]`, `123456789012345678901234567890.5e-3`, `10e99999999999999999999`, `1.5e-99999999999999999999`,

	``, ` `, `nul`, `nullx`, `True`, `01`, `1.`, `.5`, `-`, `+1`, `1e`, `1e+`, `0x1`, `NaN`, `"`, `"\x"`, `"\u12"`, "\"\n\"", "\"\xff\"", `"\ud800"`, `"\ud800\u0041"`, `"\udc00"`,
	`[`, `[1`, `[1,`, `[1,]`, `[,]`, `[1 2]`, `]`, `{`, `{"a"`, `{"a":`, `{"a":1`, `{"a":1,`, `{"a":1,}`, `{a:1}`, `{1:1}`, `{"a" 1}`, `{"a":1 "b":2}`, `1 2`, `[]]`, `{"a":1]`, `[1}`, "\xef\xbb\xbf1", "\u00a01",
}

// isStrictJSON reports whether a text is JSON that Parse accepts.
func isStrictJSON(text string) bool {
	if !json.Valid([]byte(text)) || !utf8.ValidString(text) {
		return false
	}
	// If encoding/json reads U+FFFD that was not written, the text has half a surrogate pair.
	var v any
	d := json.NewDecoder(strings.NewReader(strings.ToLower(strings.ReplaceAll(text, `\\`, "")))) // the case of names does not matter
	d.UseNumber()
	if d.Decode(&v) != nil {
		return true // the words of the text changed, so the test cannot decide
	}
	b, err := json.Marshal(v)
	return err != nil || bytes.Count(b, []byte("\ufffd")) <= strings.Count(text, "\ufffd")+strings.Count(strings.ToLower(text), `\ufffd`)
}

func TestParse(t *testing.T) {
	for _, text := range parseTexts {
		checkParse(t, text)
	}
}

func checkParse(t *testing.T, text string) {
	t.Helper()
	n, err := jsontext.Parse(text, 200)
	if err != nil {
		if isStrictJSON(text) && strings.Count(text, "[")+strings.Count(text, "{") < 200 && !strings.Contains(strings.ToLower(text), `\ud`) {
			t.Errorf("%q: %v", text, err)
		}
		return
	}
	if !json.Valid([]byte(text)) || !utf8.ValidString(text) {
		t.Errorf("%q is not JSON", text)
		return
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, []byte(text)); err != nil || compact.String() != n.String() {
		t.Errorf("%q is written %q", text, n)
	}
	again, err := jsontext.Parse(string(n.AppendCanonical(nil)), 200)
	if err != nil || !jsontext.Equal(n, again) {
		t.Errorf("%q is not equal to its canonical form %q, %v", text, n.AppendCanonical(nil), err)
	}
	checkSpans(t, text, n)
}

func checkSpans(t *testing.T, text string, n *jsontext.Node) {
	t.Helper()
	if written := text[n.Start:n.End]; n.Kind < jsontext.Array && written != n.Text {
		t.Errorf("%q: %q is at %q", text, n.Text, written)
	} else if n.Kind >= jsontext.Array && !json.Valid([]byte(written)) {
		t.Errorf("%q: a value is at %q", text, written)
	}
	for _, item := range n.Items {
		if key := text[item.KeySpan.Start:item.KeySpan.End]; key != item.Key {
			t.Errorf("%q: the key %q is at %q", text, item.Key, key)
		}
		checkSpans(t, text, item)
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range parseTexts {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { checkParse(t, text) })
}

func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		``:             "expected a value at byte 0, found the end of the text",
		`{"a":1,}`:     "expected a key in double quotes at byte 7, found '}'",
		`{"a" 1}`:      "expected a colon at byte 5, found '1'",
		`[1 2]`:        "expected a comma or a closing bracket at byte 3, found '2'",
		`1.`:           "expected a digit at byte 2, found the end of the text",
		`1 2`:          "expected nothing after the JSON value at byte 2, found '2'",
		`"a`:           "expected a closing quote at byte 2, found the end of the text",
		"\"\xff\"":     "expected valid UTF-8 at byte 1, found the byte 0xff",
		"\"\n\"":       "expected control characters to be escaped at byte 1, found '\\n'",
		`["\ud800"]`:   `expected an escape such as \n or \u00e9, surrogates in pairs at byte 2, found '\\'`,
		`[[[[[1]]]]]`:  "expected at most 4 levels of nesting at byte 4, found '['",
		`{"a":{"b":]}`: "expected a value at byte 10, found ']'",
	} {
		if _, err := jsontext.Parse(text, 4); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	if _, err := jsontext.Parse(`[[[[]]]]`, 4); err != nil {
		t.Error(err)
	}
}

func TestEqual(t *testing.T) {
	classes := [][]string{
		{`1`, `1.0`, `10e-1`, `0.1E1`, `1e0`, `100000e-5`}, {`0`, `-0`, `0.0`, `0e99`, `-0e-99`}, {`-1`, `-1.0`}, {`"1"`}, {`1e400`, `10e399`}, {`1e-400`}, {`9007199254740993`}, {`9007199254740992`},
		{`"é"`, `"\u00e9"`, `"\u00E9"`}, {`"😀"`, `"\ud83d\ude00"`}, {`"/"`, `"\/"`}, {`null`}, {`true`}, {`false`}, {`[]`}, {`{}`}, {`[1,2]`, `[1.0, 2]`}, {`[2,1]`}, {`[[1,2]]`},
		{`{"a":1,"b":[{"c":2,"d":3}]}`, `{"b":[{"d":3.0,"\u0063":2}],"a":1e0}`}, {`{"a":1}`}, {`{"a":null}`},
		{`1e999999999999999999999999`, `1e9999999999999999999999999`}, // too large to be distinguished
	}
	var nodes [][]*jsontext.Node
	for _, class := range classes {
		var all []*jsontext.Node
		for _, text := range class {
			n, err := jsontext.Parse(text, 10)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, n)
		}
		nodes = append(nodes, all)
	}
	for i, class := range nodes {
		for _, a := range class {
			for j, other := range nodes {
				for _, b := range other {
					if got := jsontext.Equal(a, b); got != (i == j) {
						t.Errorf("%v == %v: %v", a, b, got)
					}
				}
			}
		}
	}
}

var numbers = []string{
	"0", "-0.0", "1", "-1", "1.0", "10", "100e-2", "0.1", "0.3", "-0.30", "3", "7.5", "1e3", "1e-3", "999999999999999999999", "1000000000000000000000", "0.000000000000000000001", "12345678901234567890123456789", "3e20",
	"123e-2", "64", "1024", "9765625", "18446744073709551616", "36893488147419103232", "4611686018427387904e1", "1e40", "2.5", "1e-40",
}

// TestDecimal compares decimals with fractions of package big.
func TestDecimal(t *testing.T) {
	for _, x := range numbers {
		for _, y := range numbers {
			checkDecimal(t, x, y)
		}
	}
	for _, x := range []struct {
		number string
		n      int
		ok     bool
	}{{"3.0", 3, true}, {"-30e-1", -3, true}, {"2.5", 0, false}, {"1e99", int(^uint(0) >> 1), true}, {"-1e999999999", -int(^uint(0)>>1) - 1, true}, {"0", 0, true}, {"1e-9", 0, false}} {
		if n, ok := jsontext.ParseDecimal(x.number).Int(); n != x.n || ok != x.ok {
			t.Errorf("%s is the integer %d, %v", x.number, n, ok)
		}
	}
}

func checkDecimal(t *testing.T, x, y string) {
	t.Helper()
	a, _ := new(big.Rat).SetString(x)
	b, _ := new(big.Rat).SetString(y)
	d, e := jsontext.ParseDecimal(x), jsontext.ParseDecimal(y)
	if got := d.Compare(e); got != a.Cmp(b) || (d == e) != (got == 0) || (d.String() == e.String()) != (got == 0) {
		t.Errorf("%s compared with %s is %d", x, y, got)
	}
	if d.IsInteger() != a.IsInt() {
		t.Errorf("%s is an integer: %v", x, d.IsInteger())
	}
	multiple := a.Sign() == 0 || b.Sign() != 0 && new(big.Rat).Quo(a, b).IsInt()
	if got := d.IsMultiple(e); got != multiple {
		t.Errorf("%s is a multiple of %s: %v", x, y, got)
	}
}

func FuzzDecimal(f *testing.F) {
	for i, x := range numbers {
		f.Add(x, numbers[len(numbers)-1-i])
	}
	f.Fuzz(func(t *testing.T, x, y string) {
		for _, text := range []string{x, y} {
			end, ok := jsontext.NumberEnd(text, 0)
			ok = ok && end == len(text)
			if ok != (json.Valid([]byte(text)) && text != "" && strings.Trim(text, "0123456789+-.eE") == "") {
				t.Errorf("%q is a number: %v", text, ok)
			}
			_, exponent, _ := strings.Cut(strings.ToLower(text), "e")
			if !ok || len(exponent) > 3 || len(text) > 100 {
				return // slow to compare
			}
		}
		checkDecimal(t, x, y)
	})
}

// TestHuge checks that a huge exponent costs no more time than its digits.
func TestHuge(t *testing.T) {
	huge := jsontext.ParseDecimal("1e2000000000000000000")
	for step, want := range map[string]bool{"1": true, "7": false, "1024": true, "1e1999999999999999999": true, "0.1": true, strings.Repeat("1", 500): false} {
		if got := huge.IsMultiple(jsontext.ParseDecimal(step)); got != want {
			t.Errorf("a multiple of %.30s: %v", step, got)
		}
	}
	if huge.Compare(jsontext.ParseDecimal("1e1999999999999999999")) != 1 || huge.String() != "1e2000000000000000000" {
		t.Error(huge)
	}
}

func TestIsNumber(t *testing.T) {
	for _, text := range []string{"0", "-1", "1.5", "1e5", "1.0E-5", ".5", "1.", "+1", "1e", "--1", "", "01x", "007", "-01", "00.5", "0.0", "1_000", "0x1"} {
		want := text != "" && json.Valid([]byte(text))
		if got := jsontext.IsNumber(text); got != want {
			t.Errorf("%q: got %v", text, got)
		}
	}
}

func TestStrings(t *testing.T) {
	for _, s := range []string{
		"", "a", "é😀", "\"\\/\b\f\n\r\t\x00\x1f\x7f", "<&>", "\u2028\u2029", "\xff", "a\xc3", "\xed\xa0\x80", "\ufffd", strings.Repeat("ab", 20) + "\n" + strings.Repeat("é", 9),
	} {
		var want bytes.Buffer
		e := json.NewEncoder(&want)
		e.SetEscapeHTML(false)
		if err := e.Encode(s); err != nil {
			t.Fatal(err)
		}
		got := jsontext.Quote(s)
		if got+"\n" != want.String() {
			t.Errorf("%q is written %s, not %s", s, got, want.Bytes())
		}
		if back := jsontext.Unquote(got); back != strings.ToValidUTF8(s, "\ufffd") && utf8.ValidString(s) {
			t.Errorf("%s is read %q", got, back)
		}
	}
	for _, literal := range []string{`"\ud800"`, `"a\udc00b"`, `"\ud800\ud800\udc00"`, `"\ud83d\ude00\n"`} {
		var want string
		if err := json.Unmarshal([]byte(literal), &want); err != nil {
			t.Fatal(err)
		}
		if got := jsontext.Unquote(literal); got != want {
			t.Errorf("%s is read %q, not %q", literal, got, want)
		}
	}
}

func TestCutLiteral(t *testing.T) {
	for _, tt := range []struct{ literal, want string }{
		{`""`, `""`},
		{`"abcd"`, `"abcd"`},
		{`"abc\n"`, `"abc…"`}, // five bytes in the text
		{`"ab\n"`, `"ab\n"`},
		{`"abcde"`, `"abcd…"`},
		{`"abcé"`, `"abc…"`},
		{`"éé"`, `"éé"`},
		{`"😀😀"`, `"😀…"`},
		{`"\ud83d\ude00"`, `"…"`},
		{`"a\u00e9"`, `"a…"`},
		{"\"a\xff\xff\xff\xff\"", "\"a\xff\xff\xff…\""},
		{`"abc\ud800"`, `"abc…"`}, // half a surrogate pair, which repaired text may contain
	} {
		if got := jsontext.CutLiteral(tt.literal, 4); got != tt.want {
			t.Errorf("%s is cut to %s, want %s", tt.literal, got, tt.want)
		}
	}
}

func TestMarshal(t *testing.T) {
	v := map[string]any{"<&>": []int{1}, "b": "\u2028"}
	for indent, want := range map[string]string{"": `{"<&>":[1],"b":"\u2028"}`, " ": "{\n \"<&>\": [\n  1\n ],\n \"b\": \"\\u2028\"\n}"} {
		if got, err := jsontext.Marshal(v, indent); err != nil || string(got) != want {
			t.Errorf("%s, %v", got, err)
		}
	}
	if _, err := jsontext.Marshal(func() {}, ""); err == nil {
		t.Error("a function has no JSON")
	}
}

func TestUnescapeHTML(t *testing.T) {
	const text = "<a>&\\u003c\\\\u003e"
	b, err := json.Marshal(text)
	if got := jsontext.UnescapeHTML(string(b)); got != jsontext.Quote(text) || err != nil {
		t.Errorf("%s, want %s", got, jsontext.Quote(text))
	}
}

func TestPointers(t *testing.T) {
	for pointer, names := range map[string][]string{
		"": nil, "/": {""}, "/a": {"a"}, "/a~1b/m~0n/0": {"a/b", "m~n", "0"}, "//": {"", ""}, "/~01": {"~1"},
	} {
		if got := slices.Collect(jsontext.Names(pointer)); !slices.Equal(got, names) || !jsontext.IsPointer(pointer) {
			t.Errorf("%q has the names %q", pointer, got)
		}
		built := ""
		for _, name := range names {
			built = jsontext.Join(built, name)
		}
		if built != pointer {
			t.Errorf("%q is built as %q", pointer, built)
		}
	}
	for _, text := range []string{"a", "/~", "/~2", "#/a", "/a~"} {
		if jsontext.IsPointer(text) {
			t.Errorf("%q is a pointer", text)
		}
	}
	for name, want := range map[string]int{"0": 0, "17": 17, "": -1, "01": -1, "-1": -1, "+1": -1, "99999999999": -1, "a": -1} {
		if i, ok := jsontext.Index(name); ok != (want >= 0) || ok && i != want {
			t.Errorf("%q is the index %d, %v", name, i, ok)
		}
	}
	if got := jsontext.JoinIndex("/a", 3); got != "/a/3" {
		t.Error(got)
	}
}

func TestTree(t *testing.T) {
	n, err := jsontext.Parse(`{"a":[10,{"~":"x"}],"b":1,"\u0062":2}`, 10)
	if err != nil {
		t.Fatal(err)
	}
	for pointer, want := range map[string]string{"": n.String(), "/a/0": "10", "/a/1/~0": `"x"`, "/b": "2"} {
		if got := n.At(pointer); got == nil || got.String() != want {
			t.Errorf("at %q is %v", pointer, got)
		}
	}
	for _, pointer := range []string{"/c", "/a/2", "/a/01", "/a/x", "/b/0", "a", "/a/1/~1"} {
		if got := n.At(pointer); got != nil {
			t.Errorf("at %q is %v", pointer, got)
		}
	}
	if m := n.FirstRepeated(); m == nil || m.Text != "2" {
		t.Error(m)
	}
	var b strings.Builder
	for i := range 20 {
		b.WriteString(`"` + strconv.Itoa(i%19) + `":` + strconv.Itoa(i) + ",")
	}
	long, err := jsontext.Parse("{"+b.String()+`"x":[]}`, 10)
	if err != nil {
		t.Fatal(err)
	}
	if m := long.FirstRepeated(); m == nil || m.Text != "19" {
		t.Error(m)
	}
	if m := long.Member("x").FirstRepeated(); m != nil {
		t.Error(m)
	}
}

// TestNesting checks that brackets in strings do not count.
func TestNesting(t *testing.T) {
	for text, want := range map[string]jsontext.Nesting{
		`{"a":[1,{`:        {Depth: 3},
		`{"a":[1,{}]}`:     {},
		`["]\"]\\",["]`:    {Depth: 2, InString: true},
		`["a\\"],{"b":"c"`: {Depth: 1},
	} {
		var got jsontext.Nesting
		for i := range len(text) {
			got.Add(text[i])
		}
		if got != want {
			t.Errorf("%s: got %+v, want %+v", text, got, want)
		}
	}
}
