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
	asked  map[string][]string // names under which a directory was asked for, by its own
}

// New returns a Watcher that has nothing to watch yet. It has to be closed.
func New() (*Watcher, error) {
	events, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, fmt.Errorf("watching files: %w", err)
	}
	return &Watcher{events: events}, nil
}

// Close ends it.
func (w *Watcher) Close() error { return w.events.Close() }

// Only watches these directories from now on, and no others; in place of one that is not
// there, the next above it that is; none that may not be read. Some are new if something
// in them may have changed unseen since they were listed.
func (w *Watcher) Only(dirs []string) (isNew bool, err error) {
	w.asked = map[string][]string{}
	for _, dir := range dirs {
		dir = existing(dir)
		own, err := filepath.EvalSymlinks(dir) // the system tells of a directory under one name
		if err != nil {
			own = dir
		}
		if !slices.Contains(w.asked[own], dir) {
			w.asked[own] = append(w.asked[own], dir)
		}
	}
	held := map[string]bool{}
	for _, dir := range w.events.WatchList() {
		if w.asked[dir] == nil {
			_ = w.events.Remove(dir) // which fails if it is gone, and so is the watch
		} else {
			held[dir] = true
		}
	}
	for dir := range w.asked {
		if held[dir] {
			continue
		}
		err := w.events.Add(dir)
		switch {
		case errors.Is(err, syscall.ENOSPC):
			return false, fmt.Errorf("watching %s: the system watches as many directories as it may: name fewer packages, or raise fs.inotify.max_user_watches", dir)
		case errors.Is(err, os.ErrPermission):
		case errors.Is(err, os.ErrNotExist):
			isNew = true // it went meanwhile: next time, the one above it is watched
		case err != nil:
			return false, fmt.Errorf("watching %s: %w", dir, err)
		}
	}
	// What the system holds for one of these in spite of its names is not new for ever.
	return isNew || slices.ContainsFunc(w.events.WatchList(), func(dir string) bool { return !held[dir] }), nil
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
// a moment. A path may be that of a directory which is watched. Opened says that nothing
// but its mode or its times changed: it may be that it could not be read before.
func (w *Watcher) Wait(ctx context.Context, matters func(path string, opened bool) bool) error {
	var over, end <-chan time.Time
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case event, ok := <-w.events.Events:
			switch {
			case !ok:
				return fsnotify.ErrClosed
			case !w.matters(event, matters):
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

// matters reports whether an event is of what matters, or of a directory itself that is
// watched.
func (w *Watcher) matters(event fsnotify.Event, matters func(path string, opened bool) bool) bool {
	opened := event.Op == fsnotify.Chmod
	if w.asked[event.Name] != nil && !opened {
		return true
	}
	return slices.ContainsFunc(w.names(event.Name), func(path string) bool { return matters(path, opened) })
}

// names are those of a file in the directories as they were asked for.
func (w *Watcher) names(path string) (names []string) {
	for _, dir := range w.asked[filepath.Dir(path)] {
		names = append(names, filepath.Join(dir, filepath.Base(path)))
	}
	return names
}
