package output

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

	"github.com/aiongen/aiongen/gen/internal/load"
	"github.com/aiongen/aiongen/internal/regularfile"
)

// An inputItem is a file, directory, link or variable on which a run may depend.
type inputItem struct {
	kind itemKind
	name string // absolute path, or name of the variable
}

type itemKind byte

const (
	fileContent itemKind = 'c' // content of a file, which need not exist
	dirNames    itemKind = 'n' // names in a directory, which need not exist
	linkTarget  itemKind = 't' // target of a path with links
	envVariable itemKind = 'v' // environment variable
)

// MarshalText allows items as keys of JSON objects.
func (i inputItem) MarshalText() ([]byte, error) { return []byte(string(rune(i.kind)) + i.name), nil }

// UnmarshalText parses the output of MarshalText.
func (i *inputItem) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		return errors.New("an item without a kind")
	}
	i.kind, i.name = itemKind(text[0]), string(text[1:])
	return nil
}

// A snapshot holds the states of items at one time.
type snapshot map[inputItem]*itemState

// An itemState is the state of an item. The zero value is the state of an unreadable item, which always
// counts as changed.
type itemState struct {
	exists  bool      // the item could be read, or is known not to exist
	sum     string    // hash of the content; value of a variable or link
	written time.Time // modification time of the file
	names   []string
}

// takeSnapshot reads the states of items, several at a time.
func takeSnapshot(items []inputItem) snapshot {
	states := make([]itemState, len(items))
	var wait sync.WaitGroup
	next := make(chan int)
	for range min(len(items), runtime.GOMAXPROCS(0)) {
		wait.Go(func() {
			for i := range next {
				states[i] = items[i].readState()
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

func (i inputItem) readState() itemState {
	switch i.kind {
	case fileContent:
		return readFileState(i.name)
	case dirNames:
		return itemState{exists: true, names: readNames(i.name)}
	case linkTarget:
		return itemState{exists: true, sum: load.ResolveLinks(i.name)}
	case envVariable:
		value, set := os.LookupEnv(i.name)
		return itemState{exists: true, sum: fmt.Sprintf("%t %s", set, value)}
	}
	return itemState{}
}

// readNames returns the sorted names in a directory that concern aiongen or the go command. Names of
// directories end with a slash.
func readNames(dir string) (all []string) {
	entries, _ := os.ReadDir(dir) // an unreadable directory counts as empty
	for _, e := range entries {
		switch ext := strings.ToLower(filepath.Ext(e.Name())); {
		case e.IsDir():
			all = append(all, e.Name()+"/")
		case ext == ".go", ext == load.AionSuffix, ext == ".mod", ext == ".work", isTemp(e.Name()):
			all = append(all, e.Name())
		}
	}
	return all
}

func readFileState(path string) itemState {
	file, err := regularfile.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return itemState{exists: true}
	}
	if err != nil {
		return itemState{}
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return itemState{}
	}
	hash := sha256.New()
	if n, err := io.Copy(hash, io.LimitReader(file, regularfile.MaxSize+1)); err != nil || n > regularfile.MaxSize {
		return itemState{}
	}
	return itemState{exists: true, sum: hex.EncodeToString(hash.Sum(nil)), written: info.ModTime()}
}

func hashText(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// hashItems returns the hash of each state. It ignores the names of generated files.
func (s snapshot) hashItems(generated map[string]string) map[inputItem]string {
	sums := make(map[inputItem]string, len(s))
	for i, st := range s {
		sums[i] = st.hashWithout(i, generated)
	}
	return sums
}

// hashWithout returns the hash of a state without the names of generated files.
func (st *itemState) hashWithout(i inputItem, generated map[string]string) string {
	if i.kind != dirNames {
		return st.sum
	}
	var text bytes.Buffer
	for _, name := range st.names {
		if _, ours := generated[filepath.Join(i.name, name)]; !ours || strings.HasSuffix(name, "/") {
			text.WriteString(name + "\x00")
		}
	}
	return hashText(text.Bytes())
}

// matchesRecord reports whether the snapshot equals the items of a record.
func (s snapshot) matchesRecord(r runRecord) bool {
	for i, sum := range r.Items {
		if st := s[i]; !st.exists || st.hashWithout(i, r.Generated) != sum {
			return false
		}
	}
	return len(r.Items) > 0
}

// confirms reports whether no item changed during a run: s was taken before it, and after was taken after
// it. It reports false if there are leftover temporary files, because the next run has to remove them.
func (s snapshot) confirms(after snapshot, generated map[string]string) bool {
	for i, now := range after {
		if !now.exists || slices.ContainsFunc(now.names, isTemp) {
			return false
		}
		before := s[i]
		if before == nil || !before.exists || before.hashWithout(i, generated) != now.hashWithout(i, generated) || !before.written.Equal(now.written) {
			return false
		}
	}
	return true
}

// hashFiles returns the hashes of generated files by path.
func hashFiles(generated map[string][]byte) map[string]string {
	sums := make(map[string]string, len(generated))
	for path, text := range generated {
		sums[path] = hashText(text)
	}
	return sums
}
