package jsontape_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/internal/jsontape"
)

func Example_tape() {
	var t jsontape.Tape
	if broken := t.Scan(`{"name": "Ada", "born": [1815, 12, 10]}`, 64); broken != nil {
		fmt.Println(broken.Pointer, broken.Expected)
	}
	for key := range t.Keys(0) {
		fmt.Println(t.Str(t.EntryAt(key)), "is", t.DescribeValue(key+1))
	}
	fmt.Println(t.Pointer(6), t.Text(t.EntryAt(6)))
	// Output:
	// name is the string "Ada"
	// born is an array
	// /born/1 12
}

func TestBroken(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{``, `"" a value at byte 0: the end of the text`},
		{`{"a" 1}`, `"/a" a colon at byte 5: '1'`},
		{`{"a": [1, }`, `"/a/1" a value at byte 10: '}'`},
		{`{"a": {"b": 01}}`, `"/a" a comma or a closing brace at byte 13: '1'`},
		{`[1] 2`, `"" nothing after the JSON value at byte 4: '2'`},
		{`[[[1]]]`, `"/0/0" at most 2 levels of nesting at byte 2: '['`},
		{"[\"\xff\"]", `"/0" valid UTF-8 at byte 2: the byte 0xff`},
	} {
		var read jsontape.Tape
		got := "no fault"
		if b := read.Scan(tt.text, 2); b != nil {
			got = fmt.Sprintf("%q %s: %s", b.Pointer, b.Expected, b.Found)
		}
		if got != tt.want {
			t.Errorf("%s: %s, want %s", tt.text, got, tt.want)
		}
	}
}

// TestFind checks that searching from any key finds the first key with the name, wrapping around at
// the end, and compares names by value, not by spelling.
func TestFind(t *testing.T) {
	var read jsontape.Tape
	read.Scan(`{"o":{},"a\b":1,"c\\d":[2],"\u0065":3,"o":4}`, 2)
	const object, first = 0, 1
	for _, tt := range []struct {
		name string
		want []string
	}{
		{"o", []string{"{}", "4", "{}"}}, {"a\b", []string{"1", "1"}}, {`c\d`, []string{"[2]"}}, {"e", []string{"3"}},
		{`a\b`, nil}, {`c\\d`, nil}, {`\u0065`, nil}, {"x", nil}, {"", nil},
	} {
		cursor := first
		for _, want := range tt.want {
			key := read.FindKey(object, cursor, tt.name)
			if key < 0 || read.Text(read.EntryAt(key+1)) != want {
				t.Fatalf("%q from %d is at %d, want %s", tt.name, cursor, key, want)
			}
			cursor = read.NextKey(object, key)
		}
		if tt.want == nil && read.FindKey(object, cursor, tt.name) >= 0 {
			t.Errorf("there is %q", tt.name)
		}
	}
	if empty := first + 1; read.FindKey(empty, empty+1, "a\b") >= 0 {
		t.Error("what has no members has one")
	}
}

func TestReset(t *testing.T) {
	var read jsontape.Tape
	for _, text := range []string{`[1`, `["<<var:x>>", "<<<var:x>>"]`, `[` + strings.Repeat("1,", 5000) + `1]`, `[]`} {
		broken := read.Scan(text, 2)
		if (broken != nil) != (text == `[1`) {
			t.Errorf("%.9s: broken %v", text, broken)
		}
		if broken == nil && !read.Resolve(100, func(string) string { return "7" }) {
			t.Errorf("%.9s: too much to put in", text)
		}
		read.Reset()
	}
}

// TestResolve checks that variables without parts replace references to them, and that literal texts
// that look like references lose the additional "<".
func TestResolve(t *testing.T) {
	const text = `{"<<var:key>>": "<<var:n>>", "b": ["<<var:other>>", "\u003c<<var:n>>", "<<var:>>"]}`
	simple := func(name string) string { return map[string]string{"n": "7"}[name] }
	for _, tt := range []struct {
		limit  int
		simple func(string) string
		want   string
	}{
		{100, simple, `["7 n" "\"<<var:other>>\" other" "\"<<var:n>>\"" "\"<<var:>>\""]`},
		{100, nil, `["\"<<var:n>>\" n" "\"<<var:other>>\" other" "\"<<var:n>>\"" "\"<<var:>>\""]`},
		{11, simple, "too much"},
	} {
		var read jsontape.Tape
		if b := read.Scan(text, 2); b != nil {
			t.Fatal(b)
		}
		got := "too much"
		if read.Resolve(tt.limit, tt.simple) {
			var values []string
			for _, at := range []int{2, 5, 6, 7} {
				name, _ := read.Variable(at)
				values = append(values, strings.TrimSpace(read.Text(read.EntryAt(at))+" "+name))
			}
			got = fmt.Sprintf("%q", values)
		}
		if got != tt.want {
			t.Errorf("limit %d: %s, want %s", tt.limit, got, tt.want)
		}
	}
}
