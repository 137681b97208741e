package aion

import (
	"reflect"
	"strings"
	"testing"
)

// TestTokens reads tokens in all orders there are of a few, most of which nobody would
// write: that ends, in faults whose edits can be made.
func TestTokens(t *testing.T) {
	tokens := []string{"a", `"x"`, "-->", "[", "]", "{", "}"}
	most := 6
	if testing.Short() {
		most = 5
	}
	row := make([]string, 0, most)
	var read func()
	read = func() {
		text := []byte(strings.Join(row, " "))
		_, list := Parse("a.aion", text)
		checkSpans(t, reflect.ValueOf(list), len(text))
		Mend("a.aion", text, certain(list))
		if len(row) == most {
			return
		}
		for _, token := range tokens {
			row = append(row, token)
			read()
			row = row[:len(row)-1]
		}
	}
	read()
}
