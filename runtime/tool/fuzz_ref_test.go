package tool_test

import (
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/internal/testdata/search"
	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/runtime/wire"
)

// fuzzVariables are the variables that fuzzed arguments can refer to.
var fuzzVariables = map[string]any{
	"n": 7, "s": "text", "ref": "<<var:n>>", "escape": "<<<var:n>>", "b": true, "f": &Filter{Field: "author", Value: "x"}, "l": []string{"a"},
	"in": io.Reader(&source{}), "odd": oddText(0), "x-1.Y_": []any{nil},
}

// FuzzReferences compares arguments decoded in a scope with the same arguments decoded without one, in
// which references are replaced afterward.
func FuzzReferences(f *testing.F) {
	for _, seed := range []string{
		`"<<var:n>>"`, `"<<<var:n>>"`, `"<<<<var:n>>"`, `["<<var:f>>","\u003c<var:s>>",{"<<var:n>>":"<<var:b>>"}]`, `{"k":"<<var:gone>>"}`,
		`"<<var:ref>>"`, `"<<var:escape>>"`, `"a<<var:n>>"`, `"<<var:>>"`, `"<<var:odd>>"`, `{"in":"<<var:in>>","some":["<<var:f>>"]}`,
		`"<<var:x-1.Y_>>"`, `{"<<<var:n>>":1}`, `"<<var:` + strings.Repeat("n", 65) + `>>"`, payload, `"<<<\\u0076ar:n>>"`,
	} {
		f.Add(seed)
	}
	plain, values := scopeWith(f, fuzzVariables), scopeWith(f, fuzzVariables, tool.ReferToValues())
	f.Fuzz(func(t *testing.T, text string) {
		for _, s := range []*tool.Scope{nil, plain, values} {
			want, refused := decodeIn(nil, text, wire.Value.Any)
			if s != nil && refused == nil {
				want, refused = replaceReferences(want, s == values)
			}
			got, err := decodeIn(s, text, wire.Value.Any)
			if (err != nil) != (refused != nil) || err == nil && !reflect.DeepEqual(got, want) {
				t.Fatalf("%q: %#v, %v; want %#v, %v", text, got, err, want, refused)
			}
			_, err = decodeIn(s, text, decodeMixed)
			checkFaultsOnce(t, text, err)
		}
	})
}

var (
	referencePattern = regexp.MustCompile(`^<<var:([A-Za-z0-9_.-]{1,64})>>$`)
	escapedPattern   = regexp.MustCompile(`^<(<<+var:[A-Za-z0-9_.-]{1,64}>>)$`)
)

// replaceReferences replaces strings with variables, if they are allowed there, and with literal
// texts.
func replaceReferences(x any, values bool) (_ any, err error) {
	switch v := x.(type) {
	case string:
		if m := escapedPattern.FindStringSubmatch(v); m != nil {
			return m[1], nil
		}
		if m := referencePattern.FindStringSubmatch(v); m != nil && values {
			value, ok := fuzzVariables[m[1]]
			if !ok {
				return nil, errors.New("unknown")
			}
			return value, nil
		}
	case []any:
		for i := range v {
			if v[i], err = replaceReferences(v[i], values); err != nil {
				return nil, err
			}
		}
	case map[string]any:
		for k := range v {
			if v[k], err = replaceReferences(v[k], values); err != nil {
				return nil, err
			}
		}
	}
	return x, nil
}

// mixed has a field for every way to decode a reference, and others.
type mixed struct {
	In     io.Reader
	Maybe  *Filter
	Filter Filter
	Some   []*Filter
	Table  map[string]int
	N      int8
	Yes    bool
	Order  string
	Raw    json.RawMessage
	Bytes  []byte
	Pair   [2]float64
}

func decodeMixed(v wire.Value) (x mixed) {
	o := v.Object()
	x.In = wire.Ref[io.Reader](o.Opt("in"))
	x.Maybe = wire.PtrInto(o.Opt("maybe"), search.DecodeFilter)
	x.Filter = wire.RefOr(o.Opt("filter"), wire.ReaderOf(search.DecodeFilter))
	x.Some = wire.Slice(o.Opt("some"), func(v wire.Value) *Filter { return wire.PtrInto(v, search.DecodeFilter) })
	x.Table = wire.Map[string](o.Opt("table"), wire.Value.Int)
	x.N = o.Opt("n").Max(5).Int8()
	x.Yes = o.Opt("yes").Bool()
	x.Order = o.Opt("order").Enum(search.OrderValues)
	x.Raw = o.Opt("raw").Raw()
	x.Bytes = o.Opt("bytes").MinChars(2).Bytes()
	wire.Array(o.Opt("pair").Unique(), x.Pair[:], wire.Value.Float64)
	o.Done()
	return x
}

// checkFaultsOnce checks that no value has two faults.
func checkFaultsOnce(t *testing.T, text string, err error) {
	t.Helper()
	var bad *tool.ArgumentError
	if !errors.As(err, &bad) {
		return
	}
	seen := map[string]bool{}
	for _, f := range bad.Faults {
		if seen[f.Pointer] && !strings.Contains(f.Pointer, "…") && f.Expected != "each key once" {
			t.Fatalf("%q: two faults at %s: %v", text, f.Pointer, err)
		}
		seen[f.Pointer] = true
	}
}
