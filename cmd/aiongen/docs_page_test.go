package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/format"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/aion"
)

// docPage is a page of the documentation.
type docPage struct {
	name     string // relative to the root of the repository, with slashes
	text     string
	blocks   []*docBlock
	testedBy string   // the file of another test that runs the page, or ""
	problems []string // found by parsing
}

// docBlock is a fenced block of a page.
type docBlock struct {
	start, end int // of the body in the text of the page
	line       int
	indented   bool
	language   string
	body       string
	file       string // the file to which the block belongs, or ""
	isOutput   bool   // whether it is the output of the block before
	actual     string // the output if it is another one
	isExempt   bool
	exitStatus int    // the expected one of a block of commands
	source     string // argument of a go directive: where a fragment of Go is compiled
}

var (
	fence     = regexp.MustCompile("(?ms)^( *)```([a-z]*)\n(.*?)^ *```$")
	directive = regexp.MustCompile(`<!-- (run|go): (.*?) -->`)
	comment   = regexp.MustCompile(`(?s)<!--.*?-->`)
	fileName  = regexp.MustCompile("`([\\w./-]+\\.(?:go|aion|json|jsonl|yaml|yml|toml|mod|md|txt|csv|py|sh))`:$")
)

// readPages returns README.md, example/README.md and the pages in docs.
func readPages(t *testing.T) (pages []*docPage) {
	t.Helper()
	root := repositoryRoot(t)
	names := []string{"README.md", "example/README.md"}
	err := filepath.WalkDir(filepath.Join(root, "docs"), func(path string, entry fs.DirEntry, err error) error {
		if filepath.Ext(path) == ".md" {
			name, _ := filepath.Rel(root, path)
			names = append(names, filepath.ToSlash(name))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, parsePage(name, string(text)))
	}
	return pages
}

// parsePage splits a page into its blocks and reads the directives in front of them.
func parsePage(name, text string) *docPage {
	p := &docPage{name: name, text: text}
	if first, _, _ := strings.Cut(text, "\n"); strings.HasPrefix(first, "<!-- run: by ") {
		p.testedBy = directive.FindStringSubmatch(first)[2][len("by "):]
	}
	end := len(p.testedBy)
	for _, m := range fence.FindAllStringSubmatchIndex(text, -1) {
		before, indent := text[end:m[0]], text[m[2]:m[3]]
		end = m[1]
		b := &docBlock{
			start: m[6], end: m[7], line: 1 + strings.Count(text[:m[0]], "\n"), language: text[m[4]:m[5]],
			indented: indent != "", body: strings.ReplaceAll("\n"+text[m[6]:m[7]], "\n"+indent, "\n")[1:],
		}
		for _, d := range directive.FindAllStringSubmatch(before, -1) {
			p.readDirective(b, d[1], d[2])
		}
		if found := fileName.FindStringSubmatch(strings.TrimSpace(comment.ReplaceAllString(before, ""))); found != nil {
			b.file = found[1]
		}
		if last := len(p.blocks) - 1; last >= 0 && b.file == "" && !b.isExempt {
			follows := b.language == "text" || b.language == "json" && strings.TrimSpace(before) == ""
			b.isOutput = follows && p.blocks[last].isCommand()
		}
		p.blocks = append(p.blocks, b)
	}
	return p
}

// readDirective reads a directive in front of a block.
func (p *docPage) readDirective(b *docBlock, kind, argument string) {
	word, rest, _ := strings.Cut(argument, " ")
	switch {
	case kind == "go":
		b.source = argument
	case word == "none," && rest != "":
		b.isExempt = true
	case word == "by" && rest != "":
		b.isExempt = true
		if argument != "by "+p.testedBy {
			p.checkTest(b.line, rest)
		}
	case word == "exit":
		status, err := strconv.Atoi(rest)
		if err != nil || status == 0 {
			p.report(b.line, "invalid exit status %q", rest)
		}
		b.exitStatus = status
	default:
		p.report(b.line, "invalid directive %q", argument)
	}
}

// report records a problem of a line of the page.
func (p *docPage) report(line int, format string, arguments ...any) {
	p.problems = append(p.problems, fmt.Sprintf("%s:%d: ", p.name, line)+fmt.Sprintf(format, arguments...))
}

// checkTest checks that the file of a test exists and names the page.
func (p *docPage) checkTest(line int, file string) {
	source, err := os.ReadFile("../../" + file)
	if err != nil {
		p.report(line, "the test of this page: %v", err)
	} else if !strings.Contains(string(source), filepath.Base(p.name)) {
		p.report(line, "%s does not name %s", file, filepath.Base(p.name))
	}
}

// isCommand reports whether the runner runs the block in a shell.
func (b *docBlock) isCommand() bool { return b.language == "sh" && b.file == "" && !b.isExempt }

// isRun reports whether the runner runs commands of the page.
func (p *docPage) isRun() bool {
	return p.testedBy == "" && slices.ContainsFunc(p.blocks, func(b *docBlock) bool { return b.isCommand() || b.source != "" })
}

// checkBlocks checks what can be checked without running commands: JSON is valid, Go is formatted, .aion
// files can be parsed, and no block is left out silently. If another test
// runs the page, checkBlocks only checks JSON.
func (p *docPage) checkBlocks() {
	if p.testedBy != "" {
		p.checkTest(1, p.testedBy)
	}
	for _, b := range p.blocks {
		isUnnamed := b.file == "" && !b.isExempt
		switch {
		case b.language == "json" && !json.Valid([]byte(b.body)):
			p.report(b.line, "invalid JSON")
		case p.testedBy != "":
		case b.language == "go":
			formatted, err := format.Source([]byte(b.body))
			if err != nil {
				p.report(b.line, "invalid Go: %v", err)
			} else if !bytes.Equal(formatted, []byte(b.body)) {
				p.report(b.line, "not formatted by gofmt")
			}
			if isUnnamed && b.source == "" && strings.HasPrefix(b.body, "package ") {
				p.report(b.line, "no file name in front of a Go file")
			}
		case b.language == "aion" && !b.isExempt:
			if _, list := aion.Parse(b.file, []byte(b.body)); len(list) > 0 {
				p.report(b.line, "invalid notation: %v", list)
			}
		case b.language == "text" && isUnnamed && !b.isOutput:
			p.report(b.line, "the text is not the output of commands; exempt it with a reason")
		case b.language == "":
			p.report(b.line, "no language")
		}
	}
}

// matchesOutput reports whether an output is the expected one, in which "…" stands for any text in a line,
// and a line of its own for any lines.
func matchesOutput(want, got string) bool {
	pattern := "\n" + regexp.QuoteMeta(want)
	for strings.Contains(pattern, "\n…\n") {
		pattern = strings.Replace(pattern, "\n…\n", "\n(?:.*\n)*", 1)
	}
	pattern = strings.ReplaceAll(pattern, "…", ".*")
	return regexp.MustCompile(`\A` + pattern + `\z`).MatchString("\n" + got)
}
