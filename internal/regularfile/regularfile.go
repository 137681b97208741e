// Package regularfile reads files of untrusted origin. A repository may contain a pipe without a
// writer, a link to an endless device, or a file that is larger than memory. The functions of this package return an
// error for these instead of blocking or exhausting memory.
package regularfile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// MaxSize is the maximum size of a file that ReadFile reads, in bytes. It is far more than
// any source file needs.
const MaxSize = 64 << 20

// Stat returns the FileInfo of a regular file, or of the one that a symbolic link refers to.
// For other kinds of files, such as directories, it returns an [fs.PathError].
func Stat(path string) (fs.FileInfo, error) {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "stat", Path: path, Err: fmt.Errorf("it is %s, not a regular file", describeMode(info.Mode()))}
	}
	return info, err
}

// Open opens a regular file for reading.
func Open(path string) (*os.File, error) {
	if _, err := Stat(path); err != nil { // opening a pipe would block
		return nil, err
	}
	return os.Open(path)
}

// ReadFile returns the content of a regular file.
func ReadFile(path string) ([]byte, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var content bytes.Buffer
	if info, err := f.Stat(); err == nil {
		content.Grow(int(min(info.Size(), MaxSize)) + bytes.MinRead) // avoids reallocation
	}
	_, err = content.ReadFrom(io.LimitReader(f, MaxSize+1))
	if err == nil && content.Len() > MaxSize {
		err = &fs.PathError{Op: "read", Path: path, Err: fmt.Errorf("it is larger than the limit of %d MiB", MaxSize>>20)}
	}
	return content.Bytes(), err
}

// HasContent reports whether a regular file has the given content.
func HasContent(path string, content []byte) (bool, error) {
	found, err := ReadFile(path)
	return err == nil && bytes.Equal(found, content), err
}

// Reason returns the cause of an error of this package or of package os, without the name of the file.
func Reason(err error) error {
	if pathErr, ok := errors.AsType[*fs.PathError](err); ok {
		return pathErr.Err
	}
	if linkErr, ok := errors.AsType[*os.LinkError](err); ok {
		return linkErr.Err
	}
	return err
}

func describeMode(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "a directory"
	case mode&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeDevice != 0:
		return "a device"
	}
	return "something else"
}
