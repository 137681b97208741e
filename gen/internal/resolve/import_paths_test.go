package resolve_test

import (
	"slices"
	"testing"

	"github.com/aiongen/aiongen/gen/internal/resolve"
)

func TestImportPathsIn(t *testing.T) {
	for text, want := range map[string][]string{
		"Find":                                   nil,
		" net/http.Get ":                         {"net/http"},
		"gopkg.in/yaml.v3.Encode":                {"gopkg.in/yaml"},
		"x.org/a.(*T).M":                         {"x.org/a"},
		"x.org/a":                                nil,
		"strings.ToUpper":                        {"strings"},
		"Store.Find":                             nil,
		"Map[x.org/a.T]":                         {"x", "a"},
		"lambda s: strings.title(s.x) + 'a/b.c'": {"strings", "s", "b"},
		"func(s string) string { return strings.Title(s) }": {"strings"},
	} {
		if got := resolve.ImportPathsIn(text); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
