package output_test

import (
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/aiongen/aiongen/gen/internal/output"
)

// If one file cannot be written, none is.
func ExampleWrite() {
	dir, err := os.MkdirTemp("", "output")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	file := func(name string) output.File {
		return output.File{Name: name, Path: filepath.Join(dir, name), New: []byte("package users\n")}
	}
	first, second := file("users.aion.go"), file(filepath.Join("tools", "aion_register.go"))
	tools := filepath.Join(dir, "tools") // a file, where a directory should be
	if err := os.WriteFile(tools, nil, 0o666); err != nil {
		log.Fatal(err)
	}
	if failed, ok := errors.AsType[*output.Error](output.Write([]output.File{first, second}, nil)); ok {
		fmt.Println("failed:", filepath.ToSlash(failed.Name))
	}
	_, err = os.Stat(first.Path)
	fmt.Println("first is there:", err == nil)

	if err := output.Write([]output.File{first}, nil); err != nil {
		log.Fatal(err)
	}
	text, err := os.ReadFile(first.Path)
	fmt.Printf("%s%v\n", text, err)
	// Output:
	// failed: tools/aion_register.go
	// first is there: false
	// package users
	// <nil>
}
