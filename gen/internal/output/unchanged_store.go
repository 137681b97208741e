package output

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/cache"

	"github.com/aiongen/aiongen/gen/internal/load"
)

// maxRecord limits the size of a record, in bytes.
const maxRecord = 4 << 20

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

// A storeEntry is the record for a configuration in an environment. The folder of the cache keeps records that were
// used in the last five days.
type storeEntry struct {
	folder string
	id     cache.ActionID
}

func newStoreEntry(cfg RunConfig, env environment) storeEntry {
	return storeEntry{cfg.Folder, sha256.Sum256(fmt.Appendf(nil, "%#v %#v", cfg, env))}
}

// readRecord returns the record, or an empty one if it is missing or damaged.
func (e storeEntry) readRecord() (r runRecord) {
	c, err := cache.Open(e.folder)
	if err != nil {
		return runRecord{}
	}
	if text, _, err := c.GetBytes(e.id); err != nil || json.Unmarshal(text, &r) != nil {
		return runRecord{}
	}
	return r
}

// writeRecord replaces the record atomically, and removes old ones. It stores nothing if a path is not valid
// UTF-8, which JSON would change.
func (e storeEntry) writeRecord(r runRecord) {
	for i := range r.Items {
		if !utf8.ValidString(i.name) {
			return
		}
	}
	text, err := json.Marshal(r)
	if err != nil || len(text) > maxRecord || os.MkdirAll(e.folder, 0o700) != nil {
		return
	}
	if c, err := cache.Open(e.folder); err == nil {
		_, _, _ = c.PutNoVerify(e.id, bytes.NewReader(text)) // if it fails, the next run compiles again
		_ = c.Trim()
	}
}
