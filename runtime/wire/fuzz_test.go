package wire_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math/big"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/internal/testdata/search"
	"github.com/aiongen/aiongen/runtime/wire"
)

// FuzzDecode compares the accepted JSON, and the decoded values, with encoding/json and a closed list
// of what is also refused.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		search.Payload, search.FiveMistakesAndOne, "", " [ ] ", `{"a":{"a":[1e5,-0.0,5.0,18446744073709551615]},"a~/":"\ud83d\ude00"}`,
		`["\ud800",1]`, "\"\xff\"", `{"a":1,"\u0061":2}`, `[null,true,false,"a\n"]`, strings.Repeat("[", 65), `{"query":"`, `[1 2`, `{"a":tru`, "8E888888", `[1e09999,1e-10000]`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := decode(text, wire.Value.Any)
		if text == "" {
			text = "{}"
		}
		want, refused := referenceAny(text)
		if (err != nil) != refused {
			t.Fatalf("%q: %v, want it refused: %v", text, err, refused)
		}
		if err == nil && !reflect.DeepEqual(got, want) {
			t.Fatalf("%q: %#v, want %#v", text, got, want)
		}
		checkPointers(t, text, err)

		args, err := decode(text, wire.ReaderOf(search.DecodeArgs))
		checkPointers(t, text, err)
		var loose search.Args
		if err == nil && json.Unmarshal([]byte(text), &loose) == nil && !reflect.DeepEqual(args, loose) {
			t.Fatalf("%q: %#v, want %#v", text, args, loose)
		}
		checkIntegers(t, text)
	})
}

// referenceAny decodes a text with encoding/json and reports whether this package should refuse it.
func referenceAny(text string) (x any, refused bool) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if d.Decode(&x) != nil || !json.Valid([]byte(text)) {
		return nil, true
	}
	return x, !utf8.ValidString(text) || loneSurrogate(text) || isBeyond(text)
}

var escapes = regexp.MustCompile(`\\(u[dD][89abAB]..\\u[dD][c-fC-F]..|u....|.)`)

// loneSurrogate finds half a surrogate pair in valid JSON, where escapes occur only in strings.
func loneSurrogate(text string) bool {
	for _, e := range escapes.FindAllString(text, -1) {
		if unit, err := strconv.ParseUint(e[2:], 16, 32); err == nil && 0xd800 <= unit && unit < 0xe000 {
			return true
		}
	}
	return false
}

// isBeyond walks valid JSON token by token, and reports whether it is too deep, has repeated names, or
// a number with a large exponent.
func isBeyond(text string) bool {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	type level struct {
		keys  map[string]bool // nil in an array
		value bool            // the next token is a member's value
	}
	levels := []level{{}}
	for {
		token, err := d.Token()
		if err == io.EOF {
			return false
		}
		top := &levels[len(levels)-1]
		key, isString := token.(string)
		switch {
		case token == json.Delim('}') || token == json.Delim(']'):
			levels = levels[:len(levels)-1]
			continue
		case top.keys != nil && !top.value && isString:
			if top.keys[key] {
				return true
			}
			top.keys[key], top.value = true, true
			continue
		}
		top.value = false
		if number, ok := token.(json.Number); ok && isHuge(number.String()) {
			return true
		}
		switch token {
		case json.Delim('{'):
			levels = append(levels, level{keys: map[string]bool{}})
		case json.Delim('['):
			levels = append(levels, level{})
		}
		if len(levels) > 65 {
			return true
		}
	}
}

func isHuge(number string) bool {
	at := strings.IndexAny(number, "eE")
	if at < 0 {
		return false
	}
	exponent, err := strconv.Atoi(number[at+1:])
	return err != nil || exponent < -9999 || exponent > 9999
}

// checkPointers resolves the pointers of all faults in their text.
func checkPointers(t *testing.T, text string, err error) {
	var bad *argumentError
	if !errors.As(err, &bad) {
		return
	}
	if len(bad.Faults) == 0 || bad.Count < len(bad.Faults) || !utf8.ValidString(err.Error()) && utf8.ValidString(text) {
		t.Fatalf("%q: %d faults, %v", text, bad.Count, err)
	}
	var root any
	d := json.NewDecoder(bytes.NewReader([]byte(text)))
	d.UseNumber()
	if d.Decode(&root) != nil || !json.Valid([]byte(text)) || isBeyond(text) {
		return
	}
	for _, fault := range bad.Faults {
		if strings.Contains(fault.Expected, " at byte ") || strings.Contains(fault.Pointer, "…") {
			continue // it is of the text, not of a value
		}
		if _, ok := lookUp(root, fault.Pointer); ok == (fault.Found == "nothing") {
			t.Fatalf("%q: %v", text, fault)
		}
	}
}

// lookUp returns the value at a JSON Pointer.
func lookUp(x any, pointer string) (any, bool) {
	for token := range jsontext.Names(pointer) {
		switch v := x.(type) {
		case map[string]any:
			var ok bool
			if x, ok = v[token]; !ok {
				return nil, false
			}
		case []any:
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(v) {
				return nil, false
			}
			x = v[i]
		default:
			return nil, false
		}
	}
	return x, true
}

// checkIntegers decodes a number as integers and compares them with exact arithmetic.
func checkIntegers(t *testing.T, text string) {
	if len(text) > 40 || !regexp.MustCompile(`^-?\d+(\.\d+)?([eE][+-]?\d{1,3})?$`).MatchString(text) || !json.Valid([]byte(text)) {
		return
	}
	exact, ok := new(big.Rat).SetString(text)
	if !ok {
		t.Fatal(text)
	}
	signed, err := decode(text, wire.Value.Int64)
	if fits := exact.IsInt() && exact.Num().IsInt64(); fits != (err == nil) || fits && signed != exact.Num().Int64() {
		t.Fatalf("%s: %d, %v", text, signed, err)
	}
	unsigned, err := decode(text, wire.Value.Uint64)
	if fits := exact.IsInt() && exact.Num().IsUint64(); fits != (err == nil) || fits && unsigned != exact.Num().Uint64() {
		t.Fatalf("%s: %d, %v", text, unsigned, err)
	}
	small, err := decode(text, wire.Value.Int8)
	if fits := exact.IsInt() && exact.Num().IsInt64() && int64(int8(exact.Num().Int64())) == exact.Num().Int64(); fits != (err == nil) || fits && int64(small) != exact.Num().Int64() {
		t.Fatalf("%s: %d, %v", text, small, err)
	}
}

// FuzzInteger is FuzzDecode for numbers only.
func FuzzInteger(f *testing.F) {
	for _, seed := range []string{"5.0", "5e0", "-0", "-128", "9223372036854775808", "0.0012300e5", "18446744073709551615", "1e19", "120e-1"} {
		f.Add(seed)
	}
	f.Fuzz(checkIntegers)
}
