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

// list returns the names of the .aion files in a directory and of the files
// generated from such, in name order. A directory that cannot be read has none.
func list(dir string) (aionFiles, generated []string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		switch {
		case e.IsDir():
		case strings.HasSuffix(e.Name(), aionSuffix):
			aionFiles = append(aionFiles, e.Name())
		case isGenerated(filepath.Join(dir, e.Name())):
			generated = append(generated, e.Name())
		}
	}
	return aionFiles, generated
}

// isGenerated reports whether a file is aiongen's own, by its name and its
// header.
func isGenerated(path string) bool {
	_, ok := generatedFrom(path)
	return ok
}

// generatedFrom returns what a generated file's header says it came from. The
// header may stand behind the marks of a merge conflict, not behind code.
func generatedFrom(path string) (source string, ok bool) {
	if name := filepath.Base(path); !strings.HasSuffix(name, generatedSuffix) && name != emit.RegisterFile {
		return "", false
	}
	src, err := os.ReadFile(path)
	if err != nil {
		return "", false
	}
	for line := range bytes.Lines(src) {
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
