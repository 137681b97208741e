package main

import (
	"fmt"
	"go/scanner"
	"go/token"
	"os/exec"
	"strings"
)

const beforeCommit = "6f5530a"

// parts are the parts of the runtime that carry out agents.
var parts = []string{
	"runtime/journal", "runtime/run", "runtime/orchestrator", "runtime/plan", "runtime/supervisor", "runtime/redact",
	"runtime/internal/reference", "runtime/internal/result", "runtime/llm/converse.go", "all",
}

// lines counts the lines of code of each part, before and in the last commit.
func lines() (before, after map[string]int, err error) {
	if before, err = linesAt(beforeCommit); err != nil {
		return nil, nil, err
	}
	after, err = linesAt("HEAD")
	return before, after, err
}

func linesAt(commit string) (map[string]int, error) {
	root, err := git("rev-parse", "--show-toplevel")
	if err != nil {
		return nil, err
	}
	files, err := git("-C", strings.TrimSpace(root), "ls-tree", "-r", "--name-only", commit, "--", "runtime")
	if err != nil {
		return nil, err
	}
	sum := map[string]int{}
	for _, name := range strings.Fields(files) {
		for _, part := range parts {
			inside := name == part || strings.HasPrefix(name, part+"/")
			if !inside || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || strings.Contains(name, "journaltest") {
				continue
			}
			text, err := git("show", commit+":"+name)
			if err != nil {
				return nil, err
			}
			n := codeLines([]byte(text))
			sum[part] += n
			sum["all"] += n
		}
	}
	return sum, nil
}

func git(arguments ...string) (string, error) {
	out, err := exec.Command("git", arguments...).Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w", strings.Join(arguments, " "), err)
	}
	return string(out), nil
}

// codeLines counts the lines on which there is something other than a comment.
func codeLines(text []byte) int {
	files := token.NewFileSet()
	f := files.AddFile("", files.Base(), len(text))
	var s scanner.Scanner
	s.Init(f, text, nil, 0)
	at := map[int]bool{}
	for {
		pos, t, literal := s.Scan()
		if t == token.EOF {
			return len(at)
		}
		if t == token.SEMICOLON && literal == "\n" {
			continue
		}
		for i := range 1 + strings.Count(literal, "\n") {
			at[f.Line(pos)+i] = true
		}
	}
}
