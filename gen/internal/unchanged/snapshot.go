package unchanged

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/aiongen/aiongen/gen/internal/folder"
	"github.com/aiongen/aiongen/gen/internal/output"
	"github.com/aiongen/aiongen/internal/regular"
)

// An item is something that a run may depend on.
type item struct {
	kind kind
	name string // an absolute path, or that of the variable
}

type kind byte

const (
	content  kind = 'c' // of a file, which need not exist
	names    kind = 'n' // in a directory, which need not exist
	target   kind = 't' // of a path through links
	variable kind = 'v' // of the environment
)

// MarshalText makes items keys of JSON objects.
func (i item) MarshalText() ([]byte, error) { return []byte(string(rune(i.kind)) + i.name), nil }

// UnmarshalText is its inverse.
func (i *item) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		return errors.New("an item without a kind")
	}
	i.kind, i.name = kind(text[0]), string(text[1:])
	return nil
}

// A snapshot has items as they were at a time.
type snapshot map[item]*state

// A state is how an item is. One that cannot be read has none, and is like no other.
type state struct {
	known   bool
	sum     string    // of the content; the value of the variable or link
	written time.Time // when the file last was, as the file system says
	names   []string
}

// take looks at items, several at a time.
func take(items []item) snapshot {
	states := make([]state, len(items))
	var wait sync.WaitGroup
	next := make(chan int)
	for range min(len(items), runtime.GOMAXPROCS(0)) {
		wait.Go(func() {
			for i := range next {
				states[i] = items[i].look()
			}
		})
	}
	for i := range items {
		next <- i
	}
	close(next)
	wait.Wait()
	s := make(snapshot, len(items))
	for i := range items {
		s[items[i]] = &states[i]
	}
	return s
}

func (i item) look() state {
	switch i.kind {
	case content:
		return lookAtFile(i.name)
	case names:
		return state{known: true, names: readNames(i.name)}
	case target:
		return state{known: true, sum: folder.Resolved(i.name)}
	case variable:
		value, set := os.LookupEnv(i.name)
		return state{known: true, sum: fmt.Sprintf("%t %s", set, value)}
	}
	return state{}
}

// readNames returns what in a directory concerns aiongen or the go command, in their
// order: files of theirs, and directories, which end in a slash.
func readNames(dir string) (all []string) {
	entries, _ := os.ReadDir(dir) // one that cannot be read has nothing
	for _, e := range entries {
		switch ext := strings.ToLower(filepath.Ext(e.Name())); {
		case e.IsDir():
			all = append(all, e.Name()+"/")
		case ext == ".go", ext == folder.Suffix, ext == ".mod", ext == ".work", output.IsTemp(e.Name()):
			all = append(all, e.Name())
		}
	}
	return all
}

func lookAtFile(path string) state {
	file, err := regular.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return state{known: true}
	}
	if err != nil {
		return state{}
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return state{}
	}
	hash := sha256.New()
	if n, err := io.Copy(hash, io.LimitReader(file, regular.MaxSize+1)); err != nil || n > regular.MaxSize {
		return state{}
	}
	return state{known: true, sum: hex.EncodeToString(hash.Sum(nil)), written: info.ModTime()}
}

func sumOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// sums are what is kept of a snapshot: nothing of the names of generated files.
func (s snapshot) sums(generated map[string]string) map[item]string {
	sums := make(map[item]string, len(s))
	for i, st := range s {
		sums[i] = st.without(i, generated)
	}
	return sums
}

// without is the sum of a state, without the names of generated files.
func (st *state) without(i item, generated map[string]string) string {
	if i.kind != names {
		return st.sum
	}
	var text bytes.Buffer
	for _, name := range st.names {
		if _, ours := generated[filepath.Join(i.name, name)]; !ours || strings.HasSuffix(name, "/") {
			text.WriteString(name + "\x00")
		}
	}
	return sumOf(text.Bytes())
}

// holds reports whether a snapshot is what a record has of it.
func (s snapshot) holds(r record) bool {
	for i, sum := range r.Items {
		if st := s[i]; !st.known || st.without(i, r.Generated) != sum {
			return false
		}
	}
	return len(r.Items) > 0
}

// proves reports whether what a run read was what is there after it: it was there
// before already, and what a killed run left for the next one to remove is not.
func (s snapshot) proves(after snapshot, generated map[string]string) bool {
	for i, now := range after {
		if !now.known || slices.ContainsFunc(now.names, output.IsTemp) {
			return false
		}
		before := s[i]
		if before == nil || !before.known || before.without(i, generated) != now.without(i, generated) || !before.written.Equal(now.written) {
			return false
		}
	}
	return true
}

// sumsOf are the sums of generated files, by their paths.
func sumsOf(generated map[string][]byte) map[string]string {
	sums := make(map[string]string, len(generated))
	for path, text := range generated {
		sums[path] = sumOf(text)
	}
	return sums
}

// areWritten reports whether generated files are there as they should be.
func areWritten(generated map[string][]byte) bool {
	for path, text := range generated {
		if same, err := regular.Holds(path, text); err != nil || !same {
			return false
		}
	}
	return true
}
