// Package file implements a journal in a folder, with one file per run. Create it with [Open].
// Several processes of one machine may use the folder at the same time. Entries are on the disk
// when Append returns, and survive the end of the process and of the machine. Folder and files
// are accessible to their owner only.
//
// If a process or the machine stops during an append, the append is incomplete or ends with zeros.
// Such an append was not acknowledged, and is ignored and later overwritten. Any other damage is a
// [*journal.Error] with the code [journal.Corrupt], which names the byte. A file that lost
// acknowledged appends at its end looks like a file whose last append was not completed, and is
// read without them.
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

// Journal is a [journal.Journal] in a folder. Create it with [Open]. It need not be closed.
type Journal struct {
	folder string
	infos  infoCache
}

var _ journal.Journal = (*Journal)(nil)

func (j *Journal) runPath(run string) string { return filepath.Join(j.folder, fileName(run)) }

// Append implements [journal.Journal]. It waits while another process changes the run, until ctx
// is done. If n is 0 and the file of the run is damaged, the error has the code [journal.Corrupt]
// and wraps a [*journal.ConflictError].
func (j *Journal) Append(ctx context.Context, run string, n int, entries ...journal.Entry) error {
	if err := journal.Check(ctx, run); err != nil {
		return err
	}
	entries, err := journal.Prepare(run, n, entries)
	if err != nil {
		return err
	}
	for try := 1; ; try++ {
		err := j.changeFile(ctx, run, func(f *content) error { return addEntries(f, run, n, entries) })
		if n > 0 || !errors.Is(err, fs.ErrNotExist) {
			return j.wrapError(run, err)
		}
		if try > maxCreations {
			return newFailure(run, fmt.Errorf("%s exists and cannot be opened: %w", j.runPath(run), err))
		}
		if err := createFile(j.runPath(run), run, entries); !errors.Is(err, fs.ErrExist) {
			return j.wrapError(run, err)
		}
	}
}

// maxCreations limits how often Append tries to create a file. Append tries again if another process
// creates the file at the same time, but must not do so forever if the file exists and cannot be
// opened, such as a broken symbolic link.
const maxCreations = 3

// Delete implements [journal.Journal]. It overwrites the entries. The file remains and records
// that the run was deleted.
func (j *Journal) Delete(ctx context.Context, run string) error {
	if err := journal.Check(ctx, run); err != nil {
		return err
	}
	err := j.wrapError(run, j.changeFile(ctx, run, writeDeletion))
	if _, notFound := errors.AsType[*journal.NotFoundError](err); notFound {
		return nil
	}
	return err
}

// changeFile calls work with the locked file of a run.
func (j *Journal) changeFile(ctx context.Context, run string, work func(*content) error) error {
	f, err := os.OpenFile(j.runPath(run), os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer f.Close() // unlocks it
	if err := lockFile(ctx, f); err != nil {
		return err
	}
	c, err := newContent(f)
	if err != nil {
		return err
	}
	return work(c)
}

// wrapError converts an error to one of a journal: a file that does not exist becomes a
// [*journal.NotFoundError], unless the folder is missing.
func (j *Journal) wrapError(run string, err error) error {
	_, bad := errors.AsType[*journal.Error](err)
	_, conflict := errors.AsType[*journal.ConflictError](err)
	_, notFound := errors.AsType[*journal.NotFoundError](err)
	switch {
	case err == nil, bad, conflict, notFound:
		return err
	case errors.Is(err, fs.ErrNotExist):
		if _, noFolder := os.Stat(j.folder); noFolder == nil {
			return &journal.NotFoundError{Run: run}
		}
		return newFailure(run, fmt.Errorf("the folder of the journal is missing: %w", err))
	}
	return newFailure(run, err)
}

// Read implements [journal.Journal]. It waits for other processes only if the file looks damaged.
// Its cost depends on the number of entries that it returns.
func (j *Journal) Read(ctx context.Context, run string, from int) iter.Seq2[journal.Entry, error] {
	return func(yield func(journal.Entry, error) bool) {
		if err := j.readEntries(ctx, run, from, func(e journal.Entry) bool { return yield(e, nil) }); err != nil {
			yield(journal.Entry{}, j.wrapError(run, err))
		}
	}
}

// readEntries calls yield with each entry until yield returns false.
func (j *Journal) readEntries(ctx context.Context, run string, from int, yield func(journal.Entry) bool) error {
	if err := journal.Check(ctx, run); err != nil {
		return err
	}
	f, err := os.Open(j.runPath(run))
	if err != nil {
		return err
	}
	defer f.Close()
	var c content
	var places []place
	err = c.examine(ctx, f, func() error {
		last, err := findLast(&c, run)
		if err == nil {
			places, err = placesSince(&c, last, from)
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
		e, err := p.readEntry(&c)
		if err != nil || !yield(e) {
			return err
		}
	}
	return nil
}

// examine loads a file and calls look. Apparent damage may be an unfinished append of another process. If look reports
// damage, examine locks the file, and loads and looks again.
func (c *content) examine(ctx context.Context, f *os.File, look func() error) error {
	err := c.load(f)
	if err == nil {
		err = look()
	}
	if bad, ok := errors.AsType[*journal.Error](err); !ok || bad.Kind != journal.Corrupt {
		return err
	}
	locked, err := os.Open(f.Name())
	if err != nil {
		return err
	}
	defer locked.Close() // unlocks it
	if err := lockFile(ctx, locked); err != nil {
		return err
	}
	if err := c.load(f); err != nil {
		return err
	}
	return look()
}

// Runs implements [journal.Journal]. It looks at every file in the folder, and reads the ends of those
// that have changed since the last list. Errors of damaged files come after the other runs.
func (j *Journal) Runs(ctx context.Context, filter journal.Filter) iter.Seq2[journal.Info, error] {
	return func(yield func(journal.Info, error) bool) {
		all, damage, err := j.allRuns(ctx)
		if err != nil {
			yield(journal.Info{}, j.wrapError("", err))
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

// allRuns returns the Info of each run, and the errors of damaged files.
func (j *Journal) allRuns(ctx context.Context) (infos []journal.Info, damage []error, err error) {
	folder, err := os.Open(j.folder)
	if err != nil {
		return nil, nil, err
	}
	defer folder.Close()
	names, err := folder.Readdirnames(-1)
	if err != nil {
		return nil, nil, err
	}
	names = slices.DeleteFunc(names, func(name string) bool { return !strings.HasSuffix(name, suffix) })
	infos = make([]journal.Info, 0, len(names))
	for _, f := range j.readInfos(ctx, names) {
		switch bad, ok := errors.AsType[*journal.Error](f.err); {
		case ok && bad.Kind == journal.Corrupt:
			damage = append(damage, bad.Err)
		case f.err != nil:
			return nil, nil, f.err
		case f.found:
			infos = append(infos, f.info)
		}
	}
	return infos, damage, ctx.Err()
}
