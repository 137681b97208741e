package tool

import (
	"strings"
	"testing"
)

func TestShow(t *testing.T) {
	for _, tt := range []struct{ got, want string }{
		{showName("add"), "add"},
		{showName("no name"), `"no name"`},
		{showJSON(`{ "a": 1 }`), `{"a":1}`},
		{showLine("Adds\x1b[1m.\nMore."), `Adds\x1b[1m.`},
		{showName(""), `""`},
		{showName("\u202e"), `"\u202e"`},
		{showName(strings.Repeat("n", 200)), strings.Repeat("n", 128) + "…"},
		{showJSON(`{"a`), `"{\"a"`},
		{showJSON(`"` + strings.Repeat("x", 300) + `"`), `"` + strings.Repeat("x", 199) + "…"},
		{showLine("\n  first \nsecond"), "first"},
	} {
		if tt.got != tt.want {
			t.Errorf("%s, want %s", tt.got, tt.want)
		}
	}
}
