package gen

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/folder"
	"github.com/aiongen/aiongen/internal/regular"
)

// Format formats .aion files. A name is that of a file, or of a directory, which
// stands for the .aion files in it and below, as it does with /... behind it: not
// for what others wrote, nor for what the go command passes over.
// The result is what writing would change; files with errors are not part of it.
func Format(names ...string) (*Result, diag.List) {
	f := formatter{seen: map[string]bool{}}
	for _, name := range names {
		f.name(name)
	}
	return &f.result, f.faults.Short()
}

type formatter struct {
	seen   map[string]bool
	result Result
	faults diag.List
}

func (f *formatter) name(name string) {
	root := filepath.Clean(strings.TrimSuffix(name, "..."))
	if info, err := os.Stat(root); err == nil && info.IsDir() {
		root += string(filepath.Separator) // so that a link to a directory is followed
	}
	// The function returns no error, so that there is none.
	_ = filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		named := path == root
		switch {
		case err != nil:
			f.unreadable(path, err)
		case e.IsDir() && !named && passedOver(e.Name()):
			return filepath.SkipDir
		case !e.IsDir() && (named || filepath.Ext(path) == folder.Suffix && !strings.HasPrefix(e.Name(), ".")):
			f.file(path)
		}
		return nil
	})
}

// passedOver reports whether files in a directory of that name are not the
// user's to format, unless they are named.
func passedOver(name string) bool {
	return name == "vendor" || name == "node_modules" || name[0] == '.' || name[0] == '_'
}

func (f *formatter) file(path string) {
	if f.seen[path] {
		return
	}
	f.seen[path] = true
	file, err := regular.Open(path)
	if err != nil {
		f.unreadable(path, err)
		return
	}
	defer file.Close()
	change, faults := FormatInput(filepath.ToSlash(path), file)
	f.faults = append(f.faults, faults...)
	if change.New != nil && !bytes.Equal(change.source, change.New) {
		f.result.Changes = append(f.result.Changes, change)
	}
}

func (f *formatter) unreadable(path string, err error) {
	f.faults = append(f.faults, folder.Unreadable(filepath.ToSlash(path), err)...)
}

// FormatInput formats an .aion file that is read from r. The change has what was
// read and, if that is free of errors, its canonical form, which may be the same.
// Name is the file's name in diagnostics.
func FormatInput(name string, r io.Reader) (Change, diag.List) {
	// A byte more than Parse takes, so that it can tell.
	src, err := io.ReadAll(io.LimitReader(r, aion.MaxSource+1))
	if err != nil {
		return Change{Name: name, source: src, exists: true}, folder.Unreadable(name, err)
	}
	change := Change{Name: name, source: src, exists: true}
	doc, faults := aion.Parse(name, src)
	if doc.Faulty {
		return change, faults
	}
	formatLiterals(doc)
	text, err := aion.Format(doc)
	if refused, ok := errors.AsType[*diag.Diagnostic](err); ok {
		return change, append(faults, refused)
	}
	change.New = text
	return change, faults
}
