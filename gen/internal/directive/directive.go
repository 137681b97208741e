// Package directive reads the lines in Go files that run aiongen by go generate,
// so that other commands know what a package is generated with.
package directive

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
)

// A Run is what a line runs aiongen with.
type Run struct {
	File     string // as it was given
	Line     int
	Dir      string   // where aiongen runs, seen from where the file's directory is seen from
	Patterns []string // packages; none is that of Dir
	Output   string   // of -o, seen from Dir; "" if there is none
	Tags     string   // of -tags
}

// Read returns the runs that the lines of a Go file ask for, which is in a package
// of that name. Lines are read as go generate does. What it would refuse, or what
// runs something else, is no run.
func Read(file, pkg string, src []byte) (runs []Run) {
	commands := map[string][]string{} // by the names that -command gave them
	number := 0
	for line := range bytes.Lines(src) {
		number++
		words, ok := split(string(line))
		if !ok {
			continue
		}
		if command, known := commands[words[0]]; known {
			words = slices.Concat(command, words[1:])
		}
		variables := variables(file, pkg, number)
		for i, word := range words {
			words[i] = os.Expand(word, variables)
		}
		if len(words) > 1 && words[0] == "-command" {
			commands[words[1]] = words[2:]
			continue
		}
		if run, ok := parse(words); ok {
			run.File, run.Line = file, number
			run.Dir = join(filepath.Dir(file), run.Dir)
			runs = append(runs, run)
		}
	}
	return runs
}

// Variables returns the names of those of the environment that the lines of a Go file
// may refer to, which is read to its end.
func Variables(src io.Reader) (names []string) {
	lines := bufio.NewScanner(src)
	lines.Buffer(nil, math.MaxInt) // who gives src bounds it
	for lines.Scan() {
		if !bytes.HasPrefix(lines.Bytes(), []byte(start)) {
			continue
		}
		words, _ := split(lines.Text())
		for _, word := range words {
			os.Expand(word, func(name string) string {
				names = append(names, name)
				return ""
			})
		}
	}
	return names
}

const start = "//go:generate"

// split returns the words of a line, of which there is one at least. A word in
// quotes is a Go string, and may hold spaces.
func split(line string) (words []string, ok bool) {
	rest, ok := strings.CutPrefix(strings.TrimRight(line, "\r\n"), start)
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

// variables returns what go generate lets words refer to.
func variables(file, pkg string, line int) func(name string) string {
	own := map[string]string{
		"GOARCH":    build.Default.GOARCH,
		"GOOS":      build.Default.GOOS,
		"GOFILE":    filepath.Base(file),
		"GOLINE":    strconv.Itoa(line),
		"GOPACKAGE": pkg,
		"DOLLAR":    "$",
	}
	return func(name string) string {
		if value, ok := own[name]; ok {
			return value
		}
		return os.Getenv(name)
	}
}

// parse reads words as a command line. Its second result is false where they do
// not run aiongen.
func parse(words []string) (Run, bool) {
	args, dir, ok := arguments(words)
	if !ok {
		return Run{}, false
	}
	var run Run
	flags := flag.NewFlagSet("aiongen", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.StringVar(&run.Dir, "C", "", "")
	flags.StringVar(&run.Output, "o", "", "")
	flags.StringVar(&run.Tags, "tags", "", "")
	for _, other := range others {
		flags.String(other, "", "")
	}
	flags.Bool("a", false, "")
	if flags.Parse(args) != nil {
		return Run{}, false
	}
	run.Dir, run.Patterns = join(dir, run.Dir), flags.Args()
	return run, true
}

// others are the flags of generating that do not say what is generated, nor where.
var others = []string{"color", "format", "lint"}

// arguments returns those of aiongen, and where the go command changes to before
// it runs that.
func arguments(words []string) (args []string, dir string, ok bool) {
	if len(words) == 0 { // the name of nothing
		return nil, "", false
	}
	if name(words[0]) == "aiongen" {
		return words[1:], "", true
	}
	if name(words[0]) != "go" || !slices.Contains(words, "run") && !slices.Contains(words, "tool") {
		return nil, "", false
	}
	for i, word := range words[1:] {
		switch value, isDir := strings.CutPrefix(word, "-C="); {
		case isDir:
			dir = value
		case words[i] == "-C":
			dir = word
		case name(word) == "aiongen":
			return words[i+2:], dir, true
		}
	}
	return nil, "", false
}

// name is that of a program, by its path or that of its package.
func name(word string) string {
	word, _, _ = strings.Cut(word, "@") // a version
	return strings.TrimSuffix(path.Base(filepath.ToSlash(word)), ".exe")
}

// join returns a path that may be absolute, seen from where dir is seen from.
func join(dir, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}
