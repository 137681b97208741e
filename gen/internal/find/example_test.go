package find_test

import (
	"context"
	"fmt"
	"log"

	"github.com/aiongen/aiongen/gen/internal/find"
	"github.com/aiongen/aiongen/gen/internal/gotype"
)

// A package is found with its .aion files, and with what its go:generate line says.
func ExampleFinder_Sources() {
	f := find.New(find.Config{Dir: "../../../example", Patterns: []string{"./tools"}})
	for _, s := range f.Sources(context.Background()) {
		m, ok := f.Bind(s, gotype.Target{Path: s.Package.Path + "/gen", Name: "gen"})
		if !ok {
			break
		}
		for _, file := range m.Files {
			fmt.Println(s.Package.Name, file.Name, len(file.Tools))
		}
	}
	if err := f.Faults.Err(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// tools prompts.aion.go 0
	// tools stubs.aion.go 2
	// tools tickets.aion.go 7
	// tools variations.aion.go 3
}
