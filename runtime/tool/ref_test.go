package tool_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net/netip"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/aiongen/aiongen/runtime/internal/testdata/search"
	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/runtime/wire"
)

// decodeIn decodes arguments in a scope like generated code.
func decodeIn[T any](s *tool.Scope, arguments string, read func(wire.Value) T) (x T, err error) {
	r := tool.NewRegistry()
	r.Replace(tool.NewTypedAction(&tool.Definition{Name: "t"}, func(v wire.Value) T { x = read(v); return x }, nil).Tool)
	c, err := r.Match(tool.Request{Name: "t", Arguments: json.RawMessage(arguments)})
	if err != nil {
		return x, err
	}
	err = c.Check(tool.WithScope(context.Background(), s))
	mustNotPanic(err)
	return x, err
}

// mustNotPanic propagates a panic that a call recovered, because it is a bug in this package.
func mustNotPanic(err error) {
	var p *tool.PanicError
	if errors.As(err, &p) {
		panic(fmt.Sprintf("%v\n%s", p, p.Stack))
	}
}

// faults returns the faults of an *tool.ArgumentError as text.
func faults(t *testing.T, err error) string {
	t.Helper()
	if err == nil {
		return ""
	}
	var bad *tool.ArgumentError
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

// scopeWith returns a scope with some variables.
func scopeWith(t testing.TB, vars map[string]any, options ...tool.ScopeOption) *tool.Scope {
	t.Helper()
	s := tool.NewScope(options...)
	for name, value := range vars {
		if err := s.Set(name, value); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// TestRef decodes values that JSON cannot represent: by identity, or with a fault that lists the
// possible references.
func TestRef(t *testing.T) {
	reader := strings.NewReader("text")
	signals := make(chan int)
	plain := scopeWith(t, map[string]any{"reader": reader, "n": 7, "signals": signals, "done": context.CancelFunc(func() {}), "late": time.Second})
	values := scopeWith(t, map[string]any{"reader": reader, "late": time.Second}, tool.ReferToValues())

	for name, tt := range map[string]struct {
		scope     *tool.Scope
		arguments string
		want      io.Reader
		fault     string
	}{
		"known":         {plain, `"<<var:reader>>"`, reader, ""},
		"escapes":       {plain, `"\u003c<var:read\u0065r>>"`, reader, ""},
		"unknown":       {plain, `"<<var:writer>>"`, nil, `arguments: expected one of the references <<var:reader>>, found the string "<<var:writer>>"`},
		"wrong type":    {plain, `"<<var:n>>"`, nil, `arguments: expected one of the references <<var:reader>>, found the string "<<var:n>>"`},
		"within a text": {plain, `"see <<var:reader>>"`, nil, `arguments: expected one of the references <<var:reader>>, found the string "see <<var:reader>>"`},
		"escaped":       {plain, `"<<<var:reader>>"`, nil, `arguments: expected one of the references <<var:reader>>, found the string "<<var:reader>>"`},
		"as written":    {plain, `{"ref":"<<var:reader>>","type":"io.Reader","description":"a text"}`, reader, ""},
		"no string":     {plain, `{"ref":"<<var:reader>>","size":7}`, nil, `arguments: expected one of the references <<var:reader>>, found an object`},
		"within itself": {plain, `{"ref":{"ref":"<<var:reader>>"}}`, nil, `arguments: expected one of the references <<var:reader>>, found an object`},
		"no scope":      {nil, `"<<var:reader>>"`, nil, `arguments: expected a reference to a variable, which is impossible here, found the string "<<var:reader>>"`},
		"empty scope":   {tool.NewScope(), `"<<var:reader>>"`, nil, `arguments: expected a reference to a matching variable, but there is none, found the string "<<var:reader>>"`},

		"known, to values":      {values, `"<<var:reader>>"`, reader, ""},
		"as written, to values": {values, `{"type":"io.Reader","ref":"<<var:reader>>"}`, reader, ""},
		"unknown, to values":    {values, `"<<var:writer>>"`, nil, `arguments: expected one of the references <<var:reader>>, found a reference to a variable writer, which does not exist`},
		"wrong type, to values": {values, `"<<var:late>>"`, nil, `arguments: expected one of the references <<var:reader>>, found the string "1s"`},
	} {
		got, err := decodeIn(tt.scope, tt.arguments, wire.Ref[io.Reader])
		if got != tt.want || faults(t, err) != tt.fault {
			t.Errorf("%s: got %v, %v", name, got, err)
		}
	}

	if got, err := decodeIn(plain, `"<<var:signals>>"`, wire.Ref[<-chan int]); err != nil || got != signals {
		t.Errorf("a channel that can be assigned: %v, %v", got, err)
	}
	if got, err := decodeIn(plain, `"<<var:done>>"`, wire.Ref[func()]); err != nil || got == nil {
		t.Errorf("a function that can be assigned: %v", err)
	}
	for _, s := range []*tool.Scope{plain, scopeWith(t, map[string]any{"late": time.Second}, tool.ReferToValues())} {
		if got, err := decodeIn(s, `"<<var:late>>"`, wire.Ref[fmt.Stringer]); err != nil || got != time.Second {
			t.Errorf("a number that is an interface: %v, %v", got, err)
		}
	}
}

// TestRefIsText checks that if JSON can represent a value, a reference is text, unless the scope says
// otherwise. An additional < escapes it in every scope.
func TestRefIsText(t *testing.T) {
	plain := scopeWith(t, map[string]any{"x": "text"})
	values := scopeWith(t, map[string]any{"x": "text", "y": "<<var:x>>", "z": "<<<var:x>>"}, tool.ReferToValues())
	for _, tt := range []struct {
		scope     *tool.Scope
		arguments string
		want      string
	}{
		{nil, `<<var:x>>`, `<<var:x>>`},
		{nil, `<<<var:x>>`, `<<<var:x>>`},
		{plain, `<<var:x>>`, `<<var:x>>`},
		{plain, `<<<var:x>>`, `<<var:x>>`},
		{plain, `<<<<var:x>>`, `<<<var:x>>`},
		{plain, `<<<var:x>> `, `<<<var:x>> `},
		{plain, `<<<var:>>`, `<<<var:>>`},
		{plain, `\u003c\u003c<var:\u0078>>`, `<<var:x>>`},
		{values, `<<var:x>>`, `text`},
		{values, `<<var:y>>`, `<<var:x>>`}, // the text of a variable is not a reference
		{values, `<<var:z>>`, `<<<var:x>>`},
		{values, `<<<var:x>>`, `<<var:x>>`},
		{values, `<<<<var:x>>`, `<<<var:x>>`},
		{values, `a <<var:x>>`, `a <<var:x>>`},
		{values, `<<var:a b>>`, `<<var:a b>>`},
		{values, `<var:x>>`, `<var:x>>`},
	} {
		for form, read := range map[string]func(wire.Value) any{
			"plain":   func(v wire.Value) any { return v.Str() },
			"any":     wire.Value.Any,
			"list":    func(v wire.Value) any { return wire.Slice(v, wire.Value.Str)[0] },
			"map":     func(v wire.Value) any { return wire.Map[string](v, wire.Value.Str)["k"] },
			"pointer": func(v wire.Value) any { return *wire.Ptr(v, wire.Value.Str) },
		} {
			arguments := map[string]string{"list": `["%s"]`, "map": `{"k":"%s"}`}[form]
			if arguments == "" {
				arguments = `"%s"`
			}
			if got, err := decodeIn(tt.scope, fmt.Sprintf(arguments, tt.arguments), read); err != nil || got != tt.want {
				t.Errorf("%s as %s: got %v, %v, want %s", tt.arguments, form, got, err, tt.want)
			}
		}
	}
}

// TestRefOr decodes a reference or a value.
func TestRefOr(t *testing.T) {
	for _, s := range []*tool.Scope{
		scopeWith(t, map[string]any{"x": "text"}), scopeWith(t, map[string]any{"x": "text"}, tool.ReferToValues()),
	} {
		for arguments, want := range map[string]string{`"<<var:x>>"`: "text", `"<<<var:x>>"`: "<<var:x>>", `"x"`: "x"} {
			if got, err := decodeIn(s, arguments, func(v wire.Value) string { return wire.RefOr(v, wire.Value.Str) }); err != nil || got != want {
				t.Errorf("%s: got %s, %v", arguments, got, err)
			}
		}
		_, err := decodeIn(s, `"<<var:y>>"`, func(v wire.Value) string { return wire.RefOr(v, wire.Value.Str) })
		if err == nil || !strings.Contains(err.Error(), "expected one of the references <<var:x>>") {
			t.Errorf("got %v", err)
		}
	}
	if got, err := decodeIn(nil, `"<<var:x>>"`, func(v wire.Value) string { return wire.RefOr(v, wire.Value.Str) }); err != nil || got != "<<var:x>>" {
		t.Errorf("without a scope: %s, %v", got, err)
	}
}

// TestRefAbsent checks that an absent value is neither a reference nor a fault.
func TestRefAbsent(t *testing.T) {
	s := tool.NewScope(tool.ReferToValues())
	_, err := decodeIn(s, `{"a":null}`, func(v wire.Value) (none struct{}) {
		o := v.Object()
		if wire.Ref[io.Reader](o.Opt("a")) != nil || wire.RefOr(o.Opt("b"), wire.Value.Str) != "" || wire.Ptr(o.Opt("c"), wire.Value.Int) != nil {
			t.Error("there is something")
		}
		if o.Opt("d").Any() != nil || wire.ReadReference(o.Opt("e"), new(string)) || o.Opt("f").Bytes() != nil || wire.FromText[netip.Addr](o.Opt("g")).IsValid() {
			t.Error("there is something")
		}
		o.Done()
		return none
	})
	if err != nil {
		t.Error(err)
	}
}

// TestRefKeys checks that a key is never a reference.
func TestRefKeys(t *testing.T) {
	values := scopeWith(t, map[string]any{"n": 7, "x": "text"}, tool.ReferToValues())
	const arguments = `{"<<var:n>>":1,"<<<var:x>>":2,"<<var:gone>>":3}`
	got, err := decodeIn(values, arguments, func(v wire.Value) map[string]int { return wire.Map[string](v, wire.Value.Int) })
	if want := map[string]int{"<<var:n>>": 1, "<<<var:x>>": 2, "<<var:gone>>": 3}; err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, %v", got, err)
	}
	if _, err := decodeIn(values, arguments, wire.NoArguments); err == nil || strings.Count(err.Error(), "no keys") != 3 {
		t.Errorf("got %v", err)
	}
}

type names []string

type celsius float64

type letter byte

// TestReferToValues decodes values that JSON can represent from variables.
func TestReferToValues(t *testing.T) {
	filter, list, table := &Filter{Field: "author", Value: "x"}, []string{"a"}, map[string]int{"a": 1}
	link := &url.URL{Scheme: "https", Host: "example.com"}
	s := scopeWith(t, map[string]any{
		"yes": true, "n": 7, "big": uint64(1) << 63, "half": 0.5, "warm": celsius(21), "text": "a \"b\"\n<é>", "order": search.Order("desc"),
		"late": 90 * time.Minute, "when": time.Date(2026, 1, 31, 9, 30, 0, 0, time.UTC), "huge": new(big.Int).Lsh(big.NewInt(1), 70),
		"number": json.Number("1e2"), "address": netip.MustParseAddr("::1"), "bytes": []byte{1, 2}, "filter": filter, "value": *filter,
		"list": list, "named": names(list), "table": table, "pointer": &list, "grid": [2]int{1, 2}, "none": (*Filter)(nil),
		"link": *link, "exact": *big.NewInt(7), "letters": []letter{1, 2},
	}, tool.ReferToValues())

	check := func(name string, got any, err error, want any) {
		t.Helper()
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %v, %v", name, got, err)
		}
	}
	x1, err := decodeIn(s, `"<<var:yes>>"`, wire.Value.Bool)
	check("bool", x1, err, true)
	x2, err := decodeIn(s, `"<<var:n>>"`, wire.Value.Int8)
	check("int8", x2, err, int8(7))
	x3, err := decodeIn(s, `"<<var:big>>"`, wire.Value.Uint64)
	check("uint64", x3, err, uint64(1)<<63)
	x4, err := decodeIn(s, `"<<var:warm>>"`, wire.Value.Float64)
	check("float64", x4, err, 21.0)
	x5, err := decodeIn(s, `"<<var:text>>"`, wire.Value.Str)
	check("string", x5, err, "a \"b\"\n<é>")
	x6, err := decodeIn(s, `"<<var:order>>"`, func(v wire.Value) string { return v.Enum(search.OrderValues) })
	check("enum", x6, err, "desc")
	x7, err := decodeIn(s, `"<<var:late>>"`, wire.Value.Duration)
	check("duration", x7, err, 90*time.Minute)
	x8, err := decodeIn(s, `"<<var:when>>"`, wire.Value.Time)
	check("time", x8, err, time.Date(2026, 1, 31, 9, 30, 0, 0, time.UTC))
	x9, err := decodeIn(s, `"<<var:huge>>"`, wire.Value.Number)
	check("number", x9, err, json.Number("1180591620717411303424"))
	x10, err := decodeIn(s, `"<<var:address>>"`, wire.FromText[netip.Addr])
	check("text", x10, err, netip.MustParseAddr("::1"))
	x11, err := decodeIn(s, `"<<var:bytes>>"`, wire.Value.Bytes)
	check("bytes", x11, err, []byte{1, 2})
	x12, err := decodeIn(s, `"<<var:number>>"`, wire.Value.Raw)
	check("raw", x12, err, json.RawMessage("1e2"))
	x13, err := decodeIn(s, `{"a":"<<var:n>>","b":["<<<var:n>>"]}`, wire.Value.Raw)
	check("raw with parts", x13, err, json.RawMessage(`{"a":"<<var:n>>","b":["<<<var:n>>"]}`))
	x14, err := decodeIn(s, `"<<var:n>>"`, wire.Value.Any)
	check("any", x14, err, 7)
	x15, err := decodeIn(s, `["<<var:filter>>",{"k":"<<var:half>>"}]`, wire.Value.Any)
	check("any with parts", x15, err, []any{filter, map[string]any{"k": 0.5}})
	x16, err := decodeIn(s, `["<<var:n>>",8]`, func(v wire.Value) []int { return wire.Slice(v, wire.Value.Int) })
	check("elements", x16, err, []int{7, 8})
	x17, err := decodeIn(s, `"<<var:value>>"`, wire.ReaderOf(search.DecodeFilter))
	check("struct", x17, err, *filter)
	x18, err := decodeIn(s, `{"field":"<<var:text>>","value":"v"}`, wire.ReaderOf(search.DecodeFilter))
	check("field", x18, err, Filter{Field: "a \"b\"\n<é>", Value: "v"})
	x19, err := decodeIn(s, `"<<var:n>>"`, func(v wire.Value) *int { return wire.Ptr(v, wire.Value.Int) })
	check("pointer to a copy", *x19, err, 7)
	x20, err := decodeIn(s, `"<<var:value>>"`, func(v wire.Value) *Filter { return wire.PtrInto(v, search.DecodeFilter) })
	check("pointer to a struct", x20, err, filter)
	x21, err := decodeIn(s, `"<<var:named>>"`, func(v wire.Value) []string { return wire.Slice(v, wire.Value.Str) })
	check("named slice", x21, err, list)
	x22, err := decodeIn(s, `["<<var:n>>","<<var:n>>"]`, func(v wire.Value) (x [2]int) { wire.Array(v, x[:], wire.Value.Int); return x })
	check("elements of an array", x22, err, [2]int{7, 7})
	x23, err := decodeIn(s, `"<<var:grid>>"`, func(v wire.Value) (x [2]int) { wire.ReadReference(v, &x); return x })
	check("array", x23, err, [2]int{1, 2})

	x24, err := decodeIn(s, `"<<var:link>>"`, func(v wire.Value) url.URL { return wire.URL(v, url.Parse) })
	check("parsed", x24, err, *link)
	x25, err := decodeIn(s, `"<<var:exact>>"`, wire.BigInt[big.Int])
	check("big integer", x25.String(), err, "7")
	x26, err := decodeIn(s, `"<<var:letters>>"`, wire.Bytes[letter])
	check("bytes with a name", x26, err, []letter{1, 2})
	x27, err := decodeIn(s, `"<<var:filter>>"`, wire.JSON[*Filter])
	check("JSON", x27, err, filter)
	x28, err := decodeIn(s, `"<<var:n>>"`, wire.JSON[float64])
	check("JSON of a number", x28, err, 7.0)
	x29, err := decodeIn(s, `["<<var:n>>","<<var:filter>>","<<<var:filter>>"]`, func(v wire.Value) any { return v.Unique().Any() })
	check("unique", x29, err, []any{7, filter, "<<var:filter>>"})

	// Identity is kept.
	p, err := decodeIn(s, `"<<var:filter>>"`, func(v wire.Value) *Filter { return wire.PtrInto(v, search.DecodeFilter) })
	if err != nil || p != filter {
		t.Errorf("pointer: %p, %v, want %p", p, err, filter)
	}
	l, err := decodeIn(s, `"<<var:list>>"`, func(v wire.Value) []string { return wire.Slice(v, wire.Value.Str) })
	if err != nil || &l[0] != &list[0] {
		t.Errorf("slice: %v, %v", l, err)
	}
	m, err := decodeIn(s, `"<<var:table>>"`, func(v wire.Value) map[string]int { return wire.Map[string](v, wire.Value.Int) })
	if m["b"] = 2; err != nil || table["b"] != 2 {
		t.Errorf("map: %v, %v", m, err)
	}
	if none, err := decodeIn(s, `"<<var:none>>"`, func(v wire.Value) *Filter { return wire.PtrInto(v, search.DecodeFilter) }); err != nil || none != nil {
		t.Errorf("nil pointer: %v, %v", none, err)
	}
}

// TestReferToValuesFaults checks that a reference to an unsuitable value is one fault, and that its
// text is never used as the value.
func TestReferToValuesFaults(t *testing.T) {
	s := scopeWith(t, map[string]any{"n": 7, "filter": &Filter{}, "list": []string{"a"}}, tool.ReferToValues())
	const gone, filter = "found a reference to a variable gone, which does not exist", "found a reference to the variable filter"
	for name, tt := range map[string]struct {
		name string
		read func(wire.Value) any
		want string
	}{
		"string, gone":     {"gone", func(v wire.Value) any { return v.Str() }, "expected a string, " + gone},
		"string, a struct": {"filter", func(v wire.Value) any { return v.Str() }, "expected a string, " + filter},
		"string, a number": {"n", func(v wire.Value) any { return v.Str() }, "expected a string, found the number 7"},
		"bool":             {"gone", func(v wire.Value) any { return v.Bool() }, "expected a boolean (true or false), " + gone},
		"int":              {"filter", func(v wire.Value) any { return v.Int() }, "expected an integer, " + filter},
		"bounded":          {"filter", func(v wire.Value) any { return v.MinChars(3).Max(1).MinFloat(3).Int() }, "expected an integer, " + filter},
		"int out of bound": {"n", func(v wire.Value) any { return v.Max(5).Int() }, "expected an integer of at most 5, found the number 7"},
		"float":            {"gone", func(v wire.Value) any { return v.Float64() }, "expected a number, " + gone},
		"enum":             {"gone", func(v wire.Value) any { return v.Enum(search.OrderValues) }, `expected one of "asc", "desc", "relevance" (strings), ` + gone},
		"enum of integers": {"gone", func(v wire.Value) any { return v.IntEnum([]int64{1, 2}) }, "expected one of 1, 2 (integers), " + gone},
		"time":             {"gone", func(v wire.Value) any { return v.Time() }, "expected a string with a date and time, " + gone},
		"bytes":            {"list", func(v wire.Value) any { return v.Bytes() }, "expected a reference to a matching variable, but there is none, found a reference to the variable list"},
		"raw":              {"filter", func(v wire.Value) any { return v.Raw() }, "expected a JSON value, " + filter},
		"any":              {"gone", wire.Value.Any, "expected one of the references <<var:filter>>, <<var:list>> or <<var:n>>, " + gone},
		"list":             {"filter", func(v wire.Value) any { return wire.Slice(v, wire.Value.Str) }, "expected one of the references <<var:list>>, " + filter},
		"list of numbers":  {"n", func(v wire.Value) any { return wire.Slice(v, wire.Value.Str) }, "expected an array, found the number 7"},
		"map": {"list", func(v wire.Value) any { return wire.IntMap[int](v, wire.Value.Str) },
			"expected a reference to a matching variable, but there is none, found a reference to the variable list"},
		"pointer":           {"gone", func(v wire.Value) any { return wire.PtrInto(v, search.DecodeFilter) }, "expected one of the references <<var:filter>>, " + gone},
		"object":            {"filter", func(v wire.Value) any { return v.Object() }, "expected an object, " + filter},
		"JSON into a field": {"filter", func(v wire.Value) any { v.Decode(new(int)); return nil }, "expected a JSON value, " + filter},
		"unique": {"list", func(v wire.Value) any { return wire.Slice(v.Unique(), wire.Value.Int) },
			"expected a reference to a matching variable, but there is none, found a reference to the variable list"},
		"text": {"gone", func(v wire.Value) any { return wire.FromText[netip.Addr](v) }, "expected a reference to a matching variable, but there is none, " + gone},
	} {
		if _, err := decodeIn(s, `"<<var:`+tt.name+`>>"`, tt.read); faults(t, err) != "arguments: "+tt.want {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// TestReferToValuesLimit checks that short arguments cannot become large by references.
func TestReferToValuesLimit(t *testing.T) {
	s := scopeWith(t, map[string]any{"x": strings.Repeat("x", 1000)}, tool.ReferToValues())
	ctx := tool.WithScope(t.Context(), s)
	r := tool.NewRegistry(tool.MaxOutput(5100))
	r.Replace(tool.NewTypedAction(&tool.Definition{Name: "t"}, wire.Value.Any, func(context.Context, any) error { return nil }).Tool)
	list := func(n int) json.RawMessage {
		return json.RawMessage("[" + strings.Repeat(`"<<var:x>>",`, n-1) + `"<<var:x>>"]`)
	}
	if c := r.Call(ctx, tool.Request{Name: "t", Arguments: list(5)}); c.Err != nil {
		t.Error(c.Err)
	}
	c := r.Call(ctx, tool.Request{Name: "t", Arguments: list(6)})
	if got := faults(t, c.Err); got != "arguments: expected references to variables of at most 5100 bytes, found more" {
		t.Error(got)
	}
}

// oddText is a text that JSON refuses, and that finally panics.
type oddText int

func (oddText) MarshalJSON() ([]byte, error) { panic("boom") }

// TestReferToOdd refers to scalars with their own JSON methods.
func TestReferToOdd(t *testing.T) {
	vars := map[string]any{
		"odd": oddText(0), "text": text(""), "time": (*time.Time)(nil), "integer": (*big.Int)(nil), "address": (*netip.Addr)(nil),
	}
	s := scopeWith(t, vars, tool.ReferToValues())
	for name, want := range vars {
		if got, err := decodeIn(s, `"<<var:`+name+`>>"`, wire.Value.Any); err != nil || got != want {
			t.Errorf("%s: %v, %v", name, got, err)
		}
		if _, err := decodeIn(s, `"<<var:`+name+`>>"`, wire.Value.Int); faults(t, err) != "arguments: expected an integer, found a reference to the variable "+name {
			t.Errorf("%s: %v", name, err)
		}
	}
}

type text string

func (text) MarshalText() ([]byte, error) { return nil, errors.New("no text") }

// source is a value that JSON cannot represent.
type source struct {
	Secret string
	says   string
}

func (s *source) Read([]byte) (int, error) { return 0, io.EOF }
func (s *source) Describe() string         { return s.says }

// openTool returns a tool whose result is passed by reference.
func openTool(says string) *tool.TypedTool[struct{}, io.Reader] {
	t := sourceTool(says)
	t.Tool = t.Tool.StoreResult("reader")
	return t
}

// sourceTool is openTool without a name for its result.
func sourceTool(says string) *tool.TypedTool[struct{}, io.Reader] {
	return tool.NewTypedTool(&tool.Definition{Name: "open"}, wire.NoArguments,
		func(context.Context, struct{}) (io.Reader, error) { return &source{"secret", says}, nil }, wire.EncodeRef)
}

// TestEncodeRef stores results in the scope.
func TestEncodeRef(t *testing.T) {
	s := tool.NewScope()
	ctx := tool.WithScope(t.Context(), s)
	r := tool.NewRegistry()
	for _, tt := range []struct{ says, want string }{
		{"", `{"ref":"<<var:reader_1>>","type":"io.Reader"}`},
		{"the \"log\"", `{"ref":"<<var:reader_2>>","type":"io.Reader","description":"the \"log\""}`},
		{"a\xffb", `{"ref":"<<var:reader_3>>","type":"io.Reader","description":"a` + "\ufffd" + `b"}`},
		{strings.Repeat("é", 300), `{"ref":"<<var:reader_4>>","type":"io.Reader","description":"` + strings.Repeat("é", 300) + `"}`},
		{strings.Repeat("é", 1000), `{"ref":"<<var:reader_5>>","type":"io.Reader","description":"` + strings.Repeat("é", 300) + `"}`},
	} {
		r.Replace(openTool(tt.says).Tool)
		if c := r.Call(ctx, tool.Request{Name: "open"}); string(c.Output) != tt.want {
			t.Errorf("%.20s: got %s, %v", tt.says, c.Output, c.Err)
		}
	}
	if got, err := tool.ScopeValue[io.Reader](s, "reader_2"); err != nil || got.(*source).says != `the "log"` {
		t.Errorf("got %v, %v", got, err)
	}

}

// TestEncodeRefTypes checks that nil becomes null, and that other values have the declared type of the
// function. A tool without a name for its results uses plain names.
func TestEncodeRefTypes(t *testing.T) {
	ctx := tool.WithScope(t.Context(), tool.NewScope())
	var none *source
	for _, tt := range []struct {
		write func(e *wire.Encoder, lead string)
		want  string
	}{
		{func(e *wire.Encoder, lead string) { wire.EncodeRef[io.Reader](e, lead, nil) }, "null"},
		{func(e *wire.Encoder, lead string) { wire.EncodeRef[io.Reader](e, lead, none) }, "null"},
		{func(e *wire.Encoder, lead string) { wire.EncodeRef[chan int](e, lead, nil) }, "null"},
		{func(e *wire.Encoder, lead string) { wire.EncodeRef[func()](e, lead, nil) }, "null"},
		{func(e *wire.Encoder, lead string) { wire.EncodeRef(e, lead, source{"secret", "x"}) },
			`{"ref":"<<var:value_1>>","type":"tool_test.source"}`},
		{func(e *wire.Encoder, lead string) { wire.EncodeRef(e, lead, make(chan int)) }, `{"ref":"<<var:value_2>>","type":"chan int"}`},
		{func(e *wire.Encoder, lead string) { wire.EncodeRef(e, lead, struct{ f func() }{}) },
			`{"ref":"<<var:value_3>>","type":"struct { f func() }"}`},
		{func(e *wire.Encoder, lead string) { wire.EncodeRef(e, lead, []io.Reader{}) }, `{"ref":"<<var:value_4>>","type":"[]io.Reader"}`},
		{func(e *wire.Encoder, lead string) {
			if e.Open(lead) {
				wire.EncodeRef(e, `,"in":`, &source{})
				wire.EncodeRef(e, `,"out":`, func() {})
				e.Close()
			}
		}, `{"in":{"ref":"<<var:value_5>>","type":"*tool_test.source"},"out":{"ref":"<<var:value_5.2>>","type":"func()"}}`},
	} {
		if got := encodeIn(ctx, tt.write); got != tt.want {
			t.Errorf("got %s, want %s", got, tt.want)
		}
	}
}

// TestEncodeRefFaults checks that a result that cannot be stored is an error with the reason.
func TestEncodeRefFaults(t *testing.T) {
	full := tool.NewScope()
	for i := range 1000 {
		if err := full.Set(fmt.Sprint("v", i), i); err != nil {
			t.Fatal(err)
		}
	}
	ran := 0
	count := func(context.Context, *struct{}) error { ran++; return nil }
	open := openTool("").Before(count)
	r := tool.NewRegistry()
	r.Replace(tool.NewTypedAction(&tool.Definition{Name: "needs"}, wire.Ref[io.Reader], func(context.Context, io.Reader) error { ran++; return nil }).Tool.RequireVariables(wire.Fits[io.Reader]))
	closed := tool.NewScope()
	if err := closed.Close(); err != nil {
		t.Fatal(err)
	}
	part := sourceTool("").Before(count).Tool.StoreResultParts("reader")
	for _, tt := range []struct {
		name, want string
		whole      bool
		ctx        context.Context
	}{
		{"open", "there is no scope to keep the result in: add one to the context with tool.WithScope", true, t.Context()},
		{"open", "the scope already has 1000 variables", true, tool.WithScope(t.Context(), full)},
		{"open", "the scope is closed", true, tool.WithScope(t.Context(), closed)},
		{"open", "the scope already has 1000 variables", false, tool.WithScope(t.Context(), full)},
		{"needs", "there is no scope: add one to the context with tool.WithScope", true, t.Context()},
	} {
		if r.Replace(open.Tool); !tt.whole {
			r.Replace(part)
		}
		c := r.Call(tt.ctx, tool.Request{Name: tt.name})
		var s *tool.ScopeError
		if !errors.As(c.Err, &s) || c.Err.Error() != tt.want || c.Status != tool.StatusFailed {
			t.Errorf("%s: got %v", tt.name, c.Err)
		}
		if m, err := r.Match(tool.Request{Name: tt.name}); err != nil || m.Check(tt.ctx) == nil {
			t.Errorf("%s: Check found nothing", tt.name)
		}
	}
	if ran > 0 {
		t.Errorf("functions ran %d times", ran)
	}
	// A part of a result that cannot be stored is left out.
	r.Replace(part)
	if c := r.Call(t.Context(), tool.Request{Name: "open"}); c.Err != nil || string(c.Output) != "null" || ran != 1 {
		t.Errorf("got %s, %v", c.Output, c.Err)
	}
}

// encodeIn encodes a result in a context, and returns it or the error.
func encodeIn(ctx context.Context, write func(e *wire.Encoder, lead string)) string {
	r := tool.NewRegistry()
	r.Replace(tool.NewTypedTool(&tool.Definition{Name: "t"}, wire.NoArguments,
		func(context.Context, struct{}) (none struct{}, err error) { return none, nil },
		func(e *wire.Encoder, lead string, _ struct{}) { write(e, lead) }).Tool)
	c := r.Call(ctx, tool.Request{Name: "t"})
	if c.Err != nil {
		return c.Err.Error()
	}
	return string(c.Output)
}
