package file

import (
	"bufio"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"

	"github.com/aiongen/aiongen/runtime/journal"
)

// add appends entries to the file of a run, if they are the next ones.
func add(f *content, run string, n int, entries []journal.Entry) error {
	last, err := find(f, run)
	gone, none := errors.AsType[*journal.Gone](err)
	switch {
	case none && gone.Deleted, err != nil && !none:
		return err
	case n > last.entries():
		return &journal.Gone{Run: run, Entries: last.entries()}
	case n < last.entries():
		return again(f, run, last, entries)
	}
	if err := write(f.File, last.end, run, entries); err != nil {
		return errors.Join(err, f.Truncate(last.end)) // what was not acknowledged is not there
	}
	if n == 0 {
		return syncFolder(filepath.Dir(f.Name()))
	}
	return nil
}

// again says what comes of entries whose numbers are taken: nothing if they are those
// that are there.
func again(f *content, run string, last place, entries []journal.Entry) error {
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
	return f.Sync() // the process that wrote them may have been killed before
}

// write puts entries at the end of what is whole in a file, in place of what is not.
func write(f *os.File, end int64, run string, entries []journal.Entry) error {
	if err := f.Truncate(end); err != nil {
		return err
	}
	w := bufio.NewWriterSize(io.NewOffsetWriter(f, end), 64<<10)
	for i, e := range entries {
		if err := writeEntry(w, head{Entry: e, Run: run, Part: i, Of: len(entries)}); err != nil {
			return err
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return f.Sync()
}

// bury leaves nothing in a file but that its run was deleted. That is so from its
// first write on.
func bury(f *content) error {
	last, err := find(f, "")
	gone, none := errors.AsType[*journal.Gone](err)
	switch {
	case none && !gone.Deleted, err != nil && !none:
		return err
	case err == nil:
		if err := put(f.File, last.end); err != nil {
			return err
		}
	}
	return put(f.File, 0)
}

// put makes the tombstone the last line of a file.
func put(f *os.File, at int64) error {
	if at > 0 { // else the end of what is there is a tombstone
		if err := f.Truncate(at); err != nil {
			return err
		}
	}
	if _, err := f.WriteAt([]byte(tombstone), at); err != nil {
		return err
	}
	if err := f.Truncate(at + int64(len(tombstone))); err != nil {
		return err
	}
	return f.Sync()
}

// syncFolder makes it last that a file was made in a folder. Windows does so by
// itself.
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
