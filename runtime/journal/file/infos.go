package file

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/aiongen/aiongen/runtime/journal"
)

// infoCache remembers the Info of the run in each file, so that a list of runs only has to read files
// that have changed.
type infoCache struct {
	mu     sync.Mutex
	byName map[string]cachedInfo
}

// cachedInfo is the Info of the run in a file when the file had this size and time.
type cachedInfo struct {
	size    int64
	changed time.Time
	info    journal.Info
	found   bool // false if the run was deleted
}

// settleTime is how long a file must not have changed before its Info is remembered: two changes
// shortly after each other may leave the file with the same time and size.
const settleTime = 2 * time.Second

// lookup returns the remembered Info of a file. It reports false if the file has changed since, or if
// it is a symbolic link, which stays the same when its target changes.
func (c *infoCache) lookup(folder, name string) (cached cachedInfo, ok bool) {
	c.mu.Lock()
	cached, ok = c.byName[name]
	c.mu.Unlock()
	if !ok {
		return cached, false
	}
	now, err := os.Lstat(filepath.Join(folder, name))
	return cached, err == nil && now.Mode().IsRegular() && cached.size == now.Size() && cached.changed.Equal(now.ModTime())
}

// remember stores the Info of a file, unless the file has changed within settleTime.
func (c *infoCache) remember(name string, read cachedInfo) {
	if time.Since(read.changed) < settleTime {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byName == nil {
		c.byName = map[string]cachedInfo{}
	}
	c.byName[name] = read
}

// fileInfo is what readInfo returns.
type fileInfo struct {
	info  journal.Info
	found bool
	err   error
}

// readInfos calls readInfo for each file, on all processors. It stops early when ctx is done.
func (j *Journal) readInfos(ctx context.Context, names []string) []fileInfo {
	all := make([]fileInfo, len(names))
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(names)) {
		workers.Go(func() {
			var c content
			for i := next.Add(1) - 1; i < int64(len(names)) && ctx.Err() == nil; i = next.Add(1) - 1 {
				f := &all[i]
				f.info, f.found, f.err = j.readInfo(ctx, &c, names[i])
			}
		})
	}
	workers.Wait()
	return all
}

// readInfo returns the Info of the run in a file. If the file has changed since it was last read, readInfo loads it into
// c. It reports false if the run was deleted.
func (j *Journal) readInfo(ctx context.Context, c *content, name string) (info journal.Info, found bool, err error) {
	cached, ok := j.infos.lookup(j.folder, name)
	if !ok {
		if cached, err = readEnd(ctx, c, filepath.Join(j.folder, name)); err == nil {
			j.infos.remember(name, cached)
		}
	}
	return cached.info, cached.found, err
}

// readEnd loads a file into c, and reads the Info of a run from its end.
func readEnd(ctx context.Context, c *content, path string) (end cachedInfo, err error) {
	f, err := os.Open(path)
	if err != nil {
		return end, err
	}
	defer f.Close()
	err = c.examine(ctx, f, func() error {
		last, err := findLast(c, "")
		end = cachedInfo{c.size, c.changed, last.head.Entry.Info(last.head.Run), err == nil}
		return err
	})
	if _, notFound := errors.AsType[*journal.NotFoundError](err); notFound {
		return end, nil
	}
	return end, err
}
