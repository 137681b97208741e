package main

import (
	"context"
	"flag"
	"fmt"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen"
)

// fixFiles applies the edits of diagnostics and reports the remaining problems. With -d it shows the
// edits instead and reports all problems.
func (c *command) fixFiles(ctx context.Context, args []string) int {
	var cfg gen.Config
	var guess []diag.Code
	show := c.flags.Bool("d", false, "")
	c.flags.StringVar(&cfg.Output, "o", "", "")
	c.flags.StringVar(&cfg.Tags, "tags", "", "")
	c.flags.Func("guess", "", func(codes string) error {
		for code := range strings.SplitSeq(codes, ",") {
			if _, ok := gen.Explain(diag.Code(code)); !ok {
				return unknownCode(code)
			}
			guess = append(guess, diag.Code(code))
		}
		return nil
	})
	patterns, status := c.parsePatterns(args)
	if status != flagsParsed {
		return status
	}
	cfg.Patterns = patterns
	result, found, left := gen.Fix(ctx, cfg, guess...)
	_, found = splitNotes(found)
	_, left = splitNotes(left)
	if !*show {
		suggestCommand(patterns, left)
		status = c.reportOutcome(c.diagnosticsWriter(), left, result.Write())
		c.suggestGuesses(left, guess, patterns)
		return status
	}
	suggestCommand(patterns, found)
	var err error
	if c.format == textFormat {
		_, err = c.stdout.Write(result.Diff())
	}
	status = c.reportOutcome(c.diagnosticsWriter(), found, err)
	c.suggestGuesses(found, guess, patterns)
	if status == exitOK && len(result.Changes) > 0 {
		status = exitFindings
	}
	return status
}

// suggestGuesses prints a line for each code: how many of the problems a guess can fix, and the command
// that does so. It skips the codes for which guesses were already applied.
func (c *command) suggestGuesses(list diag.List, applied []diag.Code, patterns []string) {
	if c.format != textFormat {
		return
	}
	type problemKind struct {
		code diag.Code
		diag.Severity
	}
	counts := map[problemKind]int{}
	var order []problemKind
	for _, d := range list {
		p := problemKind{d.Code, d.Severity}
		if len(d.Fixes) == 0 || !d.Fixes[0].Guess || slices.Contains(applied, d.Code) {
			continue
		}
		if counts[p]++; counts[p] == 1 {
			order = append(order, p)
		}
	}
	for _, p := range order {
		plural := "s"
		if counts[p] == 1 {
			plural = ""
		}
		fmt.Fprintf(c.stderr, "%d %s%s can be fixed by a guess: go tool aiongen fix -guess %s%s\n", counts[p], p.Severity, plural, p.code, c.repeatArguments(patterns))
	}
}

// repeatArguments returns the flags and patterns with which a suggested command fixes the same files.
func (c *command) repeatArguments(patterns []string) (text string) {
	c.flags.Visit(func(f *flag.Flag) {
		if f.Name == "C" || f.Name == "o" || f.Name == "tags" {
			text += " -" + f.Name + " " + quoteArgument(f.Value.String())
		}
	})
	for _, p := range patterns {
		text += " " + quoteArgument(p)
	}
	return text
}

// quoteArgument quotes an argument for a shell, if necessary.
func quoteArgument(arg string) string {
	plain := func(r rune) bool {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("./_-+,:=@%", r)
	}
	if arg != "" && !strings.ContainsFunc(arg, func(r rune) bool { return !plain(r) }) {
		return arg
	}
	return "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
}
