package main

import (
	"context"
	"os"
	"runtime/debug"

	"github.com/aiongen/aiongen/cmd/aiongen/internal/doctor"
)

// examineSetup prints a report about the installation and the module, for bug reports.
func (c *command) examineSetup(ctx context.Context, args []string) int {
	asJSON := c.flags.Bool("json", false, "")
	rest, status := c.parseFlags(args)
	switch {
	case status != flagsParsed:
		return status
	case len(rest) > 0:
		return c.usageError("doctor takes no arguments; it examines the current directory, or the directory given by -C")
	case c.format != textFormat:
		return c.usageError("doctor prints text or, with -json, JSON; it has no -format %s", c.format)
	}
	dir, err := os.Getwd()
	if err != nil {
		return c.fail(err)
	}
	cfg := doctor.Config{Dir: dir, Version: moduleVersion()}
	if info, ok := debug.ReadBuildInfo(); ok {
		cfg.Commit = describeCommit(info)
	}
	report := doctor.Examine(ctx, cfg)
	if *asJSON {
		var text []byte
		if text, err = indentJSON(report); err == nil {
			_, err = c.stdout.Write(text)
		}
	} else {
		err = report.WriteText(c.stdout)
	}
	switch {
	case err != nil:
		return c.fail(err)
	case len(report.Problems) > 0:
		return exitFindings
	}
	return exitOK
}
