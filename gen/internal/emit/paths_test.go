package emit_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/testdata/golden/paths"
)

// everything finds all names.
type everything struct{}

func (everything) Find(words string) []string { return []string{words} }

// TestPaths calls methods of fields of injected values and of package variables.
func TestPaths(t *testing.T) {
	ada := &paths.Users{Name: "ada"}
	whole := func() paths.Deps {
		return paths.Deps{
			Client: &paths.Client{
				Users:  &paths.Users{Name: "bob", Inner: &paths.Client{Users: ada}},
				Search: everything{}, Common: &paths.Common{Rates: ada},
			},
			Shop:   paths.NewShop("shop"),
			Server: &http.Server{Handler: http.NotFoundHandler()},
		}
	}
	r := tool.NewRegistry()
	if err := paths.Register(r, whole()); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, arguments, want string }{
		{"users_get", `{"id":1}`, `"bob"`},
		{"inner_get", `{"id":1}`, `"ada"`},
		{"issues_count", `{}`, `0`},
		{"search", `{"words":"w"}`, `["w"]`},
		{"rates", `{"id":1}`, `"ada"`},
		{"show", `{}`, `"shop"`},
		{"gh_get", `{"id":1}`, `"all"`},
		{"gh_get", `{"id":0}`, `error: gh_get: there is no user 0`},
		{"gh_find", `{"words":"w"}`, `error: gh_find: GH.Search is nil`},
		{"gh_close", `{}`, `null`},
		{"cookies", `{"u":"https://example.com"}`, `error: cookies: DefaultClient.Jar is nil`},
		{"status", `{"code":404}`, `"Not Found"`},
	} {
		if got := outcome(r.Call(t.Context(), tool.Request{Name: tt.name, Arguments: []byte(tt.arguments)})); got != tt.want {
			t.Errorf("%s(%s) = %s, want %s", tt.name, tt.arguments, got, tt.want)
		}
	}
	for _, tt := range []struct {
		spoil func(*paths.Deps)
		want  string
	}{
		{func(d *paths.Deps) { d.Client = nil }, "Deps.Client is nil"},
		{func(d *paths.Deps) { d.Client.Users = nil }, "Deps.Client.Users is nil"},
		{func(d *paths.Deps) { d.Client.Users.Inner = nil }, "Deps.Client.Users.Inner is nil"},
		{func(d *paths.Deps) { d.Client.Search = nil }, "Deps.Client.Search is nil"},
		{func(d *paths.Deps) { d.Client.Common = nil }, "Deps.Client.Common is nil"},
		{func(d *paths.Deps) { d.Server.Handler = nil }, "Deps.Server.Handler is nil"},
	} {
		d := whole()
		tt.spoil(&d)
		if err := paths.Register(tool.NewRegistry(), d); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v, want %s", err, tt.want)
		}
	}
}
