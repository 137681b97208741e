package load

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/aiongen/aiongen/internal/regularfile"
)

// exportFormat identifies the format of the files. Change it whenever the format changes.
const exportFormat = "aiongen exports 2\n"

// maxUnusedAge is the time after which unused directories are removed.
const maxUnusedAge = 30 * 24 * time.Hour

// An exportCache is a cache directory for packages built with the same toolchain, settings and
// versions of modules. Each file starts with a checksum. The zero value stores nothing.
type exportCache struct{ dir string }

func openExportCache(set *moduleSet) exportCache {
	root, err := os.UserCacheDir()
	if err != nil {
		return exportCache{}
	}
	return exportCache{filepath.Join(root, "aiongen", "exports", cacheKey(set))}
}

// cacheKey returns a hash of everything that affects how unchanging packages are built.
func cacheKey(set *moduleSet) string {
	key := sha256.New()
	fmt.Fprintf(key, "%s%s\n%s\n", exportFormat, runtime.Version(), set.Tags)
	for _, name := range slices.Sorted(maps.Keys(set.Env)) {
		if name != "GOMOD" && name != "GOWORK" { // their contents count, not their paths
			fmt.Fprintf(key, "%s=%q\n", name, set.Env[name])
		}
	}
	for _, path := range set.ModFiles {
		text, err := regularfile.ReadFile(path)
		fmt.Fprintf(key, "%s %t %d\n", filepath.Base(path), err == nil, len(text))
		key.Write(text)
	}
	return hex.EncodeToString(key.Sum(nil))
}

// infoFile is the name of the file with the packageInfo of all packages. The names of the other
// files are hashes of import paths.
const infoFile = "about"

func (c exportCache) readInfos() map[string]*packageInfo {
	infos := map[string]*packageInfo{}
	data, ok := c.readFile(infoFile)
	if !ok {
		return infos
	}
	var all []*packageInfo
	if json.Unmarshal(data, &all) == nil {
		for _, a := range all {
			infos[a.Path] = a
		}
	}
	return infos
}

func (c exportCache) writeInfos(all []*packageInfo) {
	if data, err := json.Marshal(all); err == nil {
		c.writeFile(infoFile, data)
	}
	c.removeUnused()
}

// exportFileName returns the name of the file with the types of a package.
func exportFileName(path string) string {
	sum := sha256.Sum256([]byte(path))
	return hex.EncodeToString(sum[:16])
}

func (c exportCache) readFile(name string) ([]byte, bool) {
	if c.dir == "" {
		return nil, false
	}
	data, err := regularfile.ReadFile(filepath.Join(c.dir, name))
	if err != nil || len(data) < sha256.Size {
		return nil, false
	}
	sum, content := data[:sha256.Size], data[sha256.Size:]
	if want := sumExport(name, content); !bytes.Equal(sum, want[:]) {
		return nil, false
	}
	return content, true
}

// sumExport returns the checksum of a file, which includes its name.
func sumExport(name string, content []byte) [sha256.Size]byte {
	h := sha256.New()
	h.Write([]byte(exportFormat + name + "\n"))
	h.Write(content)
	return [sha256.Size]byte(h.Sum(nil))
}

// writeFile stores a file atomically. It ignores errors.
func (c exportCache) writeFile(name string, content []byte) {
	if c.dir == "" || os.MkdirAll(c.dir, 0o777) != nil {
		return
	}
	f, err := os.CreateTemp(c.dir, "tmp-*")
	if err != nil {
		return
	}
	sum := sumExport(name, content)
	_, err = f.Write(append(sum[:], content...))
	if errClose := f.Close(); err != nil || errClose != nil || os.Rename(f.Name(), filepath.Join(c.dir, name)) != nil {
		os.Remove(f.Name())
	}
}

// removeUnused marks the directory as used and removes directories that have not been used
// for a long time.
func (c exportCache) removeUnused() {
	if c.dir == "" {
		return
	}
	now := time.Now()
	_ = os.Chtimes(c.dir, now, now) // if this fails, the directory may be removed although it is used
	root := filepath.Dir(c.dir)
	entries, _ := os.ReadDir(root) // an unreadable directory is left alone
	for _, e := range entries {
		if info, err := e.Info(); err == nil && now.Sub(info.ModTime()) > maxUnusedAge {
			os.RemoveAll(filepath.Join(root, e.Name()))
		}
	}
}
