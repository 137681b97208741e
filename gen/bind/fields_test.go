package bind

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The types below are read twice: by encoding/json in this program, and by
// jsonFields from the source of this file. Both must see the same fields.

type inner struct {
	A, B int
	C    int `json:"c"`
}

type Outer struct {
	B int
	D int `json:"d"`
}

type deep struct {
	inner
	E int
}

type both struct {
	inner
	Outer
}

type tagged struct {
	inner `json:"nested"`
	B     string
}

type clashTagged struct {
	Same int
	Y    int `json:"Same"`
}

type hidden struct {
	inner
	A      string `json:"-"`
	B      string `json:"-,"`
	hidden int
	C      string `json:"bad,name"`
	D      string `json:"bad\"name"`
	E      string `json:"ünïcode/$%"`
	F      string `json:",omitempty"`
}

type embedsPointer struct {
	*Outer
	fmtLike
}

type fmtLike int

type viaAlias struct{ innerAlias }

type innerAlias = inner

func TestFieldsAsEncodingJSON(t *testing.T) {
	pkg := thisPackage(t)
	for name, value := range map[string]any{
		"inner": inner{}, "Outer": Outer{}, "deep": deep{}, "both": both{}, "tagged": tagged{},
		"clashTagged": clashTagged{}, "hidden": hidden{hidden: 1, F: "x"}, "embedsPointer": embedsPointer{Outer: &Outer{}},
		"viaAlias": viaAlias{},
	} {
		var got []string
		for _, f := range jsonFields(pkg.Scope().Lookup(name).Type()) {
			got = append(got, f.name)
		}
		slices.Sort(got)
		if diff := cmp.Diff(keys(t, value), got); diff != "" {
			t.Errorf("%s: encoding/json sees -, jsonFields sees +\n%s", name, diff)
		}
	}
}

func keys(t *testing.T, value any) []string {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	var members map[string]any
	if err := json.Unmarshal(text, &members); err != nil {
		t.Fatal(err)
	}
	var names []string
	for name := range members {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// thisPackage type-checks this file alone, without function bodies.
func thisPackage(t *testing.T) *types.Package {
	t.Helper()
	src, err := os.ReadFile("fields_test.go")
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "fields_test.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	conf := types.Config{IgnoreFuncBodies: true, Error: func(error) {}}
	pkg, _ := conf.Check("bind", fset, []*ast.File{file}, nil) // no importer: the types above need none
	return pkg
}
