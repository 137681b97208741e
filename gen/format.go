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
	"github.com/aiongen/aiongen/gen/internal/load"
	"github.com/aiongen/aiongen/internal/regularfile"
)

// Format formats .aion files. Each name is a file or a directory. In a directory, with or
// without a trailing /..., Format formats the .aion files in it and in its subdirectories. It
// skips directories named vendor or node_modules and those that the go command ignores. The
// result contains the files whose format changes. Format reports files with errors and does not
// change them.
func Format(names ...string) (*Result, diag.List) {
	f := formatter{seen: map[string]bool{}}
	for _, name := range names {
		f.formatPath(name)
	}
	return &f.result, f.faults.Short()
}

type formatter struct {
	seen   map[string]bool
	result Result
	faults diag.List
}

// formatPath formats a file, or all .aion files in and below a directory.
func (f *formatter) formatPath(path string) {
	root := filepath.Clean(strings.TrimSuffix(path, "..."))
	if info, err := os.Stat(root); err == nil && info.IsDir() {
		root += string(filepath.Separator) // so that WalkDir follows a link to a directory
	}
	_ = filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		isRoot := path == root
		switch {
		case err != nil:
			f.reportUnreadable(path, err)
		case e.IsDir() && !isRoot && isIgnoredDir(e.Name()):
			return filepath.SkipDir
		case !e.IsDir() && (isRoot || filepath.Ext(path) == load.AionSuffix && !strings.HasPrefix(e.Name(), ".")):
			f.formatFile(path)
		}
		return nil
	})
}

// isIgnoredDir reports whether Format skips directories with this name, because they contain
// files of other projects or because the go command ignores them.
func isIgnoredDir(name string) bool {
	return name == "vendor" || name == "node_modules" || name[0] == '.' || name[0] == '_'
}

func (f *formatter) formatFile(path string) {
	if f.seen[path] {
		return
	}
	f.seen[path] = true
	file, err := regularfile.Open(path)
	if err != nil {
		f.reportUnreadable(path, err)
		return
	}
	defer file.Close()
	change, faults := FormatInput(filepath.ToSlash(path), file)
	f.faults = append(f.faults, faults...)
	if change.New != nil && !bytes.Equal(change.source, change.New) {
		f.result.Changes = append(f.result.Changes, change)
	}
}

func (f *formatter) reportUnreadable(path string, err error) {
	f.faults = append(f.faults, load.ReportUnreadable(filepath.ToSlash(path), err)...)
}

// FormatInput formats an .aion file that it reads from r. The change contains the text and, if
// there are no errors, its canonical form, which may be equal. Diagnostics use name as the name
// of the file.
func FormatInput(name string, r io.Reader) (Change, diag.List) {
	// One byte more than the limit, so that Parse reports longer files.
	src, err := io.ReadAll(io.LimitReader(r, aion.MaxSource+1))
	if err != nil {
		return Change{Name: name, source: src, exists: true}, load.ReportUnreadable(name, err)
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
