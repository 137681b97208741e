// Package file provides a journal in a folder, with one file per run. Several processes of
// one machine may use the folder at the same time. Entries are on the disk when Append
// returns, and survive the end of the process and of the machine. Folder and files are
// accessible to their owner only.
//
// If a process or the machine stops in the middle of an append, the file ends before the
// append does, or in zeros. Such an append was not acknowledged, and is ignored and later
// overwritten. Any other damage is a [*journal.Error] with the code [journal.Corrupt],
// which names the byte. A file that lost acknowledged appends at its end, one or more, looks
// like one whose last append was not written to its end, and is read without them.
//
// Its layers, from top to bottom:
//
//	file           the journal
//	folder         the folder
//	change         one file that is changed
//	tail, scan     where its last append ends
//	place          where an entry lies
//	content        what there is to read
//	line           how an entry is written
//	lock, name     who may change it, what it is called
//	lock_unix      what the system says
package file

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/runtime/journal"
)

// Journal is a [journal.Journal] in a folder. [Open] returns one. It has nothing to close.
type Journal struct {
	folder string
}

var _ journal.Journal = (*Journal)(nil)

func (j *Journal) path(run string) string { return filepath.Join(j.folder, name(run)) }

// Append is [journal.Journal.Append]. It waits while another process changes the run,
// until ctx is done. If n is 0 and the file of the run is damaged, the error has both the
// code [journal.Corrupt] and a [*journal.Taken].
func (j *Journal) Append(ctx context.Context, run string, n int, entries ...journal.Entry) error {
	if err := journal.Check(ctx, run); err != nil {
		return err
	}
	entries, err := journal.Prepare(run, n, entries)
	if err != nil {
		return err
	}
	for try := 1; ; try++ {
		err := j.change(ctx, run, func(f *content) error { return addEntries(f, run, n, entries) })
		if n > 0 || !errors.Is(err, fs.ErrNotExist) {
			return j.wrap(run, err)
		}
		if try > mostCreations {
			return failed(run, fmt.Errorf("%s exists and cannot be opened: %w", j.path(run), err))
		}
		if err := createFile(j.path(run), run, entries); !errors.Is(err, fs.ErrExist) {
			return j.wrap(run, err)
		}
	}
}

// mostCreations limits how often Append creates a file that another process is creating at
// the same time. What exists but cannot be opened, such as a broken symbolic link, ends it.
const mostCreations = 3

// Delete is [journal.Journal.Delete]. It overwrites the entries. The file remains, and
// says that the run was deleted.
func (j *Journal) Delete(ctx context.Context, run string) error {
	if err := journal.Check(ctx, run); err != nil {
		return err
	}
	err := j.wrap(run, j.change(ctx, run, bury))
	if _, gone := errors.AsType[*journal.Gone](err); gone {
		return nil
	}
	return err
}

// change calls work with the file of a run, which nobody else changes meanwhile.
func (j *Journal) change(ctx context.Context, run string, work func(*content) error) error {
	f, err := os.OpenFile(j.path(run), os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer f.Close() // which unlocks it
	if err := lock(ctx, f); err != nil {
		return err
	}
	c, err := newContent(f)
	if err != nil {
		return err
	}
	return work(c)
}

// wrap returns an error as a journal returns it: a file that does not exist is a
// [*journal.Gone], unless there is no folder either.
func (j *Journal) wrap(run string, err error) error {
	_, bad := errors.AsType[*journal.Error](err)
	_, taken := errors.AsType[*journal.Taken](err)
	_, gone := errors.AsType[*journal.Gone](err)
	switch {
	case err == nil, bad, taken, gone:
		return err
	case errors.Is(err, fs.ErrNotExist):
		if _, noFolder := os.Stat(j.folder); noFolder == nil {
			return &journal.Gone{Run: run}
		}
		return failed(run, fmt.Errorf("the folder of the journal is missing: %w", err))
	}
	return failed(run, err)
}

// Read is [journal.Journal.Read]. It waits for other processes only if the file looks
// damaged. Its cost depends on the number of entries that it returns, not on those before.
func (j *Journal) Read(ctx context.Context, run string, from int) iter.Seq2[journal.Entry, error] {
	return func(yield func(journal.Entry, error) bool) {
		if err := j.read(ctx, run, from, func(e journal.Entry) bool { return yield(e, nil) }); err != nil {
			yield(journal.Entry{}, j.wrap(run, err))
		}
	}
}

// read calls more with each entry until it returns false.
func (j *Journal) read(ctx context.Context, run string, from int, more func(journal.Entry) bool) error {
	if err := journal.Check(ctx, run); err != nil {
		return err
	}
	f, err := os.Open(j.path(run))
	if err != nil {
		return err
	}
	defer f.Close()
	var c *content
	var places []place
	err = inspect(ctx, f, func(now *content) error {
		c = now
		last, err := find(c, run)
		if err == nil {
			places, err = since(c, last, from)
		}
		return err
	})
	if err != nil {
		return err
	}
	for _, p := range slices.Backward(places) {
		if err := journal.Check(ctx, run); err != nil {
			return err
		}
		e, err := p.read(c)
		if err != nil || !more(e) {
			return err
		}
	}
	return nil
}

// inspect calls look with what a file contains. If look finds damage, that may be an
// append of another process that was being written, so inspect calls it again while nobody
// changes the file.
func inspect(ctx context.Context, f *os.File, look func(*content) error) error {
	c, err := newContent(f)
	if err == nil {
		err = look(c)
	}
	if bad, ok := errors.AsType[*journal.Error](err); !ok || bad.Kind != journal.Corrupt {
		return err
	}
	locked, err := os.Open(f.Name())
	if err != nil {
		return err
	}
	defer locked.Close() // which unlocks it
	if err := lock(ctx, locked); err != nil {
		return err
	}
	if c, err = newContent(f); err != nil {
		return err
	}
	return look(c)
}

// Runs is [journal.Journal.Runs]. It reads the end of every file of the folder. The errors
// of damaged files come after the other runs.
func (j *Journal) Runs(ctx context.Context, filter journal.Filter) iter.Seq2[journal.Info, error] {
	return func(yield func(journal.Info, error) bool) {
		all, damage, err := j.all(ctx)
		if err != nil {
			yield(journal.Info{}, j.wrap("", err))
			return
		}
		for _, info := range filter.Page(all) {
			if !yield(info, nil) {
				return
			}
		}
		if len(damage) > 0 {
			yield(journal.Info{}, &journal.Error{Kind: journal.Corrupt, Err: errors.Join(damage...)})
		}
	}
}

// all returns what the last entry of each run says, and the errors of damaged files.
func (j *Journal) all(ctx context.Context) (all []journal.Info, damage []error, err error) {
	folder, err := os.Open(j.folder)
	if err != nil {
		return nil, nil, err
	}
	defer folder.Close()
	names, err := folder.Readdirnames(-1)
	if err != nil {
		return nil, nil, err
	}
	all = make([]journal.Info, 0, len(names))
	for _, name := range names {
		if !strings.HasSuffix(name, suffix) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		info, found, err := readInfo(ctx, filepath.Join(j.folder, name))
		switch bad, ok := errors.AsType[*journal.Error](err); {
		case ok && bad.Kind == journal.Corrupt:
			damage = append(damage, bad.Err)
		case err != nil:
			return nil, nil, err
		case found:
			all = append(all, info)
		}
	}
	return all, damage, ctx.Err()
}

// readInfo returns what the last entry of a file says. It reports false if the run was
// deleted.
func readInfo(ctx context.Context, path string) (info journal.Info, found bool, err error) {
	f, err := os.Open(path)
	if err != nil {
		return info, false, err
	}
	defer f.Close()
	err = inspect(ctx, f, func(c *content) error {
		last, err := find(c, "")
		info, found = last.head.Entry.Info(last.head.Run), err == nil
		return err
	})
	if _, gone := errors.AsType[*journal.Gone](err); gone {
		return info, false, nil
	}
	return info, found, err
}
