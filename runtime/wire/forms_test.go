package wire_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/aiongen/aiongen/runtime/wire"
)

type bit byte

type coordinates struct{ X, Y int }

// TestForms decodes values whose readers parse strings, or leave them to methods and to encoding/json.
func TestForms(t *testing.T) {
	checkReadings(t, "Quoted", func(v wire.Value) float64 { return wire.Quoted(v, wire.Value.Float64) }, []reading[float64]{
		{`"1.5"`, 1.5, ""}, {`"\u0031e2"`, 100, ""},
		{`1`, 0, `expected a number in a string, found the number 1`},
		{`""`, 0, `expected a number in a string, found the string ""`},
		{`"1 "`, 0, `expected a number in a string, found the string "1 "`},
		{`"1,2"`, 0, `expected a number in a string, found the string "1,2"`},
		{`"[1]"`, 0, `expected a number in a string, found the string "[1]"`},
		{`"true"`, 0, `expected a number in a string, found the string "true"`},
	})
	checkReadings(t, "Quoted string", func(v wire.Value) string { return wire.Quoted(v, wire.Value.Str) }, []reading[string]{
		{`"\"a\\nb\""`, "a\nb", ""}, {`"\"\""`, "", ""}, {`"a"`, "", `expected a string in a string, found the string "a"`},
	})
	checkReadings(t, "QuotedInt", func(v wire.Value) int8 { return wire.QuotedInt(v, wire.Value.Int8) }, []reading[int8]{
		{`"-128"`, -128, ""}, {`"128"`, 0, `expected an integer of at most 127 in a string, found the string "128"`},
		{`"1.0"`, 0, `expected an integer in a string, found the string "1.0"`}, {`"1e0"`, 0, `expected an integer in a string, found the string "1e0"`},
		{`"0"`, 0, ""}, {`"-0"`, 0, `expected an integer in a string, found the string "-0"`},
		{`null`, 0, "expected an integer in a string, found null"},
	})
	checkReadings(t, "Quoted bool", func(v wire.Value) bool { return wire.Quoted(v, wire.Value.Bool) }, []reading[bool]{
		{`"true"`, true, ""}, {`true`, false, `expected one of "true", "false" (strings), found the boolean true`}, {`"yes"`, false, `expected one of "true", "false" (strings), found the string "yes"`},
	})
	checkReadings(t, "Quoted JSON", func(v wire.Value) string { return string(wire.Quoted(v, wire.Value.Raw)) }, []reading[string]{
		{`"{}"`, "{}", ""}, {`1`, "null", "expected a JSON value in a string, found the number 1"},
	})
	text := func(v wire.Value) string {
		x := wire.BigInt[big.Int](v)
		return x.String()
	}
	checkReadings(t, "BigInt", text, []reading[string]{
		{"-0", "0", ""}, {"-123456789012345678901234567890", "-123456789012345678901234567890", ""},
		{"1.50e1", "15", ""}, {"1e30", "1" + strings.Repeat("0", 30), ""},
		{"1.5", "0", "expected an integer, found the number 1.5"}, {`"1"`, "0", `expected an integer, found the string "1"`},
		{"1e9999", "1" + strings.Repeat("0", 9999), ""},
		{"1e10000", "0", "expected an integer of at most 10000 digits, found the number 1e10000"},
		{"1e999999999999", "0", "expected an integer of at most 10000 digits, found the number 1e999999999999"},
	})
	checkReadings(t, "Bytes", wire.Bytes[bit], []reading[[]bit]{
		{`"AQI="`, []bit{1, 2}, ""}, {`""`, []bit{}, ""}, {`1`, nil, "expected a string in base64, found the number 1"},
	})
	checkReadings(t, "JSON", wire.JSON[coordinates], []reading[coordinates]{
		{`{"X":1,"X":2}`, coordinates{}, `/X: expected each key once, found the key "X" again`},
		{`{"x":1,"Y":2}`, coordinates{1, 2}, ""},
		{`{"Z":1}`, coordinates{}, `expected no key "Z", found an object`},
		{`{"X":"a"}`, coordinates{}, `expected an integer that fits as X, found an object`},
		{`[]`, coordinates{}, `expected an object, found an array`},
	})
	checked := func(v wire.Value) any { return wire.JSON[any](wire.CheckValue(v, wire.Value.Str)) }
	textOr := func(v wire.Value) any { return wire.JSON[any](wire.CheckUnlessText(v, wire.Value.Bool)) }
	checkReadings(t, "TextOr", textOr, []reading[any]{{`"a"`, "a", ""}, {`true`, true, ""}, {`1`, nil, "expected a boolean (true or false), found the number 1"}})
	checkReadings(t, "Checked", checked, []reading[any]{{`"a"`, "a", ""}, {`1`, nil, "expected a string, found the number 1"}})
	checkReadings(t, "TextMap", func(v wire.Value) map[netip.Addr]int { return wire.TextMap[netip.Addr](v, wire.Value.Int) }, []reading[map[netip.Addr]int]{
		{`{"::1":1}`, map[netip.Addr]int{netip.IPv6Loopback(): 1}, ""},
		{`{"x":1}`, nil, `/x: expected another key (an IP address), found the key "x"`},
		{`{"::1":1,"::0001":2}`, nil, `/::0001: expected each key once, found the key "::0001" again`},
	})
	has := func(v wire.Value) bool {
		o := v.Object()
		found := o.Has("a", "b")
		if found {
			o.Opt("a")
			o.Opt("b")
		}
		o.Done()
		return found
	}
	checkReadings(t, "Has", has, []reading[bool]{
		{`{}`, false, ""}, {`{"a":null}`, false, ""}, {`{"b":1,"a":null}`, true, ""},
		{`{"c":1}`, false, `/c: expected the key a or b, found the key "c"`},
	})
	checkReadings(t, "TextMap of times", func(v wire.Value) int { return len(wire.TextMap[time.Time](v, wire.Value.Int)) }, []reading[int]{
		{`{"2026-01-02T03:04:05+01:00":1,"2026-01-02T03:04:06+01:00":1}`, 2, ""},
		{`{"2026-01-02T03:04:05+01:00":1,"2026-01-02T03:04:05+01:00":1}`, 1, `/2026-01-02T03:04:05+01:00: expected each key once, found the key "2026-01-02T03:04:05+01:00" again`},
	})
	checkReadings(t, "DateTime", func(v wire.Value) bool { return v.DateTime().Ok() }, []reading[bool]{
		{`"2026-01-02T03:04:05Z"`, true, ""}, {`1`, false, "expected a string with a date and time, found the number 1"},
		{`"2026-01-02T03:04:05+01:60"`, false, `expected a date and time such as 2006-01-02T15:04:05Z, found the string "2026-01-02T03:04:05+01:60"`},
		{`"2026-01-02T03:04:05"`, false, `expected a time zone, Z or one such as +02:00, at the end of the date and time, found the string "2026-01-02T03:04:05"`},
	})
	const id = "123e4567-e89B-12d3-a456-426614174000"
	uuids := []reading[bool]{{`"` + id + `"`, true, ""}, {`1`, false, "expected a string, found the number 1"}}
	for _, bad := range []string{"", id[1:], id + "0", "g" + id[1:], strings.ReplaceAll(id, "-", ""), strings.ReplaceAll(id, "-", "0"), "urn:uuid:" + id, "12-e4567-e89B-12d3-a456-426614174000"} {
		uuids = append(uuids, reading[bool]{`"` + bad + `"`, false, "expected a UUID such as 123e4567-e89b-12d3-a456-426614174000, found the string \"" + bad + `"`})
	}
	checkReadings(t, "UUID", func(v wire.Value) bool { return v.UUID().Ok() }, uuids)
	checkReadings(t, "Format", func(v wire.Value) bool { return v.Format("uuid").Ok() }, uuids)
	checkReadings(t, "Format", func(v wire.Value) bool { return v.Format("date").Ok() }, []reading[bool]{
		{`"2026-01-31"`, true, ""}, {`1`, false, "expected a string, found the number 1"}, {`"2026-02-30"`, false, `expected a date such as 2026-01-31, found the string "2026-02-30"`},
	})
	checkReadings(t, "Format", func(v wire.Value) bool { return v.Format("date-time").Ok() }, []reading[bool]{
		{`"1998-12-31T23:59:60Z"`, true, ""}, {`1`, false, "expected a string with a date and time, found the number 1"},
		{`"2026-01-02T03:04:05"`, false, `expected a time zone, Z or one such as +02:00, at the end of the date and time, found the string "2026-01-02T03:04:05"`},
	})
	checkReadings(t, "Format", func(v wire.Value) bool { return v.Format("unheard of").Ok() }, []reading[bool]{{`"x"`, true, ""}})
}

// moment is absent, null or an integer; it rejects negative ones.
type moment struct{ read string }

func (m *moment) UnmarshalJSON(b []byte) error {
	if m.read = string(b); b[0] == '-' {
		return errors.New("negative")
	}
	return nil
}

// dated rejects null.
type dated struct{ read string }

func (d *dated) UnmarshalJSON(b []byte) error {
	if d.read = string(b); d.read == "null" {
		return errors.New("no date")
	}
	return nil
}

// TestNull decodes null as types that receive it.
func TestNull(t *testing.T) {
	integerOrNull := func(v wire.Value) moment {
		return wire.JSON[moment](wire.CheckUnlessNull(v, func(v wire.Value) wire.Value { return wire.CheckValue(v, wire.Value.Int) }))
	}
	checkReadings(t, "CheckUnlessNull", integerOrNull, []reading[moment]{
		{`null`, moment{"null"}, ""}, {`1`, moment{"1"}, ""}, {`"a"`, moment{}, `expected null or an integer, found the string "a"`},
		{`-1`, moment{}, "expected another value (negative), found the number -1"},
	})
	checkReadings(t, "NullOr", func(v wire.Value) moment { return wire.NullOr(v, integerOrNull) }, []reading[moment]{
		{`null`, moment{"null"}, ""}, {`1`, moment{"1"}, ""}, {`-1`, moment{}, "expected another value (negative), found the number -1"},
	})
	checkReadings(t, "NullOr", func(v wire.Value) dated { return wire.NullOr(v, wire.JSON[dated]) }, []reading[dated]{
		{`null`, dated{}, ""}, {`1`, dated{"1"}, ""},
	})
	checkReadings(t, "DecodeOptional", func(v wire.Value) (x dated) { wire.DecodeOptional(v, &x); return x }, []reading[dated]{
		{`null`, dated{}, ""}, {`1`, dated{"1"}, ""},
	})
	checkReadings(t, "DecodeOptional", func(v wire.Value) (x moment) { wire.DecodeOptional(v, &x); return x }, []reading[moment]{
		{`null`, moment{"null"}, ""}, {`-1`, moment{}, "expected another value (negative), found the number -1"},
	})
	one := moment{"1"}
	checkReadings(t, "PtrOrNil", func(v wire.Value) *moment { return wire.PtrOrNil(v, wire.JSON[moment]) }, []reading[*moment]{
		{`null`, nil, ""}, {`1`, &one, ""},
	})
	valid := wire.OrNull(func(v wire.Value, x *int) { *x = v.Int() + 1 })
	checkReadings(t, "OrNull", func(v wire.Value) (x int) { valid(v, &x); return x }, []reading[int]{
		{`null`, 0, ""}, {`1`, 2, ""}, {`"a"`, 0, `expected null or an integer, found the string "a"`},
	})
	type members struct{ present, orNull, later bool }
	has := func(v wire.Value) (m members) {
		o := v.Object()
		m.present, m.orNull = o.Has("a"), o.HasOrNull([]string{"a", "b"}, "b")
		m.later = o.OptOrNull("a").IsNull() || o.OptOrNull("b").IsNull()
		o.Done()
		return m
	}
	type presence struct{ present, null, later bool }
	find := func(v wire.Value) (p presence) {
		o := v.Object()
		p.present, p.null = o.Presence("a")
		p.later = o.Opt("a").Ok()
		o.Done()
		return p
	}
	checkReadings(t, "Presence", find, []reading[presence]{
		{`{}`, presence{}, ""}, {`{"a":null}`, presence{true, true, false}, ""}, {`{"a":1}`, presence{true, false, true}, ""},
	})
	checkReadings(t, "HasOrNull", has, []reading[members]{
		{`{}`, members{}, ""}, {`{"a":null}`, members{false, false, true}, ""}, {`{"b":null}`, members{false, true, true}, ""}, {`{"a":1}`, members{true, true, false}, ""},
	})
}

// nilError is an error whose nil pointer has no text.
type nilError struct{ text string }

func (e *nilError) Error() string { return e.text }

// emptyError is an error whose nil pointer has a text.
type emptyError struct{ text string }

func (e *emptyError) Error() string {
	if e == nil {
		return "empty"
	}
	return e.text
}

// TestEncodeErrors writes errors as their text.
func TestEncodeErrors(t *testing.T) {
	for want, err := range map[string]error{
		`null`: nil, `"a\n<b>"`: errors.New("a\n<b>"), `"c"`: &nilError{"c"}, `"empty"`: (*emptyError)(nil), `"\ufffd"`: errors.New("\xff"),
	} {
		if got, failed := encode(func(e *wire.Encoder) { e.Error("", err) }); got != want || failed != nil {
			t.Errorf("%#v is written as %s, %v, want %s", err, got, failed, want)
		}
	}
	if got, failed := encode(func(e *wire.Encoder) { e.Error("", (*nilError)(nil)) }); got != "null" || failed != nil {
		t.Errorf("a nil pointer is written as %s, %v", got, failed)
	}
}

// TestAbsentForms decodes absent values, which is not a fault.
func TestAbsentForms(t *testing.T) {
	var v wire.Value
	var o wire.Object
	v.Decode(new(coordinates))
	n := wire.BigInt[big.Int](v)
	present, null := o.Presence("a")
	if present || null || o.Has("a") || wire.Quoted(v, wire.Value.Str) != "" || wire.QuotedInt(v, wire.Value.Int) != 0 || n.Sign() != 0 || wire.Bytes[bit](v) != nil ||
		wire.CheckValue(v, wire.Value.Str).Ok() || v.DateTime().Ok() || v.UUID().Ok() || v.Format("date").Ok() || wire.TextMap[netip.Addr](v, wire.Value.Int) != nil ||
		v.IsNull() || o.HasOrNull([]string{"a"}, "a") || o.OptOrNull("a").Ok() || wire.PtrOrNil(v, wire.Value.Str) != nil || wire.NullOr(v, wire.Value.Str) != "" {
		t.Error("an absent value is something")
	}
}

// TestEncodeForms checks that the output equals that of encoding/json.
func TestEncodeForms(t *testing.T) {
	for _, tt := range []struct {
		value any
		write func(e *wire.Encoder)
	}{
		{struct {
			N string `json:",string"`
		}{"\"<\u2028\xff"}, func(e *wire.Encoder) {
			e.Raw(`{"N":`)
			wire.EncodeQuoted(e, "", "\"<\u2028\xff", wire.EncodeStr)
			e.Raw("}")
		}},
		{big.NewInt(-5), func(e *wire.Encoder) { e.BigInt("", big.NewInt(-5)) }},
		{[]bit{1, 2}, func(e *wire.Encoder) { wire.EncodeBytes(e, "", []bit{1, 2}) }},
		{map[netip.Addr]uint8{netip.IPv6Loopback(): 1, {}: 2}, func(e *wire.Encoder) {
			wire.EncodeTextMap(e, "", map[netip.Addr]uint8{netip.IPv6Loopback(): 1, {}: 2}, wire.EncodeUint)
		}},
		{[]int8{-1}, func(e *wire.Encoder) { wire.EncodeSlice(e, "", []int8{-1}, wire.EncodeInt) }},
	} {
		want, err := reference(tt.value)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := encode(tt.write); got != want || err != nil {
			t.Errorf("got  %s, %v\nwant %s", got, err, want)
		}
	}
	_, err := encode(func(e *wire.Encoder) { wire.EncodeQuoted(e, `{"n":`, 1/zero, (*wire.Encoder).Float64); e.Raw("}") })
	if err == nil || !strings.Contains(err.Error(), "/n: +Inf is not a JSON number") {
		t.Errorf("an infinity in a string: %v", err)
	}
	var none *big.Int
	if _, err = encode(func(e *wire.Encoder) { e.BigInt("", none) }); err == nil {
		t.Error("a nil integer is no error")
	}
}

var zero float64

// ownJSON decodes itself, with errors of encoding/json and its own.
type ownJSON struct{}

func (*ownJSON) UnmarshalJSON(b []byte) error {
	var x struct {
		Bool  bool
		Float float32
		Text  string
		Bytes []byte
		List  []int
		Array [2]int
		Map   map[string]int
		Deep  struct{ In struct{ N uint8 } }
		Chan  chan int
		Wrong int `json:",string"`
		Own   ownText
	}
	if err := json.Unmarshal(b, &x); err != nil {
		return fmt.Errorf("own: %w", err)
	}
	return nil
}

type ownText string

func (*ownText) UnmarshalText(b []byte) error { return fmt.Errorf("no word %s", b) }

// TestDecodeWords checks that texts of encoding/json about Go types are not shown to the model.
func TestDecodeWords(t *testing.T) {
	checkReadings(t, "words", func(v wire.Value) int { wire.JSON[ownJSON](v); return 0 }, []reading[int]{
		{`7`, 0, "expected an object, found the number 7"},
		{`{"Bool":1}`, 0, "expected a boolean (true or false) as Bool, found an object"},
		{`{"Float":"x"}`, 0, "expected a number as Float, found an object"},
		{`{"Float":1e99}`, 0, "expected a number as Float, found an object"},
		{`{"Text":1}`, 0, "expected a string as Text, found an object"},
		{`{"Bytes":1}`, 0, "expected a string in base64 as Bytes, found an object"},
		{`{"List":1}`, 0, "expected an array as List, found an object"},
		{`{"List":[1.5]}`, 0, "expected an integer that fits as List, found an object"},
		{`{"Array":1}`, 0, "expected an array as Array, found an object"},
		{`{"Map":1}`, 0, "expected an object as Map, found an object"},
		{`{"Deep":{"In":{"N":256}}}`, 0, "expected an integer that fits as Deep.In.N, found an object"},
		{`{"Chan":1}`, 0, "expected another value as Chan, found an object"},
		{`{"Wrong":"x"}`, 0, "expected another value, found an object"},
		{`{"Own":"x"}`, 0, "expected another value (own: no word x), found an object"},
	})
}

// TestParameterObject checks that arguments with such an object count as ones that encoding/json does not write.
func TestParameterObject(t *testing.T) {
	for name, read := range map[string]func(wire.Value) wire.Object{"parameters": wire.Value.ParameterObject, "object": wire.Value.Object} {
		var d wire.Decoder
		o := read(d.Read([]byte(`{"a":1}`), &wire.Limits{Arguments: 100, Depth: 10}, nil, false))
		if got := o.Int("a"); got != 1 {
			t.Errorf("%s: %d", name, got)
		}
		o.Done()
		if _, count, opaque := d.Done(); count != 0 || opaque != (name == "parameters") {
			t.Errorf("%s: %d faults, opaque %t", name, count, opaque)
		}
	}
	if o := (wire.Value{}).ParameterObject(); o.Opt("a").Ok() {
		t.Error("an absent value has members")
	}
}
