package aion_test

import (
	"reflect"
	"testing"

	"github.com/aiongen/aiongen/aion"
)

// TestDescribeText parses notes with descriptions of fields, and formats what they say.
func TestDescribeText(t *testing.T) {
	for note, want := range map[string][]aion.Path{
		"dict | describe=a:b":                                 {{Names: []string{"a"}, Text: "b"}},
		"dict | describe=a.b : c, d. (see: e)":                {{Names: []string{"a", "b"}, Text: "c, d. (see: e)"}},
		"dict | describe=a,*.b:c":                             {{Names: []string{"a"}, Text: "c"}, {Names: []string{"b"}, Anywhere: true, Text: "c"}},
		"dict | describe='x:y'.'a,b':c":                       {{Names: []string{"x:y", "a,b"}, Text: "c"}},
		"dict | describe=a:'b|c' | only=a | describe=c:'d' e": {{Names: []string{"a"}, Text: "b|c"}, {Names: []string{"c"}, Text: "'d' e"}},
		"dict | describe=a:Ada's":                             {{Names: []string{"a"}, Text: "Ada's"}},
		"dict | describe=a:only=b":                            {{Names: []string{"a"}, Text: "only=b"}},
	} {
		parsed, faults := aion.ParseNote(note)
		if len(faults) > 0 {
			t.Errorf("%s: %v", note, faults)
			continue
		}
		got := append([]aion.Path(nil), parsed.Paths("describe")...)
		created := aion.Note{Type: parsed.Type}
		for i := range got {
			got[i].Span = want[0].Span
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, want %+v", note, got, want)
		}
		created.Shape = []aion.Shaping{{Option: "describe", Paths: got}}
		again, faults := aion.ParseNote(created.String())
		for i := range again.Paths("describe") {
			again.Paths("describe")[i].Span = want[0].Span
		}
		if len(faults) > 0 || !reflect.DeepEqual(again.Paths("describe"), want) {
			t.Errorf("%s is formatted as %s, which means %+v", note, created.String(), again.Paths("describe"))
		}
	}
}
