package glob_test

import (
	"fmt"
	"testing"

	"github.com/aiongen/aiongen/runtime/tool/internal/glob"
)

func Example() {
	fmt.Println(glob.Match("github_*_issue", "github_close_issue"), glob.Match("get?", "get"))
	// Output: true false
}

func TestMatch(t *testing.T) {
	for _, tt := range []struct {
		pattern, name string
		want          bool
	}{
		{"", "", true}, {"", "a", false}, {"*", "", true}, {"**", "ab", true}, {"a*b*c", "a_b_b_c", true},
		{"a*b", "a_bc", false}, {"?", "é", true}, {"A", "a", false}, {"*ab", "aab", true}, {"[a]", "a", false},
	} {
		if got := glob.Match(tt.pattern, tt.name); got != tt.want {
			t.Errorf("%q matches %q: %t", tt.pattern, tt.name, got)
		}
	}
}
