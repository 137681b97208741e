package unchanged

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/aiongen/aiongen/gen/internal/goenv"
	"github.com/aiongen/aiongen/internal/regular"
)

// The folder holds no more records than this, and none that is larger: what was
// longest of no use goes first.
const (
	maxRecords = 256
	maxRecord  = 4 << 20 // bytes
)

// A record is what is kept of a run.
type record struct {
	Proven    bool              // whether Items are what the run read
	Items     map[item]string   // all but what is in generated files
	Generated map[string]string // sums of these, by path
	Outcome   Outcome
	Env       goenv.Env
}

// generated reports whether an item is what is in a generated file.
func (r record) generated(i item) bool {
	_, ours := r.Generated[i.name]
	return ours && i.kind == content
}

// stands reports whether the generated files are there as they were.
func (r record) stands() bool {
	var files []item
	for path := range r.Generated {
		files = append(files, item{content, path})
	}
	for i, st := range take(files) {
		if !st.known || st.sum != r.Generated[i.name] {
			return false
		}
	}
	return true
}

// An entry is the file that has the record of a Config in an environment.
type entry struct{ path string }

func entryOf(cfg Config, env environment) entry {
	return entry{filepath.Join(cfg.Folder, sumOf(fmt.Appendf(nil, "%#v %#v", cfg, env)))}
}

// read returns the record, an empty one if there is none that is whole.
func (e entry) read() (r record) {
	text, err := regular.ReadFile(e.path)
	if err != nil {
		return record{}
	}
	sum, body, _ := bytes.Cut(text, []byte("\n"))
	if string(sum) != sumOf(body) || json.Unmarshal(body, &r) != nil {
		return record{}
	}
	if info, err := os.Stat(e.path); err == nil && time.Since(info.ModTime()) > 24*time.Hour {
		os.Chtimes(e.path, time.Time{}, time.Now()) // it is of use
	}
	return r
}

// write puts the record in its place, whole or not at all. A path that is no text, JSON
// would change.
func (e entry) write(r record) {
	for i := range r.Items {
		if !utf8.ValidString(i.name) {
			return
		}
	}
	body, err := json.Marshal(r)
	if err != nil || len(body) > maxRecord || os.MkdirAll(filepath.Dir(e.path), 0o700) != nil {
		return
	}
	file, err := os.CreateTemp(filepath.Dir(e.path), "new-*")
	if err != nil {
		return
	}
	_, err = file.Write(append([]byte(sumOf(body)+"\n"), body...))
	if closed := file.Close(); err != nil || closed != nil || os.Rename(file.Name(), e.path) != nil {
		os.Remove(file.Name())
		return
	}
	trim(filepath.Dir(e.path))
}

// trim removes the oldest files of a folder that has too many.
func trim(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) <= maxRecords {
		return
	}
	age := func(e fs.DirEntry) time.Duration {
		info, err := e.Info()
		if err != nil {
			return 0
		}
		return time.Since(info.ModTime())
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return cmp.Compare(age(b), age(a)) })
	for _, e := range entries[:len(entries)-maxRecords/2] {
		os.Remove(filepath.Join(dir, e.Name()))
	}
}
