package emit_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/testdata/golden/unions"
)

const unionValues = `{"shape":{"type":"circle","radius":1.5},"optional":{"type":"empty"},"pointer":{"type":"label","value":"a"},` +
	`"list":[{"type":"square","side":2,"color":"red"},{"type":"path","value":[[0,1],[2,3]]},{"type":"visit","value":"2026-01-02T03:04:05Z"}],` +
	`"array":[{"kind":"card","type":"debit","number":"7"},{"kind":"cash","value":5}],"map":{"a":{"kind":"wire","iban":"X"}},` +
	`"solid":{"type":"ball","radius":1,"weight":2},` +
	`"value":{"type":"member_m","Value":{"a":{"type":"member_l","Value":[{"type":"member_s","Value":"x"},{"type":"member_bool","Value":true}]}}},` +
	`"answer":{"type":"table","rows":[{"a":{"type":"text","value":"b"},"c":{"type":"yes","value":true}}]},` +
	`"pets":[{"type":"dog","called":"A"},{"type":"dog_at_home","called":"B"}],` +
	`"strings":[{"type":"created","item":"x"},{"type":"deleted"},{"type":"renamed","From":"a","To":"b"}],"numbers":{"type":"created","item":1},` +
	`"nested":{"n":[{"kind":"cash","value":1}]},` +
	`"group":{"shapes":[{"type":"group","shapes":[],"frame":{"type":"circle","radius":0},"within":{"shapes":[]}}]},"circle":{"radius":3}}`

// unionRegistry returns the tools of the golden package.
func unionRegistry(t *testing.T) *tool.Registry {
	t.Helper()
	r := tool.NewRegistry()
	if err := unions.Register(r); err != nil {
		t.Fatal(err)
	}
	return r
}

// TestUnions calls tools with values of interfaces.
func TestUnions(t *testing.T) {
	r := unionRegistry(t)
	for _, tt := range []struct{ name, arguments, want string }{
		{"echo", unionValues, unionValues},
		{"draw", `{"shape":{"radius":3,"type":"circle"}}`, `{"type":"circle","radius":3}`}, // the name comes last
		{"draw", `{"shape":{"ty\u0070e":"label","value":"x"}}`, `{"type":"label","value":"x"}`},
		{"draw", `{"shape":{"type":"empty"}}`, `null`},
		{"draw", `{"shape":{"type":"circle","radius":1}}`, `{"type":"circle","radius":1}`},  // returns a pointer
		{"draw", `{"shape":{"type":"circle","radius":3},"style":{"missing":true}}`, `null`}, // returns a nil pointer
		{"pay", `{"by":{"kind":"cash","value":5},"others":[{"kind":"wire","iban":"X"}]}`, `{"by":{"kind":"cash","value":5},"count":1}`},
		{"narrow", `{"shape":{"type":"square","side":2}}`, `[{"type":"square"},{"type":"square","color":"red"},{"type":"label"}]`},
		{"narrow", `{"shape":{"type":"circle","radius":2}}`, `[{"type":"circle","radius":2},{"type":"square","color":"red"},{"type":"label"}]`},
		{"read", `{"name":"a"}`, `"a"`},
		{"double", `{"by":{"kind":"card","type":"debit"}}`, `{"by":{"kind":"card","type":"debit"},"count":1}`},
	} {
		call := r.Call(t.Context(), tool.Request{Name: tt.name, Arguments: []byte(tt.arguments)})
		if call.Err != nil {
			t.Errorf("%s(%s): %v", tt.name, tt.arguments, call.Err)
		} else if diff := cmp.Diff(tt.want, string(call.Output)); diff != "" {
			t.Errorf("%s(%s): %s", tt.name, tt.arguments, diff)
		}
	}
}

// TestUnionFaults gives tools arguments that are no variant, and results that are none.
func TestUnionFaults(t *testing.T) {
	r := unionRegistry(t)
	const names = `one of "ball", "circle", "empty", "group", "label", "path", "square", "visit" (strings)`
	for _, tt := range []struct{ name, arguments, want string }{
		{"draw", `{"shape":{"radius":1}}`, "/shape/type: " + names + ", nothing"},
		{"draw", `{"shape":{"type":"cube"}}`, "/shape/type: " + names + `, the string "cube"`},
		{"draw", `{"shape":{"type":null}}`, "/shape/type: " + names + ", null"},
		{"draw", `{"shape":{}}`, "/shape/type: " + names + ", nothing"},
		{"draw", `{"shape":null}`, "/shape: an object, null"},
		{"draw", `{}`, "/shape: a value, nothing"},
		{"draw", `{"shape":[]}`, "/shape: an object, an array"},
		{"draw", `{"shape":{"type":"circle"}}`, "/shape/radius: a value, nothing"},
		{"draw", `{"shape":{"type":"circle","radius":-1}}`, "/shape/radius: a number of at least 0, the number -1"},
		{"draw", `{"shape":{"type":"circle","radius":1,"side":2}}`, `/shape/side: one of the 2 keys type, radius, the key "side"`},
		{"draw", `{"shape":{"type":"circle","radius":1,"type":"square"}}`, `/shape/type: each key once, the key "type" again`},
		{"draw", `{"shape":{"type":"label"}}`, "/shape/value: a value, nothing"},
		{"draw", `{"shape":{"type":"label","value":1,"more":2}}`, `/shape/value: a string, the number 1; /shape/more: one of the 2 keys type, value, the key "more"`},
		{"draw", `{"shape":{"type":"square","side":1,"color":"pink"}}`, `/shape/color: one of "red", "blue" (strings), the string "pink"`},
		{"draw", `{"shape":{"type":"group","shapes":[{"type":"group","shapes":[{"type":"x"}]}]}}`, "/shape/shapes/0/shapes/0/type: " + names + `, the string "x"`},
		{"narrow", `{"shape":{"type":"label","value":"a"}}`, `/shape/type: one of "circle", "square" (strings), the string "label"`},
	} {
		call := r.Call(t.Context(), tool.Request{Name: tt.name, Arguments: []byte(tt.arguments)})
		bad, ok := errors.AsType[*tool.ArgumentError](call.Err)
		if !ok {
			t.Errorf("%s(%s): %v", tt.name, tt.arguments, call.Err)
			continue
		}
		var got []string
		for _, f := range bad.Faults {
			got = append(got, fmt.Sprintf("%s: %s, %s", f.Pointer, f.Expected, f.Found))
		}
		if diff := cmp.Diff(tt.want, strings.Join(got, "; ")); diff != "" {
			t.Errorf("%s(%s): %s", tt.name, tt.arguments, diff)
		}
	}
	call := r.Call(t.Context(), tool.Request{Name: "draw", Arguments: []byte(`{"shape":{"type":"circle","radius":2}}`)})
	if call.Err == nil || !strings.Contains(call.Err.Error(), "geo.hidden is not a variant of geo.Shape") {
		t.Error(call.Err)
	}
}

// TestUnionTargets encodes arguments for each target and raises them again, as a call does.
func TestUnionTargets(t *testing.T) {
	r := unionRegistry(t)
	definitions, err := r.Definitions("echo", "pay")
	if err != nil {
		t.Fatal(err)
	}
	for _, target := range schema.Targets() {
		for i, arguments := range []string{unionValues, `{"by":{"kind":"cash","value":5},"others":[{"kind":"wire","iban":"X"}]}`} {
			lowered, err := schema.Lower(target, definitions[i])
			if err != nil {
				t.Fatal(target, err)
			}
			for _, loss := range lowered.Losses {
				if loss.Severity >= schema.Dropped && lowered.Name == "pay" { // the types of echo are recursive
					t.Errorf("%s: %s", target, loss)
				}
			}
			written, err := lowered.Encode([]byte(arguments))
			if err != nil {
				t.Fatal(target, err)
			}
			if err := schema.Validate(lowered.Input, written); err != nil {
				t.Errorf("%s: %v: %s", target, err, written)
			}
			raised, err := lowered.Raise(written)
			if err != nil {
				t.Fatal(target, err)
			}
			if call := r.Call(t.Context(), tool.Request{Name: lowered.Name, Arguments: raised}); call.Err != nil {
				t.Errorf("%s: %v", target, call.Err)
			} else if diff := cmp.Diff(unionValues, string(call.Output)); lowered.Name == "echo" && diff != "" {
				t.Errorf("%s: %s", target, diff)
			}
		}
	}
}
