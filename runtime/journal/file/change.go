package file

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"

	"github.com/aiongen/aiongen/runtime/journal"
)

// addEntries appends entries to the file of a run if they are the next ones.
func addEntries(f *content, run string, n int, entries []journal.Entry) error {
	last, err := find(f, run)
	switch {
	case err != nil && n == 0:
		return takenByDamaged(run, err)
	case err != nil:
		return err
	case n > last.entries():
		return &journal.Gone{Run: run, Entries: last.entries()}
	case n < last.entries():
		return compareEntries(f, run, last, entries)
	}
	if err := writeAppend(f.File, last.end, run, entries); err != nil {
		return errors.Join(err, f.Truncate(last.end)) // what was not acknowledged must not be read
	}
	return nil
}

// takenByDamaged adds to the error for a damaged file that the ID of its run is taken.
func takenByDamaged(run string, err error) error {
	bad, ok := errors.AsType[*journal.Error](err)
	if !ok || bad.Kind != journal.Corrupt {
		return err
	}
	return &journal.Error{Kind: bad.Kind, Run: run, Err: fmt.Errorf("%w; %w", bad.Err, &journal.Taken{Run: run})}
}

// compareEntries returns nil if entries whose numbers are taken are those that are there,
// and a [*journal.Taken] otherwise.
func compareEntries(f *content, run string, last place, entries []journal.Entry) error {
	n := entries[0].N
	taken := &journal.Taken{Run: run, N: n}
	if n+len(entries) > last.entries() {
		return taken
	}
	places, err := since(f, last, n)
	if err != nil {
		return err
	}
	for i, e := range entries {
		p := places[len(places)-1-i]
		if p.head.By != e.By {
			return taken
		}
		there, err := p.read(f)
		if err != nil {
			return err
		}
		if !there.Same(e) {
			return taken
		}
	}
	if err := f.Sync(); err != nil || n > 0 { // the process that wrote them may have been killed before
		return err
	}
	return syncFolder(filepath.Dir(f.Name()))
}

// createFile makes the file of a run with its first entries. It appears under its name
// with all of them, so that a file which has fewer is damaged. The error is
// [os.ErrExist] if there is a file of that name.
func createFile(path, run string, entries []journal.Entry) error {
	folder := filepath.Dir(path)
	f, err := os.CreateTemp(folder, unfinishedFiles)
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	if err := errors.Join(writeAppend(f, 0, run, entries), f.Close()); err != nil {
		return err
	}
	if err := os.Link(f.Name(), path); err != nil {
		return err
	}
	return syncFolder(folder)
}

// unfinishedFiles is the pattern of the names of files that are being created.
const unfinishedFiles = "new-*.tmp"

// writeAppend writes an append at the end of the complete ones in a file, and cuts off
// what follows them.
func writeAppend(f *os.File, end int64, run string, entries []journal.Entry) error {
	heads, size := make([][]byte, len(entries)), int64(0)
	for i, e := range entries {
		line, err := formatHead(head{Entry: e, Run: run, Part: i, Of: len(entries)})
		if err != nil {
			return err
		}
		heads[i] = line
		size += int64(len(e.Data) + 1 + len(line))
	}
	if err := f.Truncate(end); err != nil {
		return err
	}
	w := bufio.NewWriterSize(io.NewOffsetWriter(f, end), int(min(headerBytes+size, 64<<10)))
	_, err := w.Write(formatHeader(size))
	for i, e := range entries {
		for _, part := range [][]byte{e.Data, {'\n'}, heads[i]} {
			if err == nil {
				_, err = w.Write(part)
			}
		}
	}
	if err == nil {
		err = w.Flush()
	}
	if err != nil {
		return err
	}
	return f.Sync()
}

// bury leaves nothing in a file but that its run was deleted. The file says so from the
// first write on, whenever the process or the machine stops. A damaged file is buried too.
func bury(f *content) error {
	last, err := find(f, "")
	gone, isGone := errors.AsType[*journal.Gone](err)
	bad, isBad := errors.AsType[*journal.Error](err)
	_, isNewer := errors.AsType[errNewer](err)
	end := last.end
	switch {
	case isGone && gone.Deleted: // but the file may not have been cut
		end = -1
	case isBad && bad.Kind == journal.Corrupt && !isNewer:
		end = f.size
	case err != nil:
		return err
	}
	if end >= 0 {
		if err := writeTombstone(f.File, end); err != nil {
			return err
		}
	}
	if err := writeTombstone(f.File, 0); err != nil {
		return err
	}
	return errors.Join(f.Truncate(int64(len(tombstone))), f.Sync())
}

// writeTombstone writes a tombstone at a place. If that is not the beginning, it becomes
// the end of the file.
func writeTombstone(f *os.File, at int64) error {
	if at > 0 {
		if err := f.Truncate(at); err != nil {
			return err
		}
	}
	if _, err := f.WriteAt([]byte(tombstone), at); err != nil {
		return err
	}
	return f.Sync()
}

// syncFolder makes the creation of a file durable. Windows does so by itself.
func syncFolder(path string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}
