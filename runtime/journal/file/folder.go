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

// Open returns the journal in a folder, which it creates if there is none. It creates a
// file there and removes it, so that it fails if the folder cannot be written, or if its
// file system has no locks or no hard links. The error is a [*journal.Error].
func Open(folder string) (*Journal, error) {
	if !lockable {
		return nil, failed("", fmt.Errorf("files cannot be locked on this system: %w", errors.ErrUnsupported))
	}
	if folder == "" { // which would be the working directory
		return nil, failed("", errors.New("the journal needs the name of a folder"))
	}
	absolute, err := filepath.Abs(folder)
	if err == nil {
		err = os.MkdirAll(absolute, 0o700)
	}
	if err == nil {
		err = tryFolder(absolute)
	}
	if err != nil {
		return nil, failed("", err)
	}
	return &Journal{folder: absolute}, nil
}

// tryFolder returns an error if runs could not begin in a folder. It removes the files of
// processes that were killed while they created one.
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

// longestCreation is the time after which a file that is being created was left behind.
const longestCreation = time.Hour

func removeUnfinished(folder string) error {
	left, err := fs.Glob(os.DirFS(folder), unfinishedFiles+"*")
	if err != nil {
		return err
	}
	for _, name := range left {
		path := filepath.Join(folder, name)
		info, err := os.Stat(path)
		if err == nil && time.Since(info.ModTime()) > longestCreation {
			err = os.Remove(path)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// failed returns the error for something that may succeed at another time.
func failed(run string, err error) error {
	return &journal.Error{Kind: journal.Failed, Run: run, Err: err}
}
