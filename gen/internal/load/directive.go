package load

import (
	"bufio"
	"bytes"
	"flag"
	"go/build"
	"io"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/internal/regularfile"
)

// A Directive is a go:generate line that runs aiongen.
type Directive struct {
	File     string // as passed to ReadDirectives
	Line     int
	Dir      string   // working directory of aiongen, relative to the same directory as File
	Patterns []string // packages to generate code for; empty for the package in Dir
	Output   string   // value of -o, relative to Dir
	Tags     string   // value of -tags
}

// ReadDirectives returns the go:generate lines of a Go file in package pkg that run
// aiongen. It parses lines like go generate and ignores invalid lines and those that run
// other programs.
func ReadDirectives(file, pkg string, src []byte) (runs []Directive) {
	aliases := map[string][]string{} // defined by -command, by name
	number := 0
	for line := range bytes.Lines(src) {
		number++
		words, ok := splitDirective(string(line))
		if !ok {
			continue
		}
		if command, ok := aliases[words[0]]; ok {
			words = slices.Concat(command, words[1:])
		}
		variables := expandVariable(file, pkg, number)
		for i, word := range words {
			words[i] = os.Expand(word, variables)
		}
		if len(words) > 1 && words[0] == "-command" {
			aliases[words[1]] = words[2:]
			continue
		}
		if run, ok := parseDirective(words); ok {
			run.File, run.Line = file, number
			run.Dir = joinPath(filepath.Dir(file), run.Dir)
			runs = append(runs, run)
		}
	}
	return runs
}

// Directives returns the go:generate lines that run aiongen for the package, in the files
// that go generate reads, except those for which isGenerated returns true.
func (p *Package) Directives(tags string, isGenerated func(path string) bool) (found []Directive) {
	built := build.Default
	built.BuildTags = append(strings.Split(tags, ","), "generate")
	entries, _ := os.ReadDir(p.Dir) // an unreadable directory has no lines
	for _, e := range entries {
		path := filepath.Join(p.Dir, e.Name())
		if e.IsDir() || filepath.Ext(path) != ".go" || isGenerated(path) {
			continue
		}
		src, err := regularfile.ReadFile(path)
		if err != nil || !bytes.Contains(src, []byte(directivePrefix)) {
			continue
		}
		if ok, err := built.MatchFile(p.Dir, e.Name()); !ok || err != nil {
			continue
		}
		for _, d := range ReadDirectives(path, p.Name, src) {
			if d.matchesPackage(p) {
				found = append(found, d)
			}
		}
	}
	return found
}

// matchesPackage reports whether the line generates code for p.
func (d Directive) matchesPackage(p *Package) bool {
	if len(d.Patterns) == 0 {
		return p.Matches(".", d.Dir)
	}
	return slices.ContainsFunc(d.Patterns, func(pattern string) bool { return p.Matches(pattern, d.Dir) })
}

// ReadDirectiveVariables returns the environment variables that the go:generate lines of a
// Go file refer to. It reads src to the end; the caller must limit it.
func ReadDirectiveVariables(src io.Reader) (names []string) {
	lines := bufio.NewScanner(src)
	lines.Buffer(nil, math.MaxInt) // the caller limits src
	for lines.Scan() {
		if !bytes.HasPrefix(lines.Bytes(), []byte(directivePrefix)) {
			continue
		}
		words, _ := splitDirective(lines.Text())
		for _, word := range words {
			os.Expand(word, func(name string) string {
				names = append(names, name)
				return ""
			})
		}
	}
	return names
}

const directivePrefix = "//go:generate"

// splitDirective returns the words of a go:generate line, at least one. A quoted word is a
// Go string.
func splitDirective(line string) (words []string, ok bool) {
	rest, ok := strings.CutPrefix(strings.TrimRight(line, "\r\n"), directivePrefix)
	if !ok || rest == "" || rest[0] != ' ' && rest[0] != '\t' {
		return nil, false
	}
	for {
		rest = strings.TrimLeft(rest, " \t")
		if rest == "" {
			return words, words != nil
		}
		word, _, _ := strings.Cut(strings.ReplaceAll(rest, "\t", " "), " ")
		if rest[0] != '"' {
			words, rest = append(words, word), rest[len(word):]
			continue
		}
		quoted, err := strconv.QuotedPrefix(rest)
		if rest = strings.TrimPrefix(rest, quoted); err != nil || rest != "" && rest[0] != ' ' && rest[0] != '\t' {
			return nil, false
		}
		word, err = strconv.Unquote(quoted)
		if err != nil {
			return nil, false
		}
		words = append(words, word)
	}
}

// expandVariable returns the function that expands the variables of go generate.
func expandVariable(file, pkg string, line int) func(name string) string {
	predefined := map[string]string{
		"GOARCH":    build.Default.GOARCH,
		"GOOS":      build.Default.GOOS,
		"GOFILE":    filepath.Base(file),
		"GOLINE":    strconv.Itoa(line),
		"GOPACKAGE": pkg,
		"DOLLAR":    "$",
	}
	return func(name string) string {
		if value, ok := predefined[name]; ok {
			return value
		}
		return os.Getenv(name)
	}
}

// parseDirective parses words as a command line. It reports false if they do not run
// aiongen.
func parseDirective(words []string) (Directive, bool) {
	args, dir, ok := findArguments(words)
	if !ok {
		return Directive{}, false
	}
	var run Directive
	flags := flag.NewFlagSet("aiongen", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.StringVar(&run.Dir, "C", "", "")
	flags.StringVar(&run.Output, "o", "", "")
	flags.StringVar(&run.Tags, "tags", "", "")
	for _, other := range otherFlags {
		flags.String(other, "", "")
	}
	flags.Bool("a", false, "")
	if flags.Parse(args) != nil {
		return Directive{}, false
	}
	run.Dir, run.Patterns = joinPath(dir, run.Dir), flags.Args()
	return run, true
}

// otherFlags are flags of aiongen that affect neither the generated code nor its location.
var otherFlags = []string{"color", "format", "lint"}

// findArguments returns the arguments of aiongen, and the directory that the flag -C of the go
// command sets.
func findArguments(words []string) (args []string, dir string, ok bool) {
	if len(words) == 0 {
		return nil, "", false
	}
	if programName(words[0]) == "aiongen" {
		return words[1:], "", true
	}
	if programName(words[0]) != "go" || !slices.Contains(words, "run") && !slices.Contains(words, "tool") {
		return nil, "", false
	}
	for i, word := range words[1:] {
		switch value, isDir := strings.CutPrefix(word, "-C="); {
		case isDir:
			dir = value
		case words[i] == "-C":
			dir = word
		case programName(word) == "aiongen":
			return words[i+2:], dir, true
		}
	}
	return nil, "", false
}

// programName returns the name of a program from its path or package path.
func programName(word string) string {
	word, _, _ = strings.Cut(word, "@") // a version
	return strings.TrimSuffix(path.Base(filepath.ToSlash(word)), ".exe")
}

// joinPath joins dir and path, unless path is absolute.
func joinPath(dir, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}
