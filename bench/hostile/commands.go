package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"slices"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen"
	"github.com/aiongen/aiongen/runtime/schema"
)

// A command is what aiongen does under a name, in the current directory.
type command struct {
	name string
	run  func(ctx context.Context) error
}

var commands = []command{
	{"check", func(ctx context.Context) error {
		result, list := gen.Generate(ctx, gen.Config{})
		return errors.Join(discard(result.Diff()), diag.Printer{Read: os.ReadFile}.Print(io.Discard, list))
	}},
	{"check -format json", func(ctx context.Context) error {
		_, list := gen.Generate(ctx, gen.Config{})
		return diag.Printer{Read: os.ReadFile}.JSON(io.Discard, list)
	}},
	{"check -format sarif", func(ctx context.Context) error {
		_, list := gen.Generate(ctx, gen.Config{})
		return diag.Printer{Read: os.ReadFile, Tool: diag.Tool{Name: "hostile", Describe: gen.Explain}}.SARIF(io.Discard, list)
	}},
	{"check -format github", func(ctx context.Context) error {
		_, list := gen.Generate(ctx, gen.Config{})
		return diag.Printer{Read: os.ReadFile}.GitHub(io.Discard, list)
	}},
	{"check -lint", func(ctx context.Context) error {
		_, list := gen.Generate(ctx, gen.Config{Lint: schema.Targets()})
		return diag.Printer{Read: os.ReadFile}.Print(io.Discard, list)
	}},
	{"fmt", func(context.Context) error {
		result, list := gen.Format(".")
		return errors.Join(result.Write(), diag.Printer{Read: os.ReadFile}.Print(io.Discard, list))
	}},
	{"fmt -d", func(context.Context) error {
		result, list := gen.Format(".")
		return errors.Join(discard(result.Diff()), diag.Printer{Read: os.ReadFile}.Print(io.Discard, list))
	}},
	{"fix", func(ctx context.Context) error {
		result, _, left := gen.Fix(ctx, gen.Config{})
		return errors.Join(diag.Printer{Read: os.ReadFile}.Print(io.Discard, left), result.Write())
	}},
	{"fix -d", func(ctx context.Context) error {
		result, found, _ := gen.Fix(ctx, gen.Config{})
		return errors.Join(discard(result.Diff()), diag.Printer{Read: os.ReadFile}.Print(io.Discard, found))
	}},
	{"fix -guess", func(ctx context.Context) error {
		result, _, left := gen.Fix(ctx, gen.Config{}, gen.Codes()...)
		return errors.Join(discard(result.Diff()), diag.Printer{Read: os.ReadFile}.Print(io.Discard, left))
	}},
	{"list", func(ctx context.Context) error {
		tools, list := gen.Tools(ctx, gen.Config{})
		_, err := json.Marshal(tools)
		return errors.Join(err, diag.Printer{Read: os.ReadFile}.Print(io.Discard, list))
	}},
	{"list -schema", func(ctx context.Context) error {
		tools, _ := gen.Tools(ctx, gen.Config{})
		for _, target := range schema.Targets() {
			gen.Definitions(target, tools) // which fails for tools that the target does not take
		}
		return nil
	}},
	{"breaking", func(ctx context.Context) error {
		return diag.Printer{Read: os.ReadFile}.Print(io.Discard, gen.Compare(ctx, gen.Config{}, snapshotFile))
	}},
	{"new", func(ctx context.Context) error {
		_, list := gen.New(ctx, gen.NewConfig{Package: ".", All: true})
		return diag.Printer{Read: os.ReadFile}.Print(io.Discard, list)
	}},
	{"new functions", func(ctx context.Context) error {
		_, list := gen.Functions(ctx, gen.NewConfig{Package: "."})
		return diag.Printer{Read: os.ReadFile}.Print(io.Discard, list)
	}},
	{"explain", func(context.Context) error {
		input, err := os.ReadFile(inputFile)
		gen.Explain(diag.Code(input))
		return err
	}},
	{"generate", func(ctx context.Context) error { // last, since it leaves generated files
		result, list := gen.Generate(ctx, gen.Config{})
		return errors.Join(result.Write(), diag.Printer{Read: os.ReadFile}.Print(io.Discard, list))
	}},
}

func discard(text []byte) error {
	_, err := io.Discard.Write(text)
	return err
}

func commandNames() (names []string) {
	for _, c := range commands {
		names = append(names, c.name)
	}
	return names
}

// The files of the module that a command finds.
const (
	inputFile    = "input.aion"
	goFile       = "input.go"
	snapshotFile = "snapshot.json"
)

// runShape runs commands on a shape and prints a sample for each of its sizes.
func runShape(dir, name string, names []string) {
	i := slices.IndexFunc(shapes(), func(s shape) bool { return s.name == name })
	if i < 0 {
		log.Fatalf("there is no shape %q", name)
	}
	s := shapes()[i]
	if err := os.Chdir(dir); err != nil {
		log.Fatal(err)
	}
	for _, c := range commands {
		if !slices.Contains(names, c.name) {
			continue
		}
		var samples []sample
		for _, size := range []int{1000, smallSize, largeSize} {
			if err := writeInput(s, size); err != nil {
				log.Fatal(err)
			}
			found := measure(func() error { return c.run(context.Background()) })
			found.Command, found.Size = c.name, size
			samples = append(samples, found)
			if size == 1000 {
				continue
			}
			line, err := json.Marshal(found)
			if err != nil {
				log.Fatal(err)
			}
			fmt.Println(string(line))
		}
	}
}

// writeModule writes the files of the module that are the same for all shapes.
func writeModule(dir, root string) error {
	mod := "module example.com/m\n\ngo 1.26.0\n\nrequire github.com/aiongen/aiongen v0.0.0\n\nreplace github.com/aiongen/aiongen => " + root + "\n"
	return errors.Join(
		os.WriteFile(filepath.Join(dir, "go.mod"), []byte(mod), 0o666),
		os.WriteFile(filepath.Join(dir, "m.go"), []byte(goSource), 0o666),
	)
}

// writeInput writes the input of a shape in place of the one before.
func writeInput(s shape, size int) error {
	for _, pattern := range []string{"*.aion.go", "aion_register.go", goFile, snapshotFile} {
		old, err := filepath.Glob(pattern)
		if err != nil {
			return err
		}
		for _, name := range old {
			if err := os.Remove(name); err != nil {
				return err
			}
		}
	}
	files := map[string]string{inputFile: plainTool, snapshotFile: "[]", goFile: "package m\n"}
	files[s.file] = s.text(size)
	var errs []error
	for name, text := range files {
		errs = append(errs, os.WriteFile(name, []byte(text), 0o666))
	}
	return errors.Join(errs...)
}
