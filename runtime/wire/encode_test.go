package wire_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/aiongen/aiongen/runtime/internal/testdata/search"
	"github.com/aiongen/aiongen/runtime/wire"
)

// outputError contains the faults that [wire.Encoder] reports, as an error.
type outputError struct {
	Pointer string
	Err     error
}

func (e *outputError) Error() string {
	return strings.TrimPrefix(e.Pointer+": "+e.Err.Error(), ": ")
}

func (e *outputError) Unwrap() error { return e.Err }

// encode encodes a result like generated code.
func encode(write func(e *wire.Encoder)) (string, error) { return encodeWithin(16<<20, write) }

func encodeWithin(limit int, write func(e *wire.Encoder)) (string, error) {
	var e wire.Encoder
	e.Start(limit, nil)
	write(&e)
	output, pointer, err := e.Done()
	if err != nil {
		return string(output), &outputError{pointer, err}
	}
	return string(output), nil
}

// reference returns the encoding of encoding/json without HTML escapes.
func reference(x any) (string, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(x)
	return strings.TrimSuffix(b.String(), "\n"), err
}

// TestEncodeAsJSON compares the output with encoding/json.
func TestEncodeAsJSON(t *testing.T) {
	when := time.Date(2024, 2, 29, 23, 59, 59, 120, time.FixedZone("", -7*3600))
	compare := func(x any, write func(e *wire.Encoder)) {
		t.Helper()
		want, _ := reference(x)
		if got, err := encode(write); err != nil || got != want {
			t.Errorf("got %s, %v, want %s", got, err, want)
		}
	}
	for _, x := range []string{"", "é😀", "\"\\/\b\f\n\r\t\x00\x1f\x7f", "<a & b>", "\u2028\u2029", "a\xffb\xed\xa0\x80", "\ufffd"} {
		compare(x, func(e *wire.Encoder) { e.Str("", x) })
	}
	for _, x := range []float64{0, math.Copysign(0, -1), 1, -1.5, 1e20, 1e21, 123456789e15, 1e-6, 1e-7, 1e-9, 1e-10, 5e-324, math.MaxFloat64} {
		compare(x, func(e *wire.Encoder) { e.Float64("", x) })
		if f := float32(x); !math.IsInf(float64(f), 0) {
			compare(f, func(e *wire.Encoder) { e.Float32("", f) })
		}
	}
	compare(int64(math.MinInt64), func(e *wire.Encoder) { e.Int("", math.MinInt64) })
	compare(uint64(math.MaxUint64), func(e *wire.Encoder) { e.Uint("", math.MaxUint64) })
	compare(true, func(e *wire.Encoder) { e.Bool("", true) })
	compare(nil, func(e *wire.Encoder) { e.Null("") })
	compare(when, func(e *wire.Encoder) { e.Time("", when) })
	compare([]byte("abcd"), func(e *wire.Encoder) { e.Bytes("", []byte("abcd")) })
	compare([]byte{}, func(e *wire.Encoder) { e.Bytes("", []byte{}) })
	compare([]byte(nil), func(e *wire.Encoder) { e.Bytes("", nil) })
	compare([]byte(nil), func(e *wire.Encoder) { wire.EncodeBytes(e, "", []bit(nil)) })
	compare(json.Number("1.50"), func(e *wire.Encoder) { e.Number("", "1.50") })
	compare(json.Number(""), func(e *wire.Encoder) { e.Number("", "") })
	compare(json.RawMessage(` {"a" : "<"} `), func(e *wire.Encoder) { e.RawJSON("", json.RawMessage(` {"a" : "<"} `)) })
	compare(json.RawMessage(nil), func(e *wire.Encoder) { e.RawJSON("", nil) })
	compare(map[string]any{"a": "<", "b": nil}, func(e *wire.Encoder) { e.JSON("", map[string]any{"a": "<", "b": nil}) })

	words := map[search.Order]string{"b": "1", "a": "2", "é": "3", "": "4", "<": "5"}
	compare(words, func(e *wire.Encoder) { wire.EncodeMap(e, "", words, (*wire.Encoder).Str) })
	numbers := map[int64]string{9: "1", 10: "2", -1: "3", -10: "4", math.MinInt64: "5"}
	compare(numbers, func(e *wire.Encoder) { wire.EncodeIntMap(e, "", numbers, (*wire.Encoder).Str) })
	large := map[uint64]string{math.MaxUint64: "1", 2: "2"}
	compare(large, func(e *wire.Encoder) { wire.EncodeIntMap(e, "", large, (*wire.Encoder).Str) })
	grid := [][]int64{{1, 2}, {}, {3}}
	row := func(e *wire.Encoder, lead string, x []int64) { wire.EncodeSlice(e, lead, x, (*wire.Encoder).Int) }
	compare(grid, func(e *wire.Encoder) { wire.EncodeSlice(e, "", grid, row) })
}

// TestEncode checks output that differs from encoding/json, and the commas.
func TestEncode(t *testing.T) {
	one := int64(1)
	for want, write := range map[string]func(e *wire.Encoder){
		`"1h30m0s"`: func(e *wire.Encoder) { e.Duration("", 90*time.Minute) },
		`[]`:        func(e *wire.Encoder) { wire.EncodeSlice(e, "", nil, (*wire.Encoder).Int) },
		`{}`:        func(e *wire.Encoder) { wire.EncodeMap(e, "", map[string]int64(nil), (*wire.Encoder).Int) },
		`[null,1]`: func(e *wire.Encoder) {
			wire.EncodeSlice(e, "", []*int64{nil, &one}, func(e *wire.Encoder, lead string, x *int64) {
				wire.EncodePtr(e, lead, x, (*wire.Encoder).Int)
			})
		},
		`{"b":[{"a":"{"},{"c":"["}]}`: func(e *wire.Encoder) { // members that are left out
			e.Raw("{")
			e.Raw(`,"b":[`)
			e.Raw(`,{`)
			e.Str(`,"a":`, "{")
			e.Raw("}")
			e.Raw(`,{`)
			e.Str(`,"c":`, "[")
			e.Raw("}]}")
		},
	} {
		if got, err := encode(write); err != nil || got != want {
			t.Errorf("got %s, %v, want %s", got, err, want)
		}
	}
}

type node struct {
	next *node
	list []*node
	dict map[string]*node
}

// encodeNode continues after a failure, like generated code.
func encodeNode(e *wire.Encoder, lead string, x node) {
	if !e.Open(lead) {
		return
	}
	wire.EncodePtr(e, `,"next":`, x.next, encodeNode)
	wire.EncodeSlice(e, `,"list":`, x.list, encodeNodePtr)
	wire.EncodeMap(e, `,"dict":`, x.dict, encodeNodePtr)
	e.Close()
}

func encodeNodePtr(e *wire.Encoder, lead string, x *node) { wire.EncodePtr(e, lead, x, encodeNode) }

// TestEncodeFails checks values that cannot be encoded.
func TestEncodeFails(t *testing.T) {
	cycle := func(link func(x *node)) func(e *wire.Encoder) {
		return func(e *wire.Encoder) {
			var x node
			link(&x)
			encodeNodePtr(e, "", &x)
		}
	}
	for want, write := range map[string]func(e *wire.Encoder){
		`NaN is not a JSON number`: func(e *wire.Encoder) { e.Float64("", math.NaN()) },
		`/a/1: +Inf is not a JSON number`: func(e *wire.Encoder) {
			wire.EncodeSlice(e, `{"a":`, []float32{0, float32(math.Inf(1)), 0}, (*wire.Encoder).Float32)
			e.Float64(`,"b":`, math.Inf(-1)) // only the first fault is reported
			e.Raw("}")
		},
		`/when: `: func(e *wire.Encoder) {
			e.Time(`{"when":`, time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC))
			e.Raw("}")
		},
		`/b: -Inf is not a JSON number`: func(e *wire.Encoder) { // bad UTF-8 before it was mended
			e.RawJSON(`{"a":`, json.RawMessage("\"\xff\""))
			e.Float64(`,"b":`, math.Inf(-1))
		},
		`"1x" is not a JSON number`: func(e *wire.Encoder) { e.Number("", "1x") },
		`invalid character`:         func(e *wire.Encoder) { e.RawJSON("", json.RawMessage("x")) },
		`unexpected end`:            func(e *wire.Encoder) { e.RawJSON("", json.RawMessage{}) },
		`json: unsupported type`:    func(e *wire.Encoder) { e.JSON("", make(chan int)) },
		`/next/next/next`:           cycle(func(x *node) { x.next = x }),
		`/list/0/list/0`:            cycle(func(x *node) { x.list = []*node{x, x, x} }),
		`/dict/a/dict/a`:            cycle(func(x *node) { x.dict = map[string]*node{"a": x, "b": x} }),
		`two keys are written as "�"`: func(e *wire.Encoder) {
			wire.EncodeMap(e, "", map[string]bool{"\xfe": true, "\xff": true}, (*wire.Encoder).Bool)
		},
		`it is 1004 bytes long, the limit is 1000`: func(e *wire.Encoder) {
			e.Str("[", strings.Repeat("a", 1001)[1:])
			e.Raw("]")
		},
	} {
		output, err := encodeWithin(1000, write)
		if strings.Contains(want, "/next/") || strings.Contains(want, "/list/") || strings.Contains(want, "/dict/") {
			output, err = encode(write)
			if err != nil && !strings.HasSuffix(err.Error(), "…: it is nested too deeply or contains itself") {
				t.Error(err)
			}
		}
		var bad *outputError
		if !errors.As(err, &bad) || output != "" || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got %q, %v, want %s", output, err, want)
		}
	}
	if _, err := encodeWithin(1000, func(e *wire.Encoder) { e.Str("", strings.Repeat("a", 998)) }); err != nil {
		t.Error(err)
	}
}

// FuzzEncode compares strings and numbers with encoding/json. TestEncoderFail checks that the first
// failure counts, and that nothing is returned.
func TestEncoderFail(t *testing.T) {
	own := errors.New("not today")
	object := func(write func(e *wire.Encoder)) func(e *wire.Encoder) {
		return func(e *wire.Encoder) {
			if e.Open("") {
				e.Int(`,"a":`, 1)
				write(e)
				e.Int(`,"b":`, 2)
				e.Close()
			}
		}
	}
	for name, tt := range map[string]struct {
		write         func(e *wire.Encoder)
		pointer, text string
	}{
		"nothing":     {func(*wire.Encoder) {}, "", "nothing was written"},
		"at the end":  {func(e *wire.Encoder) { e.RawJSON("", json.RawMessage(`{"a":1}`)); e.Fail("/a", own) }, "/a", "/a: not today"},
		"at no place": {func(e *wire.Encoder) { e.Fail("", own) }, "", "not today"},
		"within":      {object(func(e *wire.Encoder) { e.Fail("/a", own) }), "/a", "/a: not today"},
		"twice":       {object(func(e *wire.Encoder) { e.Fail("/a", own); e.Fail("/b", errors.New("nor now")) }), "/a", "/a: not today"},
		"too late":    {object(func(e *wire.Encoder) { e.Float64(`,"n":`, math.NaN()); e.Fail("/a", own) }), "/n", "/n: NaN is not a JSON number"},
		"long": {func(e *wire.Encoder) { e.Fail("/"+strings.Repeat("é", 600), own) }, "/" + strings.Repeat("é", 511) + "…",
			"/" + strings.Repeat("é", 511) + "…: not today"},
	} {
		output, err := encode(tt.write)
		var bad *outputError
		if output != "" || !errors.As(err, &bad) || bad.Pointer != tt.pointer || err.Error() != tt.text {
			t.Errorf("%s: %s, %v", name, output, err)
		}
		if strings.Contains(tt.text, "not today") && !errors.Is(err, own) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzEncode(f *testing.F) {
	f.Add("a\xff\u2028\x01<\\", 1e21, float32(1e-7))
	f.Add("\ufffd\x7f", math.NaN(), float32(math.MaxFloat32))
	f.Add(strings.Repeat("\x8a", 65), 0.0, float32(0)) // in an earlier version, it broke the text of its own error
	f.Add("\"\xbe\"", 0.0, float32(0))                 // encoding/json passes it unchanged
	f.Fuzz(func(t *testing.T, s string, x float64, y float32) {
		compare := func(v any, write func(e *wire.Encoder)) {
			want, wantErr := reference(v)
			want = strings.ToValidUTF8(want, "\ufffd")
			got, err := encode(write)
			if got != want || (err == nil) != (wantErr == nil) {
				t.Errorf("%#v: got %s, %v, want %s, %v", v, got, err, want, wantErr)
			}
		}
		compare(s, func(e *wire.Encoder) { e.Str("", s) })
		compare(x, func(e *wire.Encoder) { e.Float64("", x) })
		compare(y, func(e *wire.Encoder) { e.Float32("", y) })
		compare(json.Number(s), func(e *wire.Encoder) { e.Number("", json.Number(s)) })
		if raw := json.RawMessage(s); len(raw) > 0 {
			compare(raw, func(e *wire.Encoder) { e.RawJSON("", raw) })
		}
	})
}

// TestForeignResults checks that our limits apply to the output of other marshalers.
func TestForeignResults(t *testing.T) {
	deep := func(levels int) string { return strings.Repeat("[", levels) + strings.Repeat("]", levels) }
	for _, test := range []struct{ raw, want string }{
		{deep(1000), deep(1000)},
		{deep(1001), ""},
		{`{"a\"[":"[[\\"}`, `{"a\"[":"[[\\"}`},
		{"\"a\xffb\"", `"a` + "\uFFFD" + `b"`},
	} {
		for form, write := range map[string]func(*wire.Encoder){
			"raw": func(e *wire.Encoder) { e.RawJSON("", json.RawMessage(test.raw)) },
			"any": func(e *wire.Encoder) { e.JSON("", json.RawMessage(test.raw)) },
		} {
			if output, err := encode(write); output != test.want || (test.want == "") != (err != nil) {
				t.Errorf("%s %.20q: %.40q, %v", form, test.raw, output, err)
			}
		}
	}
}
