package load_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/aiongen/aiongen/gen/internal/load"
)

// The texts of an editor replace those on disk, and add to them.
func Example_overlay() {
	dir, err := os.MkdirTemp("", "overlay")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	for _, name := range []string{"a.go", "b.go", "c.go"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("disk"), 0o666); err != nil {
			log.Fatal(err)
		}
	}
	files := load.Overlay{filepath.Join(dir, "a.go"): []byte("edited"), filepath.Join(dir, "c.go"): nil, filepath.Join(dir, "d.go"): []byte("new")}
	infos, err := files.ReadDir(dir)
	for _, info := range infos {
		text, err := files.ReadFile(filepath.Join(dir, info.Name()))
		fmt.Println(info.Name(), string(text), err)
	}
	_, errGone := files.Open(filepath.Join(dir, "c.go"))
	fmt.Println(err, os.IsNotExist(errGone))
	// Output:
	// a.go edited <nil>
	// b.go disk <nil>
	// d.go new <nil>
	// <nil> true
}
