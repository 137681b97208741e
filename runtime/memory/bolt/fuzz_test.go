package bolt_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/aiongen/aiongen/runtime/memory"
	"github.com/aiongen/aiongen/runtime/memory/bolt"
)

// FuzzStore performs the same operations on a store and on a map. Each byte is an operation on one of
// eight keys, or reopens the file.
func FuzzStore(f *testing.F) {
	f.Add([]byte("write, read and delete at random"))
	f.Add([]byte{0, 8, 16, 24, 32, 1, 9, 17, 25, 33, 255, 8, 9})
	f.Fuzz(func(t *testing.T, program []byte) {
		path := filepath.Join(t.TempDir(), "memory.db")
		file, err := bolt.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = file.Close() }()
		var m memory.Map
		for i, b := range program[:min(len(program), 64)] {
			key := []string{"a", "ab", "abc", "b", "\x00", "a\x00", "\xff", "\xff\xff"}[b%8]
			switch b / 8 % 4 {
			case 0, 1:
				checkEqual(t, file.Write(t.Context(), key, i), m.Write(t.Context(), key, i))
			case 2:
				checkEqual(t, file.Delete(t.Context(), key), m.Delete(t.Context(), key))
			case 3:
				if err := file.Close(); err != nil {
					t.Fatal(err)
				}
				if file, err = bolt.Open(path); err != nil {
					t.Fatal(err)
				}
			}
			checkEqual(t, content(t, file, key), content(t, &m, key))
		}
		checkEqual(t, content(t, file, ""), content(t, &m, ""))
	})
}

func checkEqual(t *testing.T, a, b any) {
	t.Helper()
	if fmt.Sprint(a) != fmt.Sprint(b) {
		t.Errorf("%v, the map has %v", a, b)
	}
}

// content returns the result of a search.
func content(t *testing.T, s memory.Store, prefix string) (all []string) {
	for entry, err := range s.Search(t.Context(), prefix) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, fmt.Sprintf("%q %s", entry.Key, entry.Value))
	}
	return all
}
