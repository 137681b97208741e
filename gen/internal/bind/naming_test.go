package bind

import (
	"slices"
	"testing"

	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/gen/internal/load"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/shape"
)

// TestAssignNames checks that names differ from those of other tools and of the package.
func TestAssignNames(t *testing.T) {
	find, again := &model.Tool{Name: "find_user"}, &model.Tool{Name: "findUser"}
	m := &model.Package{Path: "example.com/users", Name: "users", Files: []model.File{{Tools: []*model.Tool{find, again}}}}
	w := shape.TypeWriter{
		Package: &load.Package{Path: m.Path, Name: m.Name},
		Target:  shape.Target{Path: m.Path, Name: m.Name, Declared: []string{"FindUserTool", "wire"}},
	}
	assignNames(m, w, goname.NewNames(w.Target.Declared...), []boundFile{{elements: []*element{{tool: find}, {tool: again}}}}, nil, func(*element) {})
	var got []string
	for _, t := range m.Tools() {
		got = append(got, t.Name, t.Constructor, t.Invoke)
	}
	for _, i := range m.Imports {
		got = append(got, i.Name, i.Path)
	}
	want := []string{
		"find_user", "FindUserTool2", "invokeFindUser",
		"findUser", "FindUser2Tool", "invokeFindUser2",
		"context", "context",
		"tool", "github.com/aiongen/aiongen/runtime/tool",
		"wire2", "github.com/aiongen/aiongen/runtime/wire",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}
