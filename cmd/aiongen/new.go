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
	"github.com/aiongen/aiongen/internal/regular"
	"github.com/aiongen/aiongen/internal/words"
)

// new writes a .aion file for functions that exist: to standard output, or to a
// file that does not exist yet.
func (c *command) new(ctx context.Context, args []string) int {
	var cfg gen.NewConfig
	file := c.flags.String("o", "", "")
	c.flags.StringVar(&cfg.Tags, "tags", "", "")
	c.flags.BoolVar(&cfg.All, "all", false, "")
	names, status := c.parse(args)
	switch {
	case status != parsed:
		return status
	case len(names) == 0:
		return c.misuse("new takes a package and functions, as in: aiongen new . FindUser 'Store.*'")
	case *file != "" && !strings.HasSuffix(*file, ".aion"):
		return c.misuse("-o %s: the name of the file must end in .aion", *file)
	}
	cfg.Package, cfg.Functions = names[0], names[1:]
	if *file != "" {
		cfg.Dir = filepath.Dir(*file)
	}
	if len(cfg.Functions) == 0 && !cfg.All {
		return c.functions(ctx, cfg)
	}
	text, faults := gen.New(ctx, cfg)
	switch {
	case faults.Err() != nil:
		return c.report(c.diagnostics(), faults)
	case *file == "":
		_, err := c.stdout.Write(text)
		return c.finish(c.stderr, faults, err) // standard output is for the text alone
	}
	err := create(*file, text)
	if errors.Is(err, fs.ErrExist) {
		fmt.Fprintf(c.stderr, "aiongen: %s exists already; new does not overwrite it\n", *file)
		return exitFindings
	}
	return c.finish(c.diagnostics(), faults, err)
}

// longestDoc is how much of a comment is listed, in bytes.
const longestDoc = 100

// functions lists what a file could be written for.
func (c *command) functions(ctx context.Context, cfg gen.NewConfig) int {
	all, faults := gen.Functions(ctx, cfg)
	width := 0
	for _, f := range all {
		width = max(width, len(f.Name))
	}
	var list strings.Builder
	for _, f := range all {
		list.WriteString(strings.TrimRight(fmt.Sprintf("%-*s  %s", width, f.Name, words.Cut(f.Doc, longestDoc)), " ") + "\n")
	}
	_, err := io.WriteString(c.stdout, list.String())
	return c.finish(c.diagnostics(), faults, err)
}

// create writes a file that must not exist, whole or not at all.
func create(name string, text []byte) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err == nil {
		_, err = f.Write(text)
		if err = errors.Join(err, f.Close()); err != nil {
			os.Remove(name) // else the next try would find that it exists
		}
	}
	if err != nil {
		return &gen.WriteError{Name: name, Err: regular.Reason(err)}
	}
	return nil
}
