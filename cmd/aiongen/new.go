package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/aiongen/aiongen/gen"
)

// new writes a .aion file for functions that exist: to standard output, or to a
// file that does not exist yet.
func (c *command) new(ctx context.Context, args []string) int {
	var cfg gen.NewConfig
	file := c.flags.String("o", "", "")
	c.flags.StringVar(&cfg.Tags, "tags", "", "")
	names, status := c.parse(args)
	switch {
	case status != parsed:
		return status
	case len(names) < 2:
		return c.misuse("new takes a package and the names of functions, as in: aiongen new . FindUser")
	case *file != "" && !strings.HasSuffix(*file, ".aion"):
		return c.misuse("-o %s: the name of the file must end in .aion", *file)
	}
	cfg.Package, cfg.Functions = names[0], names[1:]
	if *file != "" {
		cfg.Dir = filepath.Dir(*file)
	}
	text, faults := gen.New(ctx, cfg)
	switch {
	case faults.Err() != nil:
		return c.report(c.diagnostics(), faults)
	case *file == "":
		c.stdout.Write(text)
		return c.report(c.stderr, faults)
	}
	switch err := create(*file, text); {
	case errors.Is(err, fs.ErrExist):
		fmt.Fprintf(c.stderr, "aiongen: %s exists already; new does not overwrite it\n", *file)
		return exitFindings
	case err != nil:
		return c.fail(err)
	}
	return c.report(c.diagnostics(), faults)
}

// create writes a file that must not exist.
func create(name string, text []byte) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Close())
}
