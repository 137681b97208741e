// Package regular reads files that others wrote. A repository may hold, under any
// name, a pipe that nobody writes to, a link to a device without end, or a file
// that is larger than memory; a program that compiles what it finds there must
// neither wait for them nor read them whole.
package regular

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// MaxSize bounds what is read of a file, in bytes. It is far more than source has
// that people or programs write.
const MaxSize = 64 << 20

// Stat describes a regular file, or one that a link leads to. The error for
// anything else is an [fs.PathError], as those of the system are.
func Stat(path string) (fs.FileInfo, error) {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "stat", Path: path, Err: fmt.Errorf("it is %s, not a regular file", kind(info.Mode()))}
	}
	return info, err
}

// Open opens a regular file for reading.
func Open(path string) (*os.File, error) {
	if _, err := Stat(path); err != nil { // opening a pipe would wait already
		return nil, err
	}
	return os.Open(path)
}

// ReadFile returns what a regular file holds.
func ReadFile(path string) ([]byte, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var content bytes.Buffer
	if info, err := f.Stat(); err == nil {
		content.Grow(int(min(info.Size(), MaxSize)) + bytes.MinRead) // it need not grow
	}
	_, err = content.ReadFrom(io.LimitReader(f, MaxSize+1))
	if err == nil && content.Len() > MaxSize {
		err = &fs.PathError{Op: "read", Path: path, Err: fmt.Errorf("it has more than the %d MiB that are read", MaxSize>>20)}
	}
	return content.Bytes(), err
}

// Holds reports whether a regular file holds that. It may be large, and is not read whole.
func Holds(path string, content []byte) (bool, error) {
	file, err := Open(path)
	if err != nil {
		return false, err
	}
	defer file.Close()
	buffer := make([]byte, 64<<10)
	for {
		n, err := file.Read(buffer)
		if !bytes.HasPrefix(content, buffer[:n]) {
			return false, nil
		}
		content = content[n:]
		switch {
		case err == io.EOF:
			return len(content) == 0, nil
		case err != nil:
			return false, err
		}
	}
}

// Reason is what an error of this package or the system says is wrong with a file,
// without the name of the file, which stands elsewhere.
func Reason(err error) error {
	if pathErr, ok := errors.AsType[*fs.PathError](err); ok {
		return pathErr.Err
	}
	if linkErr, ok := errors.AsType[*os.LinkError](err); ok {
		return linkErr.Err
	}
	return err
}

func kind(mode fs.FileMode) string {
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
