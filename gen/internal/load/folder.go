package load

import (
	"bufio"
	"go/build"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/internal/regularfile"
)

// AionSuffix is the suffix of .aion files.
const AionSuffix = ".aion"

const generatedSuffix = AionSuffix + ".go"

// A Folder lists the files in a directory that concern aiongen.
type Folder struct {
	Names     []string          // all files
	Aion      []string          // sorted names of .aion files
	Generated map[string]string // sources of generated files according to their headers, by name
}

// readFolder reads a directory. An unreadable directory counts as empty.
func readFolder(dir string, files Overlay) *Folder {
	f := &Folder{Generated: map[string]string{}}
	entries, _ := files.dirEntries(dir)
	for _, e := range entries {
		if !e.IsDir() {
			f.Names = append(f.Names, e.Name())
		}
		switch name := e.Name(); {
		case e.IsDir(), name[0] == '.', name[0] == '_': // the go command ignores these, too
		case strings.HasSuffix(name, AionSuffix):
			f.Aion = append(f.Aion, name)
		case MayBeGenerated(name):
			if source, ok := ReadOrigin(filepath.Join(dir, name)); ok {
				f.Generated[name] = source
			}
		}
	}
	return f
}

// FindSameName returns the name of another file that differs from name only by case. The go
// command rejects two such Go files, and some file systems cannot hold both.
func FindSameName(name string, names []string) (other string, ok bool) {
	i := slices.IndexFunc(names, func(n string) bool { return n != name && strings.EqualFold(n, name) })
	if i < 0 {
		return "", false
	}
	return names[i], true
}

// MayBeGenerated reports whether a file name is one that aiongen could have generated.
func MayBeGenerated(name string) bool {
	return strings.HasSuffix(name, generatedSuffix) || name == model.RegisterFile
}

// IsIgnoredDir reports whether wildcards of the go command skip a directory.
func IsIgnoredDir(dir string) bool {
	name := filepath.Base(dir)
	return name == "testdata" || name == "vendor" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || isModule(dir)
}

// IsGenerated reports whether aiongen generated a Go file, judging by its name and header.
func IsGenerated(path string) bool {
	if !MayBeGenerated(filepath.Base(path)) {
		return false
	}
	_, ok := ReadOrigin(path)
	return ok
}

// ReadOrigin returns the source that the header of a generated file names. It reports false
// for other files.
func ReadOrigin(path string) (source string, ok bool) {
	file, err := regularfile.Open(path)
	if err != nil {
		return "", false
	}
	defer file.Close()
	return ParseOrigin(io.LimitReader(file, regularfile.MaxSize))
}

// ParseOrigin returns the source in the header of a generated file like ReadOrigin. It stops
// reading at the package clause. The header may follow the markers of a merge conflict.
func ParseOrigin(content io.Reader) (source string, ok bool) {
	lines := bufio.NewReader(content)
	for {
		line, err := lines.ReadString('\n')
		if header, ok := strings.CutPrefix(strings.TrimRight(line, "\r\n"), model.HeaderStart); ok {
			source, _, _ = strings.Cut(header, "; ")
			return source, true
		}
		if err != nil || strings.HasPrefix(line, "package ") {
			return "", false
		}
	}
}

var plainFileName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_.-]*$`)

// CheckFileName returns the reason why no Go file can be generated for an .aion file with
// this name, or "" if one can.
func CheckFileName(name string) string {
	if !plainFileName.MatchString(name) {
		return "rename it: use only letters, digits, _, - and ., and begin with a letter or digit"
	}
	if !buildsEverywhere(name + ".go") {
		return "rename it: Go builds files whose name ends like that only for one system or architecture"
	}
	return ""
}

// buildsEverywhere reports whether the go command builds a file with this name on every
// system.
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

// ReportUnreadable returns a diagnostic for a file that cannot be read.
func ReportUnreadable(name string, err error) (list diag.List) {
	list.Errorf("unreadable", diag.Span{File: name}, "cannot read the file: %v", regularfile.Reason(err)).WithCause(err)
	return list
}
