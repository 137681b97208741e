package gen_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/aiongen/aiongen/gen"
)

// Generate compiles a package; what it would change can be looked at, shown as a
// diff, or written.
func ExampleGenerate() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	for name, text := range map[string]string{
		"go.mod":     "module example.com/hello\n",
		"hello.go":   "package hello\n\n// Greet says hello.\nfunc Greet(name string) string { return \"Hello, \" + name }\n",
		"hello.aion": `[ { name --> "greet", function --> "Greet" --> {} } ]`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			log.Fatal(err)
		}
	}
	result, faults := gen.Generate(context.Background(), gen.Config{Dir: dir})
	if err := faults.Err(); err != nil {
		log.Fatal(err)
	}
	for _, c := range result.Changes {
		fmt.Println(c.Name, "is", c.State())
	}
	if err := result.Write(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// hello.aion.go is missing
	// aion_register.go is missing
}
