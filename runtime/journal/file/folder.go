package file

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/aiongen/aiongen/runtime/journal"
)

// Open returns the journal in a folder, which it creates if necessary. To detect problems early,
// it creates and removes a file: it fails if the folder is not writable, or if the file system
// has no locks or no hard links. The error is a [*journal.Error].
func Open(folder string) (*Journal, error) {
	if !lockable {
		return nil, newFailure("", fmt.Errorf("files cannot be locked on this system: %w", errors.ErrUnsupported))
	}
	if folder == "" { // an empty name would mean the working directory
		return nil, newFailure("", errors.New("the name of the folder is empty"))
	}
	absolute, err := filepath.Abs(folder)
	if err == nil {
		err = os.MkdirAll(absolute, 0o700)
	}
	if err == nil {
		err = tryFolder(absolute)
	}
	if err != nil {
		return nil, newFailure("", err)
	}
	return &Journal{folder: absolute}, nil
}

// tryFolder returns an error if files in a folder cannot be created, locked and linked. It also
// removes the files of processes that were killed while creating them.
func tryFolder(path string) error {
	f, err := os.CreateTemp(path, unfinishedFiles)
	if err != nil {
		return fmt.Errorf("the folder cannot be written: %w", err)
	}
	defer os.Remove(f.Name())
	_, err = tryLock(f)
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	second := f.Name() + "2"
	defer os.Remove(second)
	if err := os.Link(f.Name(), second); err != nil {
		return fmt.Errorf("the file system needs hard links: %w", err)
	}
	return removeUnfinished(path)
}

// maxCreationTime is the age at which a file being created counts as abandoned.
const maxCreationTime = time.Hour

func removeUnfinished(folder string) error {
	names, err := fs.Glob(os.DirFS(folder), unfinishedFiles+"*")
	if err != nil {
		return err
	}
	for _, name := range names {
		path := filepath.Join(folder, name)
		info, err := os.Stat(path)
		if err == nil && time.Since(info.ModTime()) > maxCreationTime {
			err = os.Remove(path)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// newFailure returns the error for a problem that may be temporary.
func newFailure(run string, err error) error {
	return &journal.Error{Kind: journal.Failed, Run: run, Err: err}
}
