package registrymap_test

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/aiongen/aiongen/runtime/tool/internal/registrymap"
)

func Example_stock() {
	all := registrymap.View[int]{Map: registrymap.New[int]()}
	names, _ := registrymap.Rename(all.With(registrymap.Naming{Prefix: "my_"}), []string{"one", "two"}, sameName, otherName)
	changed := all.Changed()
	_ = all.Change(len(names), func(things map[string]int) error {
		for i, name := range names {
			things[name] = i + 1
		}
		return nil
	})
	<-changed
	fmt.Println(all.Names(), all.Find("my_two"), all.UnknownName("my_tow").Nearest)
	some, _ := all.Select([]string{"my_two"})
	fmt.Println(some.Names(), some.Find("my_one"))
	// Output:
	// [my_one my_two] 2 [my_two]
	// [my_two] 0
}

// Values that are their own names.
func sameName(name string) string     { return name }
func otherName(_, name string) string { return name }

// TestRename checks that each renaming uses the names of the previous one.
func TestRename(t *testing.T) {
	all := registrymap.View[int]{Map: registrymap.New[int]()}
	swap := registrymap.Naming{Names: map[string]string{"a": "b", "b": "a"}}
	for _, tt := range []struct {
		view    registrymap.View[int]
		want    []string
		unknown string
	}{
		{all, []string{"a", "b"}, ""},
		{all.With(swap), []string{"b", "a"}, ""},
		{all.With(swap).With(registrymap.Naming{Prefix: "x_"}), []string{"x_a", "x_b"}, "a"},
		{all.With(registrymap.Naming{Prefix: "x_"}).With(swap), []string{"x_b", "x_a"}, ""},
		{all.With(registrymap.Naming{Prefix: "x_", Names: map[string]string{"a": "z", "zz": "y"}}), []string{"x_z", "x_b"}, "zz"},
	} {
		called, unknown := registrymap.Rename(tt.view, []string{"a", "b"}, sameName, otherName)
		if !slices.Equal(called, tt.want) || (unknown == nil) != (tt.unknown == "") || unknown != nil && unknown.Name != tt.unknown {
			t.Errorf("%q %v, want %q %q", called, unknown, tt.want, tt.unknown)
		}
	}
}

// TestChange checks that readers see a complete change or nothing, and nothing of a failed one.
func TestChange(t *testing.T) {
	all := registrymap.View[int]{Map: registrymap.New[int]()}
	failed := errors.New("failed")
	var changes sync.WaitGroup
	for i := range 20 {
		changes.Go(func() {
			err := all.Change(2, func(things map[string]int) error {
				things[fmt.Sprint("a", i)] = i
				if i%2 == 1 {
					return failed
				}
				things[fmt.Sprint("b", i)] = i
				return nil
			})
			if (err != nil) != (i%2 == 1) {
				t.Error(err)
			}
		})
		changes.Go(func() {
			if n := len(all.Names()); n%2 == 1 {
				t.Errorf("%d names are there", n)
			}
		})
	}
	changes.Wait()
	if names := all.Names(); len(names) != 20 {
		t.Errorf("got %q", names)
	}
}
