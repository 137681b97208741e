// Aiongen compiles .aion files, which say what tools a language model may call,
// into typed Go.
//
// It is usually run by go generate, from a line in one of the package's files:
//
//	//go:generate go tool aiongen
//
// Usage:
//
//	aiongen [flags] [packages]
//	aiongen check [flags] [packages]
//	aiongen version
//
// Packages are given as to go build; the default is the one in the current
// directory. For users.aion aiongen writes users.aion.go, and once a package
// aion_register.go. It prints nothing on success.
//
// The flags are:
//
//	-o dir
//		write the generated files to dir, as a package of its own
//	-C dir
//		change to dir before doing anything else
//	-tags list
//		build tags, as go build takes them
//
// Check writes nothing; where files are stale, missing or left over it prints a
// diff and exits with status 1.
//
// The exit status is 0 if all is well, 1 if there are errors in the input or
// stale files, 2 for wrong usage, and 3 for a failure of aiongen itself.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen"
)

// The exit statuses.
const (
	exitOK       = 0
	exitFindings = 1
	exitUsage    = 2
	exitInternal = 3
)

const usage = `aiongen compiles .aion files into typed Go.

Usage:

	aiongen [flags] [packages]          write the generated files
	aiongen check [flags] [packages]    compare them with what is there
	aiongen version                     print the version

Flags:

	-o dir       write to dir, as a package of its own
	-C dir       change to dir first
	-tags list   build tags, as go build takes them
`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run is the command; a panic in it is a mistake of ours, not of the input.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) (status int) {
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(stderr, "aiongen: internal failure: %v\n\n%s\n", p, debug.Stack())
			fmt.Fprintln(stderr, "Please report this at https://github.com/aiongen/aiongen/issues, with the .aion file.")
			status = exitInternal
		}
	}()
	if len(args) > 0 {
		switch args[0] {
		case "check":
			return compile(ctx, "aiongen check", args[1:], stdout, stderr, check)
		case "version":
			return version(args[1:], stdout, stderr)
		case "help":
			fmt.Fprint(stdout, usage)
			return exitOK
		}
	}
	return compile(ctx, "aiongen", args, stdout, stderr, write)
}

// compile reads the flags, compiles, shows the diagnostics, and hands the
// result on.
func compile(ctx context.Context, name string, args []string, stdout, stderr io.Writer, use func(*gen.Result, io.Writer, io.Writer) int) int {
	var cfg gen.Config
	flags := flag.NewFlagSet(name, flag.ContinueOnError)
	flags.SetOutput(io.Discard) // what it would print is usage text, for every mistake
	flags.StringVar(&cfg.Output, "o", "", "")
	flags.StringVar(&cfg.Dir, "C", "", "")
	flags.StringVar(&cfg.Tags, "tags", "", "")
	if err := flags.Parse(args); err == flag.ErrHelp {
		fmt.Fprint(stdout, usage)
		return exitOK
	} else if err != nil {
		return misuse(stderr, "%v", err)
	}
	cfg.Patterns = flags.Args()
	for _, p := range cfg.Patterns {
		if len(p) > 1 && p[0] == '-' {
			return misuse(stderr, "flag %s stands behind a package; flags come first", p)
		}
	}
	result, faults := gen.Generate(ctx, cfg)
	printer := diag.Printer{Read: func(file string) ([]byte, error) {
		return os.ReadFile(filepath.Join(cfg.Dir, filepath.FromSlash(file)))
	}}
	if err := printer.Print(stderr, faults); err != nil {
		return exitInternal
	}
	if faults.Err() != nil {
		return exitFindings
	}
	return use(result, stdout, stderr)
}

func write(result *gen.Result, _, stderr io.Writer) int {
	if err := result.Write(); err != nil {
		fmt.Fprintf(stderr, "aiongen: %v\n", err)
		return exitInternal
	}
	return exitOK
}

func check(result *gen.Result, stdout, stderr io.Writer) int {
	if len(result.Changes) == 0 {
		return exitOK
	}
	stdout.Write(result.Diff())
	for _, c := range result.Changes {
		fmt.Fprintf(stderr, "%s: %s\n", c.Name, c.State())
	}
	fmt.Fprintln(stderr, "run aiongen to bring them up to date")
	return exitFindings
}

func version(args []string, stdout, stderr io.Writer) int {
	if len(args) > 0 {
		return misuse(stderr, "version takes no arguments")
	}
	v := "(devel)"
	if info, ok := debug.ReadBuildInfo(); ok {
		v = info.Main.Version
		for _, dep := range info.Deps { // as a tool of another module
			if dep.Path == "github.com/aiongen/aiongen" {
				v = dep.Version
			}
		}
	}
	fmt.Fprintf(stdout, "aiongen %s\n", v)
	return exitOK
}

func misuse(stderr io.Writer, format string, args ...any) int {
	fmt.Fprintf(stderr, "aiongen: "+format+"\n", args...)
	fmt.Fprintln(stderr, "run 'aiongen help' for usage")
	return exitUsage
}
