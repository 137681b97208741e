package emit_test

import (
	"errors"
	"log/slog"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/aiongen/aiongen/runtime/middleware"
	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/testdata/golden/annotations"
	"github.com/aiongen/aiongen/testdata/golden/functions"
	"github.com/aiongen/aiongen/testdata/golden/imports"
	errlog "github.com/aiongen/aiongen/testdata/golden/imports/err"
	"github.com/aiongen/aiongen/testdata/golden/literals"
	"github.com/aiongen/aiongen/testdata/golden/notes"
	"github.com/aiongen/aiongen/testdata/golden/references"
	"github.com/aiongen/aiongen/testdata/golden/texts"
	"github.com/aiongen/aiongen/testdata/golden/types"
)

const record = `{
	"id": 7, "note": "n", "title": "t", "maybe": 3, "at": "2026-01-02T03:04:05+01:00",
	"wait": "PT1H30M", "raw": {"a" : [1]}, "number": 1e2, "anything": {"big": 12345678901234567890},
	"blob": "aGk=", "grid": [[1,2,3],[4,5,6]], "labels": {"b": "2", "a": "<1>"}, "counts": {"-5": 18446744073709551615},
	"inner": {"deep": ["red"]}
}`

// TestGoldenRuns calls the tools that were generated for the golden packages.
func TestGoldenRuns(t *testing.T) {
	r := tool.NewRegistry()
	if err := types.Register(r); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, arguments, want string }{
		{"basics",
			`{"b":true,"i":5.0,"i8":-128,"i16":1,"i32":2,"i64":-9223372036854775808,"u":3,"u8":255,"u16":4,"u32":5,"u64":18446744073709551615,"f32":0.1,"f64":1e300,"s":"ü","r":6}`,
			`{"B":true,"I":5,"I8":-128,"I16":1,"I32":2,"I64":-9223372036854775808,"U":3,"U8":255,"U16":4,"U32":5,"U64":18446744073709551615,"F32":0.1,"F64":1e+300,"S":"ü","R":6}`},
		{"named",
			`{"colors":["green"],"level":-1,"mode":3,"ids":{"a":["b"]},"tags":[]}`,
			`"green"`},
		{"tree",
			`{"root":{"name":"a","children":[{"name":"b","parent":null}],"by_name":{"x":{"name":"c"}}},"depth":1}`,
			`{"name":"a","children":[{"name":"b","parent":null}],"by_name":{"x":{"name":"c","parent":null}},"parent":null}`},
		{"store", record,
			`{"id":7,"note":"n","title":"t","maybe":3,"at":"2026-01-02T03:04:05+01:00","wait":"1h30m0s","raw":{"a":[1]},"number":1e2,"anything":{"big":12345678901234567890},"blob":"aGk=","grid":[[1,2,3],[4,5,6]],"labels":{"a":"<1>","b":"2"},"counts":{"-5":18446744073709551615},"inner":{"deep":["red"]}}`},
	} {
		call := r.Call(t.Context(), tool.Request{Name: tt.name, Arguments: []byte(tt.arguments)})
		if call.Err != nil {
			t.Errorf("%s(%s): %v", tt.name, tt.arguments, call.Err)
		} else if diff := cmp.Diff(tt.want, string(call.Output)); diff != "" {
			t.Errorf("%s: the output is not as wanted\n%s", tt.name, diff)
		}
	}
}

// TestGoldenFaults gives a tool arguments that are wrong in many places.
func TestGoldenFaults(t *testing.T) {
	r := tool.NewRegistry()
	if err := types.Register(r); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, arguments, want string }{
		{"named", `{"colors":["blue",1],"level":2,"mode":256,"ids":{"a":"b"},"tags":null,"more":1}`,
			"/colors/0 /colors/1 /level /mode /ids/a /tags /more"},
		{"tree", `{"root":{"children":[null,{"name":7}],"by_name":[]},"depth":"1"}`,
			"/root/children/0 /root/children/1/name /root/by_name /root/name /depth"},
		{"store", strings.NewReplacer(`"PT1H30M"`, `90`, `[4,5,6]`, `[4,5]`, `"-5"`, `"300"`, `"aGk="`, `"?"`, `+01:00`, ``, `"red"`, `"pink"`).Replace(record),
			"/at /wait /blob /grid/1 /counts/300 /inner/deep/0"},
		{"tree", `{"depth":0}`, "/root"},
		{"store", `[]`, ""},
		{"basics", `{"b":0,"i":1e99,"i8":128,"i16":"","i32":[],"i64":9223372036854775808,"u":-1,"u8":1.5,"u16":true,"u32":4294967296,"u64":18446744073709551616,"f32":1e39,"f64":1e999,"s":1,"r":null}`,
			"/b /i /i8 /i16 /i32 /i64 /u /u8 /u16 /u32 /u64 /f32 /f64 /s /r"},
	} {
		call := r.Call(t.Context(), tool.Request{Name: tt.name, Arguments: []byte(tt.arguments)})
		bad, ok := errors.AsType[*tool.ArgumentError](call.Err)
		if !ok {
			t.Errorf("%s(%s): got %v, want an ArgumentError", tt.name, tt.arguments, call.Err)
			continue
		}
		var pointers []string
		for _, f := range bad.Faults {
			pointers = append(pointers, f.Pointer)
		}
		if diff := cmp.Diff(tt.want, strings.Join(pointers, " ")); diff != "" {
			t.Errorf("%s: the faults are not as wanted\n%s", tt.name, diff)
		}
	}
}

// TestDeps registers tools that are methods of fields of Deps.
func TestDeps(t *testing.T) {
	r := tool.NewRegistry()
	err := functions.Register(r, functions.Deps{Store: &functions.Store{}})
	if err == nil || !strings.Contains(err.Error(), "Deps.Clock is nil") {
		t.Errorf("without a clock, Register says %v", err)
	}
	if names := r.Names(); len(names) != 0 {
		t.Errorf("a failed Register left %v", names)
	}
	clock := functions.FixedClock{}
	if err := functions.Register(r, functions.Deps{Store: &functions.Store{}, Clock: clock}); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, arguments, want string }{
		{"none", "", `null`},
		{"only-error", "{}", `null`},
		{"one_result", `{"n":3}`, `3`},
		{"several", `{"user_id":"u","rest":[1,2.5]}`, `{"total":3.5,"last_user_id":"u"}`},
		{"several", `{"user_id":"u","limit":2}`, `{"total":2,"last_user_id":"u"}`},
		{"unnamed", `{"arg_1":1,"arg_2":"x"}`, `{"return_1":1,"return_2":"x"}`},
		{"handler", `{"when":"2026-01-02T03:04:05Z"}`, `"2026-01-02T03:04:05Z"`},
		{"scan", `{"depth":2}`, `null`},
		{"get_url", `{"from_url":"x"}`, `"x"`},
		{"reference", ``, `"https://example.com/manual?a=1&b=2"`},
		{"find", `{"key":"k"}`, `{"return_1":"k","return_2":true}`},
		{"promoted", `{"key":"k"}`, `"k"`},
		{"now", ``, `"0001-01-01T00:00:00Z"`},
	} {
		call := r.Call(t.Context(), tool.Request{Name: tt.name, Arguments: []byte(tt.arguments)})
		if call.Err != nil || string(call.Output) != tt.want {
			t.Errorf("%s(%s) = %s, %v; want %s", tt.name, tt.arguments, call.Output, call.Err, tt.want)
		}
	}
}

// TestNotes calls tools whose notes have options.
func TestNotes(t *testing.T) {
	r := tool.NewRegistry()
	if err := notes.Register(r); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, arguments, want string }{
		{"search", `{"words":"ä","other":"any"}`, `["ä",10,0.5,"open","any","by date",0,[],false,null]`},
		{"search", `{"words":"0123456789","limit":100,"ratio":1,"status":"closed","other":"","order":"asc","level":3,"tags":["a","b","c"],"loud":true,"labels":{"a":"b"}}`,
			`["0123456789",100,1,"closed","","asc",3,["a","b","c"],true,{"a":"b"}]`},
		{"run", `{"text":"12345"}`, `{"text":"12345","limit":7}`},
		{"walk", `{"text":"123456","limit":1}`, `{"text":"123456","limit":1}`},
		{"pointers", `{}`, `true`},
		{"pointers", `{"limit":3,"name":"b"}`, `false`},
	} {
		call := r.Call(t.Context(), tool.Request{Name: tt.name, Arguments: []byte(tt.arguments)})
		if call.Err != nil || string(call.Output) != tt.want {
			t.Errorf("%s(%s) = %s, %v; want %s", tt.name, tt.arguments, call.Output, call.Err, tt.want)
		}
	}
	for _, tt := range []struct{ name, arguments, want string }{
		{"search", `{"words":"","limit":0,"ratio":-0.1,"status":"none","other":1,"order":"by","level":4,"tags":["a","b","c","d"]}`,
			`wrong arguments: /words: expected at least 1 character, found the string ""; /limit: expected an integer of at least 1, found the number 0; ` +
				`/ratio: expected a number of at least 0, found the number -0.1; /status: expected one of "open", "closed" (strings), found the string "none"; ` +
				`/other: expected a string, found the number 1; /order: expected one of "asc", "by date", "desc" (strings), found the string "by"; ` +
				`/level: expected one of 1, 2, 3 (integers), found the number 4; /tags: expected at most 3 elements, found an array`},
		{"run", `{"text":"123456"}`, `wrong arguments: /text: expected at most 5 characters, found the string "123456"`},
		{"walk", `{"text":"123456"}`, `wrong arguments: /limit: expected a value, found nothing`},
		{"pointers", `{"limit":2,"name":"c"}`, `wrong arguments: /limit: expected an integer of at least 3, found the number 2; /name: expected one of "a", "b" (strings), found the string "c"`},
	} {
		call := r.Call(t.Context(), tool.Request{Name: tt.name, Arguments: []byte(tt.arguments)})
		if call.Err == nil || call.Err.Error() != tt.name+": "+tt.want {
			t.Errorf("%s(%s): %v\nwant %s", tt.name, tt.arguments, call.Err, tt.want)
		}
	}
}

// TestTexts calls tools with types that have a text form, or none at all.
func TestTexts(t *testing.T) {
	r := tool.NewRegistry()
	if err := texts.Register(r); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, arguments, want string }{
		{"copy", `{"name":"Ada Lovelace","names":[],"url":"","counts":[]}`,
			`{"name":"Ada Lovelace","names":[],"url":"","home":null,"text":null,"count":null,"since":null,"counts":[]}`},
		{"copy", `{"name":"Ada Lovelace","names":["A B"],"other":"C D","level":"high","ip":"10.0.0.1","addr":"::1","url":"https://example.com/a?b=<c>",` +
			`"home":"/x","text":"t","count":9007199254740993,"since":"2026-01-02T03:04:05Z","counts":[1,null],"timeout":"90s","done":true,"pair":[0,1],` +
			`"nothing":[],"anything":{"a":1.0},"tags":[],"raw":[ 1 ],"weights":{"-1":"w"}}`,
			`{"name":"Ada Lovelace","names":["A B"],"other":"C D","level":"high","ip":"10.0.0.1","addr":"::1","url":"https://example.com/a?b=<c>",` +
				`"home":"/x","text":"t","count":9007199254740993,"since":"2026-01-02T03:04:05Z","counts":[1,null],"timeout":"1m30s","done":true,"pair":[0,1],` +
				`"anything":{"a":1.0},"tags":[],"raw":[1],"weights":{"-1":"w"}}`},
		{"measure", `{"level":"high"}`, `[{"celsius":1}]`},
	} {
		call := r.Call(t.Context(), tool.Request{Name: tt.name, Arguments: []byte(tt.arguments)})
		if call.Err != nil {
			t.Errorf("%s(%s): %v", tt.name, tt.arguments, call.Err)
		} else if diff := cmp.Diff(tt.want, string(call.Output)); diff != "" {
			t.Errorf("%s: the output is not as wanted\n%s", tt.name, diff)
		}
	}
	call := r.Call(t.Context(), tool.Request{Name: "copy", Arguments: []byte(`{"name":"Ada","names":[1],"ip":"x","url":":","text":1,"count":1.5,"counts":[1.5]}`)})
	const want = `copy: wrong arguments: /name: expected another string (a first and a last name make a name), found the string "Ada"; ` +
		`/names/0: expected a string, found the number 1; /ip: expected an IP address, found the string "x"; ` +
		`/url: expected a URI or a relative reference, found the string ":"; /text: expected a string, found the number 1; ` +
		`/count: expected an integer, found the number 1.5; /counts/0: expected an integer, found the number 1.5`
	if call.Err == nil || call.Err.Error() != want {
		t.Errorf("got  %v\nwant %s", call.Err, want)
	}
}

// TestLiterals calls tools that are function literals, and functions of other
// packages.
func TestLiterals(t *testing.T) {
	r := tool.NewRegistry()
	if err := literals.Register(r); err != nil {
		t.Fatal(err)
	}
	deps := imports.Deps{Replacer: strings.NewReplacer("a", "b"), URL: &url.URL{RawQuery: "x=1&x=2"}, Log: new(errlog.Log)}
	if err := imports.Register(r, deps); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, arguments, want string }{
		{"send", `{"user":"ada"}`, `{"ok":true,"note":"1: HIHI to ada"}`},
		{"count", `{"wait":"1ms"}`, `{"n":2,"s":{"ok":true,"note":"waited"}}`},
		{"count", `{"wait":"PT2S"}`, `{"n":2,"s":null}`},
		{"echo", `{"s":"<x>"}`, `"<x>"`},
		{"upper", `{"s":"a"}`, `"A"`},
		{"escape", `{"s":"a b"}`, `"a%20b"`},
		{"base", `{"path":"a/b"}`, `"b"`},
		{"fields", `{"s":" a  b "}`, `["a","b"]`},
		{"largest_int", `{"list":[1,3,2]}`, `3`},
		{"largest_string", `{"list":["a","b"]}`, `"b"`},
		{"zip", `{"a":"x","b":[1]}`, `{"first":"x","second":[1]}`},
		{"swap", `{"first":"x","second":1}`, `{"first":1,"second":"x"}`},
		{"no_quotes", `{"s":"\"x\""}`, `"'x'"`},
		{"replace", `{"s":"aa"}`, `"bb"`},
		{"query", ``, `{"x":["1","2"]}`},
	} {
		call := r.Call(t.Context(), tool.Request{Name: tt.name, Arguments: []byte(tt.arguments)})
		if call.Err != nil || string(call.Output) != tt.want {
			t.Errorf("%s(%s) = %s, %v; want %s", tt.name, tt.arguments, call.Output, call.Err, tt.want)
		}
	}
}

// TestLoop writes a result that contains itself.
func TestLoop(t *testing.T) {
	call := types.LoopTool()
	r := tool.NewRegistry()
	r.Replace(call.Tool)
	c := r.Call(t.Context(), tool.Request{Name: "loop", Arguments: []byte(`{"name":"n"}`)})
	if bad, ok := errors.AsType[*tool.OutputError](c.Err); !ok || !strings.HasPrefix(bad.Pointer, "/next/next/next") {
		t.Errorf("%v", c.Err)
	}
}

// TestSupplied calls functions with parameters that the runtime supplies.
func TestSupplied(t *testing.T) {
	var log strings.Builder
	r := tool.NewRegistry(tool.Use(middleware.WithLogger(slog.New(slog.NewTextHandler(&log, nil)))))
	if err := annotations.Register(r, annotations.Deps{Store: &annotations.Store{}}); err != nil {
		t.Fatal(err)
	}
	scope := tool.NewScope()
	if err := scope.Set("here", 1); err != nil {
		t.Fatal(err)
	}
	request := tool.Request{Name: "who", Arguments: []byte(`{"greeting":"hello"}`), Meta: map[string]string{"user": "ada"}}
	if c := r.Call(tool.WithScope(t.Context(), scope), request); string(c.Output) != `"hello ada here"` {
		t.Errorf("%s %v", c.Output, c.Err)
	}
	var missing *tool.ScopeError
	if c := r.Call(t.Context(), request); !errors.As(c.Err, &missing) {
		t.Errorf("without a scope: %v", c.Err)
	}
	offered := func(s *tool.Scope) bool {
		return slices.ContainsFunc(r.Available(s), func(d tool.Definition) bool { return d.Name == request.Name })
	}
	if offered(nil) || !offered(tool.NewScope()) {
		t.Error("a tool that takes a scope is offered without one, or not with one")
	}
	if c := r.Call(t.Context(), tool.Request{Name: "all"}); string(c.Output) != `{"name":"all","ok":true}` {
		t.Errorf("%s %v", c.Output, c.Err)
	}
	if c := r.Call(t.Context(), tool.Request{Name: "append", Arguments: []byte(`{"value":"written"}`)}); c.Err != nil {
		t.Error(c.Err)
	}
	if text := log.String(); !strings.Contains(text, "msg=written tool=append") {
		t.Error(text)
	}
	if err := annotations.AppendTool().Call(t.Context(), annotations.AppendArgs{}); err == nil || !strings.Contains(err.Error(), "middleware.WithLogger") {
		t.Errorf("without a registry: %v", err)
	}
	d, err := r.Definitions("get")
	if err != nil || d[0].Title != "Get a value" || string(d[0].Example) != `{"key":"<a>"}` || !d[0].Annotations.ReadOnly {
		t.Errorf("%+v %v", d, err)
	}
}

// TestReferences passes values that JSON cannot carry from one call to the next.
func TestReferences(t *testing.T) {
	r := tool.NewRegistry()
	if err := references.Register(r); err != nil {
		t.Fatal(err)
	}
	scope := tool.NewScope()
	var written strings.Builder
	for name, value := range map[string]any{
		"out": &written, "all": func(references.Job) bool { return true }, "jobs": []references.Job{{Name: "kept"}},
		"text": strings.NewReader("whole"), "parcel": &references.Parcel{Label: "p", Content: strings.NewReader("part")},
	} {
		if err := scope.Set(name, value); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct{ name, arguments, want string }{
		{"open", `{"text":"a"}`, `{"ref":"<<var:reader_1>>","type":"io.Reader"}`},
		{"open", `{"text":"b"}`, `{"ref":"<<var:reader_2>>","type":"io.Reader"}`},
		{"join", `{"readers":["<<var:reader_1>>","<<var:reader_2>>"]}`, `{"ref":"<<var:reader_3>>","type":"io.Reader"}`},
		{"read", `{"r":"<<var:reader_3>>"}`, `"ab"`},
		{"read", `{"r":"<<var:reader_3>>"}`, `""`},
		{"read", `{"r":"reader_3"}`, "/r"},
		{"read", `{"r":"<<var:all>>"}`, "/r"},
		{"open_sized", `{"text":"abc"}`, `{"return_1":{"ref":"<<var:reader_4>>","type":"io.Reader"},"return_2":3}`},
		{"nothing", ``, `null`},
		{"new_counter", ``, `{"ref":"<<var:counter_1>>","type":"*references.Counter","description":"at 0"}`},
		{"count", `{"c":"<<var:counter_1>>","by":2}`, `{"return_1":{"ref":"<<var:counter_2>>","type":"*references.Counter","description":"at 2"},"return_2":2}`},
		{"count", `{"c":"<<var:counter_1>>","by":1}`, `{"return_1":{"ref":"<<var:counter_3>>","type":"*references.Counter","description":"at 3"},"return_2":3}`},
		{"buffers", ``, `{"a":{"ref":"<<var:buffer_1>>","type":"*bytes.Buffer"},"b":{"ref":"<<var:buffer_1.2>>","type":"*bytes.Buffer"}}`},
		{"run", `{"job":{"name":"x","out":"<<var:out>>","next":[{"name":"y"}]},"limit":1}`, `["y","x"]`},
		{"run", `{"job":{"name":"x","out":"<<var:all>>","next":["<<var:none>>",{"next":[]}]},"limit":1}`, "/job/out /job/next/0 /job/next/1/name"},
		{"ship", `{"id":1,"p":{"label":"l","content":"<<var:text>>"}}`, `"1lwhole"`},
		{"ship", `{"id":2,"p":"<<var:parcel>>"}`, `"2ppart"`},
		{"ship", `{"id":3,"p":null}`, "/p"},
		{"ship_both", `{"ids":[1,2],"both":[{"label":"l","content":"<<var:text>>"},null]}`, "/both/1"},
		{"ship", `{"id":3,"p":{"label":"l","content":null}}`, "/p/content"},
		{"find", `{"jobs":"<<var:jobs>>","filter":"<<var:all>>"}`, `["kept"]`},
		{"find", `{"jobs":[{"name":"<<var:jobs>>"},{"name":"<<<var:jobs>>"}],"filter":"<<var:all>>"}`, `["<<var:jobs>>","<<var:jobs>>"]`},
	} {
		call := r.Call(tool.WithScope(t.Context(), scope), tool.Request{Name: tt.name, Arguments: []byte(tt.arguments)})
		got := string(call.Output)
		if bad, ok := errors.AsType[*tool.ArgumentError](call.Err); ok {
			var pointers []string
			for _, f := range bad.Faults {
				pointers = append(pointers, f.Pointer)
			}
			got = strings.Join(pointers, " ")
		} else if call.Err != nil {
			t.Errorf("%s(%s): %v", tt.name, tt.arguments, call.Err)
		}
		if got != tt.want {
			t.Errorf("%s(%s) is %s, want %s", tt.name, tt.arguments, got, tt.want)
		}
	}
	if written.String() != "x" {
		t.Errorf("%q was written", written.String())
	}

	names := func(s *tool.Scope) string {
		var names []string
		for _, d := range r.Available(s) {
			names = append(names, d.Name)
		}
		return strings.Join(names, " ")
	}
	if got := names(nil); got != "move run" {
		t.Errorf("without a scope: %s", got)
	}
	if got := names(tool.NewScope()); got != "buffers join move new_counter nothing open open_sized run ship ship_both" {
		t.Errorf("in an empty scope: %s", got)
	}
	if got := len(r.Available(scope)); got != len(r.All()) {
		t.Errorf("in a full scope: %d tools", got)
	}
	before := references.Opened
	for _, name := range []string{"open", "open_sized"} {
		if c := r.Call(t.Context(), tool.Request{Name: name, Arguments: []byte(`{"text":""}`)}); tool.Code(c.Err) != "scope" {
			t.Errorf("%s without a scope: %v", name, c.Err)
		}
	}
	if references.Opened != before {
		t.Error("it was opened all the same, and nobody can close it")
	}
}

// TestReferToValues passes values by reference that JSON could carry, and checks that they
// keep their identity.
func TestReferToValues(t *testing.T) {
	r := tool.NewRegistry()
	if err := references.Register(r); err != nil {
		t.Fatal(err)
	}
	scope := tool.NewScope(tool.ReferToValues())
	by, path, labels, other := &references.Point{X: 1}, []references.Point{{}}, map[string]int{}, &references.Point{}
	for name, value := range map[string]any{
		"p": references.Point{X: 2, Y: 3}, "by": by, "path": path, "labels": labels, "name": "n", "other": other,
	} {
		if err := scope.Set(name, value); err != nil {
			t.Fatal(err)
		}
	}
	ctx := tool.WithScope(t.Context(), scope)
	c := r.Call(ctx, tool.Request{Name: "move", Arguments: []byte(
		`{"p":"<<var:p>>","by":"<<var:by>>","path":"<<var:path>>","labels":"<<var:labels>>","name":"<<var:name>>","any":"<<var:other>>"}`)})
	if c.Err != nil || string(c.Output) != `{"X":3,"Y":3}` || by.X != 0 || path[0].X != 3 || labels["n"] != 1 || other.Y != 1 {
		t.Errorf("%s %v: %v %v %v %v", c.Output, c.Err, by, path, labels, other)
	}
	c = r.Call(ctx, tool.Request{Name: "move", Arguments: []byte(
		`{"p":"<<var:by>>","path":["<<var:p>>"],"labels":{},"name":"<<<var:p>>","any":"<<var:none>>"}`)})
	if c.Err == nil || !strings.Contains(c.Err.Error(), "/p") || !strings.Contains(c.Err.Error(), "/any") {
		t.Errorf("%s %v", c.Output, c.Err)
	}
}
