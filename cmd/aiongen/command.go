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
	"github.com/aiongen/aiongen/internal/regularfile"
	"github.com/aiongen/aiongen/internal/words"
)

// The exit statuses.
const (
	exitOK       = 0
	exitFindings = 1
	exitUsage    = 2
	exitInternal = 3
)

// A command is one run of aiongen: its streams and the values of its flags.
type command struct {
	stdin          io.Reader
	stdout, stderr io.Writer

	name               string // of the command; "" generates
	flags              *flag.FlagSet
	dir, format, color string

	input []byte // read from standard input
}

// inputName is the file name of standard input in diagnostics.
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
	c.flags.SetOutput(io.Discard) // the package would print its usage text after every mistake
	c.flags.StringVar(&c.dir, "C", "", "")
	c.flags.Func("format", "", choiceFlag(&c.format, slices.Sorted(maps.Keys(formats))...))
	c.flags.Func("color", "", choiceFlag(&c.color, "always", "auto", "never"))
	return c
}

// choiceFlag returns a function for flag.Func that sets value to one of the choices.
func choiceFlag(value *string, choices ...string) func(string) error {
	return func(word string) error {
		if !slices.Contains(choices, word) {
			return fmt.Errorf("want %s", words.List(choices, " or "))
		}
		*value = word
		return nil
	}
}

// flagsParsed is returned instead of an exit status if the command should continue.
const flagsParsed = -1

// parseFlags parses the flags and returns the other arguments and flagsParsed, or the exit status
// if the command is finished.
func (c *command) parseFlags(args []string) (rest []string, status int) {
	switch err := c.flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return nil, c.printHelp()
	case err != nil:
		return nil, c.usageError("%v%s", err, c.nearestFlag(err))
	}
	for _, arg := range c.flags.Args() {
		if len(arg) > 1 && arg[0] == '-' {
			return nil, c.usageError("flag %s follows an argument; put flags first", arg)
		}
	}
	if c.dir != "" {
		if err := os.Chdir(c.dir); err != nil {
			return nil, c.usageError("-C: %v", err)
		}
	}
	return c.flags.Args(), flagsParsed
}

// nearestFlag returns a suggestion if err is about an undefined flag.
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

// diagnosticsWriter returns the stream for diagnostics: standard error for text, which people read,
// and standard output for formats that programs read.
func (c *command) diagnosticsWriter() io.Writer {
	if c.format == textFormat {
		return c.stderr
	}
	return c.stdout
}

// report writes diagnostics in the selected format and returns the resulting exit status. In text,
// notes that say the same about several tools share a line.
func (c *command) report(w io.Writer, list diag.List) int {
	if c.format != textFormat {
		return c.reportEach(w, list)
	}
	shown := list.Grouped()
	status := c.reportEach(w, shown)
	if len(shown) < len(list) && c.name == "" {
		fmt.Fprintln(w, "to see each note with its place: go tool aiongen list -notes")
	}
	return status
}

// reportEach is report without joining notes: it writes one entry for each diagnostic.
func (c *command) reportEach(w io.Writer, list diag.List) int {
	printer := diag.Printer{
		Read:   c.readSource,
		Folder: workspaceFolder(),
		Color:  c.useColor(),
		Tool: diag.Tool{
			Name: "aiongen", Version: moduleVersion(), URL: "https://github.com/aiongen/aiongen",
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

// workspaceFolder returns the current directory relative to the checkout of a GitHub Actions workflow, or
// "" outside of one.
func workspaceFolder() string {
	root := os.Getenv("GITHUB_WORKSPACE")
	dir, err := os.Getwd()
	if root == "" || err != nil {
		return ""
	}
	folder, err := filepath.Rel(root, dir)
	if err != nil || !filepath.IsLocal(folder) {
		return ""
	}
	return filepath.ToSlash(folder)
}

// readSource returns the content of a file that a diagnostic refers to.
func (c *command) readSource(file string) ([]byte, error) {
	if file == inputName {
		return c.input, nil
	}
	return regularfile.ReadFile(filepath.FromSlash(file))
}

func (c *command) useColor() bool {
	if c.color != "auto" {
		return c.color == "always"
	}
	return c.isTerminal() && os.Getenv("NO_COLOR") == ""
}

// isTerminal reports whether standard error is a terminal that supports escape sequences.
func (c *command) isTerminal() bool {
	f, ok := c.stderr.(*os.File)
	return ok && term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb"
}

// reportOutcome reports diagnostics and then the failure, if any, and returns the exit status. If a
// file could not be written, the failure becomes a diagnostic, since the user can fix that.
func (c *command) reportOutcome(w io.Writer, list diag.List, failure error) int {
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
