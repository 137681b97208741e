package wire_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/aiongen/aiongen/runtime/internal/testdata/search"
	"github.com/aiongen/aiongen/runtime/wire"
)

// argumentError contains the faults that [wire.Decoder] reports, as an error.
type argumentError struct {
	Faults []wire.Fault
	Count  int
}

func (e *argumentError) Error() string {
	var lines []string
	for _, f := range e.Faults {
		lines = append(lines, f.String())
	}
	if more := e.Count - len(e.Faults); more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(lines, "; ")
}

// decode decodes arguments like generated code.
func decode[T any](arguments string, reader func(wire.Value) T) (x T, err error) {
	return decodeWithin(wire.Limits{Arguments: 1 << 20, Depth: 64}, arguments, reader)
}

func decodeWithin[T any](l wire.Limits, arguments string, reader func(wire.Value) T) (x T, err error) {
	var d wire.Decoder
	x = reader(d.Read([]byte(arguments), &l, nil, false))
	if faults, count, _ := d.Done(); count > 0 {
		return x, &argumentError{faults, count}
	}
	return x, nil
}

// faults returns the faults of an *argumentError as text.
func faults(t *testing.T, err error) string {
	t.Helper()
	if err == nil {
		return ""
	}
	var bad *argumentError
	if !errors.As(err, &bad) {
		t.Fatalf("%T: %v", err, err)
	}
	if bad.Count < len(bad.Faults) || len(bad.Faults) == 0 || len(bad.Faults) > 64 {
		t.Errorf("%d faults of %d", len(bad.Faults), bad.Count)
	}
	var lines []string
	for _, f := range bad.Faults {
		lines = append(lines, f.String())
	}
	return strings.Join(lines, "\n")
}

func TestSearchArgs(t *testing.T) {
	got, err := decode(search.Payload, wire.ReaderOf(search.DecodeArgs))
	want := search.Args{
		Query: "all letters of the year 1923", Limit: 25, Order: "relevance",
		Tags: []string{"a", "bb", "ccc", "dddd"}, Filter: search.Filter{Field: "author", Value: "x"},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v", got, err)
	}
}

// TestFaults checks the text of every fault of an object.
func TestFaults(t *testing.T) {
	const good = `"query":"","limit":1,"order":"asc","tags":[],"filter":{"field":"","value":""}`
	for _, test := range []struct{ arguments, want string }{
		{`{` + good + `}`, ""},
		{search.FiveMistakesAndOne, `/query: expected a string, found the number 7
/limit: expected an integer, found the number 5.5
/order: expected one of "asc", "desc", "relevance" (strings), found the string "up"
/tags/1: expected a string, found the boolean true
/filter/field: expected a value, found nothing
/x: expected one of the 5 keys query, limit, order, tags, filter, found the key "x"`},
		{"", `/query: expected a value, found nothing
/limit: expected a value, found nothing
/order: expected a value, found nothing
/tags: expected a value, found nothing
/filter: expected a value, found nothing`},
		{`[{}]`, `arguments: expected an object, found an array`},
		{`{` + good + `,"limt":1}`, `/limt: expected the key limit, found the key "limt"`},
		{`{` + good + `,"Query":1}`, `/Query: expected the key query, found the key "Query"`},
		{`{` + good + `,"a/b~\n":1}`, "/a~1b~0\n: expected one of the 5 keys query, limit, order, tags, filter, found the key \"a/b~\\n\""},
		{`{` + good + `,"query":""}`, `/query: expected each key once, found the key "query" again`},
		{`{` + good + `,"quer\u0079":""}`, `/query: expected each key once, found the key "quer\u0079" again`},
		{`{"\u0071uery":"","limit":1,"order":"\u0061sc","tags":[],"filter":{"field":"","value":""}}`, ""},
		{`{"query":null,"limit":null,"order":null,"tags":null,"filter":null}`, `/query: expected a string, found null
/limit: expected an integer, found null
/order: expected one of "asc", "desc", "relevance" (strings), found null
/tags: expected an array, found null
/filter: expected an object, found null`},
		{`{"query":{},"limit":"1","order":1,"tags":{},"filter":[]}`, `/query: expected a string, found an object
/limit: expected an integer, found the string "1"
/order: expected one of "asc", "desc", "relevance" (strings), found the number 1
/tags: expected an array, found an object
/filter: expected an object, found an array`},
	} {
		_, err := decode(test.arguments, wire.ReaderOf(search.DecodeArgs))
		if got := faults(t, err); got != test.want {
			t.Errorf("%s\ngot\n%s\nwant\n%s", test.arguments, got, test.want)
		}
	}
}

// TestSyntax checks texts that are not JSON, or JSON that is not accepted.
func TestSyntax(t *testing.T) {
	for _, test := range []struct{ arguments, want string }{
		{` `, `arguments: expected a value at byte 1, found the end of the text`},
		{`{"a":1`, `arguments: expected a comma or a closing brace at byte 6, found the end of the text`},
		{`{"a":[1,{"b":x`, `/a/1/b: expected a value at byte 13, found 'x'`},
		{`[1,{"b/~":[1 2`, `/1/b~1~0/1: expected a comma or a closing bracket at byte 13, found '2'`},
		{`{"a":1,}`, `arguments: expected a key in double quotes at byte 7, found '}'`},
		{`{"a":{},b`, `arguments: expected a key in double quotes at byte 8, found 'b'`},
		{`{"a" 1}`, `/a: expected a colon at byte 5, found '1'`},
		{`[1,]`, `/1: expected a value at byte 3, found ']'`},
		{`{}{}`, `arguments: expected nothing after the JSON value at byte 2, found '{'`},
		{`[1] é`, `arguments: expected nothing after the JSON value at byte 4, found 'é'`},
		{"{}\x00", `arguments: expected nothing after the JSON value at byte 2, found '\x00'`},
		{"\xef\xbb\xbf{}", `arguments: expected a value at byte 0, found '\ufeff'`},
		{`{'a':1}`, `arguments: expected a key in double quotes at byte 1, found '\''`},
		{`nul`, `arguments: expected a value at byte 0, found 'n'`},
		{`NaN`, `arguments: expected a value at byte 0, found 'N'`},
		{`01`, `arguments: expected nothing after the JSON value at byte 1, found '1'`},
		{`-`, `arguments: expected a digit at byte 1, found the end of the text`},
		{`.5`, `arguments: expected a value at byte 0, found '.'`},
		{`+1`, `arguments: expected a value at byte 0, found '+'`},
		{`1.`, `arguments: expected a digit at byte 2, found the end of the text`},
		{`1.e1`, `arguments: expected a digit at byte 2, found 'e'`},
		{`1e+`, `arguments: expected a digit at byte 3, found the end of the text`},
		{`"a`, `arguments: expected a closing quote at byte 2, found the end of the text`},
		{`"a\`, `arguments: expected an escape such as \n or \u00e9, surrogates in pairs at byte 2, found '\\'`},
		{`"\x"`, `arguments: expected an escape such as \n or \u00e9, surrogates in pairs at byte 1, found '\\'`},
		{`"\u12g4"`, `arguments: expected an escape such as \n or \u00e9, surrogates in pairs at byte 1, found '\\'`},
		{`"\ud800"`, `arguments: expected an escape such as \n or \u00e9, surrogates in pairs at byte 1, found '\\'`},
		{`"\udc00\ud800"`, `arguments: expected an escape such as \n or \u00e9, surrogates in pairs at byte 1, found '\\'`},
		{`"\ud800\u0041"`, `arguments: expected an escape such as \n or \u00e9, surrogates in pairs at byte 1, found '\\'`},
		{"\"a\nb\"", `arguments: expected control characters to be escaped at byte 2, found '\n'`},
		{"\"é\xff\"", `arguments: expected valid UTF-8 at byte 3, found the byte 0xff`},
		{"\"\xed\xa0\x80\"", `arguments: expected valid UTF-8 at byte 1, found the byte 0xed`},
		{"{\xff", `arguments: expected a key in double quotes at byte 1, found the byte 0xff`},
		{`[[[[`, `/0/0/0: expected at most 3 levels of nesting at byte 3, found '['`},
		{`{"a":{"b":{"c":{}}}}`, `/a/b/c: expected at most 3 levels of nesting at byte 15, found '{'`},
		{strings.Repeat(" ", 101), `arguments: expected at most 100 bytes, found 101 bytes`},
	} {
		_, err := decodeWithin(wire.Limits{Arguments: 100, Depth: 3}, test.arguments, wire.Value.Any)
		if got := faults(t, err); got != test.want {
			t.Errorf("%q\ngot  %s\nwant %s", test.arguments, got, test.want)
		}
	}
}

// reading is a text with the expected value and fault of one reader.
type reading[T any] struct {
	text  string
	want  T
	fault string
}

func checkReadings[T any](t *testing.T, name string, reader func(wire.Value) T, readings []reading[T]) {
	t.Helper()
	for _, r := range readings {
		text, read, at := r.text, reader, "arguments: "
		if text == "null" { // as the whole arguments, null means none
			text, at = `{"v":null}`, "/v: "
			read = func(v wire.Value) T { o := v.Object(); return reader(o.Get("v")) }
		}
		got, err := decode(text, read)
		if f := strings.TrimPrefix(faults(t, err), at); f != r.fault {
			t.Errorf("%s(%s): fault %q, want %q", name, r.text, f, r.fault)
		}
		if r.fault == "" && !reflect.DeepEqual(got, r.want) {
			t.Errorf("%s(%s) = %#v, want %#v", name, r.text, got, r.want)
		}
	}
}

func TestIntegers(t *testing.T) {
	checkReadings(t, "Int8", wire.Value.Int8, []reading[int8]{
		{"-128", -128, ""}, {"127", 127, ""},
		{"128", 0, "expected an integer of at most 127, found the number 128"},
		{"-129", 0, "expected an integer of at least -128, found the number -129"},
		{"true", 0, "expected an integer, found the boolean true"},
	})
	checkReadings(t, "Int16", wire.Value.Int16, []reading[int16]{
		{"-32768", -32768, ""}, {"32768", 0, "expected an integer of at most 32767, found the number 32768"},
	})
	checkReadings(t, "Int32", wire.Value.Int32, []reading[int32]{
		{"-2147483648", math.MinInt32, ""}, {"2147483648", 0, "expected an integer of at most 2147483647, found the number 2147483648"},
	})
	checkReadings(t, "Uint8", wire.Value.Uint8, []reading[uint8]{
		{"255", 255, ""}, {"-0", 0, ""}, {"-0.0e5", 0, ""},
		{"256", 0, "expected an integer of at most 255, found the number 256"},
		{"-1", 0, "expected an integer of at least 0, found the number -1"},
	})
	checkReadings(t, "Uint16", wire.Value.Uint16, []reading[uint16]{{"65535", 65535, ""}})
	checkReadings(t, "Uint32", wire.Value.Uint32, []reading[uint32]{{"4294967295", math.MaxUint32, ""}})
	checkReadings(t, "Uint", wire.Value.Uint, []reading[uint]{{"5", 5, ""}})
	checkReadings(t, "Uint64", wire.Value.Uint64, []reading[uint64]{
		{"18446744073709551615", math.MaxUint64, ""}, {"1844674407370955161.5e1", math.MaxUint64, ""},
		{"18446744073709551616", 0, "expected an integer of at most 18446744073709551615, found the number 18446744073709551616"},
		{"99999999999999999999", 0, "expected an integer of at most 18446744073709551615, found the number 99999999999999999999"},
	})
	const bounds = "expected an integer of at most 9223372036854775807, found the number "
	checkReadings(t, "Int64", wire.Value.Int64, []reading[int64]{
		{"0", 0, ""}, {"-0", 0, ""}, {"9007199254740993", 1<<53 + 1, ""},
		{"9223372036854775807", math.MaxInt64, ""}, {"-9223372036854775808", math.MinInt64, ""},
		{"9223372036854775808", 0, bounds + "9223372036854775808"}, {"-9223372036854775809", 0, "expected an integer of at least -9223372036854775808, found the number -9223372036854775809"},
		{"5.0", 5, ""}, {"5e0", 5, ""}, {"50E-1", 5, ""}, {"0.5e1", 5, ""}, {"12300e-2", 123, ""}, {"1e18", 1e18, ""},
		{"922337203685477580700e-2", math.MaxInt64, ""}, {"9.223372036854775807e+18", math.MaxInt64, ""},
		{"1e19", 0, bounds + "1e19"}, {"1e999999999", 0, "expected a number with a smaller exponent, found the number 1e999999999"},
		{"1e99999999999999999999", 0, "expected a number with a smaller exponent, found the number 1e99999999999999999999"},
		{"0e9999", 0, ""}, {"0.000e-9999", 0, ""}, {"0e99999", 0, "expected a number with a smaller exponent, found the number 0e99999"},
		{"5.5", 0, "expected an integer, found the number 5.5"}, {"5e-1", 0, "expected an integer, found the number 5e-1"},
		{"1e-99999999999999999999", 0, "expected an integer, found the number 1e-99999999999999999999"},
		{`"5"`, 0, `expected an integer, found the string "5"`},
	})
	checkReadings(t, "IntEnum", func(v wire.Value) int64 { return v.IntEnum([]int64{-1, 0, 10}) }, []reading[int64]{
		{"-1", -1, ""}, {"1e1", 10, ""}, {"2", 0, "expected one of -1, 0, 10 (integers), found the number 2"},
		{"1e99", 0, "expected one of -1, 0, 10 (integers), found the number 1e99"}, {`"0"`, 0, `expected one of -1, 0, 10 (integers), found the string "0"`},
	})
}

func TestFloats(t *testing.T) {
	checkReadings(t, "Float64", wire.Value.Float64, []reading[float64]{
		{"1", 1, ""}, {"-1.5e-3", -0.0015, ""}, {"1e308", 1e308, ""}, {"1e-999", 0, ""},
		{"1e309", 0, "expected a number of at most 1.8e308, found the number 1e309"},
		{"-1e999999999", 0, "expected a number with a smaller exponent, found the number -1e999999999"},
		{`"1"`, 0, `expected a number, found the string "1"`},
	})
	checkReadings(t, "Float32", wire.Value.Float32, []reading[float32]{
		{"0.1", 0.1, ""}, {"1e39", 0, "expected a number of at most 3.4e38, found the number 1e39"},
	})
	checkReadings(t, "Number", wire.Value.Number, []reading[json.Number]{
		{"1.50e+2", "1.50e+2", ""}, {"null", "", "expected a number, found null"},
	})
}

func TestStrings(t *testing.T) {
	long := strings.Repeat("é", 40)
	checkReadings(t, "Str", wire.Value.Str, []reading[string]{
		{`""`, "", ""}, {`"é\u00e9\n\/\"\\\b\f\r\t"`, "éé\n/\"\\\b\f\r\t", ""}, {`"\ud83d\ude00x"`, "😀x", ""}, {`"\ufffd"`, "\ufffd", ""},
		{strings.Repeat("1", 70), "", "expected a string, found the number " + strings.Repeat("1", 64) + "…"},
	})
	checkReadings(t, "Bool", wire.Value.Bool, []reading[bool]{
		{"true", true, ""}, {" false ", false, ""}, {"1", false, "expected a boolean (true or false), found the number 1"},
		{`"a` + long + `"`, false, `expected a boolean (true or false), found the string "a` + long[:62] + `…"`},
		{`"\n` + long + `"`, false, `expected a boolean (true or false), found the string "\n` + long[:62] + `…"`},
		{`"` + strings.Repeat("a", 61) + `\ud83d\ude00bc"`, false, `expected a boolean (true or false), found the string "` + strings.Repeat("a", 61) + `…"`},
	})
	checkReadings(t, "Enum", func(v wire.Value) string { return v.Enum([]string{"", "a b", "c"}) }, []reading[string]{
		{`""`, "", ""}, {`"a b"`, "a b", ""}, {`"d"`, "", `expected one of "", "a b", "c" (strings), found the string "d"`},
	})
	checkReadings(t, "Enum of many", func(v wire.Value) string { return v.Enum(strings.Split("abcdefghijklmnopqrst", "")) }, []reading[string]{
		{`"t"`, "t", ""}, {`""`, "", `expected one of "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p" and 4 more (strings), found the string ""`},
	})
	checkReadings(t, "Bytes", wire.Value.Bytes, []reading[[]byte]{
		{`""`, []byte{}, ""}, {`"+/+/"`, []byte{0xfb, 0xff, 0xbf}, ""}, {`"-_-_"`, []byte{0xfb, 0xff, 0xbf}, ""},
		{`"QQ=="`, []byte("A"), ""}, {`"QQ"`, []byte("A"), ""}, {`"-w"`, []byte{0xfb}, ""},
		{`"QQ="`, nil, `expected a string in base64, found the string "QQ="`}, {`"+_+_"`, nil, `expected a string in base64, found the string "+_+_"`},
		{`"!"`, nil, `expected a string in base64, found the string "!"`},
	})
	checkReadings(t, "Fail", func(v wire.Value) int { v.Fail("an even number"); return 0 }, []reading[int]{
		{"[1]", 0, "expected an even number, found an array"},
	})
}

func finding(pointer, expected, found string) func(json.RawMessage) []wire.Fault {
	return func(json.RawMessage) []wire.Fault {
		return []wire.Fault{{Pointer: pointer, Expected: expected, Found: found}}
	}
}

// TestJudged records faults of nested values and of missing ones.
func TestJudged(t *testing.T) {
	const arguments = `{"a":[10,{"b/c":{"~":"x"}}],"":[null],"n":1}`
	for _, tt := range []struct{ pointer, want string }{
		{"", "arguments: expected x, found y"},
		{"/a/1/b~1c/~0", `/a/1/b~1c/~0: expected x, found y`},
		{"/" + strings.Repeat("é", 600), "/" + strings.Repeat("é", 511) + "…: expected x, found y"},
	} {
		_, err := decode(arguments, func(v wire.Value) int { v.RawChecked(finding(tt.pointer, "x", "y")); return 0 })
		if got := faults(t, err); got != tt.want {
			t.Errorf("%.40s: got %s", tt.pointer, got)
		}
	}
	_, err := decode(arguments, func(v wire.Value) int {
		o := v.Object()
		within := wire.Slice(o.Get("a"), func(v wire.Value) int { v.RawChecked(finding("/b~1c", "x", "y")); return 0 })
		o.Opt("gone").RawChecked(finding("/x", "nothing", "at all"))
		for _, key := range []string{"", "n"} {
			o.Get(key)
		}
		o.Done()
		return len(within)
	})
	if got, want := faults(t, err), "/a/0/b~1c: expected x, found y\n/a/1/b~1c: expected x, found y"; got != want {
		t.Errorf("within: got %s", got)
	}
}

func TestTimes(t *testing.T) {
	zone := func(text string) string {
		return "expected a time zone, Z or one such as +02:00, at the end of the date and time, found the string " + text
	}
	form := func(text string) string {
		return "expected a date and time such as 2006-01-02T15:04:05Z, found the string " + text
	}
	checkReadings(t, "Time", func(v wire.Value) string { return v.Time().Format(time.RFC3339Nano) }, []reading[string]{
		{`"2024-02-29T23:59:59Z"`, "2024-02-29T23:59:59Z", ""}, {`"2024-02-29T23:59:59.25-07:00"`, "2024-02-29T23:59:59.25-07:00", ""},
		{`"2024-02-29T23:59:59"`, "", zone(`"2024-02-29T23:59:59"`)}, {`"2024-02-29"`, "", form(`"2024-02-29"`)},
		{`"2024-02-29t23:59:59Z"`, "2024-02-29T23:59:59Z", ""}, {`"2024-02-29T23:59:59z"`, "2024-02-29T23:59:59Z", ""},
		{`"2016-12-31T23:59:60Z"`, "2017-01-01T00:00:00Z", ""}, {`"2016-12-31T12:59:60Z"`, "", form(`"2016-12-31T12:59:60Z"`)}, {`"2024-02-29T23:59:59,5Z"`, "", form(`"2024-02-29T23:59:59,5Z"`)},
		{`"2024-02-29T1:59:59Z"`, "", form(`"2024-02-29T1:59:59Z"`)}, {`"2023-02-29T23:59:59Z"`, "", form(`"2023-02-29T23:59:59Z"`)},
		{`"2024-02-29T23:59:59+24:00"`, "", form(`"2024-02-29T23:59:59+24:00"`)}, {`"2024-02-29T24:00:00Z"`, "", form(`"2024-02-29T24:00:00Z"`)},
		{`1700000000`, "", "expected a string with a date and time, found the number 1700000000"},
	})
	duration := []reading[time.Duration]{
		{`"PT1H30M"`, 90 * time.Minute, ""}, {`"PT0S"`, 0, ""}, {`"PT36H"`, 36 * time.Hour, ""}, {`"PT1H5S"`, time.Hour + 5*time.Second, ""},
		{`"1h30m"`, 90 * time.Minute, ""}, {`"-1.5s"`, -1500 * time.Millisecond, ""}, {`"1µs"`, time.Microsecond, ""},
		{`"PT9223372036S"`, 9223372036 * time.Second, ""}, {`"PT00000000000000000000001S"`, time.Second, ""},
		{`5`, 0, "expected a string with a duration such as PT1H30M, found the number 5"},
	}
	for _, bad := range []string{
		"", "5", "0", "-0", "P", "PT", "P1D", "P1W", "P1Y", "P1M", "P1DT1H", "PT1", "PT1D", "PTH", "PT1M1H", "PT1H1H", "PT-1H", "-PT1H",
		"PT0.5S", "pt1h", "PT9223372037S", "PT2562047H9223372036S", "PT99999999999999999999H", "1d", "1h ", " 1h", "9999999h",
	} {
		expected := "a duration such as PT1H30M"
		if calendar := []string{"P1D", "P1W", "P1Y", "P1M", "P1DT1H", "PT9223372037S", "PT2562047H9223372036S", "PT99999999999999999999H"}; slices.Contains(calendar, bad) {
			expected = "a duration in hours, minutes and seconds such as PT1H30M"
		}
		duration = append(duration, reading[time.Duration]{`"` + bad + `"`, 0, "expected " + expected + `, found the string "` + bad + `"`})
	}
	checkReadings(t, "Duration", wire.Value.Duration, duration)
}

func TestAny(t *testing.T) {
	checkReadings(t, "Any", wire.Value.Any, []reading[any]{
		{"null", nil, ""}, {"true", true, ""}, {"false", false, ""}, {"1.0", json.Number("1.0"), ""}, {`"a"`, "a", ""},
		{"[]", []any{}, ""}, {"{}", map[string]any{}, ""},
		{`{"a":[1,{"b":null}]}`, map[string]any{"a": []any{json.Number("1"), map[string]any{"b": nil}}}, ""},
		{`[{"a":1,"\u0061":2}]`, nil, `/0/a: expected each key once, found the key "\u0061" again`},
	})
	checkReadings(t, "Raw", wire.Value.Raw, []reading[json.RawMessage]{
		{` { "a" : [ ] } `, json.RawMessage(`{ "a" : [ ] }`), ""}, {"null", json.RawMessage("null"), ""},
		{`{"a":{"b":[],"c":{}},"d":1}`, json.RawMessage(`{"a":{"b":[],"c":{}},"d":1}`), ""},
		{`[{"a":[{"b":1,"b":1}]}]`, json.RawMessage(`[{"a":[{"b":1,"b":1}]}]`), `/0/a/0/b: expected each key once, found the key "b" again`},
	})
}

func TestContainers(t *testing.T) {
	checkReadings(t, "Slice", func(v wire.Value) []int { return wire.Slice(v, wire.Value.Int) }, []reading[[]int]{
		{"[]", []int{}, ""}, {"[1,2]", []int{1, 2}, ""}, {`[1,"a",[]]`, nil, "/1: expected an integer, found the string \"a\"\n/2: expected an integer, found an array"},
	})
	checkReadings(t, "Array", func(v wire.Value) (x [2]int) { wire.Array(v, x[:], wire.Value.Int); return x }, []reading[[2]int]{
		{"[1,2]", [2]int{1, 2}, ""}, {"[1]", [2]int{}, "expected an array of length 2, found one of length 1"},
		{"[1,2,3]", [2]int{}, "expected an array of length 2, found one of length 3"}, {"[[1,[2]],0]", [2]int{}, "/0: expected an integer, found an array"},
	})
	checkReadings(t, "Map", func(v wire.Value) map[search.Order]int { return wire.Map[search.Order](v, wire.Value.Int) }, []reading[map[search.Order]int]{
		{"{}", map[search.Order]int{}, ""}, {`{"a":1,"\u0062":2}`, map[search.Order]int{"a": 1, "b": 2}, ""},
		{`{"a":1,"a":2}`, nil, `/a: expected each key once, found the key "a" again`}, {`{"a/":"x"}`, nil, `/a~1: expected an integer, found the string "x"`},
	})
	checkReadings(t, "IntMap int8", func(v wire.Value) map[int8]int { return wire.IntMap[int8](v, wire.Value.Int) }, []reading[map[int8]int]{
		{`{"-128":1,"127":2}`, map[int8]int{-128: 1, 127: 2}, ""},
		{`{"128":1}`, nil, `/128: expected an integer in the range of the keys, found the key "128"`},
		{`{"x":1,"0":2}`, nil, `/x: expected an integer in the range of the keys, found the key "x"`},
		{`{"1":1,"01":2}`, nil, `/01: expected each key once, found the key "01" again`},
	})
	checkReadings(t, "IntMap uint64", func(v wire.Value) map[uint64]int { return wire.IntMap[uint64](v, wire.Value.Int) }, []reading[map[uint64]int]{
		{`{"18446744073709551615":1}`, map[uint64]int{math.MaxUint64: 1}, ""}, {`{"-1":1}`, nil, `/-1: expected an integer in the range of the keys, found the key "-1"`},
	})
	checkReadings(t, "IntMap uint8", func(v wire.Value) map[uint8]int { return wire.IntMap[uint8](v, wire.Value.Int) }, []reading[map[uint8]int]{
		{`{"256":1}`, nil, `/256: expected an integer in the range of the keys, found the key "256"`},
	})
}

// TestOptional decodes members that may be absent or null.
func TestOptional(t *testing.T) {
	type args struct{ A, B *int }
	read := func(v wire.Value) (x args) {
		o := v.Object()
		x.A = wire.Ptr(o.Opt("a"), wire.Value.Int)
		if b := o.Opt("b"); b.Ok() {
			x.B = wire.Ptr(b, wire.Value.Int)
		}
		o.Done()
		return x
	}
	one := 1
	checkReadings(t, "Opt", read, []reading[args]{
		{"{}", args{}, ""}, {`{"a":null,"b":null}`, args{}, ""}, {`{"b":1,"a":1}`, args{&one, &one}, ""},
		{`{"a":"x"}`, args{}, `/a: expected an integer, found the string "x"`},
		{`{"c":1}`, args{}, `/c: expected the key a or b, found the key "c"`},
		{`{"ccc":1}`, args{}, `/ccc: expected one of the 2 keys a, b, found the key "ccc"`},
	})
	single := func(v wire.Value) int { o := v.Object(); o.Opt("a"); o.Done(); return 0 }
	checkReadings(t, "one member", single, []reading[int]{{`{"bcd":1}`, 0, `/bcd: expected only the key a, found the key "bcd"`}})
	none := func(v wire.Value) int { o := v.Object(); o.Done(); return 0 }
	checkReadings(t, "no members", none, []reading[int]{{"{}", 0, ""}, {`{"a":1}`, 0, `/a: expected no keys, found the key "a"`}})
}

// TestAbsent decodes everything from a missing object, which is one fault.
func TestAbsent(t *testing.T) {
	_, err := decode("{}", func(v wire.Value) int {
		root := v.Object()
		o := root.Get("a").Object()
		o.Get("b").Fail("anything")
		n := []any{
			o.Str("s"), o.Bool("b"), o.Int("i"), o.Int64("i"), o.Float64("f"), o.Get("x").Uint64(), o.Get("x").Number(),
			o.Get("x").Enum(search.OrderValues), o.Get("x").IntEnum([]int64{1}), o.Get("x").Time(), o.Get("x").Duration(),
			len(o.Get("x").Bytes()), len(o.Get("x").Raw()), o.Get("x").Any() != nil, len(wire.Slice(o.Get("x"), wire.Value.Str)),
			len(wire.Map[string](o.Opt("x"), wire.Value.Str)), wire.Ptr(o.Get("x"), wire.Value.Int) != nil, o.Get("x").Ok(),
		}
		wire.Array(o.Get("x"), make([]int, 3), wire.Value.Int)
		for i, x := range n {
			if !reflect.ValueOf(x).IsZero() {
				t.Errorf("value %d is %v", i, x)
			}
		}
		o.Done()
		root.Done()
		return 0
	})
	if got := faults(t, err); got != "/a: expected a value, found nothing" {
		t.Error(got)
	}
}

// TestSharing checks that a short string does not keep long arguments in memory.
func TestSharing(t *testing.T) {
	long := `["x","` + strings.Repeat("y", 1<<20-8) + `"]`
	var kept []string
	for range 32 {
		s, err := decode(long, func(v wire.Value) string { return wire.Slice(v, wire.Value.Str)[0] })
		if err != nil {
			t.Fatal(err)
		}
		kept = append(kept, s)
	}
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	if m.HeapAlloc > 16<<20 {
		t.Errorf("%d strings of one byte keep %d MiB alive", len(kept), m.HeapAlloc>>20)
	}
	runtime.KeepAlive(kept)
}

// TestHostile decodes texts that are slow to read. Quadratic time would exceed the limit of the test,
// and unlimited memory would be visible.
func TestHostile(t *testing.T) {
	more := map[string]int{"unknown keys": 6, "repeated keys": 4, "escaped keys": 4, "wrong elements": 5} // than commas
	for name, text := range search.Hostile(1 << 20) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := decode(text, wire.ReaderOf(search.DecodeArgs))
		runtime.ReadMemStats(&after)
		var bad *argumentError
		if !errors.As(err, &bad) {
			t.Fatalf("%s: %v", name, err)
		}
		if n, ok := more[name]; ok && (bad.Count != strings.Count(text, ",")+n || len(bad.Faults) != 64) {
			t.Errorf("%s: %d faults of %d", name, len(bad.Faults), bad.Count)
		}
		if n := len(err.Error()); n > 32<<10 {
			t.Errorf("%s: the error has %d bytes", name, n)
		}
		if n := after.Mallocs - before.Mallocs; n > 2000 {
			t.Errorf("%s: %d allocations", name, n)
		}
		if n := after.TotalAlloc - before.TotalAlloc; n > 80<<20 {
			t.Errorf("%s: %d MiB allocated", name, n>>20)
		}
	}
}

// TestManyFaults checks that all faults are counted, and the first 64 described.
func TestManyFaults(t *testing.T) {
	inList := func(read func(wire.Value) int) func(wire.Value) int {
		return func(v wire.Value) int { return len(wire.Slice(v, read)) }
	}
	never := func(v wire.Value) int { v.Fail("another"); return 0 }
	for name, tt := range map[string]struct {
		unit, open, close string // %d is the number of the unit
		read              func(wire.Value) int
	}{
		"elements": {"7", "[", "]", inList(func(v wire.Value) int { return len(v.Str()) })},
		"enums":    {`"x"`, "[", "]", inList(func(v wire.Value) int { return int(v.IntEnum([]int64{1, 2})) })},
		"arrays":   {"[1]", "[", "]", inList(func(v wire.Value) int { wire.Array(v, make([]int, 2), wire.Value.Int); return 0 })},
		"within":   {"7", "[", "]", inList(func(v wire.Value) int { v.RawChecked(finding("/a", "another", "nothing")); return 0 })},
		"missing": {"{}", "[", "]", inList(func(v wire.Value) int {
			o := v.Object()
			o.Str("a")
			o.Done()
			return 0
		})},
		"unknown":    {`"a%d":1`, "{", "}", func(v wire.Value) int { wire.NoArguments(v); return 0 }},
		"repeated":   {`"a":1`, `{"a":1,`, "}", func(v wire.Value) int { o := v.Object(); o.Get("a"); o.Done(); return 0 }},
		"keys":       {`"a%d":1`, "{", "}", func(v wire.Value) int { return len(wire.IntMap[int](v, wire.Value.Int)) }},
		"values":     {`"a%d":1`, "{", "}", func(v wire.Value) int { return len(wire.Map[string](v, never)) }},
		"any":        {`"a":1`, `[{"a":1,`, "}]", func(v wire.Value) int { v.Any(); return 0 }},
		"raw":        {`"a":1`, `[{"a":1,`, "}]", func(v wire.Value) int { v.Raw(); return 0 }},
		"references": {"7", "[", "]", inList(func(v wire.Value) int { wire.Ref[context.Context](v); return 0 })},
	} {
		for _, n := range []int{1, 63, 64, 65, 1000} {
			var units []string
			for i := range n {
				units = append(units, strings.ReplaceAll(tt.unit, "%d", fmt.Sprint(i)))
			}
			_, err := decode(tt.open+strings.Join(units, ",")+tt.close, tt.read)
			var bad *argumentError
			if !errors.As(err, &bad) || bad.Count != n || len(bad.Faults) != min(n, 64) {
				t.Errorf("%s, %d faults: %.300v", name, n, err)
				continue
			}
			if more := fmt.Sprintf("; and %d more", n-64); (n > 64) != strings.HasSuffix(err.Error(), more) {
				t.Errorf("%s, %d faults: %v", name, n, err)
			}
		}
	}
}

// TestStringPlaces puts each kind of character at each position of a string, and characters of two or
// more bytes across the boundary of eight bytes.
func TestStringPlaces(t *testing.T) {
	for _, c := range []string{"\x00", "\x1f", " ", "!", `"`, "#", "[", `\`, `\n`, `\"`, "]", "\x7f", "\x80", "\xff", "é", "\u2028", "😀", `\ud83d\ude00`} {
		for before := range 18 {
			for _, after := range []int{0, 1, 7, 8, 9} {
				x := strings.Repeat("a", before) + c + strings.Repeat("b", after)
				text := `"` + x + `"`
				var want string
				refused := json.Unmarshal([]byte(text), &want) != nil || !utf8.ValidString(text)
				if got, err := decode(text, wire.Value.Str); (err != nil) != refused || err == nil && got != want {
					t.Errorf("%q: got %q, %v, want %q", text, got, err, want)
				}
				written, _ := reference(x)
				if got, err := encode(func(e *wire.Encoder) { e.Str("", x) }); err != nil || got != written {
					t.Errorf("%q: wrote %s, %v, want %s", x, got, err, written)
				}
			}
		}
	}
}
