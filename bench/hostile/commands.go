package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"regexp"
	"slices"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen"
	"github.com/aiongen/aiongen/runtime/schema"
)

// A stage is the work that several commands begin with, in the current directory.
type stage struct {
	run      func(ctx context.Context) outcome
	commands []command
}

// An outcome is the result of a stage, with which its commands continue.
type outcome struct {
	result *gen.Result
	list   diag.List
	tools  []gen.Tool
	err    error
}

// A command is a command of aiongen: its name, and what it does after its stage.
type command struct {
	name   string
	finish func(o outcome) error
}

// The last command of a stage may change the files of the module.
var stages = []stage{
	{func(ctx context.Context) (o outcome) {
		o.result, o.list = gen.Generate(ctx, gen.Config{})
		return o
	}, []command{{"check", printDiff}, {"check -format json", printJSON}, {"check -format sarif", printSARIF}, {"check -format github", printGitHub}, {"generate", writeFiles}}},
	{func(ctx context.Context) (o outcome) {
		o.result, o.list = gen.Generate(ctx, gen.Config{Lint: schema.Targets()})
		return o
	}, []command{{"check -lint", printDiff}}},
	{func(context.Context) (o outcome) {
		o.result, o.list = gen.Format(".")
		return o
	}, []command{{"fmt -d", printDiff}, {"fmt", writeFiles}}},
	{func(ctx context.Context) (o outcome) {
		o.result, _, o.list = gen.Fix(ctx, gen.Config{})
		return o
	}, []command{{"fix -d", printDiff}, {"fix", writeFiles}}},
	{func(ctx context.Context) (o outcome) {
		o.result, _, o.list = gen.Fix(ctx, gen.Config{}, gen.Codes()...)
		return o
	}, []command{{"fix -guess -d", printDiff}}},
	{func(ctx context.Context) (o outcome) {
		o.tools, o.list = gen.Tools(ctx, gen.Config{})
		return o
	}, []command{{"list", printTools}, {"list -schema", printSchemas}}},
	{func(ctx context.Context) (o outcome) {
		o.list = gen.Compare(ctx, gen.Config{}, snapshotFile)
		return o
	}, []command{{"breaking", printText}}},
	{func(ctx context.Context) (o outcome) {
		_, o.list = gen.New(ctx, gen.NewConfig{Package: ".", All: true})
		return o
	}, []command{{"new", printText}}},
	{func(ctx context.Context) (o outcome) {
		_, o.list = gen.Functions(ctx, gen.NewConfig{Package: "."})
		return o
	}, []command{{"new functions", printText}}},
	{func(context.Context) (o outcome) {
		input, err := os.ReadFile(inputFile)
		gen.Explain(diag.Code(input))
		o.err = err
		return o
	}, []command{{"explain", func(outcome) error { return nil }}}},
}

var printer = diag.Printer{Read: os.ReadFile, Tool: diag.Tool{Name: "hostile", Describe: gen.Explain}}

func printText(o outcome) error   { return printer.Print(io.Discard, o.list) }
func printJSON(o outcome) error   { return printer.JSON(io.Discard, o.list) }
func printSARIF(o outcome) error  { return printer.SARIF(io.Discard, o.list) }
func printGitHub(o outcome) error { return printer.GitHub(io.Discard, o.list) }

func printDiff(o outcome) error {
	_, err := io.Discard.Write(o.result.Diff())
	return errors.Join(err, printText(o))
}

func writeFiles(o outcome) error { return errors.Join(o.result.Write(), printText(o)) }

func printTools(o outcome) error {
	return errors.Join(json.NewEncoder(io.Discard).Encode(o.tools), printText(o))
}

func printSchemas(o outcome) error {
	for _, target := range schema.Targets() {
		_, _ = gen.Definitions(target, o.tools) // fails for tools that the target does not accept
	}
	return nil
}

// A unit is a stage that runs on a shape, with those of its commands that the flags select.
type unit struct {
	shape shape
	stage stage
}

// matchingUnits returns the units whose shapes and commands match two patterns.
func matchingUnits(shapePattern, commandPattern string) (units []unit) {
	named, run := regexp.MustCompile(shapePattern), regexp.MustCompile(commandPattern)
	for _, s := range allShapes() {
		if !named.MatchString(s.name) {
			continue
		}
		for _, st := range stages {
			st.commands = slices.DeleteFunc(slices.Clone(st.commands), func(c command) bool { return !run.MatchString(c.name) })
			if len(st.commands) > 0 {
				units = append(units, unit{s, st})
			}
		}
	}
	return units
}
