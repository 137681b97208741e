package file

import (
	"encoding/json"
	"errors"
	"os"
	"reflect"
	"testing"
	"time"

	"github.com/aiongen/aiongen/runtime/journal"
)

// FuzzFile reads files with arbitrary content and appends to them. Entries that could be read before
// must remain, and nothing else may become an entry.
func FuzzFile(f *testing.F) {
	j, err := Open(f.TempDir())
	if err != nil {
		f.Fatal(err)
	}
	if err := j.Append(f.Context(), "r", 0, note("a"), note("b")); err != nil {
		f.Fatal(err)
	}
	content, err := os.ReadFile(j.runPath("r"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(content)
	f.Add(append(content[:len(content):len(content)], content...))
	f.Add(append(content[:len(content):len(content)], tombstone...))
	f.Add([]byte("\n=1 00000000 {}\n"))
	f.Add([]byte("=2 {}\n"))
	f.Add([]byte("\n=2 00000000 {}\n"))
	f.Add(content[:len(content)-9])
	f.Add([]byte("\n\n"))
	f.Fuzz(func(t *testing.T, content []byte) {
		if err := os.WriteFile(j.runPath("r"), content, 0o600); err != nil {
			t.Fatal(err)
		}
		before, err := texts(j, "r")
		if _, gone := errors.AsType[*journal.NotFoundError](err); err != nil && !gone {
			return // arbitrary content may be an error
		}
		n := len(before)
		if err := j.Append(t.Context(), "r", n, note("z")); err != nil {
			return
		}
		if after, err := texts(j, "r"); err != nil || after != before+"z" {
			t.Errorf("%q is %q, and with z %q, %v", content, before, after, err)
		}
	})
}

// FuzzHead compares parsePlainHead with encoding/json.
func FuzzHead(f *testing.F) {
	f.Add(headText(f, head{}))
	f.Add(headText(f, head{Entry: journal.Entry{
		Format: 1, N: 2, Kind: "call", By: "a", Seen: 3, Time: time.Unix(0, 1).UTC(), Status: "running", WaitsFor: "a", Effect: "b", Data: []byte(`"x"`),
	}, Run: "r", Part: 1, Of: 2}))
	f.Fuzz(func(t *testing.T, text string) {
		got, ok := parsePlainHead(text)
		if !ok {
			return
		}
		var want head
		if err := json.Unmarshal([]byte(text), &want); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q is %+v, want %+v, %v", text, got, want, err)
		}
	})
}
