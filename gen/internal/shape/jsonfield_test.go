package shape_test

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/aiongen/aiongen/gen/internal/shape"
)

// The types below are read twice: by encoding/json in this program, and by
// shape.JSONFields from the source of this file. Both must see the same fields.

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

type recursive struct {
	*recursive
	A int
}

type shared struct{ X, Y int }

type left struct{ shared }

type right struct {
	shared
	Y string
}

// diamond embeds shared twice at the same depth: X is dropped, Y is the outer field.
type diamond struct {
	left
	right
}

type two struct {
	left
	right
}

type clashBehind struct {
	two
	A int
}

// A type that embeds another one twice shows the fields of what that embeds only once.
type under struct{ Below int }

type over struct {
	under
	Z int
}

type leftOver struct{ over }

type rightOver struct{ over }

type overTwice struct {
	leftOver
	rightOver
}

type Pair[A, B any] struct {
	First  A
	Second B
}

type instances struct {
	Pair[int, string]
	*Same
}

type Same = Pair[string, int]

type mixed struct {
	Tagged  `json:"Name"`
	Outer   `json:",omitempty"`
	*hidden `json:",omitzero"`
	Name    string
}

type Tagged struct{ Q int }

func TestFieldsAsEncodingJSON(t *testing.T) {
	pkg := thisPackage(t)
	for name, value := range map[string]any{
		"inner": inner{}, "Outer": Outer{}, "deep": deep{}, "both": both{}, "tagged": tagged{},
		"clashTagged": clashTagged{}, "hidden": hidden{hidden: 1, F: "x"}, "embedsPointer": embedsPointer{Outer: &Outer{}},
		"viaAlias": viaAlias{}, "recursive": recursive{recursive: &recursive{}}, "diamond": diamond{}, "clashBehind": clashBehind{}, "overTwice": overTwice{},
		"instances": instances{Same: &Same{}}, "mixed": mixed{hidden: &hidden{F: "x"}},
	} {
		var got []string
		fields, _ := shape.JSONFields(nil, pkg.Scope().Lookup(name).Type(), nil, nil)
		for _, f := range fields {
			got = append(got, f.Name)
		}
		slices.Sort(got)
		if diff := cmp.Diff(keys(t, value), got); diff != "" {
			t.Errorf("%s: encoding/json sees -, JSONFields sees +\n%s", name, diff)
		}
	}
}

// TestClashes checks which fields clash and at which embedded structs their paths diverge.
// All other fields are kept.
func TestClashes(t *testing.T) {
	pkg := thisPackage(t)
	for name, want := range map[string][]string{
		"deep":        nil,
		"both":        {"B inner.B Outer.B at inner Outer"},
		"diamond":     {"X left.shared.X right.shared.X at left right"},
		"overTwice":   {"Z leftOver.over.Z rightOver.over.Z at leftOver rightOver"},
		"clashBehind": {"X two.left.shared.X two.right.shared.X at left right"},
	} {
		var got []string
		_, clashes := shape.JSONFields(nil, pkg.Scope().Lookup(name).Type(), nil, nil)
		for _, clash := range clashes {
			words := []string{clash[0].Name}
			for _, f := range clash {
				words = append(words, f.Selector())
			}
			words = append(words, "at")
			for _, v := range shape.DivergingEmbedded(clash) {
				words = append(words, v.Name())
			}
			got = append(got, strings.Join(words, " "))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: -want +got\n%s", name, diff)
		}
	}
}

// TestClashWithin checks two fields with the same name in one struct, which cannot become
// separate objects.
func TestClashWithin(t *testing.T) {
	field := func(name string) *types.Var {
		return types.NewField(token.NoPos, nil, name, types.Typ[types.Int], false)
	}
	kept, clashes := shape.JSONFields(nil, types.NewStruct([]*types.Var{field("A"), field("B"), field("C")}, []string{`json:"x"`, `json:"x"`, ""}), nil, nil)
	if len(kept) != 1 || len(clashes) != 1 || len(clashes[0]) != 2 || shape.DivergingEmbedded(clashes[0]) != nil {
		t.Errorf("kept %v, clashes %v", kept, clashes)
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

// thisPackage type-checks this file without function bodies.
func thisPackage(t *testing.T) *types.Package {
	t.Helper()
	src, err := os.ReadFile("jsonfield_test.go")
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "jsonfield_test.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	conf := types.Config{IgnoreFuncBodies: true, Error: func(error) {}}
	pkg, _ := conf.Check("jsonfield", fset, []*ast.File{file}, nil) // no importer: the types above need none
	return pkg
}

// Of several fields with the same name, the shallowest wins.
func ExampleJSONFields() {
	text := types.Typ[types.String]
	field := func(name string, t types.Type, embedded bool) *types.Var {
		return types.NewField(token.NoPos, nil, name, t, embedded)
	}
	base := types.NewStruct([]*types.Var{field("ID", text, false), field("Name", text, false)}, []string{`json:"id"`, ""})
	named := types.NewNamed(types.NewTypeName(token.NoPos, nil, "Base", nil), base, nil)
	user := types.NewStruct([]*types.Var{field("Base", named, true), field("Name", text, false)}, []string{"", ""})
	fields, _ := shape.JSONFields(nil, user, nil, nil)
	for _, f := range fields {
		fmt.Println(f.Name, len(f.Chain))
	}
	// Output:
	// id 2
	// Name 1
}
