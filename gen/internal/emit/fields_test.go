package emit_test

import (
	"bytes"
	"encoding/json"
	"math/big"
	"net/netip"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/testdata/golden/fields"
)

// TestFields calls tools that return their arguments with the JSON that encoding/json writes
// for a struct. They must read it and write the same JSON.
func TestFields(t *testing.T) {
	r := tool.NewRegistry()
	if err := fields.Register(r); err != nil {
		t.Fatal(err)
	}
	one, at := 1, time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	quoted := fields.Quoted{
		Bool: true, Int: -1 << 63, Uint: 255, Float: 1e-7, String: "a \"<b>\"\n\u2028é", Pointer: &one, Left: &one, Zero: 7,
		Level: fields.High, Number: "1e2", List: []int{1}, Time: at, Port: 80,
	}
	deep := &fields.Deep{Depth: 2, Name: "deep", Tags: []string{"t"}}
	for _, tt := range []struct {
		name  string
		value any
	}{
		{"quoted", quoted},
		{"quoted", fields.Quoted{Level: fields.Low, Number: "0", List: []int{}}},
		{"embedding", fields.Embedding{Other: "o"}},
		{"embedding", fields.Embedding{Base: &fields.Base{ID: 1}, Node: fields.Node{Value: 3}, Base64: []byte("x")}},
		{"embedding", fields.Embedding{Base: &fields.Base{ID: 1, Name: "base", Deep: deep}}},
		{"maps", fields.Maps{
			Addrs: map[netip.Addr]int{netip.MustParseAddr("::1"): 1, netip.MustParseAddr("10.0.0.1"): 2, {}: 3},
			Times: map[time.Time]bool{at: true}, Levels: map[fields.Level]string{-5: "a", 12: "b", 3: "c"},
			Words: map[fields.Word]int{"A": 1, "B": 2}, Waits: map[time.Duration]int{time.Second: 1},
			Colors: map[fields.Color]float64{fields.Red: 1.5}, Deep: map[string]map[int8]any{"x": {-1: "y"}, "": {}},
		}},
	} {
		want := marshal(t, tt.value)
		call := r.Call(t.Context(), tool.Request{Name: tt.name, Arguments: want})
		if call.Err != nil {
			t.Errorf("%s(%s): %v", tt.name, want, call.Err)
		} else if diff := cmp.Diff(string(want), string(call.Output)); diff != "" {
			t.Errorf("%s: encoding/json writes -, the tool +\n%s", tt.name, diff)
		}
	}
}

func marshal(t *testing.T, value any) []byte {
	t.Helper()
	var b bytes.Buffer
	j := json.NewEncoder(&b)
	j.SetEscapeHTML(false)
	if err := j.Encode(value); err != nil {
		t.Fatal(err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// TestOmittedFields checks that results omit the same fields as encoding/json with omitzero,
// without calling methods on nil.
func TestOmittedFields(t *testing.T) {
	r := tool.NewRegistry()
	if err := fields.Register(r); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ names, want string }{
		{`[]`, `{}`},
		{`["nil"]`, `{}`},
		{`["zero"]`, `{"twice":{"length":1}}`},
		{`["full"]`, `{"handle":{"ref":"<<var:handle_1>>","type":"*fields.Handle"},"vague":{"ref":"<<var:handle_1.2>>","type":"fields.Vague"},` +
			`"span":{"length":2},"once":{"length":2},"twice":{"length":2},"any":0,"spans":[],"error":"error",` +
			`"queue":{"ref":"<<var:handle_1.3>>","type":"chan int"},"hook":{"ref":"<<var:handle_1.4>>","type":"func()"}}`},
	} {
		ctx := tool.WithScope(t.Context(), tool.NewScope())
		call := r.Call(ctx, tool.Request{Name: "vanish", Arguments: []byte(`{"names":` + tt.names + `}`)})
		if call.Err != nil {
			t.Errorf("%s: %v", tt.names, call.Err)
		} else if diff := cmp.Diff(tt.want, string(call.Output)); diff != "" {
			t.Errorf("%s: %s", tt.names, diff)
		}
	}
}

// TestJSONForms calls tools with types whose JSON form differs from their structure in one or
// both directions.
func TestJSONForms(t *testing.T) {
	r := tool.NewRegistry()
	if err := fields.Register(r); err != nil {
		t.Fatal(err)
	}
	huge := new(big.Int).Exp(big.NewInt(10), big.NewInt(40), nil).String()
	const forms = `{"stamp":"2026-01-02T03:04:05Z","celsius":20,"secret":"abc","word":"word","big":-5.0,"huge":1e40,"ratio":"1/2","bits":"_w","four":[1,2,3,255],` +
		`"ip":"10.0.0.1","addr":"fe80::1%eth0","port":"[::1]:80","net":"10.0.0.0/8","links":["/x"],"anonymous":"2026-01-02T03:04:05Z"}`
	for _, tt := range []struct{ name, arguments, want string }{
		{"forms", forms,
			`{"stamp":"2026-01-02T03:04:05Z","celsius":{"celsius":20},"secret":"***","word":"WORD","big":-5,"huge":` + huge + `,"ratio":"1/2","bits":"/w==","four":[1,2,3,255],` +
				`"ip":"10.0.0.1","addr":"fe80::1%eth0","port":"[::1]:80","net":"10.0.0.0/8","links":["/x"],"anonymous":"2026-01-02T03:04:05Z"}`},
		{"halve", `{"celsius":3,"secret":"ab"}`, `{"return_1":{"celsius":1.5},"return_2":"*"}`},
		{"box", `{"depth":1,"mode":"m","size":{"Width":1,"Height":2}}`, `{"depth":1,"mode":"m","size":{"Width":1,"Height":2}}`},
		{"box", `{"depth":1,"mode":"m","size":{},"inner":{"Width":3},"modes":["a"],"empty":"e"}`,
			`{"depth":1,"mode":"m","size":{"Width":0,"Height":0},"inner":{"Width":3,"Height":0},"modes":["a"],"empty":"e"}`},
		{"days", `{"of":[{"day":"2026-01-02","since":"2026-01-02T03:04:05+01:00","keys":{"2026-01-02T00:00:00Z":"2026-01-02T03:04:05Z"}}]}`,
			`{"day":"2026-01-02","since":"2026-01-02T02:04:05Z","keys":{"2026-01-02T00:00:00Z":"2026-01-02T03:04:05Z"}}`},
		{"warmest", `{"now":1,"all":[2],"named":{"a":3},"where":{"X":1,"Y":2},"raw":4,"then":5}`, `{"sum":15,"where":{"X":1,"Y":2}}`},
	} {
		call := r.Call(t.Context(), tool.Request{Name: tt.name, Arguments: []byte(tt.arguments)})
		if call.Err != nil {
			t.Errorf("%s(%s): %v", tt.name, tt.arguments, call.Err)
		} else if diff := cmp.Diff(tt.want, string(call.Output)); diff != "" {
			t.Errorf("%s: the output is not as wanted\n%s", tt.name, diff)
		}
	}
	for _, tt := range []struct{ name, arguments, want string }{
		{"quoted", `{"bool":true,"int":"5.0","uint":"256","float":"x","string":"x","level":"3","number":" 1","list":[],"time":"2026-01-02T03:04:05Z","port":""}`,
			`/bool: expected one of "true", "false" (strings), found the boolean true; /int: expected an integer in a string, found the string "5.0"; ` +
				`/uint: expected an integer of at most 255 in a string, found the string "256"; /float: expected a number in a string, found the string "x"; ` +
				`/string: expected a string in a string, found the string "x"; /level: expected one of "1", "2" (strings), found the string "3"; ` +
				`/number: expected a number in a string, found the string " 1"; /port: expected an integer in a string, found the string ""`},
		{"embedding", `{"tags":1,"nam":"n","node":{},"Other":""}`,
			`/tags: expected an array, found the number 1; /nam: expected the key Name or name, found the key "nam"; /node/value: expected a value, found nothing`},
		{"maps", `{"addrs":{"x":1},"times":{"now":true},"levels":{"high":""},"words":{"a":1,"A":2},"waits":{},"colors":{"blue":1,"red":"x"},"deep":{}}`,
			`/addrs/x: expected another key (an IP address), found the key "x"; /times/now: expected another key (parsing time "now" as "2006-01-02T15:04:05Z07:00": cannot parse "now" as "2006"), found the key "now"; /levels/high: expected an integer in the range of the keys, found the key "high"; ` +
				`/words/A: expected each key once, found the key "A" again; /colors/red: expected a number, found the string "x"`},
		{"box", `{"depth":1,"mode":1,"size":{"Wide":1}}`,
			`/mode: expected a string, found the number 1; ` +
				`/size: expected no key "Wide", found an object`},
		{"warmest", `{"now":-1,"all":["x",-1],"named":{"a":1.5},"where":{"X":1},"raw":true}`,
			`/now: expected a number of at least 0, found the number -1; /all/0: expected a number, found the string "x"; /all/1: expected another value (nothing is as cold), found the number -1; ` +
				`/named/a: expected an integer, found the number 1.5; /where/Y: expected a value, found nothing; /raw: expected a number, found the boolean true`},
	} {
		call := r.Call(t.Context(), tool.Request{Name: tt.name, Arguments: []byte(tt.arguments)})
		want := tt.name + ": wrong arguments: " + tt.want
		if call.Err == nil || call.Err.Error() != want {
			t.Errorf("got  %v\nwant %s", call.Err, want)
		}
	}
}
