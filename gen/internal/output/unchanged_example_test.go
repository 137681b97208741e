package output_test

import (
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/aiongen/aiongen/gen/internal/output"
)

// A run is unchanged until a file that it read changes.
func Example_beginRun() {
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
	cfg := output.RunConfig{Folder: filepath.Join(dir, "runs"), Dir: tools, Patterns: []string{"."}}
	output.BeginRun(cfg).Save(nil, nil, nil, output.RunOutcome{Costs: []string{"a note"}})
	write("a.go", "package a\n")
	fmt.Println(output.BeginRun(cfg).Outcome())
	write("a.go", "package b\n")
	fmt.Println(output.BeginRun(cfg).Outcome())
	// Output:
	// {[] [a note]} true
	// {[] []} false
}
