package peer_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/aiongen/aiongen/runtime/mcp/internal/peer"
	"github.com/aiongen/aiongen/runtime/tool"
)

var now = time.Date(2026, 7, 28, 12, 0, 0, 0, time.UTC)

func ExampleKey() {
	key := peer.NewKey([]byte("a secret of all servers"), "trips")
	of := peer.CallDigest("tools/call", "book", json.RawMessage(`{"to":"Rome"}`), "ann")
	text, err := key.Seal(peer.State{CallDigest: of, Answers: []tool.Answer{tool.AskRoots().Decline()}, Expires: now.Add(time.Hour)})
	if err != nil {
		fmt.Println(err)
	}
	s, err := peer.NewKey([]byte("a secret of all servers"), "trips").Open(text, of, now)
	fmt.Println(s.Answers[0].Action, err)
	_, err = key.Open(text+"x", of, now)
	fmt.Println(err)
	// Output:
	// decline <nil>
	// this server did not issue it
}

// TestOpen checks that only sealed state is accepted, only for the same call, and only in time.
func TestOpen(t *testing.T) {
	key := peer.NewKey(nil, "trips")
	digest := func(method, name, arguments, user string) string {
		return peer.CallDigest(method, name, json.RawMessage(arguments), user)
	}
	of := digest("tools/call", "pay", `{"a":1,"b":[2.50,12345678901234567890]}`, "ann")
	text, err := key.Seal(peer.State{CallDigest: of, Expires: now})
	if err != nil {
		t.Fatal(err)
	}
	before := now.Add(-time.Second)
	for _, test := range []struct {
		key  peer.Key
		text string
		of   string
		at   time.Time
		want string
	}{
		{key, text, of, before, ""},
		{key, text, digest("tools/call", "pay", ` { "b":[2.50,12345678901234567890], "a":1}`, "ann"), before, ""},
		{key, text, of, now, "it expired at 2026-07-28T12:00:00Z"},
		{peer.NewKey(nil, "trips"), text, of, before, "this server did not issue it"},
		{key, "", of, before, "this server did not issue it"},
		{key, ".", of, before, "this server did not issue it"},
		{key, text + "-TAMPERED", of, before, "this server did not issue it"},
		{key, "A" + text, of, before, "this server did not issue it"},
		{key, strings.Replace(text, ".", "..", 1), of, before, "this server did not issue it"},
		{key, text[:len(text)-1] + string(text[len(text)-1]^1), of, before, "this server did not issue it"},
		{key, text, digest("tools/call", "pay", `{"a":2,"b":[2.50,12345678901234567890]}`, "ann"), before, "it belongs to another call"},
		{key, text, digest("tools/call", "pay", `{"a":1,"b":[2.50,12345678901234567891]}`, "ann"), before, "it belongs to another call"},
		{key, text, digest("tools/call", "pay", `{"a":1,"b":[2.50,12345678901234567890]}`, "bob"), before, "it belongs to another call"},
		{key, text, digest("prompts/get", "pay", `{"a":1,"b":[2.50,12345678901234567890]}`, "ann"), before, "it belongs to another call"},
		{key, text, digest("tools/call", "pa", `{"a":1,"b":[2.50,12345678901234567890]}`, "ann"), before, "it belongs to another call"},
	} {
		_, err := test.key.Open(test.text, test.of, test.at)
		if got := fmt.Sprint(err); !strings.HasPrefix(got, test.want) || (err == nil) != (test.want == "") {
			t.Errorf("%+v: %v", test, err)
		}
	}
}

func TestTooLong(t *testing.T) {
	long := json.RawMessage(`"` + strings.Repeat("x", 1<<20) + `"`)
	if _, err := peer.NewKey(nil, "trips").Seal(peer.State{Answers: []tool.Answer{tool.AskModel("?", 1).Accept(long)}}); err == nil {
		t.Error("sealed")
	}
}

// FuzzOpen checks that only sealed state can be opened.
func FuzzOpen(f *testing.F) {
	key := peer.NewKey([]byte("secret"), "trips")
	text, err := key.Seal(peer.State{CallDigest: "x", Expires: now})
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
