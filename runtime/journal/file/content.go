package file

import (
	"io"
	"os"
	"strings"
)

// content is what is in a file, of which the last bytes were read already.
type content struct {
	*os.File
	size int64
	tail []byte
}

// tailBytes is how much of a file is read at once: the last entry, most often.
const tailBytes = 2 << 10

func look(f *os.File) (*content, error) {
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

// ReadAt is that of a file, but what was there and is not any more are zeros.
func (c *content) ReadAt(b []byte, at int64) (int, error) {
	if tail := c.size - int64(len(c.tail)); at >= tail && at+int64(len(b)) <= c.size {
		return copy(b, c.tail[at-tail:]), nil
	}
	n, err := c.File.ReadAt(b, at)
	if err == io.EOF {
		clear(b[n:])
		return len(b), nil
	}
	return n, err
}

func (c *content) isBuried() bool { return strings.HasSuffix(string(c.tail), tombstone) }
