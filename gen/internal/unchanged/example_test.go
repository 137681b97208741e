package unchanged_test

import (
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/aiongen/aiongen/gen/internal/unchanged"
)

// A run is the same as the last one until what it read holds something else.
func Example() {
	dir, err := os.MkdirTemp("", "unchanged")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	tools := filepath.Join(dir, "tools")
	write := func(name, text string) {
		if err := errors.Join(os.MkdirAll(tools, 0o777), os.WriteFile(filepath.Join(tools, name), []byte(text), 0o666)); err != nil {
			log.Fatal(err)
		}
	}
	write("go.mod", "module example.com/a\n")
	write("a.go", "package a\n")
	write("a.aion", "[]\n")
	cfg := unchanged.Config{Folder: filepath.Join(dir, "runs"), Dir: tools, Patterns: []string{"."}}
	unchanged.Begin(cfg).Keep(nil, nil, nil, unchanged.Outcome{Costs: []string{"a note"}})
	write("a.go", "package a\n")
	fmt.Println(unchanged.Begin(cfg).Outcome())
	write("a.go", "package b\n")
	fmt.Println(unchanged.Begin(cfg).Outcome())
	// Output:
	// {[] [a note]} true
	// {[] []} false
}
