package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/term"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen"
	"github.com/aiongen/aiongen/internal/regular"
	"github.com/aiongen/aiongen/internal/words"
)

// The exit statuses.
const (
	exitOK       = 0
	exitFindings = 1
	exitUsage    = 2
	exitInternal = 3
)

// A command is one run of aiongen: its streams, and what its flags say. The
// flags that all commands share are there from the start.
type command struct {
	stdin          io.Reader
	stdout, stderr io.Writer

	name               string // what to do; "" is to generate
	flags              *flag.FlagSet
	dir, format, color string

	input []byte // what was read from standard input
}

// inputName is what standard input is called in place of a file.
const inputName = "<standard input>"

const textFormat = "text"

var formats = map[string]func(diag.Printer, io.Writer, diag.List) error{
	textFormat: diag.Printer.Print,
	"json":     diag.Printer.JSON,
	"sarif":    diag.Printer.SARIF,
	"github":   diag.Printer.GitHub,
}

func newCommand(stdin io.Reader, stdout, stderr io.Writer) *command {
	c := &command{stdin: stdin, stdout: stdout, stderr: stderr, format: textFormat, color: "auto"}
	c.flags = flag.NewFlagSet("aiongen", flag.ContinueOnError)
	c.flags.SetOutput(io.Discard) // what it would print is usage text, for every mistake
	c.flags.StringVar(&c.dir, "C", "", "")
	c.flags.Func("format", "", oneOf(&c.format, slices.Sorted(maps.Keys(formats))...))
	c.flags.Func("color", "", oneOf(&c.color, "always", "auto", "never"))
	return c
}

// oneOf returns a function that sets a flag to one of some words.
func oneOf(value *string, known ...string) func(string) error {
	return func(word string) error {
		if !slices.Contains(known, word) {
			return fmt.Errorf("it takes %s", words.List(known, " or "))
		}
		*value = word
		return nil
	}
}

// parsed is no exit status: the command goes on.
const parsed = -1

// parse reads the flags and returns the other arguments, or the exit status if
// there is no more to do.
func (c *command) parse(args []string) (rest []string, status int) {
	switch err := c.flags.Parse(args); {
	case err == flag.ErrHelp:
		return nil, c.help()
	case err != nil:
		return nil, c.misuse("%v%s", err, c.nearestFlag(err))
	}
	for _, arg := range c.flags.Args() {
		if len(arg) > 1 && arg[0] == '-' {
			return nil, c.misuse("flag %s stands behind an argument; flags come first", arg)
		}
	}
	if c.dir != "" {
		if err := os.Chdir(c.dir); err != nil {
			return nil, c.misuse("-C: %v", err)
		}
	}
	return c.flags.Args(), parsed
}

// nearestFlag is a suggestion in place of a flag that there is not.
func (c *command) nearestFlag(err error) string {
	unknown, ok := strings.CutPrefix(err.Error(), "flag provided but not defined: -")
	if !ok {
		return ""
	}
	var names []string
	c.flags.VisitAll(func(f *flag.Flag) { names = append(names, f.Name) })
	if near := words.Nearest(unknown, names); len(near) > 1 {
		return "; did you mean -" + near + "?"
	}
	return ""
}

// diagnostics is the stream that these belong on: text is for people, the rest
// for the next program.
func (c *command) diagnostics() io.Writer {
	if c.format == textFormat {
		return c.stderr
	}
	return c.stdout
}

// report writes diagnostics in the format that was asked for, and returns the
// exit status that they mean.
func (c *command) report(w io.Writer, list diag.List) int {
	printer := diag.Printer{
		Read:  c.read,
		Color: c.colored(),
		Tool: diag.Tool{
			Name: "aiongen", Version: version(), URL: "https://github.com/aiongen/aiongen",
			Describe: gen.Explain,
		},
	}
	if err := formats[c.format](printer, w, list); err != nil {
		return c.fail(err)
	}
	if slices.ContainsFunc(list, func(d *diag.Diagnostic) bool { return d.Code == "internal" }) {
		return exitInternal
	}
	if list.Err() != nil {
		return exitFindings
	}
	return exitOK
}

// read returns the content of a file that diagnostics are about.
func (c *command) read(file string) ([]byte, error) {
	if file == inputName {
		return c.input, nil
	}
	return regular.ReadFile(filepath.FromSlash(file))
}

func (c *command) colored() bool {
	if c.color != "auto" {
		return c.color == "always"
	}
	return c.onTerminal() && os.Getenv("NO_COLOR") == ""
}

// onTerminal reports whether people read standard error, on a terminal that can more than
// print.
func (c *command) onTerminal() bool {
	f, ok := c.stderr.(*os.File)
	return ok && term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb"
}

// finish reports, also where something failed, and returns the exit status. That
// a file cannot be written is for the user to change.
func (c *command) finish(w io.Writer, list diag.List, failure error) int {
	if unwritten, ok := errors.AsType[*gen.WriteError](failure); ok {
		list.Errorf("unwritable", diag.Span{File: unwritten.Name}, "cannot write the file: %v", unwritten.Err).WithCause(failure)
		failure = nil
	}
	status := c.report(w, list)
	if failure != nil {
		return c.fail(failure)
	}
	return status
}

func (c *command) fail(err error) int {
	fmt.Fprintf(c.stderr, "aiongen: %v\n", err)
	return exitInternal
}
