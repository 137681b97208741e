package gen

import (
	"fmt"
	"slices"
	"testing"

	"github.com/aiongen/aiongen/gen/internal/load"
	"github.com/aiongen/aiongen/gen/internal/shape"
)

// TestBindPackage checks that a package is found with all of its .aion files and their tools.
func TestBindPackage(t *testing.T) {
	f := newFinder(Config{Dir: "../example", Patterns: []string{"./tools"}}, nil, nil, load.NewMemory())
	var got []string
	for _, s := range f.findSources(t.Context()) {
		m, ok := f.bindPackage(s, shape.Target{Path: s.Package.Path + "/gen", Name: "gen"})
		if !ok {
			t.Fatal(f.Faults.Err())
		}
		for _, file := range m.Files {
			got = append(got, fmt.Sprint(s.Package.Name, " ", file.Name, " ", len(file.Tools)))
		}
	}
	if err := f.Faults.Err(); err != nil {
		t.Fatal(err)
	}
	if want := []string{"tools prompts.aion.go 0", "tools stubs.aion.go 2", "tools tickets.aion.go 7", "tools variations.aion.go 3"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
