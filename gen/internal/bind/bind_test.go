package bind_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/gen/internal/bind"
	"github.com/aiongen/aiongen/gen/internal/load"
	"github.com/aiongen/aiongen/gen/internal/shape"
	"github.com/aiongen/aiongen/gen/internal/source"
)

// Bind finds the functions of the elements of a document.
func ExampleBind() {
	ctx := context.Background()
	dir, err := filepath.Abs("../../../example/tools")
	if err != nil {
		log.Fatal(err)
	}
	cfg := load.Config{Dir: dir, Generated: func(string) bool { return false }}
	pkgs, err := load.Find(ctx, cfg, ".")
	if err != nil {
		log.Fatal(err)
	}
	if err := load.Check(ctx, cfg, pkgs...); err != nil {
		log.Fatal(err)
	}
	src, err := os.ReadFile(filepath.Join(dir, "stubs.aion"))
	if err != nil {
		log.Fatal(err)
	}
	doc, _ := aion.Parse("stubs.aion", src)
	model, _, faults := bind.Bind(nil, pkgs[0], source.NewDocReader(pkgs[0]), []*aion.Document{doc}, shape.Target{Path: pkgs[0].Path, Name: pkgs[0].Name})
	if err := faults.Err(); err != nil {
		log.Fatal(err)
	}
	for _, t := range model.Tools() {
		fmt.Println(t.Name, "calls", t.Func.Name, "with", t.Args.Go)
	}
	// Output:
	// echo calls Echo with EchoArgs
	// calculator calls Calculate with CalculatorArgs
}
