package file

import (
	"bytes"
	"encoding/json"
	"math"
	"reflect"
	"testing"
	"time"

	"github.com/aiongen/aiongen/runtime/journal"
)

// headText returns the text of a head, as formatHead writes it.
func headText(t testing.TB, h head) string {
	t.Helper()
	line, err := formatHead(h)
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := bytes.Cut(bytes.TrimSuffix(line, []byte("\n")), []byte("{"))
	return "{" + string(text)
}

func TestParsePlainHead(t *testing.T) {
	full := head{Entry: journal.Entry{
		Format: 3, N: math.MaxInt32, Kind: "call", By: "a b", Seen: 7, Time: time.Date(2026, 3, 2, 9, 0, 0, 1, time.UTC),
		Status: "running", WaitsFor: "approval", Effect: "call/1", Data: []byte(`"x"`),
	}, Run: "r", Part: 1, Of: 2}
	for _, h := range []head{full, {}, {Entry: journal.Entry{By: "a", Data: []byte("{}")}, Of: 1}} {
		text := headText(t, h)
		var want head
		if err := json.Unmarshal([]byte(text), &want); err != nil {
			t.Fatal(err)
		}
		if got, ok := parsePlainHead(text); !ok || !reflect.DeepEqual(got, want) {
			t.Errorf("%s is %+v, %v, want %+v", text, got, ok, want)
		}
	}
	for _, text := range []string{
		``, `{`, `}`, `,"n":1}`, `null`, `{}}`, `{"n":1,"format":0}`, `{"format":0,}`, `{"format":0 }`, `{ "format":0}`, `{"format":01}`, `{"format":-}`,
		`{"format":1.0}`, `{"format":1e2}`, `{"format":9223372036854775808}`, `{"format":0,"sum":4294967296}`, `{"format":0,"sum":-1}`,
		`{"format":0,"n":0,"kind":"\u0061"}`, `{"format":0,"kind":"é"}`, `{"format":0,"kind":"a}`, `{"format":0,"time":""}`,
		`{"format":0,"time":"today"}`, `{"format":0,"format":1}`, `{"format":0,"other":1}`, `{"format":"0"}`, `{"format":0,"kind":null}`,
	} {
		if h, ok := parsePlainHead(text); ok {
			t.Errorf("%s is %+v, want false", text, h)
		}
	}
}

// TestParseUnusualHead parses heads that encoding/json has to parse.
func TestParseUnusualHead(t *testing.T) {
	want := head{Entry: journal.Entry{Kind: "\u2028\"", By: "é\n"}, Run: `\`, Of: 1}
	got, err := parseHeadText([]byte(headText(t, want)))
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
}
