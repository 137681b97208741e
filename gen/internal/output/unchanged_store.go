package output

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

	"github.com/aiongen/aiongen/gen/internal/load"
	"github.com/aiongen/aiongen/internal/regularfile"
)

// The cache keeps the most recently used maxRecords records. It stores no record of more than maxRecord
// bytes.
const (
	maxRecords = 256
	maxRecord  = 4 << 20 // bytes
)

// A runRecord is what the cache stores about a run.
type runRecord struct {
	Proven    bool                 // Items are exactly what the run read
	Items     map[inputItem]string // hashes of all items except generated files
	Generated map[string]string    // hashes of generated files, by path
	Outcome   RunOutcome
	Env       load.Env
}

// isGenerated reports whether an item is the content of a generated file.
func (r runRecord) isGenerated(i inputItem) bool {
	_, ours := r.Generated[i.name]
	return ours && i.kind == fileContent
}

// isOnDisk reports whether the generated files are unchanged.
func (r runRecord) isOnDisk() bool {
	var files []inputItem
	for path := range r.Generated {
		files = append(files, inputItem{fileContent, path})
	}
	for i, st := range takeSnapshot(files) {
		if !st.exists || st.sum != r.Generated[i.name] {
			return false
		}
	}
	return true
}

// A storeEntry is the file with the record for a configuration in an environment.
type storeEntry struct{ path string }

func newStoreEntry(cfg RunConfig, env environment) storeEntry {
	return storeEntry{filepath.Join(cfg.Folder, hashText(fmt.Appendf(nil, "%#v %#v", cfg, env)))}
}

// readRecord returns the record, or an empty one if the file is missing or damaged.
func (e storeEntry) readRecord() (r runRecord) {
	text, err := regularfile.ReadFile(e.path)
	if err != nil {
		return runRecord{}
	}
	sum, body, _ := bytes.Cut(text, []byte("\n"))
	if string(sum) != hashText(body) || json.Unmarshal(body, &r) != nil {
		return runRecord{}
	}
	if info, err := os.Stat(e.path); err == nil && time.Since(info.ModTime()) > 24*time.Hour {
		_ = os.Chtimes(e.path, time.Time{}, time.Now()) // if this fails, the record may be removed too early
	}
	return r
}

// writeRecord replaces the record atomically. It stores nothing if a path is not valid
// UTF-8, which JSON would change.
func (e storeEntry) writeRecord(r runRecord) {
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
	_, err = file.Write(append([]byte(hashText(body)+"\n"), body...))
	if closed := file.Close(); err != nil || closed != nil || os.Rename(file.Name(), e.path) != nil {
		os.Remove(file.Name())
		return
	}
	trimStore(filepath.Dir(e.path))
}

// trimStore removes the oldest files of a directory that has too many.
func trimStore(dir string) {
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
