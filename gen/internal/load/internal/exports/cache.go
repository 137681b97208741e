package exports

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/aiongen/aiongen/gen/internal/load/internal/modules"
	"github.com/aiongen/aiongen/internal/regular"
)

// format changes with what the files hold.
const format = "aiongen exports 2\n"

// unused is how long what nobody reads is kept.
const unused = 30 * 24 * time.Hour

// A cache is a directory for all that is built with the same toolchain, settings and
// versions of modules. Without one nothing is kept, and nothing is there. A file begins
// with a sum of the rest, so that one that broke is none.
type cache struct{ dir string }

func openCache(set *modules.Set) cache {
	root, err := os.UserCacheDir()
	if err != nil {
		return cache{}
	}
	return cache{filepath.Join(root, "aiongen", "exports", Key(set))}
}

// Key stands for all that packages are built with, those aside that can change.
func Key(set *modules.Set) string {
	key := sha256.New()
	fmt.Fprintf(key, "%s%s\n%s\n", format, runtime.Version(), set.Tags)
	for name, value := range set.Env.All() {
		if name != "GOMOD" && name != "GOWORK" { // what is in them counts, not where they lie
			fmt.Fprintf(key, "%s=%q\n", name, value)
		}
	}
	for _, path := range set.Decisive {
		text, err := regular.ReadFile(path)
		fmt.Fprintf(key, "%s %t %d\n", filepath.Base(path), err == nil, len(text))
		key.Write(text)
	}
	return hex.EncodeToString(key.Sum(nil))
}

// aboutFile is no hash of an import path.
const aboutFile = "about"

func (c cache) readAbout() map[string]*About {
	known := map[string]*About{}
	data, ok := c.readFile(aboutFile)
	if !ok {
		return known
	}
	var all []*About
	if json.Unmarshal(data, &all) == nil {
		for _, a := range all {
			known[a.Path] = a
		}
	}
	return known
}

func (c cache) writeAbout(all []*About) {
	if data, err := json.Marshal(all); err == nil {
		c.writeFile(aboutFile, data)
	}
	c.trim()
}

func (c cache) read(path string) ([]byte, bool)   { return c.readFile(fileName(path)) }
func (c cache) write(path string, content []byte) { c.writeFile(fileName(path), content) }

func fileName(path string) string {
	sum := sha256.Sum256([]byte(path))
	return hex.EncodeToString(sum[:16])
}

func (c cache) readFile(name string) ([]byte, bool) {
	if c.dir == "" {
		return nil, false
	}
	data, err := regular.ReadFile(filepath.Join(c.dir, name))
	if err != nil || len(data) < sha256.Size {
		return nil, false
	}
	sum, content := data[:sha256.Size], data[sha256.Size:]
	if want := sumOf(name, content); !bytes.Equal(sum, want[:]) {
		return nil, false
	}
	return content, true
}

// sumOf is that of a file under its name: one that was moved is none.
func sumOf(name string, content []byte) [sha256.Size]byte {
	h := sha256.New()
	io.WriteString(h, format+name+"\n")
	h.Write(content)
	return [sha256.Size]byte(h.Sum(nil))
}

// writeFile keeps a file, if that can be. It is there whole or not at all.
func (c cache) writeFile(name string, content []byte) {
	if c.dir == "" || os.MkdirAll(c.dir, 0o777) != nil {
		return
	}
	f, err := os.CreateTemp(c.dir, "tmp-*")
	if err != nil {
		return
	}
	sum := sumOf(name, content)
	_, err = f.Write(append(sum[:], content...))
	if errClose := f.Close(); err != nil || errClose != nil || os.Rename(f.Name(), filepath.Join(c.dir, name)) != nil {
		os.Remove(f.Name())
	}
}

// trim removes what has long not been used. A directory that is used is written to, or
// its time is set, at least now and then.
func (c cache) trim() {
	if c.dir == "" {
		return
	}
	now := time.Now()
	os.Chtimes(c.dir, now, now) // or it is made once more
	root := filepath.Dir(c.dir)
	entries, _ := os.ReadDir(root) // what cannot be read cannot be trimmed
	for _, e := range entries {
		if info, err := e.Info(); err == nil && now.Sub(info.ModTime()) > unused {
			os.RemoveAll(filepath.Join(root, e.Name()))
		}
	}
}
