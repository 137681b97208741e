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

// formatFiles formats files in place, or standard input to standard output. With -l or -d it only
// reports the files that are not formatted.
func (c *command) formatFiles(args []string) int {
	list := c.flags.Bool("l", false, "")
	diff := c.flags.Bool("d", false, "")
	names, status := c.parseFlags(args)
	for _, name := range names {
		if info, err := os.Stat(name); filepath.Ext(name) == ".go" && !(err == nil && info.IsDir()) {
			return c.usageError("%s is not an .aion file; use gofmt for Go files", name)
		}
	}
	switch onlyReport := *list || *diff; {
	case status != flagsParsed:
		return status
	case len(names) == 0 || slices.Equal(names, []string{"-"}):
		change, faults := gen.FormatInput(inputName, c.stdin)
		c.input = change.Old()
		if !onlyReport {
			_, err := c.stdout.Write(change.New)
			return c.reportOutcome(c.stderr, faults, err) // standard output receives only the file
		}
		result := &gen.Result{}
		if change.New != nil && !bytes.Equal(change.Old(), change.New) {
			result.Changes = []gen.Change{change}
		}
		return c.reportUnformatted(result, faults, *list, *diff)
	default:
		result, faults := gen.Format(names...)
		if !onlyReport {
			return c.reportOutcome(c.diagnosticsWriter(), faults, result.Write())
		}
		return c.reportUnformatted(result, faults, *list, *diff)
	}
}

// reportUnformatted reports what formatting would change: in text format the names of the files, a
// diff or both; in other formats a diagnostic for each file.
func (c *command) reportUnformatted(result *gen.Result, faults diag.List, list, diff bool) int {
	for _, change := range result.Changes {
		if c.format != textFormat {
			at := firstChange(change)
			faults.Errorf("unformatted", at, "the file is not formatted").WithHelp("run go tool aiongen fmt %s", change.Name)
			continue
		}
		if list {
			fmt.Fprintln(c.stdout, change.Name)
		}
		if diff {
			single := gen.Result{Changes: []gen.Change{change}}
			_, _ = c.stdout.Write(single.Diff())
		}
	}
	status := c.report(c.diagnosticsWriter(), faults)
	if status == exitOK && len(result.Changes) > 0 {
		status = exitFindings
	}
	return status
}

// firstChange returns the start of the first changed line.
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
