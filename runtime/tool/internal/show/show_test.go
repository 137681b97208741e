package show_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/tool/internal/show"
)

func Example() {
	fmt.Println(show.Name("add"), show.Name("no name"), show.JSON(`{ "a": 1 }`), show.Line("Adds\x1b[1m.\nMore."))
	// Output: add "no name" {"a":1} Adds\x1b[1m.
}

func TestShow(t *testing.T) {
	for _, tt := range []struct{ got, want string }{
		{show.Name(""), `""`},
		{show.Name("\u202e"), `"\u202e"`},
		{show.Name(strings.Repeat("n", 200)), strings.Repeat("n", 128) + "…"},
		{show.JSON(`{"a`), `"{\"a"`},
		{show.JSON(`"` + strings.Repeat("x", 300) + `"`), `"` + strings.Repeat("x", 199) + "…"},
		{show.Line("\n  first \nsecond"), "first"},
	} {
		if tt.got != tt.want {
			t.Errorf("%s, want %s", tt.got, tt.want)
		}
	}
}
