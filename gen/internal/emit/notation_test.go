package emit_test

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/testdata/golden/notation"
	"github.com/aiongen/aiongen/testdata/golden/variations"
)

// TestNotation checks what docs/reference/notation.md says about lambdas, from JSON arguments to JSON
// results. Errors for code outside the subset are in testdata/golden/lambda_mistakes.
func TestNotation(t *testing.T) {
	r := tool.NewRegistry()
	if err := notation.Register(r); err != nil {
		t.Fatal(err)
	}
	called := map[string]bool{}
	for _, tt := range []struct {
		sentence              string
		tool, arguments, want string // an error, if the tool fails
	}{
		{"parameters take their JSON names as written", "json_names", `{"userId":"a","new_name":"b","_n":"c"}`, `["a","b","c"]`},
		{"parameters take their types from arg-N: words", "words", `{"s":"s","i":1,"f":1,"b":true,"l":[1.0],"ll":[2],"d":{"k":1},"dd":{"k":2},"a":{"x":[null]}}`,
			`["s",1,1,true,[1.0],[2],{"k":1},{"k":2},{"x":[null]}]`},
		{"the types are contracts", "words", `{"s":1,"i":"1","f":1,"b":true,"l":[],"ll":[2.5],"d":{},"dd":{},"a":1}`,
			"wrong arguments: /s: expected a string, found the number 1; /i: expected an integer, found the string \"1\"; /ll/0: expected an integer, found the number 2.5"},
		{"a Go type is taken as it is", "go_type", `{"across":1,"up":2,"labels":[]}`, `3`},
		{"prose stands for the type of the Go parameter that receives it, else string", "prose", `{"amount":4,"other":"o"}`, `[8,"o"]`},
		{"parameters take their types from args_schema", "schema", `{"point":{"across":3,"up":0,"labels":[]},"scale":0.5}`, `1.5`},
		{"an absent optional is None", "optional", `{}`, `[true,7,"x"]`},
		{"an optional that is there", "optional", `{"n":3,"s":"y"}`, `[false,3,"y"]`},
		{"what the runtime supplies is passed unwritten", "supplied", `{"n":2}`, `4`},
		{"names of parameters, Go functions, variables and constants", "names", ``, `[3,3,0,2,4]`},
		{"literals", "literals", ``, `[1,31,1000,2.5,1000,"a\nAé","b",true,false,null,[],{},{"a":[1]}]`},
		{"formatted strings", "fstrings", `{"s":"ab","n":3,"f":2.345}`, `"ab AB 3 2.35 ab 2 {}"`},
		{"calls with positional, keyword and starred arguments", "calls", `{"s":"a"}`, `["abc","abc","abc","a"]`},
		{"fields by Go and JSON name, and methods", "fields", `{"across":1,"up":2,"labels":["l"]}`, `[1,1,3,["l"]]`},
		{"indices and slices, negative ones too", "indices", `{"s":"naïve","l":[1,2,3]}`, `["n","e","aï","ve","evïan",1,3,[2,3],[1,2]]`},
		{"conditions, and, or, not, comparison, in, is None", "choices", `{"a":1,"b":2}`, `["less",2,1,false,true,true,true,true,true]`},
		{"operators with Python's meaning", "operators", `{"a":-7,"b":2}`, `[-5,-9,-14,-3.5,-4,1,49,"abc","abab",7]`},
		{"list comprehensions", "comprehensions", `{"l":[1,2,3]}`, `[[1,4,9],[2,3],["a","b"]]`},
		{"builtins", "builtins", `{"l":[2,0,1],"s":" 12 "}`, `[3,12,12,"[2, 0, 1]",true,2,0,2,2,2.67,3,[2,1,0],[2,1,0],true,false]`},
		{"methods of strings", "methods", `{"s":" a b c"}`, `[["a","b","c"],"a,b,c","a b c","a b c"," a b c"," a b c"," A B C"," A B C"," a x c",true,true,3,1,"a b c 1"]`},
		{"truthiness of all types", "truth", `{"n":0,"s":"","l":[],"d":{},"a":0.0}`, `[0,0,0,0,0,0,1]`},
		{"truthiness where it is true", "truth", `{"n":-1,"s":"0","l":[0],"d":{"":0},"a":[0]}`, `[1,1,1,1,1,0,1]`},
		{"int('x') is an error result", "failures", `{"what":"x","n":0}`, "ValueError: invalid literal for int() with base 10: 'x' (notation.aion:162:23)"},
		{"an index out of range", "failures", `{"what":"","n":-3}`, "IndexError: list index out of range (notation.aion:162:48)"},
		{"division by zero", "failures", `{"what":"","n":1}`, "ZeroDivisionError: integer division or modulo by zero (notation.aion:162:72)"},
		{"an integer that overflows", "failures", `{"what":"","n":2}`, "OverflowError: the result does not fit a 64-bit integer (notation.aion:162:100)"},
		{"a starred list of the wrong length", "failures", `{"what":"a b","n":3}`, "TypeError: join_three() missing 1 required positional argument: 'third' (notation.aion:162:139)"},
		{"a call yields T", "passed_on", `{"n":3}`, `7`},
		{"a call passes the error on", "passed_on", `{"n":-1}`, `negative`},
		{"a call that returns nothing", "nothing", `{"s":"x"}`, `null`},
		{"floor division and modulo follow the divisor, strings index by code point, / is float division", "exact", ``, `[-4,1,-1,"ï",3.5,3]`},
	} {
		called[tt.tool] = true
		call := r.Call(t.Context(), tool.Request{Name: tt.tool, Arguments: []byte(tt.arguments)})
		got := string(call.Output)
		if call.Err != nil {
			got = strings.TrimPrefix(call.Err.Error(), tt.tool+": ")
		}
		if got != tt.want {
			t.Errorf("%s: %s(%s) is\n%s, want\n%s", tt.sentence, tt.tool, tt.arguments, got, tt.want)
		}
	}
	for _, d := range r.All() {
		if !called[d.Name] {
			t.Errorf("nobody calls %s", d.Name)
		}
	}
}

// TestVariations calls the three examples of the documentation, whose text must not change.
func TestVariations(t *testing.T) {
	for name, want := range map[string]string{
		"variation_a.aion": "34e63278953717a7",
		"variation_b.aion": "b82d429f13ee9037",
		"variation_c.aion": "d8d0e01632f3740e",
	} {
		text, err := os.ReadFile("../../../testdata/golden/variations/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if sum := sha256.Sum256(text); hex.EncodeToString(sum[:8]) != want {
			t.Errorf("%s is not what the documentation shows: %x", name, sum[:8])
		}
	}
	r := tool.NewRegistry()
	if err := variations.Register(r); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, arguments, want, err string }{
		{"SendOutput", `{"user":"ada"}`, `{"sent":true,"to":"ada"}`, ""},
		{"SendOutput", `{"user":""}`, ``, "SendOutput: no user"},
		{"FetchAbcDocs", ``, `"https://api.Abc.com/docs"`, ""},
		{"AdminSignup", `{"params":"Ada|ada@example.com|secret-word"}`, `{"name":"Ada","email":"ada@example.com","admin":true}`, ""},
		{"AdminSignup", `{"params":"Ada|ada@example.com|short"}`, ``, "AdminSignup: the password is short"},
		{"AdminSignup", `{"params":"Ada|ada@example.com"}`, ``, "AdminSignup: TypeError: admin_signup() missing 1 required positional argument: 'password' (variation_c.aion:4:34)"},
		{"AdminSignup", `{"params":"a|b|c|d"}`, ``, "AdminSignup: TypeError: admin_signup() takes 3 positional arguments but 4 were given (variation_c.aion:4:34)"},
	} {
		call := r.Call(t.Context(), tool.Request{Name: tt.name, Arguments: []byte(tt.arguments)})
		failure := ""
		if call.Err != nil {
			failure = call.Err.Error()
		}
		if string(call.Output) != tt.want || failure != tt.err {
			t.Errorf("%s(%s) = %s, %v", tt.name, tt.arguments, call.Output, call.Err)
		}
	}
}
