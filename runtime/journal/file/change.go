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

// addEntries appends entries to the file of a run. If the file already has entries with their
// numbers, it returns the result of compareEntries.
func addEntries(f *content, run string, n int, entries []journal.Entry) error {
	last, err := findLast(f, run)
	switch {
	case err != nil && n == 0:
		return addConflict(run, err)
	case err != nil:
		return err
	case n > last.entryCount():
		return &journal.NotFoundError{Run: run, Entries: last.entryCount()}
	case n < last.entryCount():
		return compareEntries(f, run, last, entries)
	}
	if err := writeAppend(f.File, last.end, run, entries); err != nil {
		return errors.Join(err, f.Truncate(last.end)) // entries that were not acknowledged must not be read
	}
	return nil
}

// addConflict adds a ConflictError to an error about a damaged file.
func addConflict(run string, err error) error {
	bad, ok := errors.AsType[*journal.Error](err)
	if !ok || bad.Kind != journal.Corrupt {
		return err
	}
	return &journal.Error{Kind: bad.Kind, Run: run, Err: fmt.Errorf("%w; %w", bad.Err, &journal.ConflictError{Run: run})}
}

// compareEntries returns nil if the file already has exactly these entries, because the Append is
// repeated, and a [*journal.ConflictError] otherwise.
func compareEntries(f *content, run string, last place, entries []journal.Entry) error {
	n := entries[0].N
	conflict := &journal.ConflictError{Run: run, N: n}
	if n+len(entries) > last.entryCount() {
		return conflict
	}
	places, err := placesSince(f, last, n)
	if err != nil {
		return err
	}
	for i, e := range entries {
		p := places[len(places)-1-i]
		if p.head.By != e.By {
			return conflict
		}
		stored, err := p.readEntry(f)
		if err != nil {
			return err
		}
		if !stored.Same(e) {
			return conflict
		}
	}
	if err := f.Sync(); err != nil || n > 0 { // the process that wrote them may have been killed before its Sync
		return err
	}
	return syncFolder(filepath.Dir(f.Name()))
}

// createFile makes the file of a run with its first entries. It writes them to another file and then
// links that file to path, so that no process sees a file with only some of them. The error is
// [os.ErrExist] if path exists.
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

// unfinishedFiles is the name pattern of files being created.
const unfinishedFiles = "new-*.tmp"

// writeAppend truncates a file at end, where its last complete append ends, and writes another
// append there.
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

// writeDeletion overwrites a file so that it only records the deletion of its run. The deletion is
// visible from the first write on, even if the process or the machine stops. It works for damaged
// files, too.
func writeDeletion(f *content) error {
	last, err := findLast(f, "")
	notFound, isNotFound := errors.AsType[*journal.NotFoundError](err)
	bad, isBad := errors.AsType[*journal.Error](err)
	_, isNewer := errors.AsType[newerFormatError](err)
	end := last.end
	switch {
	case isNotFound && notFound.Deleted: // the file may not have been truncated yet
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

// writeTombstone writes a tombstone at an offset. Unless the offset is 0, it first truncates the file
// there, so that the tombstone ends the file.
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
