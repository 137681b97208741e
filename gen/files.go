package gen

import (
	"bytes"
	"go/build"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/aiongen/aiongen/gen/emit"
)

const (
	aionSuffix      = ".aion"
	generatedSuffix = ".aion.go"
)

// A folder is what concerns aiongen in a directory.
type folder struct {
	aion      []string          // names of the .aion files, in order
	generated map[string][]byte // files that were generated from such, by name
}

// folder reads a directory, once a run. One that cannot be read has nothing.
func (g *generator) folder(dir string) *folder {
	if known := g.folders[dir]; known != nil {
		return known
	}
	f := &folder{generated: map[string][]byte{}}
	g.folders[dir] = f
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		switch name := e.Name(); {
		case e.IsDir(), name[0] == '.', name[0] == '_': // the go command ignores these, too
		case strings.HasSuffix(name, aionSuffix):
			f.aion = append(f.aion, name)
		case mayBeGenerated(name):
			content, err := os.ReadFile(filepath.Join(dir, name))
			if _, ok := sourceOf(content); err == nil && ok {
				f.generated[name] = content
			}
		}
	}
	return f
}

func mayBeGenerated(name string) bool {
	return strings.HasSuffix(name, generatedSuffix) || name == emit.RegisterFile
}

// isGenerated reports whether a file is aiongen's own, by its name and its
// header.
func (g *generator) isGenerated(path string) bool {
	dir, name := filepath.Split(path)
	if !mayBeGenerated(name) {
		return false
	}
	_, ok := g.folder(filepath.Clean(dir)).generated[name]
	return ok
}

// sourceOf returns what a generated file's header says it came from. The header
// may stand behind the marks of a merge conflict, not behind code.
func sourceOf(content []byte) (source string, ok bool) {
	for line := range bytes.Lines(content) {
		text := string(bytes.TrimRight(line, "\r\n"))
		if strings.HasPrefix(text, emit.HeaderStart) {
			source, _, _ = strings.Cut(strings.TrimPrefix(text, emit.HeaderStart), "; ")
			return source, true
		}
		if strings.HasPrefix(text, "package ") {
			break
		}
	}
	return "", false
}

var plainFileName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_.-]*$`)

// badName says why no Go file can be generated for an .aion file of that name;
// "" if one can.
func badName(name string) string {
	if !plainFileName.MatchString(name) {
		return "rename it: letters, digits, _, - and . make a name, and it begins with a letter or digit"
	}
	if !buildsEverywhere(name + ".go") {
		return "rename it: a Go file whose name ends like that is only built for one system or architecture"
	}
	return ""
}

// buildsEverywhere asks go/build whether the name alone keeps a file from being
// built on a system that does not exist.
func buildsEverywhere(name string) bool {
	nowhere := build.Context{
		GOOS: "nowhere", GOARCH: "nothing", Compiler: "gc",
		OpenFile: func(string) (io.ReadCloser, error) {
			return io.NopCloser(strings.NewReader("package p\n")), nil
		},
	}
	ok, err := nowhere.MatchFile("", name)
	return ok && err == nil
}
