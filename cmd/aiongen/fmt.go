package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen"
)

// formatFiles formats files in place, or standard input to standard output. With -l and
// -d it tells what is not formatted instead.
func (c *command) formatFiles(args []string) int {
	list := c.flags.Bool("l", false, "")
	diff := c.flags.Bool("d", false, "")
	names, status := c.parse(args)
	for _, name := range names {
		if info, err := os.Stat(name); filepath.Ext(name) == ".go" && !(err == nil && info.IsDir()) {
			return c.misuse("%s is not an .aion file; for Go files there is gofmt", name)
		}
	}
	switch dry := *list || *diff; {
	case status != parsed:
		return status
	case len(names) == 0 || slices.Equal(names, []string{"-"}):
		change, faults := gen.FormatInput(inputName, c.stdin)
		c.input = change.Old()
		if !dry {
			_, err := c.stdout.Write(change.New)
			return c.finish(c.stderr, faults, err) // standard output is for the text alone
		}
		result := &gen.Result{}
		if change.New != nil && !bytes.Equal(change.Old(), change.New) {
			result.Changes = []gen.Change{change}
		}
		return c.unformatted(result, faults, *list, *diff)
	default:
		result, faults := gen.Format(names...)
		if !dry {
			return c.finish(c.diagnostics(), faults, result.Write())
		}
		return c.unformatted(result, faults, *list, *diff)
	}
}

// unformatted tells what formatting would change: for people the names of the
// files, a diff or both; for programs a diagnostic for each file.
func (c *command) unformatted(result *gen.Result, faults diag.List, list, diff bool) int {
	for _, change := range result.Changes {
		if c.format != textFormat {
			at := firstChange(change)
			faults.Errorf("unformatted", at, "the file is not formatted").WithHelp("run aiongen fmt %s", change.Name)
			continue
		}
		if list {
			fmt.Fprintln(c.stdout, change.Name)
		}
		if diff {
			one := gen.Result{Changes: []gen.Change{change}}
			c.stdout.Write(one.Diff())
		}
	}
	status := c.report(c.diagnostics(), faults)
	if status == exitOK && len(result.Changes) > 0 {
		status = exitFindings
	}
	return status
}

// firstChange is the start of the first line that a change touches.
func firstChange(c gen.Change) diag.Span {
	old, n := c.Old(), 0
	for n < len(old) && n < len(c.New) && old[n] == c.New[n] {
		n++
	}
	before := old[:n]
	at := diag.Pos{
		Offset: bytes.LastIndexByte(before, '\n') + 1,
		Line:   bytes.Count(before, []byte("\n")) + 1,
		Column: 1,
	}
	return diag.Span{File: c.Name, Start: at, End: at}
}
