package wire_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/wire"
)

// checkPoint checks an object as generated code does for a message of Protocol Buffers.
func checkPoint(v wire.Value) {
	o := v.Object()
	wire.CheckInt(o.GetAs("posX", "pos_x"), 64)
	o.Default("20", "size", "").Max(100).Int32()
	o.Default(`"low"`, "lineColor", "line_color").Str()
	o.Opt("left").Bool()
	o.OptAs("farRight", "far_right").Bool()
	wire.Slice(o.Opt("parts"), wire.CheckerOf(checkPoint))
	wire.CheckFloat(o.Opt("ratio"), 32)
	wire.CheckUint(o.Opt("count"), 32)
	wire.CheckEnum(o.Opt("state"), []string{"ON", "OFF"})
	o.AtMostOne("left", "farRight", "far_right")
	o.Done()
}

// TestUnmarshal checks which text a codec receives, and the faults otherwise.
func TestUnmarshal(t *testing.T) {
	for _, x := range []struct{ arguments, text, fault string }{
		{arguments: `{"posX": 1, "size": 3, "lineColor": "red"}`, text: `{"posX": 1, "size": 3, "lineColor": "red"}`},
		{arguments: `{"pos_x":"-5","size":1,"line_color":"x"}`, text: `{"pos_x":"-5","size":1,"line_color":"x"}`},
		{arguments: `{"posX":1}`, text: `{"posX":1,"size":20,"lineColor":"low"}`},
		{arguments: `{"posX":1,"size":null,"line_color":null}`, text: `{"posX":1,"size":20,"lineColor":"low"}`},
		{
			arguments: `{"posX":1,"size":2,"lineColor":"x","parts":[{"posX":"2","size":1},{"posX":3,"lineColor":""}]}`,
			text:      `{"posX":1,"size":2,"lineColor":"x","parts":[{"posX":"2","size":1,"lineColor":"low"},{"posX":3,"lineColor":"","size":20}]}`,
		},
		{arguments: `{"posX":1,"left":null,"far_right":true,"ratio":"NaN","count":"7","state":"ON"}`, text: `{"posX":1,"left":null,"far_right":true,"ratio":"NaN","count":"7","state":"ON","size":20,"lineColor":"low"}`},
		{arguments: `{"posX":1,"state":-7,"ratio":"1e3"}`, text: `{"posX":1,"state":-7,"ratio":"1e3","size":20,"lineColor":"low"}`},
		{arguments: `{}`, fault: `/posX: expected a value, found nothing`},
		{arguments: `{"pos_x":1,"posX":2}`, fault: `/pos_x: expected the key posX, found the key "pos_x"`},
		{arguments: `{"posX":1,"left":true,"farRight":false}`, fault: `/farRight: expected at most one of left, farRight and far_right, found the key "farRight"`},
		{arguments: `{"posX":1,"size":"101"}`, fault: `/size: expected an integer, found the string "101"`},
		{arguments: `{"posX":1,"ratio":"1e99"}`, fault: `/ratio: expected `},
		{arguments: `{"posX":1,"ratio":"nan"}`, fault: `/ratio: expected `},
		{arguments: `{"posX":1,"count":-1}`, fault: `/count: expected `},
		{arguments: `{"posX":1,"state":"on"}`, fault: `/state: expected one of`},
		{arguments: `{"posX":1,"state":2147483648}`, fault: `/state: expected an integer`},
		{arguments: `{"posX":13}`, fault: `arguments: expected another value (13 brings bad luck), found an object`},
	} {
		var got string
		faults := readText(t, x.arguments, func(v wire.Value) {
			wire.Unmarshal(v, checkPoint, func(text []byte) error {
				if strings.Contains(string(text), "13") {
					return errors.New("proto:\u00a0(line 1:1): 13 brings bad luck")
				}
				got = string(text)
				return nil
			})
		})
		if got != x.text || x.fault == "" && len(faults) > 0 || x.fault != "" && (len(faults) != 1 || !strings.HasPrefix(faults[0].String(), x.fault)) {
			t.Errorf("%s: the codec received %s, the faults are %v\nwant %s, %s", x.arguments, got, faults, x.text, x.fault)
		}
	}
}

// TestUnmarshalPosition checks which value the position in an error of package protojson refers to.
func TestUnmarshalPosition(t *testing.T) {
	const text = "{\"a\": [1,\n {\"ä\": \"日本\", \"key\" : 13}],\n\"b\":{\"c\":{}}}"
	for _, x := range []struct{ message, want string }{
		{"proto:\u00a0(line 1:8): bad", "/p/a/0: expected another value (bad), found the number 1"},
		{"proto: (line 1:7): bad", "/p/a: expected another value (bad), found an array"},
		{"proto: (line 1:2): unknown field", "/p/a: expected another key (unknown field), found the key \"a\""},
		{"proto: (line 2:2): bad", "/p/a/1: expected another value (bad), found an object"},
		{"proto: (line 2:3): bad", `/p/a/1/ä: expected another key (bad), found the key "ä"`},
		{"proto: (line 2:9): bad", `/p/a/1/ä: expected another value (bad), found the string "日本"`},
		{"proto: (line 2:20): bad", "/p/a/1/key: expected another value (bad), found the number 13"},
		{"proto: (line 2:22): bad", "/p/a/1/key: expected another value (bad), found the number 13"},
		{"proto: (line 2:25): bad", "/p/a: expected another value (bad), found an array"},
		{"proto: (line 3:10): bad", "/p/b/c: expected another value (bad), found an object"},
		{"proto: (line 1:1): bad", "/p: expected another value (bad), found an object"},
		{"proto: (line 9:1): bad", "/p: expected another value (bad), found an object"},
		{"proto: (line 3:99): bad", "/p: expected another value (bad), found an object"},
		{"proto: (line 3:0): bad", "/p: expected another value (bad), found an object"},
		{"proto: (line 0:3): bad", "/p/a: expected another key (bad), found the key \"a\""},
		{"proto: (line 99999999999999999999:3): bad", "/p: expected another value ((line 99999999999999999999:3): bad), found an object"},
		{"proto: no position", "/p: expected another value (no position), found an object"},
		{"(line 1:8): bad", "/p: expected another value ((line 1:8): bad), found an object"},
	} {
		faults := readText(t, `{"p":`+text+`}`, func(v wire.Value) {
			o := v.Object()
			wire.Unmarshal(o.Get("p"), nil, func([]byte) error { return errors.New(x.message) })
		})
		if len(faults) != 1 || faults[0].String() != x.want {
			t.Errorf("%q: got %v, want %s", x.message, faults, x.want)
		}
	}
	inserted := readText(t, `{"posX": 1, "parts": [{"posX": 2}]}`, func(v wire.Value) {
		wire.Unmarshal(v, checkPoint, func(text []byte) error {
			return fmt.Errorf("proto: (line 1:%d): bad", strings.Index(string(text), "20")+1)
		})
	})
	if len(inserted) != 1 || inserted[0].String() != "/parts/0/size: expected another value (bad), found the number 20" {
		t.Errorf("got %v, want a fault at the default", inserted)
	}
}

// readText reads arguments without a scope.
func readText(t *testing.T, arguments string, with func(wire.Value)) []wire.Fault {
	t.Helper()
	var d wire.Decoder
	with(d.Read([]byte(arguments), &wire.Limits{Arguments: 1 << 20, Depth: 100, Output: 1 << 20}, nil, false))
	faults, _, _ := d.Done()
	return faults
}

// TestUnmarshalVariables checks that a codec receives what references stand for.
func TestUnmarshalVariables(t *testing.T) {
	var d wire.Decoder
	root := d.Read([]byte(`{"posX":"<<var:n>>","size":1,"lineColor":"<<<var:n>>"}`), &wire.Limits{Arguments: 1 << 20, Depth: 100, Output: 1 << 20}, numbers{"n": 7}, true)
	var got string
	wire.Unmarshal(root, checkPoint, func(text []byte) error {
		got = string(text)
		return nil
	})
	if faults, _, referred := d.Done(); len(faults) > 0 || !referred || got != `{"posX":7,"size":1,"lineColor":"<<var:n>>"}` {
		t.Errorf("the codec received %s, the faults are %v", got, faults)
	}
}

// numbers are variables.
type numbers map[string]int

func (n numbers) LookupVariable(name string) (any, bool)                       { x, ok := n[name]; return x, ok }
func (n numbers) MatchingNames(func(any) bool) []string                        { return nil }
func (n numbers) StoreResult(any, reflect.Type) (name, text string, err error) { return "", "", nil }

func TestMarshal(t *testing.T) {
	selected := wire.Selection{
		{{Name: "items", Object: 1}, {Name: "next", Object: wire.Whole}},
		{{Name: "name", Object: wire.Whole}, {Name: "boxes", Object: 2}, {Name: "items", Object: 1}},
		{{Name: "", Object: 3}},
		{{Name: "width", Object: wire.Whole}},
	}
	for _, x := range []struct {
		text     string
		selected wire.Selection
		want     string
	}{
		{` {"a": [1, "x y"]}`, nil, `{"a":[1,"x y"]}`},
		{`{"next": {"a": 1}, "other": 2, "items": [{"id":1,"name":"<x>"}, {"boxes":{"a":{"width":1,"height":2},"b":{}}}, null, 5]}`, selected, `{"next":{"a":1},"items":[{"name":"<x>"},{"boxes":{"a":{"width":1},"b":{}}},null,5]}`},
		{`{"items":[{"items":[{"id":1,"name":"deep"}]}]}`, selected, `{"items":[{"items":[{"name":"deep"}]}]}`},
		{`{"\u006eext":1}`, selected, `{"\u006eext":1}`},
		{`[]`, selected, `[]`},
		{`null`, selected, `null`},
	} {
		var e wire.Encoder
		e.Start(1<<20, nil)
		wire.Marshal(&e, "", x.selected, func() ([]byte, error) { return []byte(x.text), nil })
		if got, _, err := e.Done(); err != nil || string(got) != x.want || !json.Valid(got) {
			t.Errorf("%s is written as %s, %v, want %s", x.text, got, err, x.want)
		}
	}
	failure := errors.New("out of range")
	for _, marshal := range []func() ([]byte, error){
		func() ([]byte, error) { return nil, failure },
		func() ([]byte, error) { return []byte(`{"a":`), nil },
		func() ([]byte, error) { return []byte(strings.Repeat("[", 2000) + strings.Repeat("]", 2000)), nil },
	} {
		for _, s := range []wire.Selection{nil, selected} {
			var e wire.Encoder
			e.Start(1<<20, nil)
			e.Open("")
			wire.Marshal(&e, `,"field":`, s, marshal)
			if _, pointer, err := e.Done(); err == nil || pointer != "/field" {
				t.Errorf("the error at %s is %v", pointer, err)
			}
		}
	}
}
