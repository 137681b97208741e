package regularfile_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/aiongen/aiongen/internal/regularfile"
)

// ReadFile refuses to read anything other than a regular file.
func ExampleReadFile() {
	dir, err := os.MkdirTemp("", "regular")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	tools := filepath.Join(dir, "tools.aion")
	if err := os.WriteFile(tools, []byte("[]\n"), 0o666); err != nil {
		log.Fatal(err)
	}
	for _, path := range []string{tools, dir} {
		text, err := regularfile.ReadFile(path)
		fmt.Printf("%q %v\n", text, regularfile.Reason(err))
	}
	// Output:
	// "[]\n" <nil>
	// "" it is a directory, not a regular file
}
