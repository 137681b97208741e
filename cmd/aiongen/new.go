package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/aiongen/aiongen/gen"
	"github.com/aiongen/aiongen/internal/regularfile"
	"github.com/aiongen/aiongen/internal/words"
)

// scaffoldFile writes an .aion file for existing functions: to standard output, or to a new file.
func (c *command) scaffoldFile(ctx context.Context, args []string) int {
	var cfg gen.NewConfig
	file := c.flags.String("o", "", "")
	c.flags.StringVar(&cfg.Tags, "tags", "", "")
	c.flags.BoolVar(&cfg.All, "all", false, "")
	c.flags.BoolVar(&cfg.Helpers, "helpers", false, "")
	names, status := c.parseFlags(args)
	if status != flagsParsed {
		return status
	}
	if status := c.checkNewArguments(names, cfg.All, *file); status != flagsParsed {
		return status
	}
	cfg.Package, cfg.Functions = names[0], names[1:]
	if *file != "" {
		cfg.Dir = filepath.Dir(*file)
	}
	if len(cfg.Functions) == 0 && !cfg.All {
		return c.listFunctions(ctx, cfg)
	}
	text, faults := gen.New(ctx, cfg)
	switch {
	case faults.Err() != nil:
		return c.report(c.diagnosticsWriter(), faults)
	case *file == "":
		_, err := c.stdout.Write(text)
		return c.reportOutcome(c.stderr, faults, err) // standard output receives only the file
	}
	err := createFile(*file, text)
	if errors.Is(err, fs.ErrExist) {
		fmt.Fprintf(c.stderr, "aiongen: %s already exists; new does not overwrite it\n", *file)
		return exitFindings
	}
	return c.reportOutcome(c.diagnosticsWriter(), faults, err)
}

// checkNewArguments checks the arguments of the command new that follow its flags. It returns
// flagsParsed if they are valid.
func (c *command) checkNewArguments(names []string, all bool, file string) int {
	switch {
	case len(names) == 0:
		return c.usageError("new takes a package and functions, as in: go tool aiongen new . FindUser 'Store.*'")
	case len(names) == 1 && !all && file != "":
		return c.usageError("-o %s needs the functions to write, or -all", file)
	case len(names) > 1 && all:
		return c.usageError("-all and names of functions exclude each other")
	case file != "" && !strings.HasSuffix(file, ".aion"):
		return c.usageError("-o %s: the name of the file must end in .aion", file)
	}
	return flagsParsed
}

// maxDocBytes limits the part of a function's comment that is listed.
const maxDocBytes = 100

// listFunctions lists the functions for which a file could be written.
func (c *command) listFunctions(ctx context.Context, cfg gen.NewConfig) int {
	all, faults := gen.Functions(ctx, cfg)
	width := 0
	for _, f := range all {
		width = max(width, len(f.Name))
	}
	var list strings.Builder
	for _, f := range all {
		list.WriteString(strings.TrimRight(fmt.Sprintf("%-*s  %s", width, f.Name, words.Cut(f.Doc, maxDocBytes)), " ") + "\n")
	}
	_, err := io.WriteString(c.stdout, list.String())
	return c.reportOutcome(c.diagnosticsWriter(), faults, err)
}

// createFile creates a file and its folder. It removes the file again if writing fails.
func createFile(name string, text []byte) error {
	err := os.MkdirAll(filepath.Dir(name), 0o777)
	var f *os.File
	if err == nil {
		f, err = os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	}
	if err == nil {
		_, err = f.Write(text)
		if err = errors.Join(err, f.Close()); err != nil {
			os.Remove(name) // otherwise the next attempt would fail because the file exists
		}
	}
	if err != nil {
		return &gen.WriteError{Name: name, Err: regularfile.Reason(err)}
	}
	return nil
}
