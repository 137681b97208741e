package callbook

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/aiongen/aiongen/internal/regularfile"
	"github.com/aiongen/aiongen/runtime/tool"
)

const (
	maxSaved     = 500
	maxSavedName = 100     // bytes
	maxSavedCall = 1 << 20 // bytes
	maxSavedFile = 16 << 20
)

// SavedCall is a call that a person has saved in order to repeat it.
type SavedCall struct {
	Name    string       `json:"name"` // unique among the calls of a tool
	Request tool.Request `json:"request"`
}

// savedCalls are the saved calls, sorted by tool and name.
type savedCalls struct {
	path string // the file that keeps the calls; "" if they are only in memory
	lock sync.Mutex
	all  []SavedCall
}

func compareSaved(a, b SavedCall) int {
	return cmp.Or(strings.Compare(a.Request.Name, b.Request.Name), strings.Compare(a.Name, b.Name))
}

// readFile reads the saved calls from the file, if it exists.
func (s *savedCalls) readFile() error {
	if s.path == "" {
		return nil
	}
	text, err := regularfile.ReadFile(s.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && len(text) > 0 { // a new file may be empty
		err = json.Unmarshal(text, &s.all)
	}
	if err != nil {
		return fmt.Errorf("saved calls in %s: %w", s.path, err)
	}
	slices.SortFunc(s.all, compareSaved)
	return nil
}

// writeFile replaces the file, or the target of a symbolic link. Only its owner can read the file, because arguments may
// be secret.
func (s *savedCalls) writeFile(all []SavedCall) (err error) {
	if s.path == "" {
		return nil
	}
	text, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		return err
	}
	if len(text) > maxSavedFile {
		return fmt.Errorf("the file would have %d bytes, the limit is %d", len(text), maxSavedFile)
	}
	path := s.path
	if target, err := filepath.EvalSymlinks(path); err == nil { // the file exists
		path = target
	}
	file, err := os.CreateTemp(filepath.Dir(path), ".saved-*") // with mode 0600
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(file.Name()))
		}
	}()
	_, err = file.Write(append(text, '\n'))
	if err := errors.Join(err, file.Sync(), file.Close()); err != nil { // without Sync, the new file may be empty after a power failure
		return err
	}
	return os.Rename(file.Name(), path)
}

// Save saves a call under a name, without its approval and answers. It replaces the call of the same tool
// that has this name.
func (b *Book) Save(name string, r tool.Request) error {
	switch {
	case strings.TrimSpace(name) == "" || len(name) > maxSavedName:
		return fmt.Errorf("the name must have 1 to %d bytes", maxSavedName)
	case len(r.Arguments) > maxSavedCall:
		return fmt.Errorf("the arguments have %d bytes, the limit is %d", len(r.Arguments), maxSavedCall)
	}
	s := &b.saved
	s.lock.Lock()
	defer s.lock.Unlock()
	saved := SavedCall{Name: strings.TrimSpace(name), Request: tool.Request{Name: r.Name, Arguments: r.Arguments}}
	all := slices.Clone(s.all)
	i, found := slices.BinarySearchFunc(all, saved, compareSaved)
	switch {
	case found:
		all[i] = saved
	case len(all) >= maxSaved:
		return fmt.Errorf("there are %d saved calls, which is the maximum; delete one", len(all))
	default:
		all = slices.Insert(all, i, saved)
	}
	if err := s.writeFile(all); err != nil {
		return fmt.Errorf("cannot save the call: %w", err)
	}
	s.all = all
	return nil
}

// Delete deletes a saved call. It does nothing if there is no call with this name.
func (b *Book) Delete(toolName, name string) error {
	s := &b.saved
	s.lock.Lock()
	defer s.lock.Unlock()
	i, found := slices.BinarySearchFunc(s.all, SavedCall{name, tool.Request{Name: toolName}}, compareSaved)
	if !found {
		return nil
	}
	all := slices.Delete(slices.Clone(s.all), i, i+1)
	if err := s.writeFile(all); err != nil {
		return fmt.Errorf("cannot delete the call: %w", err)
	}
	s.all = all
	return nil
}

// Saved returns the saved calls of a tool, sorted by name.
func (b *Book) Saved(toolName string) []SavedCall {
	b.saved.lock.Lock()
	defer b.saved.lock.Unlock()
	return slices.DeleteFunc(slices.Clone(b.saved.all), func(s SavedCall) bool { return s.Request.Name != toolName })
}
