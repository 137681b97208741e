package emit_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/testdata/golden/tags"
)

// TestTags calls tools with structs whose tags limit their fields.
func TestTags(t *testing.T) {
	r := tool.NewRegistry()
	if err := tags.Register(r); err != nil {
		t.Fatal(err)
	}
	const order = `{"slug":"blue-hat","count":6,"price":0.30,"discount":null,"sizes":["S","L"],"codes":[1,2],"level":"low","mail":"a@b","note":"ok",` +
		`"host":"10.0.0.1","nick":"nick","set":[1,"1",{"a":1},{"a":2},[1],[1,1]],"port":1024}`
	const placed = `{"slug":"blue-hat","count":6,"price":0.3,"discount":null,"sizes":["S","L"],"codes":[1,2],"level":"low","any":"mid","mail":"a@b",` +
		`"host":"10.0.0.1","nick":"nick","note":"ok","set":[1,"1",{"a":1},{"a":2},[1],[1,1]],"internal":"","port":1024}`
	again := strings.NewReplacer(`"low"`, `"mid"`, `,"count":6`, ``)
	for _, tt := range []struct{ name, arguments, want string }{
		{"place", order, placed},
		{"again", again.Replace(order), strings.Replace(again.Replace(placed), `,"price"`, `,"count":9,"price"`, 1)},
	} {
		call := r.Call(t.Context(), tool.Request{Name: tt.name, Arguments: []byte(tt.arguments)})
		if call.Err != nil {
			t.Errorf("%s(%s): %v", tt.name, tt.arguments, call.Err)
		} else if diff := cmp.Diff(tt.want, string(call.Output)); diff != "" {
			t.Errorf("%s: the output is not as wanted\n%s", tt.name, diff)
		}
	}
	for _, tt := range []struct{ name, arguments, want string }{
		{"place", `{"slug":"Blue","count":100,"price":0,"discount":1,"sizes":[],"codes":[-1,1],"level":"mid","mail":"ab","note":"n","host":"11.0.0.1","nick":"nicky","set":[{"a":1,"b":2},1,{"b":2.0,"a":10e-1}],"port":80,"internal":"x"}`,
			`/slug: expected a string that matches ^[a-z]{1,8}(-[a-z]+)*$, found the string "Blue"; /count: expected an integer of at most 99, found the number 100; /count: expected a multiple of 3, found the number 100; ` +
				`/price: expected a number above 0, found the number 0; /discount: expected a number below 1, found the number 1; /sizes: expected at least 1 element, found an array; ` +
				`/codes/0: expected an integer of at least 0, found the number -1; /level: expected one of "low", "high" (strings), found the string "mid"; /mail: expected at least 3 characters, found the string "ab"; ` +
				`/mail: expected an email address, found the string "ab"; /note: expected at least 2 characters, found the string "n"; /host: expected a string that matches ^10[.], found the string "11.0.0.1"; /nick: expected at most 4 characters, found the string "nicky"; ` +
				`/set/2: expected each element once, found an object; /port: expected an integer of at least 1024, found the number 80; ` +
				`/internal: expected one of the 14 keys slug, count, price, discount, sizes, codes, level, any, mail, host, nick, note, set, port, found the key "internal"`},
		{"again", `{"slug":"a","count":7,"price":0.301,"sizes":["S","S"],"codes":[1,1.0],"level":"low","note":""}`,
			`/count: expected a multiple of 3, found the number 7; /price: expected a multiple of 0.01, found the number 0.301; /sizes/1: expected each element once, found the string "S"; ` +
				`/codes/1: expected each element once, found the number 1.0; /level: expected the string "mid", found the string "low"; /note: expected at least 1 character, found the string ""`},
		{"again", `{"slug":"a","count":9,"price":1,"discount":"1","sizes":"","codes":[1,2],"level":"mid","note":[]}`, // bounds are of one kind
			`/discount: expected a number, found the string "1"; /sizes: expected an array, found the string ""; /note: expected a string, found an array`},
	} {
		call := r.Call(t.Context(), tool.Request{Name: tt.name, Arguments: []byte(tt.arguments)})
		want := tt.name + ": wrong arguments: " + tt.want
		if call.Err == nil {
			t.Errorf("%s: no error", tt.name)
		} else if diff := cmp.Diff(strings.Split(want, "; "), strings.Split(call.Err.Error(), "; ")); diff != "" {
			t.Errorf("%s: the faults are not as wanted\n%s", tt.name, diff)
		}
	}
}

// TestDescriptionTags calls a tool with a struct whose tags are descriptions, which limit nothing.
func TestDescriptionTags(t *testing.T) {
	r := tool.NewRegistry()
	if err := tags.Register(r); err != nil {
		t.Fatal(err)
	}
	const guest = `{"name":"","sort":"by=age","city":"c","tags":["a","a"]}`
	if call := r.Call(t.Context(), tool.Request{Name: "greet", Arguments: []byte(guest)}); call.Err != nil || string(call.Output) != guest {
		t.Errorf("the output is %s (%v), want %s", call.Output, call.Err, guest)
	}
	call := r.Call(t.Context(), tool.Request{Name: "greet", Arguments: []byte(`{}`)})
	if want := `greet: wrong arguments: /name: expected a value, found nothing`; call.Err == nil || call.Err.Error() != want {
		t.Errorf("the error is %v, want %s", call.Err, want)
	}
}
