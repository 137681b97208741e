package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen"
	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/schema"
)

// compilePackages parses the flags, compiles, and calls use with the changes of the packages without
// errors. If there are warnings but no errors, it returns warningStatus.
func (c *command) compilePackages(ctx context.Context, args []string, use func(*gen.Result) (diag.List, error), warningStatus int) int {
	cfg := gen.Config{Memory: runsFolder()}
	c.flags.BoolVar(&cfg.All, "a", false, "")
	c.flags.StringVar(&cfg.Output, "o", "", "")
	c.flags.StringVar(&cfg.Tags, "tags", "", "")
	c.flags.Func("lint", "", func(names string) (err error) {
		cfg.Lint, err = parseTargets(names)
		return err
	})
	var watch bool
	if c.name == "" {
		c.flags.BoolVar(&watch, "watch", false, "")
	}
	patterns, status := c.parsePatterns(args)
	if status != flagsParsed {
		return status
	}
	cfg.Patterns = patterns
	if watch && os.Getenv("GOFILE") != "" && os.Getenv("GOLINE") != "" {
		return c.usageError("go generate would never end with -watch: run go tool aiongen -watch by hand")
	}
	if watch {
		return c.watchPackages(ctx, cfg)
	}
	line := c.newProgress()
	cfg.Progress = line.show
	result, faults := gen.Generate(ctx, cfg)
	line.clear()
	suggestCommand(patterns, faults)
	if faults.Err() != nil && len(result.Changes) == 0 {
		return c.reportOutcome(c.diagnosticsWriter(), faults, nil)
	}
	if warningStatus != exitOK { // the command is check
		faults = result.WithoutCosts(faults)
	} else {
		faults = result.Fresh(faults)
	}
	found, err := use(result)
	all := slices.Concat(faults, found)
	status = c.reportOutcome(c.diagnosticsWriter(), all, err)
	if status == exitOK && slices.ContainsFunc(all, func(d *diag.Diagnostic) bool { return d.Severity == diag.Warning }) {
		return warningStatus
	}
	return status
}

// runsFolder returns the folder for data about earlier runs, or "" if the user has no cache folder.
func runsFolder() string {
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "aiongen", "runs")
}

// parseTargets parses the names of targets, separated by commas.
func parseTargets(names string) (targets []schema.Target, err error) {
	for name := range strings.SplitSeq(names, ",") {
		t, err := parseTarget(name)
		if err != nil {
			return nil, err
		}
		targets = append(targets, t)
	}
	return targets, nil
}

// parseTarget parses the name of a target. The error suggests a similar name.
func parseTarget(name string) (schema.Target, error) {
	var t schema.Target
	err := t.UnmarshalText([]byte(name))
	if err == nil {
		return t, nil
	}
	var targets []string
	for _, t := range schema.Targets() {
		targets = append(targets, string(t))
	}
	if near := words.Nearest(name, targets); near != "" {
		return "", fmt.Errorf("%w; did you mean %s?", err, near)
	}
	return "", err
}

// parsePatterns is parseFlags for commands whose arguments are package patterns. It rejects names of files.
func (c *command) parsePatterns(args []string) (patterns []string, status int) {
	patterns, status = c.parseFlags(args)
	for _, p := range patterns {
		if ext := filepath.Ext(p); ext == ".aion" || ext == ".go" {
			return nil, c.usageError("%s is a file; name its package, %s", p, packageDir(p))
		}
	}
	return patterns, status
}

// packageDir returns the directory of a file in the form that the go command expects.
func packageDir(file string) string {
	dir := filepath.Dir(file)
	if dir != "." && filepath.IsLocal(dir) {
		dir = "./" + dir
	}
	return filepath.ToSlash(dir)
}

// generateWords are names of commands that generate in other programs.
var generateWords = []string{"build", "compile", "gen", "generate", "run"}

// suggestCommand adds help to errors about a package that does not exist, if its name may have been
// meant as a command.
func suggestCommand(patterns []string, faults diag.List) {
	if len(patterns) == 0 || strings.ContainsAny(patterns[0], "./") {
		return
	}
	word := patterns[0]
	for _, d := range faults {
		if d.Code != "go-list" {
			continue
		}
		if slices.Contains(commands, word) {
			d.WithHelp("put the command %s before the flags", word)
			continue
		}
		d.Message = fmt.Sprintf("there is neither a command nor a package %s", word)
		if near := words.Nearest(word, commands); slices.Contains(generateWords, word) {
			d.WithHelp("go tool aiongen generates if no command is given")
		} else if near != "" {
			d.WithHelp("did you mean the command %s?", near)
		}
		d.WithHelp("a package is named by its directory, ./%s", word)
	}
}

// writeFiles writes the changed files.
func (c *command) writeFiles(result *gen.Result) (diag.List, error) { return nil, result.Write() }

// checkFiles reports files that are out of date, and in text format prints a diff.
func (c *command) checkFiles(result *gen.Result) (found diag.List, err error) {
	for _, change := range result.Changes {
		found.Errorf("out-of-date", diag.Span{File: change.Name}, "the generated file is %s", change.State()).
			WithHelp("run go tool aiongen to bring it up to date")
	}
	if c.format == textFormat {
		_, err = c.stdout.Write(result.Diff())
	}
	return found, err
}
