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

// compile reads the flags, compiles, and hands the result on if it is sound. It
// returns the given status if there was nothing wrong but what warnings are about:
// those of the compiler, of use and of -lint alike.
func (c *command) compile(ctx context.Context, args []string, use func(*gen.Result) (diag.List, error), warned int) int {
	cfg := gen.Config{Memory: memory()}
	c.flags.BoolVar(&cfg.All, "a", false, "")
	c.flags.StringVar(&cfg.Output, "o", "", "")
	c.flags.StringVar(&cfg.Tags, "tags", "", "")
	c.flags.Func("lint", "", func(names string) (err error) {
		cfg.Lint, err = parseTargets(names)
		return err
	})
	var stay bool
	if c.name == "" {
		c.flags.BoolVar(&stay, "watch", false, "")
	}
	patterns, status := c.patterns(args)
	if status != parsed {
		return status
	}
	cfg.Patterns = patterns
	if stay && os.Getenv("GOFILE") != "" && os.Getenv("GOLINE") != "" {
		return c.misuse("-watch stays, so that go generate would never end: run it by hand")
	}
	if stay {
		return c.watch(ctx, cfg)
	}
	line := c.progress()
	cfg.Progress = line.show
	result, faults := gen.Generate(ctx, cfg)
	line.clear()
	suggestCommand(patterns, faults)
	if faults.Err() != nil && len(result.Changes) == 0 {
		return c.finish(c.diagnostics(), faults, nil)
	}
	switch {
	case warned != exitOK: // under check
		faults = result.WithoutCosts(faults)
	case len(cfg.Lint) == 0:
		faults = result.Fresh(faults)
	}
	found, err := use(result)
	all := slices.Concat(faults, found)
	status = c.finish(c.diagnostics(), all, err)
	if status == exitOK && slices.ContainsFunc(all, func(d *diag.Diagnostic) bool { return d.Severity == diag.Warning }) {
		return warned
	}
	return status
}

// memory is the folder that runs are kept in, if the user has one for such.
func memory() string {
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "aiongen", "runs")
}

// parseTargets reads the names of targets, with commas between them.
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

// parseTarget reads the name of a target, with a suggestion in place of one that
// there is not.
func parseTarget(name string) (schema.Target, error) {
	var t schema.Target
	err := t.UnmarshalText([]byte(name))
	if err == nil {
		return t, nil
	}
	var known []string
	for _, t := range schema.Targets() {
		known = append(known, string(t))
	}
	if near := words.Nearest(name, known); near != "" {
		return "", fmt.Errorf("%w; did you mean %s?", err, near)
	}
	return "", err
}

// patterns reads the flags and returns the packages, as parse does.
func (c *command) patterns(args []string) (patterns []string, status int) {
	patterns, status = c.parse(args)
	for _, p := range patterns {
		if ext := filepath.Ext(p); ext == ".aion" || ext == ".go" {
			return nil, c.misuse("%s is a file; name its package, %s", p, packageOf(p))
		}
	}
	return patterns, status
}

// packageOf is the directory of a file as the go command takes it.
func packageOf(file string) string {
	dir := filepath.Dir(file)
	if dir != "." && filepath.IsLocal(dir) {
		dir = "./" + dir
	}
	return filepath.ToSlash(dir)
}

// generating are the words that people who know other compilers may try.
var generating = []string{"build", "compile", "gen", "generate", "run"}

// suggestCommand adds help where no package is found for what may have been
// meant as a command.
func suggestCommand(patterns []string, faults diag.List) {
	for _, d := range faults {
		if len(patterns) == 0 && strings.HasPrefix(d.Message, "no Go files in ") {
			d.WithHelp("for all packages of the module: ./...")
		}
		if d.Code != "go-list" || strings.HasPrefix(d.Message, "at revision ") || len(patterns) == 0 || strings.ContainsAny(patterns[0], "./") {
			continue
		}
		word := patterns[0]
		if slices.Contains(commands, word) {
			d.WithHelp("write the command %s in front of the flags", word)
			continue
		}
		d.Message = fmt.Sprintf("there is neither a command nor a package %s", word)
		if near := words.Nearest(word, commands); slices.Contains(generating, word) {
			d.WithHelp("aiongen alone generates, without a command")
		} else if near != "" {
			d.WithHelp("did you mean the command %s?", near)
		}
		d.WithHelp("a package is named by its directory, ./%s", word)
	}
}

// write brings the files up to date.
func (c *command) write(result *gen.Result) (diag.List, error) { return nil, result.Write() }

// check reports what is not up to date, in text with a diff.
func (c *command) check(result *gen.Result) (found diag.List, err error) {
	for _, change := range result.Changes {
		found.Errorf("out-of-date", diag.Span{File: change.Name}, "the generated file is %s", change.State()).
			WithHelp("run aiongen to bring it up to date")
	}
	if c.format == textFormat {
		_, err = c.stdout.Write(result.Diff())
	}
	return found, err
}
