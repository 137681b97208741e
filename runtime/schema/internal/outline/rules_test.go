package outline_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/schema/internal/outline"
)

func Example_rules() {
	rules := outline.RulesOf("gemini")
	fmt.Println(rules.Names.FitTool("7 days"))
	fmt.Println(rules.Keys.FitAll([]string{"a b", "a_b"}))
	// Output:
	// _7_days_ba4b8279
	// [a_b_2 a_b]
}

// TestFitAll checks that the names differ, that none is too long for the target, and that
// acceptable names are not changed.
func TestFitAll(t *testing.T) {
	long := strings.Repeat("x", 64)
	all := []string{"a", "a.", "a-", "a_", "ä", "", "_", long, long + "y", long + "z", long[:62] + "_2"}
	for _, target := range []string{"gemini", "anthropic", "anthropic-strict"} {
		fitted := outline.RulesOf(target).Keys.FitAll(all)
		sorted := slices.Sorted(slices.Values(fitted))
		if len(slices.Compact(sorted)) != len(all) {
			t.Errorf("%s: two of %q are the same", target, fitted)
		}
		for i, name := range fitted {
			if len(name) > 64 || name == "" || name != all[i] && slices.Contains([]string{"a", "a_", "_", long}, all[i]) {
				t.Errorf("%s: %q becomes %q", target, all[i], name)
			}
		}
	}
}

func TestIsGoOnly(t *testing.T) {
	for pattern, want := range map[string]bool{
		`^a$`: false, `(?:a|b)`: false, `(?<n>a)`: false, `\(?P`: false, `\p{Lu}`: false, `\\Ab`: false, `a[^b]c`: false, `[[]`: false,
		`(?i)a`: true, `(?P<n>a)`: true, `\Aa\z`: true, `\pL`: true, `\p`: true, `[[:alpha:]]`: true, `\x{61}`: true, `[]a]`: true, `[^]a]`: true,
	} {
		if got := outline.IsGoOnly(pattern); got != want {
			t.Errorf("%s: %v", pattern, got)
		}
	}
}
