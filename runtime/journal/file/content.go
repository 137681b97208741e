package file

import (
	"errors"
	"io"
	"os"
	"strings"
)

// content is what a file contained at one moment. Its last bytes were read then.
type content struct {
	*os.File
	size int64
	tail []byte
}

// tailBytes is how much of the end of a file is read at once: usually the last append.
const tailBytes = 2 << 10

func newContent(f *os.File) (*content, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	c := &content{File: f, size: info.Size()}
	tail := make([]byte, min(c.size, tailBytes))
	_, err = c.ReadAt(tail, c.size-int64(len(tail)))
	c.tail = tail
	return c, err
}

// ReadAt reads from the file. Bytes that were cut off since then are zeros.
func (c *content) ReadAt(b []byte, at int64) (int, error) {
	if tail := c.size - int64(len(c.tail)); at >= tail && at+int64(len(b)) <= c.size {
		return copy(b, c.tail[at-tail:]), nil
	}
	n, err := c.File.ReadAt(b, at)
	if errors.Is(err, io.EOF) {
		clear(b[n:])
		return len(b), nil
	}
	return n, err
}

func (c *content) isBuried() bool { return strings.HasSuffix(string(c.tail), tombstone) }

// writtenSize returns the size of the file without the zeros at its end, which a machine that
// fails may leave.
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
