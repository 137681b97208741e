package output

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
	quietPeriod = 10 * time.Millisecond  // a change is complete after this time without events
	maxWait     = 100 * time.Millisecond // longest time to wait for a quiet period
)

// A Watcher watches directories, without their subdirectories.
type Watcher struct {
	events *fsnotify.Watcher
	dirs   map[string][]string // paths passed to SetDirs, by resolved path
}

// NewWatcher returns a Watcher without directories. Call Close after use.
func NewWatcher() (*Watcher, error) {
	events, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, fmt.Errorf("watching files: %w", err)
	}
	return &Watcher{events: events}, nil
}

// Close stops watching.
func (w *Watcher) Close() error { return w.events.Close() }

// SetDirs sets the directories to watch. It watches the closest existing parent of a missing directory,
// and skips unreadable ones. If isNew is true, files may have changed before watching began.
func (w *Watcher) SetDirs(dirs []string) (isNew bool, err error) {
	w.dirs = map[string][]string{}
	for _, dir := range dirs {
		dir = findExistingDir(dir)
		resolved, err := filepath.EvalSymlinks(dir) // events have the resolved path
		if err != nil {
			resolved = dir
		}
		if !slices.Contains(w.dirs[resolved], dir) {
			w.dirs[resolved] = append(w.dirs[resolved], dir)
		}
	}
	watched := map[string]bool{}
	for _, dir := range w.events.WatchList() {
		if w.dirs[dir] == nil {
			_ = w.events.Remove(dir) // fails if the directory was removed
		} else {
			watched[dir] = true
		}
	}
	for dir := range w.dirs {
		if watched[dir] {
			continue
		}
		err := w.events.Add(dir)
		switch {
		case errors.Is(err, syscall.ENOSPC):
			return false, fmt.Errorf("watching %s: the limit of watched directories is reached: name fewer packages, or raise fs.inotify.max_user_watches", dir)
		case errors.Is(err, os.ErrPermission):
		case errors.Is(err, os.ErrNotExist):
			isNew = true // the directory was just removed: the next call watches its parent
		case err != nil:
			return false, fmt.Errorf("watching %s: %w", dir, err)
		}
	}
	// The system may watch fewer paths than were added, so compare with its list.
	return isNew || slices.ContainsFunc(w.events.WatchList(), func(dir string) bool { return !watched[dir] }), nil
}

// findExistingDir returns a directory, or its closest existing parent.
func findExistingDir(dir string) string {
	for {
		info, err := os.Stat(dir)
		if err == nil && info.IsDir() || dir == filepath.Dir(dir) {
			return filepath.Clean(dir)
		}
		dir = filepath.Dir(dir)
	}
}

// Wait returns shortly after a relevant change, or when ctx is done. It calls matters with
// the path of each change, which may be a watched directory. If opened is true, only the
// mode or times have changed, and the file may have become readable.
func (w *Watcher) Wait(ctx context.Context, matters func(path string, opened bool) bool) error {
	var quiet, deadline <-chan time.Time
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case event, ok := <-w.events.Events:
			switch {
			case !ok:
				return fsnotify.ErrClosed
			case !w.isRelevant(event, matters):
				continue
			}
		case err := <-w.events.Errors:
			if !errors.Is(err, fsnotify.ErrEventOverflow) { // lost events may be relevant
				return fmt.Errorf("watching files: %w", err)
			}
		case <-quiet:
			return nil
		case <-deadline:
			return nil
		}
		quiet = time.After(quietPeriod)
		if deadline == nil {
			deadline = time.After(maxWait)
		}
	}
}

// isRelevant reports whether an event concerns a watched directory itself, or a path that matters.
func (w *Watcher) isRelevant(event fsnotify.Event, matters func(path string, opened bool) bool) bool {
	opened := event.Op == fsnotify.Chmod
	if w.dirs[event.Name] != nil && !opened {
		return true
	}
	return slices.ContainsFunc(w.requestedPaths(event.Name), func(path string) bool { return matters(path, opened) })
}

// requestedPaths returns the paths of a file below the directories as they were passed to SetDirs.
func (w *Watcher) requestedPaths(path string) (names []string) {
	for _, dir := range w.dirs[filepath.Dir(path)] {
		names = append(names, filepath.Join(dir, filepath.Base(path)))
	}
	return names
}
