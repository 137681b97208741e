package sealed_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/aiongen/aiongen/runtime/ask"
	"github.com/aiongen/aiongen/runtime/mcp/internal/sealed"
)

var now = time.Date(2026, 7, 28, 12, 0, 0, 0, time.UTC)

func Example() {
	key := sealed.NewKey([]byte("a secret of all servers"), "trips")
	of := sealed.Digest("tools/call", "book", json.RawMessage(`{"to":"Rome"}`), "ann")
	text, err := key.Seal(sealed.State{Of: of, Answers: []ask.Answer{ask.Roots().Decline()}, Until: now.Add(time.Hour)})
	if err != nil {
		fmt.Println(err)
	}
	s, err := sealed.NewKey([]byte("a secret of all servers"), "trips").Open(text, of, now)
	fmt.Println(s.Answers[0].Action, err)
	_, err = key.Open(text+"x", of, now)
	fmt.Println(err)
	// Output:
	// decline <nil>
	// it is none that this server wrote
}

// TestOpen: only what was sealed, for the same call, in time.
func TestOpen(t *testing.T) {
	key := sealed.NewKey(nil, "trips")
	digest := func(method, name, arguments, user string) string {
		return sealed.Digest(method, name, json.RawMessage(arguments), user)
	}
	of := digest("tools/call", "pay", `{"a":1,"b":[2.50,12345678901234567890]}`, "ann")
	text, err := key.Seal(sealed.State{Of: of, Until: now})
	if err != nil {
		t.Fatal(err)
	}
	before := now.Add(-time.Second)
	for _, test := range []struct {
		key  sealed.Key
		text string
		of   string
		at   time.Time
		want string
	}{
		{key, text, of, before, ""},
		{key, text, digest("tools/call", "pay", ` { "b":[2.50,12345678901234567890], "a":1}`, "ann"), before, ""},
		{key, text, of, now, "it was to be used until 2026-07-28T12:00:00Z"},
		{sealed.NewKey(nil, "trips"), text, of, before, "it is none"},
		{key, "", of, before, "it is none"},
		{key, ".", of, before, "it is none"},
		{key, text + "-TAMPERED", of, before, "it is none"},
		{key, "A" + text, of, before, "it is none"},
		{key, strings.Replace(text, ".", "..", 1), of, before, "it is none"},
		{key, text[:len(text)-1] + string(text[len(text)-1]^1), of, before, "it is none"},
		{key, text, digest("tools/call", "pay", `{"a":2,"b":[2.50,12345678901234567890]}`, "ann"), before, "it is that of another call"},
		{key, text, digest("tools/call", "pay", `{"a":1,"b":[2.50,12345678901234567891]}`, "ann"), before, "it is that of another call"},
		{key, text, digest("tools/call", "pay", `{"a":1,"b":[2.50,12345678901234567890]}`, "bob"), before, "it is that of another call"},
		{key, text, digest("prompts/get", "pay", `{"a":1,"b":[2.50,12345678901234567890]}`, "ann"), before, "it is that of another call"},
		{key, text, digest("tools/call", "pa", `{"a":1,"b":[2.50,12345678901234567890]}`, "ann"), before, "it is that of another call"},
	} {
		_, err := test.key.Open(test.text, test.of, test.at)
		if got := fmt.Sprint(err); !strings.HasPrefix(got, test.want) || (err == nil) != (test.want == "") {
			t.Errorf("%+v: %v", test, err)
		}
	}
}

func TestTooLong(t *testing.T) {
	long := json.RawMessage(`"` + strings.Repeat("x", 1<<20) + `"`)
	if _, err := sealed.NewKey(nil, "trips").Seal(sealed.State{Answers: []ask.Answer{ask.Model("?", 1).Accept(long)}}); err == nil {
		t.Error("sealed")
	}
}

// FuzzOpen: nothing that was not sealed opens.
func FuzzOpen(f *testing.F) {
	key := sealed.NewKey([]byte("secret"), "trips")
	text, err := key.Seal(sealed.State{Of: "x", Until: now})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add(text + "=")
	f.Add(text[:9] + "\n" + text[9:])
	f.Add(text + "\r\n")
	f.Add("e30.")
	f.Fuzz(func(t *testing.T, other string) {
		if _, err := key.Open(other, "x", now.Add(-1)); err == nil && other != text {
			t.Errorf("%q opens", other)
		}
	})
}
