package file

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/aiongen/aiongen/runtime/journal"
)

// infoCache remembers what the ends of files said, so that a list of runs only has to read those that
// have changed.
type infoCache struct {
	mu     sync.Mutex
	byName map[string]cachedInfo
}

// cachedInfo is the end of a file, which had this size and time.
type cachedInfo struct {
	size    int64
	changed time.Time
	info    journal.Info
	found   bool // false if the run was deleted
}

// settleTime is how long a file must not have changed before its end is remembered: another change
// soon afterward might leave its time and size the same.
const settleTime = 2 * time.Second

// lookup returns what the end of a file said, unless the file has changed since.
func (c *infoCache) lookup(name string, now fs.FileInfo) (known cachedInfo, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	known, ok = c.byName[name]
	return known, ok && known.size == now.Size() && known.changed.Equal(now.ModTime())
}

// remember keeps what the end of a file says that had this state before it was read.
func (c *infoCache) remember(name string, before fs.FileInfo, info journal.Info, found bool) {
	if time.Since(before.ModTime()) < settleTime {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byName == nil {
		c.byName = map[string]cachedInfo{}
	}
	c.byName[name] = cachedInfo{before.Size(), before.ModTime(), info, found}
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
			for i := next.Add(1) - 1; i < int64(len(names)) && ctx.Err() == nil; i = next.Add(1) - 1 {
				f := &all[i]
				f.info, f.found, f.err = j.readInfo(ctx, names[i])
			}
		})
	}
	workers.Wait()
	return all
}

// readInfo returns the Info of the run in a file. It reports false if the run was deleted.
func (j *Journal) readInfo(ctx context.Context, name string) (info journal.Info, found bool, err error) {
	path := filepath.Join(j.folder, name)
	before, err := os.Lstat(path)
	if err != nil || !before.Mode().IsRegular() { // the target of a link changes without the link
		return readFileInfo(ctx, path)
	}
	if known, ok := j.infos.lookup(name, before); ok {
		return known.info, known.found, nil
	}
	if info, found, err = readFileInfo(ctx, path); err == nil {
		j.infos.remember(name, before, info, found)
	}
	return info, found, err
}
