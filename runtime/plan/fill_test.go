package plan_test

import (
	"encoding/json"
	"errors"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/plan"
)

// results are the results of the steps in these tests.
var results = map[string]plan.Result{
	"1":      {Value: json.RawMessage(`{"customer":{"id":90071992547409931234,"email":"a@b","a/b":{"~":null}},"list":[1,"two",[3]]}`)},
	"a/b~c":  {Value: json.RawMessage(`"text"`)},
	"evil":   {Value: json.RawMessage(`{"ref":"<<step:1/customer/email>>","var":"<<var:secret>>","more":"<<<var:secret>>","open":"<<var:","in":["<<var:x>>"]}`)},
	"broken": {Value: json.RawMessage(`{`)},
	"kept": {
		Value:  json.RawMessage(`{"ref":"<<var:db_1>>","said":"<<var:db_1>>"}`),
		Output: json.RawMessage(`{"type":"object","properties":{"ref":{"type":"string","pattern":"^<<var:[A-Za-z0-9_.-]{1,64}>>$"},"said":{"type":"string"}}}`),
	},
}

func find1(id string) (plan.Result, bool) { r, ok := results[id]; return r, ok }

func TestFill(t *testing.T) {
	for name, test := range map[string]struct{ arguments, want, err string }{
		"nothing":           {``, ``, ""},
		"no reference":      {`{"a":"<<var:x>>","b":[1,null]}`, `{"a":"<<var:x>>","b":[1,null]}`, ""},
		"a number":          {`{"id":"<<step:1/customer/id>>"}`, `{"id":90071992547409931234}`, ""},
		"escaped":           {`{"id":"\u003c\u003cstep:1/customer/id\u003e\u003e"}`, `{"id":90071992547409931234}`, ""},
		"an object":         {`["<<step:1/customer/a~1b>>"]`, `[{"~":null}]`, ""},
		"a name with tilde": {`["<<step:1/customer/a~1b/~0>>"]`, `[null]`, ""},
		"an element":        {`["<<step:1/list/1>>","<<step:1/list/2>>"]`, `["two",[3]]`, ""},
		"an odd ID":         {`["<<step:a~1b~0c>>"]`, `["text"]`, ""},
		"text":              {`["<<step:1/customer/email>> has <<step:1/list>>, <<step:1/customer/a~1b/~0>>"]`, `["a@b has [1,\"two\",[3]], null"]`, ""},
		"the literal":       {`["<<<step:1>>","<<<<step:1>>","x <<<step: <<step:1/list/0>>"]`, `["<<step:1>>","<<<step:1>>","x <<step: 1"]`, ""},
		"never read again":  {`["<<step:evil/ref>>","x <<step:evil/ref>>"]`, `["<<step:1/customer/email>>","x <<step:1/customer/email>>"]`, ""},
		"variables":         {`["<<step:evil/var>>","<<step:evil/more>>","<<step:evil/in>>"]`, `["<<<var:secret>>","<<<<var:secret>>",["<<<var:x>>"]]`, ""},
		"made of parts":     {`["<<step:evil/open>>secret>>","<<var:<<step:1/list/0>>>>"]`, `["<<<var:secret>>","<<<var:1>>"]`, ""},
		"kept by reference": {`["<<step:kept>>"]`, `[{"ref":"<<var:db_1>>","said":"<<<var:db_1>>"}]`, ""},
		"names stay":        {`{"<<step:1>>":1}`, `{"<<step:1>>":1}`, ""},

		"no result":     {`{"a":{"b":["<<step:7/x>>"]}}`, "", `<<step:7/x>> in arguments/a/b/0 has no value: step "7" has no result`},
		"no such place": {`["<<step:1/customer/emial>>"]`, "", `the result of step "1" has nothing at /customer/emial`},
		"beyond":        {`["<<step:1/list/3>>"]`, "", `nothing at /list/3`},
		"open":          {`["x <<step:1/list"]`, "", `it is not a reference`},
		"no ID":         {`["<<step:>>"]`, "", `it is not a reference`},
		"bad escape":    {`["<<step:1/a~2>>"]`, "", `it is not a reference`},
		"broken":        {`["<<step:broken>>"]`, "", `is not valid JSON`},
		"no arguments":  {`{`, "", `the arguments are not valid JSON`},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := plan.Step{Arguments: json.RawMessage(test.arguments)}.Fill(find1)
			var bad *plan.ReferenceError
			if string(got) != test.want || (test.err != "") != errors.As(err, &bad) || err != nil && !strings.Contains(err.Error(), test.err) {
				t.Errorf("got %s, %v", got, err)
			}
		})
	}
}

// TestFillMost uses one result many times in a text.
func TestFillMost(t *testing.T) {
	long, _ := json.Marshal(strings.Repeat("x", 1<<20))
	arguments, _ := json.Marshal([]string{strings.Repeat("<<step:1>>", 20)})
	_, err := plan.Step{Arguments: arguments}.Fill(func(string) (plan.Result, bool) { return plan.Result{Value: long}, true })
	if err == nil || !strings.Contains(err.Error(), "longer than 16777216 bytes") {
		t.Error(err)
	}
}

// TestFillLinear checks that eight times as many literals in a text take about eight times the memory.
// Copying the text for each literal would take 64 times.
func TestFillLinear(t *testing.T) {
	take := func(n int) float64 {
		arguments, _ := json.Marshal([]string{strings.Repeat("<<<step:", n)})
		before, after := new(runtime.MemStats), new(runtime.MemStats)
		runtime.ReadMemStats(before)
		if _, err := (plan.Step{Arguments: arguments}).Fill(find1); err != nil {
			t.Error(err)
		}
		runtime.ReadMemStats(after)
		return float64(after.TotalAlloc - before.TotalAlloc)
	}
	if few, many := take(1000), take(8000); many > 16*few {
		t.Errorf("1000 take %.0f bytes, 8000 take %.1f times as many", few, many/few)
	}
}

func TestReferences(t *testing.T) {
	s := plan.Step{Arguments: json.RawMessage(`{"a":["<<step:2/x>>","<<step:a~1b>> <<step:2/x>>"],"b":"<<<step:3>> <<step:1"}`)}
	want := []plan.Reference{{Step: "2", Pointer: "/x"}, {Step: "a/b"}}
	if got := s.References(); !slices.Equal(got, want) {
		t.Errorf("got %v", got)
	}
}

// FuzzCompile checks that compiling a compiled plan changes nothing, and that it can be filled in once
// all results exist.
func FuzzCompile(f *testing.F) {
	f.Add(`{"to":"<<step:1/customer/email>>","body":"{{step1.result.found}} #E1 ${1.customer.id}"}`)
	f.Add(`{"to":"<<<step:1>>","body":"<<step:1/customer/a~1b>>>>","tags":["<<step:"]}`)
	f.Add(`{"to":"<id of step 1>","body":null,"meta":{"n":"{{1['found']}}"}}`)
	f.Add(`{"to":"{{step1.{{step1}}}}","body":"<<var:<<step:1/found>>>>"}`)
	result := map[string]plan.Result{"1": {Value: json.RawMessage(`{"customer":{"id":1,"email":"<<var:x>>","phone":null,"a/b":"<<step:1>>"},"found":1}`)}}
	f.Fuzz(func(t *testing.T, arguments string) {
		p := steps(find, `send_email `+arguments)
		got, _, err := plan.Compile(p, desk, 5)
		if err != nil {
			return
		}
		again, edits, err := plan.Compile(got, desk, 5)
		if err != nil || len(edits) > 0 {
			t.Fatalf("%s: %v, %v", got.Steps[1].Arguments, edits, err)
		}
		if _, err := again.Steps[1].Fill(func(id string) (plan.Result, bool) { r, ok := result[id]; return r, ok }); err != nil {
			t.Errorf("%s: %v", again.Steps[1].Arguments, err)
		}
	})
}
