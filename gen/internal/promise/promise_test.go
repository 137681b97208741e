package promise

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/gen/internal/find"
	"github.com/aiongen/aiongen/gen/internal/model"
)

func ExampleOf() {
	promises, faults := Of(context.Background(), find.Config{Dir: "../../../testdata/golden", Patterns: []string{"./functions", "./prompts"}})
	if faults.Err() != nil {
		fmt.Println(faults)
		return
	}
	for _, t := range promises.Tools {
		if t.Name == "several" || t.Name == "scan" {
			fmt.Println(filepath.Base(t.Package), t.Name)
			for _, a := range t.Arguments {
				fmt.Println("-", a.Name, a.Required)
			}
		}
	}
	for _, p := range promises.Prompts {
		fmt.Println(filepath.Base(p.Package), p.Name)
	}
	// Output:
	// functions several
	// - user_id true
	// - limit false
	// - rest false
	// functions scan
	// - verbose false
	// - depth true
	// prompts system_prompt
	// prompts rules
	// prompts wrapped_query
}

// TestReferences: where a value holds variables, and of what Go types.
func TestReferences(t *testing.T) {
	ref := func(name string) *model.Type {
		return &model.Type{Kind: model.Ref, Go: model.Basic(name)}
	}
	tree := &model.Type{Kind: model.StructKind}
	tree.Fields = []*model.Field{{Name: "leaf", Type: ref("Leaf")}, {Name: "kids", Type: &model.Type{Kind: model.Slice, Elem: tree}}}
	for _, test := range []struct {
		name string
		typ  *model.Type
		want map[string]string
	}{
		{"none", &model.Type{Kind: model.String}, nil},
		{"itself", ref("User"), map[string]string{"": "User"}},
		{"elements", &model.Type{Kind: model.Slice, Elem: &model.Type{Kind: model.Map, Elem: ref("User")}}, map[string]string{"/*/*": "User"}},
		{"behind a pointer", &model.Type{Kind: model.Pointer, Elem: ref("User")}, map[string]string{"": "User"}},
		{"members", &model.Type{Kind: model.StructKind, Fields: []*model.Field{{Name: "a/b", Type: ref("A")}, {Name: "c", Type: &model.Type{Kind: model.Int}}}}, map[string]string{"/a~1b": "A"}},
		{"a type that holds itself", tree, map[string]string{"/leaf": "Leaf"}},
	} {
		if diff := cmp.Diff(test.want, references(test.typ)); diff != "" {
			t.Errorf("%s: %s", test.name, diff)
		}
	}
}

// TestArgumentPlace: an argument stands where its note does, or what stands for it.
func TestArgumentPlace(t *testing.T) {
	for _, test := range []struct {
		function string
		i, n     int
		want     string
	}{
		{`"f" --> { arg-1 --> "int", arg-2 --> "string" }`, 1, 2, "string"},
		{`"f" --> { arg-1 --> "the whole" }`, 1, 2, "the whole"},
		{`"f" --> {}`, 0, 1, "f"},
	} {
		source := `[ { name --> "x", function --> ` + test.function + `, description --> "Does x." } ]`
		doc, faults := aion.Parse("x.aion", []byte(source))
		if faults.Err() != nil {
			t.Fatal(faults)
		}
		at := argumentPlace(doc.Elements[0], test.i, test.n)
		if got := source[at.Start.Offset:at.End.Offset]; got != test.want && got != `"`+test.want+`"` {
			t.Errorf("%s, argument %d of %d: %s", test.function, test.i, test.n, got)
		}
	}
}

// TestHad: a pattern is asked for only where there may be .aion files.
func TestHad(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "a", "empty"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "a", "x.aion"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for pattern, want := range map[string]bool{
		"./a": true, "./a/...": true, "./...": true, "example.com/m/a": true, "...": true,
		".": false, "./a/empty": false, "./a/empty/...": true, "./b": false, "./b/...": false,
	} {
		if got := had(dir, pattern); got != want {
			t.Errorf("%s: %v", pattern, got)
		}
	}
}
