// Package file is a journal in a folder, one file a run, which several processes
// may use at the same time. What Append or Delete acknowledged is on disk, and
// survives the end of the processes and of the machine. Folder and files are for
// their owner alone.
//
// Its layers, from top to bottom:
//
//	file           the journal
//	change         one file that is changed
//	tail           where it ends
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

// Journal is a [journal.Journal] in a folder. It is made by [Open], and has nothing
// to close.
type Journal struct {
	folder string
}

var _ journal.Journal = (*Journal)(nil)

// Open returns the journal in a folder, which is made if there is none. The error is
// a [*journal.Error].
func Open(folder string) (*Journal, error) {
	if !lockable {
		return nil, failed("", fmt.Errorf("files cannot be locked on this system: %w", errors.ErrUnsupported))
	}
	absolute, err := filepath.Abs(folder)
	if err == nil {
		err = os.MkdirAll(absolute, 0o700)
	}
	if err != nil {
		return nil, failed("", err)
	}
	return &Journal{folder: absolute}, nil
}

func failed(run string, err error) error {
	return &journal.Error{Kind: journal.Failed, Run: run, Err: err}
}

func (j *Journal) path(run string) string { return filepath.Join(j.folder, name(run)) }

// Append is [journal.Journal.Append]. It waits while somebody else changes the run,
// until ctx is done; a process that was stopped just then holds up the run, not
// others.
func (j *Journal) Append(ctx context.Context, run string, n int, entries ...journal.Entry) error {
	if err := journal.Check(ctx, run); err != nil {
		return err
	}
	entries, err := journal.Prepare(run, n, entries)
	if err != nil {
		return err
	}
	flags := os.O_RDWR
	if n == 0 {
		flags |= os.O_CREATE
	}
	return j.change(ctx, run, flags, func(f *content) error {
		return add(f, run, n, entries)
	})
}

// Delete is [journal.Journal.Delete]. What the file held is written over; it stays,
// and says that the run was deleted.
func (j *Journal) Delete(ctx context.Context, run string) error {
	if err := journal.Check(ctx, run); err != nil {
		return err
	}
	err := j.change(ctx, run, os.O_RDWR, bury)
	if _, gone := errors.AsType[*journal.Gone](err); gone {
		return nil
	}
	return err
}

// change has f work on the file of a run that nobody else changes.
func (j *Journal) change(ctx context.Context, run string, flags int, work func(*content) error) error {
	f, err := os.OpenFile(j.path(run), flags, 0o600)
	if errors.Is(err, fs.ErrNotExist) {
		return &journal.Gone{Run: run}
	} else if err != nil {
		return failed(run, err)
	}
	defer f.Close() // which unlocks it
	if err := lock(ctx, f); err != nil {
		return failed(run, err)
	}
	c, err := look(f)
	if err != nil {
		return failed(run, err)
	}
	return told(run, work(c))
}

// told returns an error as those of journals are.
func told(run string, err error) error {
	_, taken := errors.AsType[*journal.Taken](err)
	_, gone := errors.AsType[*journal.Gone](err)
	_, known := errors.AsType[*journal.Error](err)
	if err == nil || taken || gone || known {
		return err
	}
	return failed(run, err)
}

// Read is [journal.Journal.Read]. It waits for nobody. It costs as much as there are
// entries to read, not those before.
func (j *Journal) Read(ctx context.Context, run string, from int) iter.Seq2[journal.Entry, error] {
	return func(yield func(journal.Entry, error) bool) {
		if err := j.read(ctx, run, from, func(e journal.Entry) bool { return yield(e, nil) }); err != nil {
			yield(journal.Entry{}, told(run, err))
		}
	}
}

// read hands entries on until somebody has enough of them.
func (j *Journal) read(ctx context.Context, run string, from int, more func(journal.Entry) bool) error {
	if err := journal.Check(ctx, run); err != nil {
		return err
	}
	f, err := os.Open(j.path(run))
	if errors.Is(err, fs.ErrNotExist) {
		return &journal.Gone{Run: run}
	} else if err != nil {
		return err
	}
	defer f.Close()
	c, err := look(f)
	if err != nil {
		return err
	}
	last, err := find(c, run)
	if err != nil {
		return err
	}
	places, err := since(c, last, from)
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

// Runs is [journal.Journal.Runs]. It reads the end of every file of the folder.
func (j *Journal) Runs(ctx context.Context, filter journal.Filter) iter.Seq2[journal.Info, error] {
	return func(yield func(journal.Info, error) bool) {
		all, err := j.all(ctx)
		if err != nil {
			yield(journal.Info{}, told("", err))
			return
		}
		for _, info := range filter.Page(all) {
			if !yield(info, nil) {
				return
			}
		}
	}
}

func (j *Journal) all(ctx context.Context) ([]journal.Info, error) {
	folder, err := os.Open(j.folder)
	if err != nil {
		return nil, err
	}
	defer folder.Close()
	names, err := folder.Readdirnames(-1)
	if err != nil {
		return nil, err
	}
	all := make([]journal.Info, 0, len(names))
	for _, name := range names {
		if !strings.HasSuffix(name, suffix) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		info, found, err := about(filepath.Join(j.folder, name))
		if err != nil {
			return nil, err
		}
		if found {
			all = append(all, info)
		}
	}
	return all, ctx.Err()
}

// about returns what the last entry of a file says, if there is any.
func about(path string) (info journal.Info, found bool, err error) {
	f, err := os.Open(path)
	if err != nil {
		return info, false, err
	}
	defer f.Close()
	c, err := look(f)
	if err != nil {
		return info, false, err
	}
	last, err := find(c, "")
	if _, gone := errors.AsType[*journal.Gone](err); gone {
		return info, false, nil
	} else if err != nil {
		return info, false, fmt.Errorf("%s: %w", path, err)
	}
	return last.head.Entry.Info(last.head.Run), true, nil
}
