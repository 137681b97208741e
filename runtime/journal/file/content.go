package file

import (
	"bytes"
	"errors"
	"io"
	"os"
	"slices"
	"time"
)

// content reads what a file contained when newContent was called. newContent reads its last bytes; the
// methods read the others on demand. A content is not safe for concurrent use.
type content struct {
	*os.File
	size    int64
	changed time.Time
	tail    []byte
	block   []byte // the block that was read last
	blockAt int64  // its offset
}

// tailBytes is how much of the end of a file is read at once: usually the last append.
const tailBytes = 2 << 10

// blockBytes is how much is read at once from the bytes before the tail.
const blockBytes = 16 << 10

func newContent(f *os.File) (*content, error) {
	c := new(content)
	return c, c.load(f)
}

// load reads what a file contains now. It reuses the memory of what c has read before.
func (c *content) load(f *os.File) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	size := info.Size()
	tail := slices.Grow(c.tail[:0], tailBytes)[:min(size, tailBytes)]
	*c = content{File: f, size: size, changed: info.ModTime(), tail: tail, block: c.block[:0]}
	_, err = c.ReadAt(tail, size-int64(len(tail)))
	return err
}

// ReadAt reads from the file. Bytes that were truncated since c was loaded are zeros.
func (c *content) ReadAt(b []byte, at int64) (int, error) {
	n, err := c.File.ReadAt(b, at)
	if errors.Is(err, io.EOF) {
		clear(b[n:])
		return len(b), nil
	}
	return n, err
}

// view returns n bytes at an offset. The caller must not change them, and the next call may overwrite
// them. view reads a whole block, because callers read the bytes next to these afterward.
func (c *content) view(at, n int64) ([]byte, error) {
	if begin := c.size - int64(len(c.tail)); at >= begin && at+n <= c.size {
		return c.tail[at-begin:][:n], nil
	}
	if at < c.blockAt || at+n > c.blockAt+int64(len(c.block)) {
		c.blockAt = at - at%blockBytes
		size := min(max(c.blockAt+blockBytes, at+n), c.size) - c.blockAt
		c.block = slices.Grow(c.block[:0], int(size))[:size]
		if _, err := c.ReadAt(c.block, c.blockAt); err != nil {
			c.block = nil
			return nil, err
		}
	}
	return c.block[at-c.blockAt:][:n], nil
}

// isDeleted reports whether the run of the file was deleted.
func (c *content) isDeleted() bool { return bytes.HasSuffix(c.tail, []byte(tombstone)) }

// writtenSize returns the size of the file without the zeros at its end, which a crash of the
// machine may leave.
func (c *content) writtenSize() (int64, error) {
	block := make([]byte, 64<<10)
	for end := c.size; end > 0; {
		block = block[:min(end, int64(len(block)))]
		if _, err := c.ReadAt(block, end-int64(len(block))); err != nil {
			return 0, err
		}
		for i := len(block) - 1; i >= 0; i-- {
			if block[i] != 0 {
				return end - int64(len(block)) + int64(i) + 1, nil
			}
		}
		end -= int64(len(block))
	}
	return 0, nil
}
