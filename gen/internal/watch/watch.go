// Package watch waits for changes in directories. What editors do when they save, a
// burst of files that come, go and are renamed, is one change.
package watch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"
)

const (
	quiet   = 10 * time.Millisecond  // without an event, a change is over
	longest = 100 * time.Millisecond // after which it is not waited for that
)

// A Watcher watches directories, not what is below them.
type Watcher struct {
	events *fsnotify.Watcher
}

// New returns a Watcher that has nothing to watch yet. It has to be closed.
func New() (*Watcher, error) {
	events, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, fmt.Errorf("watching files: %w", err)
	}
	return &Watcher{events}, nil
}

// Close ends it.
func (w *Watcher) Close() error { return w.events.Close() }

// Only watches these directories from now on, and no others; in place of one that is not
// there, the next above it that is. Some are new if something in them may have changed
// unseen since they were listed.
func (w *Watcher) Only(dirs []string) (isNew bool, err error) {
	want := map[string]bool{}
	for _, dir := range dirs {
		want[existing(dir)] = true
	}
	for _, dir := range w.events.WatchList() {
		if !want[dir] {
			_ = w.events.Remove(dir) // which fails if it is gone, and so is the watch
		}
		delete(want, dir)
	}
	for dir := range want {
		switch err := w.events.Add(dir); {
		case errors.Is(err, syscall.ENOSPC):
			return false, fmt.Errorf("watching %s: the system watches as many directories as it may: name fewer packages, or raise fs.inotify.max_user_watches", dir)
		case err != nil && !errors.Is(err, os.ErrNotExist):
			return false, fmt.Errorf("watching %s: %w", dir, err)
		}
		isNew = true
	}
	return isNew, nil
}

// existing is a directory, or the next above it that exists.
func existing(dir string) string {
	for {
		info, err := os.Stat(dir)
		if err == nil && info.IsDir() || dir == filepath.Dir(dir) {
			return filepath.Clean(dir)
		}
		dir = filepath.Dir(dir)
	}
}

// Wait returns once there was a change in what matters, by its path, and has been none for
// a moment. A path may be that of a directory which is watched.
func (w *Watcher) Wait(ctx context.Context, matters func(path string) bool) error {
	watched := w.events.WatchList() // one that goes is no longer in it
	var over, end <-chan time.Time
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case event, ok := <-w.events.Events:
			switch {
			case !ok:
				return fsnotify.ErrClosed
			case event.Op == fsnotify.Chmod, !slices.Contains(watched, event.Name) && !matters(event.Name):
				continue
			}
		case err := <-w.events.Errors:
			if !errors.Is(err, fsnotify.ErrEventOverflow) { // of which nobody knows what they were
				return fmt.Errorf("watching files: %w", err)
			}
		case <-over:
			return nil
		case <-end:
			return nil
		}
		over = time.After(quiet)
		if end == nil {
			end = time.After(longest)
		}
	}
}
