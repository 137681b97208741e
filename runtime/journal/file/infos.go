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

// infoCache remembers what the ends of files said, so that a list of runs only has to read those that
// have changed.
type infoCache struct {
	mu     sync.Mutex
	byName map[string]cachedInfo
}

// cachedInfo is what the end of a file said when it had this size and time.
type cachedInfo struct {
	size    int64
	changed time.Time
	info    journal.Info
	found   bool // false if the run was deleted
}

// settleTime is how long a file must not have changed before its end is remembered: another change
// soon afterward might leave its time and size the same.
const settleTime = 2 * time.Second

// lookup returns what the end of a file said, unless the file has changed since. A link is not looked up, because
// its target changes without it.
func (c *infoCache) lookup(folder, name string) (known cachedInfo, ok bool) {
	c.mu.Lock()
	known, ok = c.byName[name]
	c.mu.Unlock()
	if !ok {
		return known, false
	}
	now, err := os.Lstat(filepath.Join(folder, name))
	return known, err == nil && now.Mode().IsRegular() && known.size == now.Size() && known.changed.Equal(now.ModTime())
}

// remember keeps what the end of a file says.
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

// readInfo returns the Info of the run in a file, which it loads into c if the end of the file is not known. It
// reports false if the run was deleted.
func (j *Journal) readInfo(ctx context.Context, c *content, name string) (info journal.Info, found bool, err error) {
	known, ok := j.infos.lookup(j.folder, name)
	if !ok {
		if known, err = readEnd(ctx, c, filepath.Join(j.folder, name)); err == nil {
			j.infos.remember(name, known)
		}
	}
	return known.info, known.found, err
}

// readEnd loads a file into c and reads its end.
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
	if _, gone := errors.AsType[*journal.NotFoundError](err); gone {
		return end, nil
	}
	return end, err
}
