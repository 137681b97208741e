package aion

import (
	"reflect"
	"strings"
	"testing"
)

// TestTokens parses a few tokens in every order. Parsing must end, and the edits of the faults must be
// applicable.
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
		ApplyFixes("a.aion", text, certainFixes(list))
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
